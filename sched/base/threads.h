/* SPDX-License-Identifier: Apache-2.0 */
/* threads: how many of them share a piece of work. */
#ifndef ROUNDCAST_THREADS_H
#define ROUNDCAST_THREADS_H

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

/* As many as there are cores, or OMP_NUM_THREADS; 1 for less work than `least`, from which threads
 * gain more than they cost, and for what is one of several threads itself. */
static inline unsigned threads_for(uint64_t work, uint64_t least)
{
    bool shared = omp_in_parallel() != 0;
    return work < least || shared ? 1 : (unsigned)omp_get_max_threads();
}

/* What comes next has one thread: the others should not wait for it. */
static inline void threads_rest(unsigned count)
{
    if (count > 1)
        omp_pause_resource_all(omp_pause_hard);
}

#endif
