/* SPDX-License-Identifier: Apache-2.0 */
/* bench_price: the makespan over its bound with a reconfiguration price, by method, for random
 * traffic. Means over seeds; the bound is max sum + price · max entries of a row or column.
 *
 *     bench_price [SEEDS]     default: 4
 */
#include "bench/measure.h"
#include "sched/decompose/decompose.h"
#include "sched/traffic/traffic.h"

#include <inttypes.h>
#include <string.h>

struct demand {
    const char *name;
    uint32_t nodes;
    unsigned entries;    /* entries of a row, each 1000/r packets with r drawn from 1 … 52; 0:
                          * `pattern` is used */
    const char *pattern; /* pattern of traffic, if `entries` is 0 */
};

static const struct demand demands[] = {
    {"zipf, 3 a row", 5, 3, NULL},          {"zipf, 4 a row", 5, 4, NULL},
    {"zipf, 6 a row", 16, 6, NULL},         {"zipf, 8 a row", 16, 8, NULL},
    {"zipf, 6 a row", 32, 6, NULL},         {"zipf, 8 a row", 32, 8, NULL},
    {"moe:64,2", 64, 0, "moe:64,2"},        {"zipf:1000", 64, 0, "zipf:1000"},
    {"moe:64,2", 256, 0, "moe:64,2"},       {"moe:64,2", 1024, 0, "moe:64,2"},
    {"zipf:1000", 256, 0, "zipf:1000"},     {"zipf:1000", 1024, 0, "zipf:1000"},
    {"all to all", 512, 0, "blocks:10,512"}};

static bool draw_few(const struct demand *demand, uint64_t seed, struct traffic *traffic,
                     struct err *err)
{
    struct rng rng = {seed};
    uint32_t *order = measure_allocate(demand->nodes, sizeof *order);
    bool added = true;
    traffic->nodes = demand->nodes;
    for (uint32_t source = 0; source < demand->nodes; source++) {
        rng_permutation(&rng, demand->nodes, order);
        for (unsigned k = 0, of = 0; added && k < demand->entries; of++)
            if (order[of] != source) {
                added =
                    traffic_add(traffic, source, order[of], 1000 / (1 + rng_below(&rng, 52)), err);
                k++;
            }
    }
    free(order);
    return added && traffic_finish(traffic, err);
}

static bool draw(const struct demand *demand, uint64_t seed, struct traffic *traffic,
                 struct err *err)
{
    return demand->pattern != NULL
               ? traffic_make(demand->pattern, demand->nodes, seed, traffic, err)
               : draw_few(demand, seed, traffic, err);
}

/* The usual baseline is measured also for sizes for which `plan`, which must be quick, omits it. */
#define BASELINE_NODES 256

static bool is_measured(const struct decompose_method *method, const struct traffic *traffic)
{
    return method->fits(traffic) ||
           (strcmp(method->name, "birkhoff") == 0 && traffic->nodes <= BASELINE_NODES);
}

/* Prints the mean over seeds of makespan over bound; "-" if the method is for smaller traffic. */
static bool measure(const struct demand *demand, const struct decompose_method *method,
                    uint64_t price, unsigned seeds, struct err *err)
{
    double ratio = 0;
    bool fits = true;
    const struct traffic_cost cost = {1, price};
    for (unsigned seed = 1; fits && seed <= seeds; seed++) {
        struct traffic traffic = {0};
        struct traffic_load load;
        struct decomposition made = {0};
        if (!draw(demand, seed, &traffic, err) || !traffic_load(&traffic, &load, err))
            return false;
        fits = is_measured(method, &traffic);
        if (fits && !decompose(method, &traffic, cost, seed, &made, err))
            return false;
        ratio += (double)decomposition_makespan(&made, cost) /
                 (double)traffic_makespan(&load, cost) / seeds;
        decomposition_free(&made);
        traffic_free(&traffic);
    }
    if (fits)
        printf("  %8.3f", ratio);
    else
        printf("  %8s", "-");
    return true;
}

static bool measure_all(const struct demand *demand, uint64_t price, unsigned seeds,
                        struct err *err)
{
    printf("%-13s  %5" PRIu32 "  %5" PRIu64, demand->name, demand->nodes, price);
    for (const struct decompose_method *const *each = decompose_methods; *each != NULL; each++) {
        if (!measure(demand, *each, price, seeds, err))
            return false;
    }
    putchar('\n');
    return true;
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 4;
    struct err err = {0};
    printf("makespan over its bound, mean of %u seeds\n\n%-13s  %5s  %5s", seeds, "traffic",
           "nodes", "price");
    for (const struct decompose_method *const *each = decompose_methods; *each != NULL; each++)
        printf("  %8s", (*each)->name);
    putchar('\n');
    for (size_t k = 0; k < sizeof demands / sizeof *demands; k++)
        for (uint64_t price = 1; price <= 1000; price *= 10)
            if (!measure_all(&demands[k], price, seeds, &err)) {
                err_print(stderr, &err, NULL);
                return err_exit_status(err.code);
            }
    return 0;
}
