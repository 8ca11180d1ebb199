/* bench_routers: nanoseconds per port to route full rounds through multistage networks, on one core.
 *
 * Seeded random permutations; for omega networks, which do not pass these, random cyclic shifts. Every run routes many
 * different rounds, so that branch predictors cannot learn them. Beside it stands the time of a memcpy of the same
 * settings: no router that writes them can be faster. Medians of several runs.
 */
#include "measure.h"
#include "network_router.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 9

/* Many rounds of a network, and room for a row of its settings and a copy. */
struct work {
    struct network_router *router;
    size_t ports, words;
    uint32_t rounds;
    uint32_t *to, *row, *copied;
};

static void stop(const struct err *err)
{
    err_print(stderr, err);
    exit(err_exit_status(err->code));
}

static struct work work_new(struct multistage net, uint32_t rounds, uint64_t seed)
{
    struct work work = {.ports = net.ports, .rounds = rounds};
    struct err err;
    struct rng rng = {seed};
    work.router = network_router_new(&net, &err);
    if (work.router == NULL)
        stop(&err);
    work.words = (size_t)multistage_stages(&net) * multistage_row_words(&net);
    work.to = measure_allocate(work.ports * rounds, sizeof work.to[0]);
    work.row = measure_allocate(work.words, sizeof work.row[0]);
    work.copied = measure_allocate(work.words, sizeof work.copied[0]);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t *to = work.to + round * work.ports, shift = rng_below(&rng, net.ports);
        if (net.kind != MULTISTAGE_OMEGA)
            rng_permutation(&rng, net.ports, to);
        for (uint32_t port = 0; net.kind == MULTISTAGE_OMEGA && port < net.ports; port++)
            to[port] = (port + shift) % net.ports;
    }
    return work;
}

static void route_all(const struct work *work)
{
    struct err err;
    for (uint32_t round = 0; round < work->rounds; round++)
        if (!network_route(work->router, work->to + round * work->ports, work->row, &err))
            stop(&err);
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

static void measure(const char *name, struct multistage net, uint32_t rounds)
{
    struct work work = work_new(net, rounds, 7);
    double route = median(&work, route_all), copy = median(&work, copy_all);
    printf("%-18s %9zu %8u %12.2f %16.3f\n", name, work.ports, rounds, route, copy);
    network_router_free(work.router);
    free(work.to);
    free(work.row);
    free(work.copied);
}

int main(void)
{
    printf("Routing full rounds, median of %d runs\n", RUNS);
    printf("%-18s %9s %8s %12s %16s\n", "network", "ports", "rounds", "ns per port", "memcpy of rows");
    measure("benes:64", multistage_benes(64), 8192);
    measure("benes:1024", multistage_benes(1024), 512);
    measure("benes:65536", multistage_benes(65536), 16);
    measure("benes:1048576", multistage_benes(1048576), 3);
    measure("benes:63", multistage_benes(63), 8192);
    measure("benes:1000", multistage_benes(1000), 512);
    measure("benes:65535", multistage_benes(65535), 16);
    measure("benes:1000000", multistage_benes(1000000), 3);
    measure("clos:8,8,8", multistage_clos(8, 8, 8), 8192);
    measure("clos:24,24,24", multistage_clos(24, 24, 24), 1024);
    measure("clos:64,64,64", multistage_clos(64, 64, 64), 128);
    measure("clos:127,127,127", multistage_clos(127, 127, 127), 32);
    measure("benes:512,radix=8", multistage_radix_benes(8, 3), 1024);
    measure("benes:729,radix=3", multistage_radix_benes(3, 6), 1024);
    measure("omega:64", multistage_omega(64), 8192);
    measure("omega:1024", multistage_omega(1024), 512);
    measure("omega:65536", multistage_omega(65536), 16);
    return 0;
}
