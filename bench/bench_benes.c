/* bench_benes: nanoseconds per port to route seeded random full permutations, on one core.
 *
 * Every run routes many different permutations, so that branch predictors cannot learn them. Beside it stands
 * the time of a memcpy of the same settings: no router that writes them can be faster. Medians of several
 * runs.
 */
#include "benes.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 9

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fputs("bench_benes: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

/* Medians of ns per port for routing and for memcpy of the settings. */
static void measure(unsigned log2_ports, uint32_t rounds, uint64_t seed, double *route, double *copy)
{
    size_t ports = (size_t)1 << log2_ports;
    size_t words = (size_t)benes_stages(log2_ports) * benes_row_words(log2_ports);
    struct err err;
    struct benes_router *router = benes_router_new(log2_ports, &err);
    if (router == NULL) {
        err_print(stderr, &err);
        exit(err_exit_status(err.code));
    }
    uint32_t *to = allocate(ports * rounds, sizeof to[0]);
    uint32_t *row = allocate(words, sizeof row[0]), *copied = allocate(words, sizeof copied[0]);
    struct rng rng = {seed};
    for (uint32_t round = 0; round < rounds; round++)
        rng_permutation(&rng, (uint32_t)ports, to + round * ports);
    double routed[RUNS], moved[RUNS];
    for (unsigned run = 0; run < RUNS; run++) {
        double start = now_ns();
        for (uint32_t round = 0; round < rounds; round++) {
            if (!benes_route(router, to + round * ports, row, &err)) {
                err_print(stderr, &err);
                exit(err_exit_status(err.code));
            }
        }
        double middle = now_ns();
        for (uint32_t round = 0; round < rounds; round++) {
            row[round % words] ^= round;
            memcpy(copied, row, words * sizeof row[0]);
            __asm__ volatile("" : : "r"(copied) : "memory");
        }
        double end = now_ns();
        routed[run] = (middle - start) / (double)(ports * rounds);
        moved[run] = (end - middle) / (double)(ports * rounds);
    }
    qsort(routed, RUNS, sizeof routed[0], by_value);
    qsort(moved, RUNS, sizeof moved[0], by_value);
    *route = routed[RUNS / 2];
    *copy = moved[RUNS / 2];
    free(to);
    free(row);
    free(copied);
    benes_router_free(router);
}

int main(void)
{
    const struct {
        unsigned log2_ports;
        uint32_t rounds;
    } size[] = {{6, 8192}, {10, 512}, {16, 16}, {20, 3}};
    printf("Benes routing, random full permutations, median of %d runs\n", RUNS);
    printf("%9s %8s %12s %16s\n", "ports", "rounds", "ns per port", "memcpy of rows");
    for (size_t number = 0; number < sizeof size / sizeof size[0]; number++) {
        double route, copy;
        measure(size[number].log2_ports, size[number].rounds, 7 + number, &route, &copy);
        printf("%9u %8u %12.2f %16.3f\n", 1U << size[number].log2_ports, size[number].rounds, route, copy);
    }
    return 0;
}
