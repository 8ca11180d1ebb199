/* SPDX-License-Identifier: Apache-2.0 */
/* threads: the number of threads that share a piece of work. */
#ifndef ROUNDCAST_THREADS_H
#define ROUNDCAST_THREADS_H

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns the number of threads for a piece of work: the number of cores, or OMP_NUM_THREADS.
 * Returns 1 if the work is less than `least`, below which threads cost more than they gain, and
 * inside a thread. */
static inline unsigned threads_for(uint64_t work, uint64_t least)
{
    bool shared = omp_in_parallel() != 0;
    return work < least || shared ? 1 : (unsigned)omp_get_max_threads();
}

/* Releases the other threads before work of a single thread, so that they do not wait for it. */
static inline void threads_rest(unsigned count)
{
    if (count > 1)
        omp_pause_resource_all(omp_pause_hard);
}

#endif
