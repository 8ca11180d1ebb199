/* SPDX-License-Identifier: Apache-2.0 */
/* bench_cube: the rounds of gather and spread of cube-broadcast when they overlap.
 *
 * Hypercubes of 4 to 7 dimensions; K = d, 4d and 2^d packets at different nodes, drawn from the
 * seeds 1, 2, …; trees by rank, without the rounds of the prefix, or drawn at random; with both
 * priorities. N is the largest number of packets of a tree; a schedule whose gather has priority
 * takes at most 2N + 2d - 2 rounds. Every schedule is verified.
 *
 *     bench_cube [SEEDS]      seeds of each row (default: 1000)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_variant.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED_OF_TREES 1000 /* added to the seed, as in cube-broadcast */

/* Returns the method with this prefix and overlap. Precondition: there is one. */
static unsigned method_of(struct cube_variant variant)
{
    unsigned method = 0;
    while (cube_variant_of(method).prefix != variant.prefix ||
           cube_variant_of(method).overlap != variant.overlap)
        method++;
    return method;
}

/* The rounds over all seeds, with one priority. */
struct rounds {
    uint64_t sum, most;
    int64_t beyond; /* maximum of rounds - (2N + 2d - 2); can be negative */
};

struct row {
    uint64_t sum_of_n;
    struct rounds rounds[2]; /* gather first, spread first */
};

/* Returns the largest number of packets of a tree. */
static uint32_t largest(unsigned d, uint32_t packets, bool drawn, uint64_t seed)
{
    uint32_t of_tree[TOPOLOGY_MAX_DIMENSIONS] = {0}, most = 0;
    struct rng rng = {seed + SEED_OF_TREES};
    for (uint32_t packet = 0; packet < packets; packet++) {
        uint32_t now = ++of_tree[drawn ? rng_next(&rng) % d : packet % d];
        most = MAX(most, now);
    }
    return most;
}

static bool measure(const struct collective *asked, enum cube_prefix prefix, uint64_t bound,
                    struct rounds *rounds, struct err *err)
{
    const struct algorithm *algorithm = algorithm_find("cube-broadcast", err);
    struct schedule schedule = {0};
    struct verify_report report;
    if (!algorithm_build(algorithm, asked, &schedule, err))
        return false;
    bool held = verify_schedule(algorithm->name, &schedule, &report, err);
    uint64_t took = schedule.end - cube_prefix_rounds(prefix, asked->topology->dimensions);
    int64_t beyond = (int64_t)took - (int64_t)bound;
    rounds->sum += took;
    rounds->most = MAX(rounds->most, took);
    rounds->beyond = MAX(rounds->beyond, beyond);
    schedule_free(&schedule);
    return held;
}

/* Measures one seed with both priorities. */
static bool measure_seed(const struct topology *cube, uint32_t packets, bool drawn, uint64_t seed,
                         struct row *row, struct err *err)
{
    unsigned d = cube->dimensions;
    enum cube_prefix prefix = drawn ? CUBE_PREFIX_NONE : CUBE_PREFIX_EXCHANGE;
    uint32_t *sources, n = largest(d, packets, drawn, seed);
    if (!cube_sources_random(cube->nodes, packets, seed, &sources, err))
        return false;
    bool measured = true;
    row->sum_of_n += n;
    for (unsigned which = 0; measured && which < 2; which++) {
        const struct cube_variant variant = {prefix,
                                             which == 0 ? CUBE_GATHER_FIRST : CUBE_SPREAD_FIRST};
        const struct collective asked = {.n = cube->nodes,
                                         .m = packets,
                                         .model = MODEL_ALL_PORT,
                                         .topology = cube,
                                         .sources = sources,
                                         .seed = seed,
                                         .method = method_of(variant)};
        measured = measure(&asked, prefix, 2 * (uint64_t)n + 2 * d - 2, &row->rounds[which], err);
    }
    free(sources);
    return measured;
}

static bool print_row(const struct topology *cube, uint32_t packets, bool drawn, uint64_t seeds,
                      struct err *err)
{
    struct row row = {0, {{0, 0, INT64_MIN}, {0, 0, INT64_MIN}}};
    for (uint64_t seed = 1; seed <= seeds; seed++)
        if (!measure_seed(cube, packets, drawn, seed, &row, err))
            return false;
    double count = (double)seeds;
    printf("%2u %4" PRIu32 "  %-6s  %6.1f", cube->dimensions, packets, drawn ? "drawn" : "ranked",
           (double)row.sum_of_n / count);
    for (unsigned which = 0; which < 2; which++)
        printf("  |  %5.1f  %4" PRIu64 "  %+5" PRId64, (double)row.rounds[which].sum / count,
               row.rounds[which].most, row.rounds[which].beyond);
    putchar('\n');
    return true;
}

int main(int argc, char **argv)
{
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    struct err err = {0};
    bool measured =
        seeds > 0 || err_set(&err, ERR_OPTION, "bench_cube: no seeds; expected 1 or more");
    if (measured)
        printf("gather and spread, overlapping, %" PRIu64
               " seeds; beyond: at most so far from 2N + 2d - 2\n"
               "                          |  gather first         |  spread first\n"
               " d    K  trees   mean N   |   mean   max  beyond  |   mean   max  beyond\n",
               seeds);
    for (unsigned d = 4; measured && d <= 7; d++) {
        struct topology cube;
        measured = topology_hypercube(d, &cube, &err);
        const uint32_t packets[] = {d, 4 * d, cube.nodes};
        for (unsigned which = 0; which < 3; which++)
            for (unsigned drawn = 0; measured && drawn <= 1; drawn++)
                measured = (which == 1 && packets[1] == cube.nodes) || /* 4 · 4 packets would repeat
                                                                        * the row of 2^4 */
                           print_row(&cube, packets[which], drawn, seeds, &err);
    }
    if (!measured)
        err_print(stderr, &err, NULL);
    return measured ? 0 : err_exit_status(err.code);
}
