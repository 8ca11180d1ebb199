/* SPDX-License-Identifier: Apache-2.0 */
/* bench_routers: nanoseconds per port to route full rounds through multistage networks, on one
 * core.
 *
 * The rounds are seeded random permutations; for omega networks random cyclic shifts, because omega
 * networks block most permutations; for networks that copy random maps. Every run routes many
 * different rounds, so that branch predictors cannot learn them. Shifts by tag are not routed:
 * their settings are computed from a number, as stages and csim do it. Each line also has the time
 * of a memcpy of the same settings, which is the limit for any router. Medians of several runs.
 */
#include "bench/measure.h"
#include "sched/machine/expand.h"
#include "sched/network/network_router.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 9

/* Many rounds of a network, with memory for a row of its settings and a copy. */
struct work {
    struct multistage net;
    struct tags_shift *shift;
    struct network_router *router;
    size_t ports, words;
    uint32_t rounds;
    uint32_t *to, *row, *copied;
};

static void stop(const struct err *err)
{
    err_print(stderr, err, NULL);
    exit(err_exit_status(err->code));
}

static struct work work_new(struct multistage net, enum measure_rounds kind, uint32_t rounds,
                            uint64_t seed)
{
    struct work work = {.net = net, .ports = net.ports, .rounds = rounds};
    struct err err;
    struct rng rng = {seed};
    work.router = network_router_new(&net, &err);
    if (work.router == NULL)
        stop(&err);
    work.words = (size_t)multistage_stages(&net) * multistage_row_words(&net);
    work.to = measure_allocate(work.ports * rounds, sizeof work.to[0]);
    work.row = measure_allocate(work.words, sizeof work.row[0]);
    work.copied = measure_allocate(work.words, sizeof work.copied[0]);
    work.shift = measure_allocate((size_t)1 << net.levels, sizeof work.shift[0]);
    for (uint32_t round = 0; round < rounds; round++)
        measure_draw(&rng, kind, net.ports, work.to + round * work.ports);
    return work;
}

static void route_all(const struct work *work)
{
    struct err err;
    for (uint32_t round = 0; round < work->rounds; round++)
        if (!network_route(work->router, work->to + round * work->ports, work->row, &err))
            stop(&err);
}

/* Expands all rounds. The number of a shift is the destination of input 0. */
static void expand_all(const struct work *work)
{
    uint32_t words = multistage_row_words(&work->net);
    for (uint32_t round = 0; round < work->rounds; round++)
        for (unsigned stage = 0; stage < multistage_stages(&work->net); stage++)
            tags_settings(&work->net, (struct tag){.value = work->to[round * work->ports]}, stage,
                          work->shift, work->row + stage * words);
}

static void copy_all(const struct work *work)
{
    for (uint32_t round = 0; round < work->rounds; round++) {
        work->row[round % work->words] ^= round;
        memcpy(work->copied, work->row, work->words * sizeof work->row[0]);
        __asm__ volatile("" : : "r"(work->copied) : "memory");
    }
}

static double median(const struct work *work, void (*run)(const struct work *))
{
    double taken[RUNS];
    for (unsigned number = 0; number < RUNS; number++) {
        double start = measure_now_ns();
        run(work);
        taken[number] = (measure_now_ns() - start) / (double)(work->ports * work->rounds);
    }
    return measure_median(taken, RUNS);
}

static void measure(const char *name, struct multistage net, enum measure_rounds kind,
                    uint32_t rounds)
{
    static const char *const kinds[] = {"permutations", "shifts", "maps", "shifts by tag"};
    struct work work = work_new(net, kind, rounds, 7);
    double route = median(&work, kind == MEASURE_TAGS ? expand_all : route_all),
           copy = median(&work, copy_all);
    printf("%-20s %-14s %9zu %8u %12.2f %16.3f\n", name, kinds[kind], work.ports, rounds, route,
           copy);
    network_router_free(work.router);
    free(work.shift);
    free(work.to);
    free(work.row);
    free(work.copied);
}

int main(void)
{
    printf("Routing full rounds, median of %d runs\n", RUNS);
    printf("%-20s %-14s %9s %8s %12s %16s\n", "network", "rounds of", "ports", "rounds",
           "ns per port", "memcpy of rows");
    measure("benes:64", multistage_benes(64), MEASURE_PERMUTATIONS, 8192);
    measure("benes:1024", multistage_benes(1024), MEASURE_PERMUTATIONS, 512);
    measure("benes:65536", multistage_benes(65536), MEASURE_PERMUTATIONS, 16);
    measure("benes:1048576", multistage_benes(1048576), MEASURE_PERMUTATIONS, 3);
    measure("benes:63", multistage_benes(63), MEASURE_PERMUTATIONS, 8192);
    measure("benes:1000", multistage_benes(1000), MEASURE_PERMUTATIONS, 512);
    measure("benes:65535", multistage_benes(65535), MEASURE_PERMUTATIONS, 16);
    measure("benes:1000000", multistage_benes(1000000), MEASURE_PERMUTATIONS, 3);
    measure("clos:8,8,8", multistage_clos(8, 8, 8), MEASURE_PERMUTATIONS, 8192);
    measure("clos:24,24,24", multistage_clos(24, 24, 24), MEASURE_PERMUTATIONS, 1024);
    measure("clos:64,64,64", multistage_clos(64, 64, 64), MEASURE_PERMUTATIONS, 128);
    measure("clos:127,127,127", multistage_clos(127, 127, 127), MEASURE_PERMUTATIONS, 32);
    measure("benes:512,radix=8", multistage_radix_benes(8, 3), MEASURE_PERMUTATIONS, 1024);
    measure("benes:65536,radix=4", multistage_radix_benes(4, 8), MEASURE_PERMUTATIONS, 16);
    measure("benes:65536,radix=16", multistage_radix_benes(16, 4), MEASURE_PERMUTATIONS, 16);
    measure("benes:729,radix=3", multistage_radix_benes(3, 6), MEASURE_PERMUTATIONS, 1024);
    measure("benes:1024", multistage_benes(1024), MEASURE_SHIFTS, 512);
    measure("benes:1000", multistage_benes(1000), MEASURE_SHIFTS, 512);
    measure("clos:24,24,24", multistage_clos(24, 24, 24), MEASURE_SHIFTS, 1024);
    measure("benes:1024", multistage_benes(1024), MEASURE_TAGS, 512);
    measure("benes:1000", multistage_benes(1000), MEASURE_TAGS, 512);
    measure("benes:65536", multistage_benes(65536), MEASURE_TAGS, 16);
    measure("omega:64", multistage_omega(64), MEASURE_SHIFTS, 8192);
    measure("omega:1024", multistage_omega(1024), MEASURE_SHIFTS, 512);
    measure("omega:65536", multistage_omega(65536), MEASURE_SHIFTS, 16);
    measure("multicast:64", multistage_multicast(64), MEASURE_MAPS, 4096);
    measure("multicast:1024", multistage_multicast(1024), MEASURE_MAPS, 256);
    measure("multicast:65536", multistage_multicast(65536), MEASURE_MAPS, 8);
    return 0;
}
