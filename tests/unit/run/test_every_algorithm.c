/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_algorithm: schedules on hardware, each on a machine that it fits; every packet arrives
 * in its cycle.
 *
 * Exhaustive on csim: every broadcast, every model that it supports, every legal n ≤ 40 with m in
 * {1, 2, 3, 5, 8, 21}; the postal ones with λ in {1, 3/2, 2, 5/2, 3, 4, 7/3} on machines with the
 * matching number of registers; those with a degree with the best degree, and with 1, 2, 3, 5 and 7
 * for m = 3 and 8. On the RTL, in lockstep with csim: a seeded sample on three machines, whose
 * tables are loaded again for each run.
 *
 * `simulate` fails if a packet arrives in another cycle than the schedule's, if one byte in memory
 * differs, or if nothing is checked; test_faults breaks images to confirm this.
 */
#include "sched/base/rng.h"
#include "sched/machine/clock.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>

#define SEED UINT64_C(20240701)
#define MAX_NODES 40
#define RTL_RUNS 120 /* for each machine */

static const uint32_t packets[] = {1, 2, 3, 5, 8, 21};
static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {5, 2}, {3, 1}, {4, 1}, {7, 3}};
static const uint32_t degrees[] = {0, 1, 2, 3, 5, 7};
enum { PACKETS = 6, LAMBDAS = 7, DEGREES = 6 };

struct tally {
    uint64_t runs, receipts, packets, cycles;
};

/* Runs a broadcast on a machine whose capacities are fitted to it; its schedule requires `flits`
 * flits a packet. */
static void run(const struct algorithm *algorithm, const struct collective *asked,
                struct machine *machine, uint32_t flits, const struct simulate_options *options,
                struct tally *tally)
{
    struct support_job job = {0};
    struct simulate_report report;
    struct err err = {0};
    struct machine common = *machine;
    support_schedule(algorithm, asked, &job.schedule);
    support_payload(&job.schedule, machine, flits, SEED + tally->runs, &job.payload);
    support_true(machine_sizing_fit(&job.schedule, flits, &common, machine, &err), &err);
    support_true(route_schedule(&job.schedule, machine, &job.payload, &job.image, &err), &err);
    bool holds = simulate(&job.image, &job.schedule, &job.payload, options, &report, &err);
    if (!holds)
        print_error("%s n=%u m=%u source=%u %s λ=%u/%u d=%u flits=%u\n", algorithm->name, asked->n,
                    asked->m, asked->source, model_name(asked->model), asked->lambda.numerator,
                    asked->lambda.denominator, asked->degree, flits);
    support_true(holds, &err);
    assert_int_equal(report.checks.seen, (uint64_t)(asked->n - 1) * asked->m);
    assert_int_equal(report.checks.packets, (uint64_t)asked->n * asked->m);
    tally->runs++;
    tally->receipts += report.checks.seen;
    tally->packets += report.checks.packets;
    tally->cycles += report.run_cycles;
    support_job_free(&job);
}

static void print_counts(const char *what, const struct tally *tally)
{
    print_message("%s: %" PRIu64 " runs, %" PRIu64 " cycles, %" PRIu64 " receipts, %" PRIu64
                  " packets in memory\n",
                  what, tally->runs, tally->cycles, tally->receipts, tally->packets);
}

/* -- Exhaustive on csim ------------------------------------------------------------------------ */

static void run_on_csim(const struct algorithm *algorithm, const struct collective *asked,
                        struct tally *tally)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct machine machine = {.network =
                                  support_network(asked->model, machine_sizing_log2(asked->n)),
                              .pipe = 1,
                              .width = 16,
                              .log2_packets = 1,
                              .log2_flits = 1,
                              .log2_rows = 1};
    struct err err = {0};
    uint32_t flits = 1 + (asked->n + asked->m) % 3;
    if (model_has_times(asked->model))
        support_true(clock_registers(&machine,
                                     &(struct clock_request){asked->lambda, flits, 0, false},
                                     &flits, &err),
                     &err);
    run(algorithm, asked, &machine, flits, &options, tally);
}

/* Tries all legal degrees; a few packets suffice for degrees that are not the best. */
static void every_degree(const struct algorithm *algorithm, struct collective asked,
                         struct tally *tally)
{
    for (unsigned d = 0; d < DEGREES; d++) {
        asked.degree = degrees[d];
        if (d > 0 && (algorithm->best_degree == NULL || (asked.m != 3 && asked.m != 8)))
            break;
        if (algorithm_check(algorithm, &asked, NULL))
            run_on_csim(algorithm, &asked, tally);
    }
}

static void every_size(const struct algorithm *algorithm, enum model model, struct rational lambda,
                       struct tally *tally)
{
    for (uint32_t n = 1; n <= MAX_NODES; n++)
        for (unsigned m = 0; m < PACKETS; m++) {
            const struct collective asked = {
                .n = n, .m = packets[m], .source = n * 2 / 3, .model = model, .lambda = lambda};
            every_degree(algorithm, asked, tally);
        }
}

