/* SPDX-License-Identifier: Apache-2.0 */
/* measure: functions shared by the routing benchmarks: a clock, medians, random rounds, and memory
 * that ends the program if there is none. */
#ifndef ROUNDCAST_MEASURE_H
#define ROUNDCAST_MEASURE_H

#include "sched/base/compare.h"
#include "sched/base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double measure_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Returns the CPU time of this process over all threads, in seconds. */
static inline double measure_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns the median of `count` values, and sorts them. */
static inline double measure_median(double figure[], size_t count)
{
    qsort(figure, count, sizeof *figure, compare_double);
    return figure[count / 2];
}

/* Kinds of rounds. Shifts by tag are not routed. */
enum measure_rounds { MEASURE_PERMUTATIONS, MEASURE_SHIFTS, MEASURE_MAPS, MEASURE_TAGS };

/* Draws the circuits of a full round, circuit[ports], as network_route requires them. */
static inline void measure_draw(struct rng *rng, enum measure_rounds kind, uint32_t ports,
                                uint32_t circuit[])
{
    uint32_t shift = rng_below(rng, ports);
    if (kind == MEASURE_PERMUTATIONS)
        rng_permutation(rng, ports, circuit);
    for (uint32_t port = 0; port < ports && kind != MEASURE_PERMUTATIONS; port++)
        circuit[port] = kind == MEASURE_MAPS ? rng_below(rng, ports) : (port + shift) % ports;
}

/* Returns zeroed memory; ends the program if there is none. */
static inline void *measure_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fputs("bench: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

#endif