static void every_algorithm_on_csim(void **state)
{
    (void)state;
    for (const struct algorithm *const *entry = support_routable(); *entry != NULL; entry++) {
        struct tally tally = {0};
        if ((*entry)->topology != TOPOLOGY_COMPLETE || (*entry)->kind != COLLECTIVE_BROADCAST)
            continue; /* this machine is a complete graph */
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            if (!model_has_times((enum model)model) && ((*entry)->models & 1u << model) != 0)
                every_size(*entry, (enum model)model, (struct rational){1, 1}, &tally);
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            for (unsigned k = 0; k < LAMBDAS && model_has_times((enum model)model) &&
                                 ((*entry)->models & 1u << model) != 0;
                 k++)
                every_size(*entry, (enum model)model, lambdas[k], &tally);
        print_counts((*entry)->name, &tally);
        assert_true(tally.runs >= MAX_NODES / 8 && tally.packets > tally.receipts &&
                    tally.receipts > 0);
    }
}

/* -- A sample on the RTL ----------------------------------------------------------------------- */

/* Draws a broadcast that the machine, which cannot copy, supports: any n, m and degree of the
 * above; λ follows from its registers and the flits. */
static const struct algorithm *draw(struct rng *rng, const struct machine *machine,
                                    struct collective *asked, uint32_t *flits)
{
    unsigned algorithms = 0;
    while (support_routable()[algorithms] != NULL)
        algorithms++;
    for (;;) {
        const struct algorithm *algorithm = support_routable()[rng_below(rng, algorithms)];
        uint32_t n = 1 + rng_below(rng, MAX_NODES);
        *asked = (struct collective){
            .n = n,
            .m = packets[rng_below(rng, PACKETS)],
            .source = rng_below(rng, n),
            .model = (enum model)rng_below(rng, MODEL_COUNT),
            .lambda = lambdas[rng_below(rng, LAMBDAS)],
            .degree = algorithm->best_degree ? degrees[rng_below(rng, DEGREES)] : 0};
        *flits = 1 + rng_below(rng, 8);
        if (algorithm->kind != COLLECTIVE_BROADCAST || n > machine_ports(machine) ||
            model_copies(asked->model) || !algorithm_check(algorithm, asked, NULL) ||
            (model_has_times(asked->model) &&
             !clock_flits(machine, &(struct clock_request){asked->lambda, *flits, 0, false}, flits,
                          NULL)))
            continue;
        uint64_t end = algorithm_end(algorithm, asked);
        if (end <= 1u << machine->log2_rows)
            return algorithm;
    }
}

static void sample_on_rtl(const struct machine *shape)
{
    static const struct simulate_options options = {.engine_count = 2,
                                                    .engine = {ENGINE_CSIM, ENGINE_RTL}};
    const uint64_t seed = SEED + 100 * machine_node_bits(shape) + shape->pad;
    struct rng rng = {seed};
    struct tally tally = {0};
    unsigned postal = 0, others = 0;
    while (tally.runs < RTL_RUNS) {
        struct collective asked;
        uint32_t flits;
        struct machine machine = *shape;
        const struct algorithm *algorithm = draw(&rng, shape, &asked, &flits);
        run(algorithm, &asked, &machine, flits, &options, &tally);
        image_lab_same_machine(&machine, shape); /* one model of the RTL serves all runs */
        postal += model_has_times(asked.model);
        others += !model_has_times(asked.model);
    }
    char text[80];
    snprintf(text, sizeof text, "seed %" PRIu64 ", %u registers, %u of the postal model", seed,
             machine_latency(shape), postal);
    print_counts(text, &tally);
    assert_true(postal > 0 && others > 0);
}

/* 12 registers: λ = 3/2, 2, 5/2, 3, 4, 7/3 with 24, 12, 8, 6, 4 and 9 flits. */
static void sample_on_64_ports(void **state)
{
    (void)state;
    sample_on_rtl(&(struct machine)MULTISTAGE(6, 1, 1, 16, 5, 5, 9));
}

static void sample_on_16_ports(void **state)
{
    (void)state;
    sample_on_rtl(&(struct machine)MULTISTAGE(4, 2, 9, 16, 5, 5, 9));
}

/* No register: λ = 1. */
static void sample_without_registers(void **state)
{
    (void)state;
    sample_on_rtl(&(struct machine)MULTISTAGE(5, 0, 0, 16, 5, 5, 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_on_csim),
        cmocka_unit_test(sample_on_16_ports),
        cmocka_unit_test(sample_without_registers),
    };
    const struct CMUnitTest others[] = {cmocka_unit_test(sample_on_64_ports)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(others, NULL, NULL) : failed;
}
