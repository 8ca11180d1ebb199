/* SPDX-License-Identifier: Apache-2.0 */
/* test_fabric_reductions: networks that combine packets, end to end.
 *
 * State space. On csim, exhaustive: fabric-reduce for n ≤ 8, m ≤ 8 and each operator, on networks
 * with and without registers, with all storages of settings that such a network has; then seeded
 * schedules of several reductions at once. On the RTL, in lockstep with csim: a seeded sample of
 * both on two machines. `simulate` fails if a packet arrives in another cycle, if a flag is set, or
 * if a word in memory is not the combination of the contributions in the payload; a receipt counts
 * once, however many packets it combines.
 *
 * Counter-cases. Each setting bit is flipped: the scoreboard must find each flip that leads a word
 * astray, and no other. A network that does not combine is rejected.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEED UINT64_C(20261127)
#define MOST 8
#define DRAWN 200
#define RTL_RUNS 42

static const struct simulate_options on_csim = {.engine_count = 1, .engine = {ENGINE_CSIM}};
static const struct simulate_options on_both = {.engine_count = 2,
                                                .engine = {ENGINE_CSIM, ENGINE_RTL}};

static struct machine machine_of(unsigned pipe, unsigned pad)
{
    struct machine machine = MULTISTAGE(3, pipe, pad, 16, 1, 1, 1);
    machine.network = multistage_combine(8);
    machine.combines = true;
    return machine;
}

/* Builds the image of a schedule on a machine whose memories are fitted, or on the machine itself
 * if `whole`. */
static void build(struct machine machine, bool whole, uint32_t flits, uint64_t seed,
                  struct support_job *job)
{
    struct err err = {0};
    struct machine common = machine;
    struct verify_report verified;
    support_true(verify_schedule("it", &job->schedule, &verified, &err), &err);
    support_payload(&job->schedule, &machine, flits, seed, &job->payload);
    if (!whole)
        support_true(machine_sizing_fit(&job->schedule, flits, &common, &machine, &err), &err);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
}

/* Runs an image. `receipts` is the expected number of receipts. */
static void run(struct support_job *job, const struct simulate_options *options, uint32_t operation,
                uint64_t receipts)
{
    struct simulate_report report;
    struct err err = {0};
    route_operator(&job->image, operation);
    support_true(simulate(&job->image, &job->schedule, &job->payload, options, &report, &err),
                 &err);
    assert_int_equal(report.checks.seen, receipts);
    assert_int_equal(report.checks.packets, report.checks.wanted);
    assert_true(report.checks.wanted > 0 && report.checks.flags == 0);
}

static void reduce(uint32_t n, uint32_t m, struct support_job *job)
{
    const struct collective asked = {.n = n,
                                     .m = m,
                                     .source = n / 2,
                                     .kind = COLLECTIVE_REDUCE,
                                     .model = MODEL_FABRIC_REDUCTION,
                                     .lambda = {1, 1}};
    *job = (struct support_job){0};
    support_schedule(support_algorithm("fabric-reduce"), &asked, &job->schedule);
    assert_int_equal(job->schedule.end, m);
    assert_int_equal(job->schedule.transfer_count, (uint64_t)m * (n - 1));
}

static void each_size_and_operator_on_csim(void **state)
{
    (void)state;
    static const enum machine_settings settings[] = {MACHINE_FULL, MACHINE_INDEXED};
    unsigned runs = 0;
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t m = 1; m <= MOST; m++)
            for (unsigned which = 0; which < 4; which++) {
                struct machine machine = machine_of(n % 3, m % 2);
                struct support_job job;
                machine.settings = settings[which % 2];
                machine.reconfigures = which >= 2;
                reduce(n, m, &job);
                build(machine, false, 1 + (n + m) % 4, SEED + m, &job);
                /* all rounds of a reduction have the same circuits */
                assert_true(job.image.run.period <= 1);
                for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++, runs++)
                    run(&job, &on_csim, operation, m);
                support_job_free(&job);
            }
    assert_int_equal(runs, 7 * 8 * 4 * 7);
}

/* Draws a schedule of several reductions at once: in each round each node sends its packet of a
 * group to the root of the group, a node that does not send in the round. Writes the number of
 * receipts. */
static void draw(struct rng *rng, uint32_t n, struct support_job *job, uint64_t *receipts)
{
    char text[8192], demands[2048] = "", rounds[4096] = "";
    size_t demand = 0, round = 0;
    uint32_t packets = 0;
    *receipts = 0;
    for (uint32_t number = 1; number <= 1 + rng_below(rng, MOST); number++) {
        uint32_t root[MOST], groups = 1 + rng_below(rng, 3), first = packets;
        round += (size_t)snprintf(rounds + round, sizeof rounds - round, "round %u\n", number);
        for (uint32_t node = 0; node < n; node++)
            root[node] = rng_below(rng, groups);
        for (uint32_t group = 0; group < groups; group++) {
            uint32_t leader = n, members = 0;
            for (uint32_t node = 0; node < n; node++)
                if (root[node] == group) {
                    leader = members == 0 || rng_below(rng, 2) ? node : leader;
                    members++;
                }
            if (members < 2)
                continue;
            packets++;
            ++*receipts;
            demand += (size_t)snprintf(demands + demand, sizeof demands - demand, "reduce %u %u ",
                                       packets, leader);
            for (uint32_t node = 0, listed = 0; node < n; node++) {
                if (root[node] != group)
                    continue;
                demand += (size_t)snprintf(demands + demand, sizeof demands - demand, "%s%u",
                                           listed++ ? "," : "", node);
                if (node != leader)
                    round += (size_t)snprintf(rounds + round, sizeof rounds - round, "%u %u %u\n",
                                              node, leader, packets);
            }
            demand += (size_t)snprintf(demands + demand, sizeof demands - demand, "\n");
        }
        if (packets == first) { /* a round without transfers is not written */
            number--;
            round -= strlen(strrchr(rounds, 'r'));
            rounds[round] = '\0';
        } else {
            snprintf(text, sizeof text,
                     "roundcast-schedule 1\nalgorithm drawn\ntopology complete %u\n"
                     "model fabric-reduction\n%s%send %u\n",
                     n, demands, rounds, number);
        }
    }
    struct err err = {0};
    *job = (struct support_job){0};
    support_true(support_read(text, "drawn", &job->schedule, &err), &err);
}

static void several_reductions_at_once_on_csim(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    uint64_t all = 0, combined = 0;
    for (unsigned which = 0; which < DRAWN; which++) {
        struct support_job job;
        uint64_t receipts;
        struct machine machine = machine_of(which % 4, which % 3);
        machine.settings = which % 2 ? MACHINE_INDEXED : MACHINE_FULL;
        machine.reconfigures = which % 5 == 0;
        draw(&rng, 3 + rng_below(&rng, MOST - 2), &job, &receipts);
        build(machine, false, 1 + which % 3, SEED + which, &job);
        run(&job, &on_csim, which % MACHINE_OPERATORS, receipts);
        all += receipts;
        combined += job.schedule.transfer_count - receipts;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u schedules, %" PRIu64 " receipts\n", SEED, DRAWN, all);
    assert_true(combined > DRAWN);
}

static void sample_on_rtl(const struct machine *shape)
{
    const uint64_t seed = SEED + machine_latency(shape);
    struct rng rng = {seed};
    uint64_t all = 0;
    for (unsigned which = 0; which < RTL_RUNS; which++) {
        struct support_job job;
        const uint32_t n = 3 + rng_below(&rng, MOST - 2), m = 1 + rng_below(&rng, MOST);
        uint64_t receipts = m;
        if (which % 2 == 0)
            reduce(n, m, &job);
        else
            draw(&rng, n, &job, &receipts);
        build(*shape, true, 2 + rng_below(&rng, 7), seed + which, &job);
        run(&job, &on_both, which / 2 % MACHINE_OPERATORS, receipts);
        all += receipts;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u runs, %" PRIu64 " receipts\n", seed, RTL_RUNS, all);
}

static void sample_with_registers(void **state)
{
    (void)state;
    struct machine machine = MULTISTAGE(3, 1, 0, 16, 5, 4, 8);
    machine.network = multistage_combine(8);
    machine.combines = true;
    sample_on_rtl(&machine);
}

/* The register of the endpoint is the only one: all switches are between two edges. */
static void sample_without_registers(void **state)
{
    (void)state;
    struct machine machine = MULTISTAGE(3, 0, 0, 7, 5, 3, 8);
    machine.network = multistage_combine(8);
    machine.combines = true;
    sample_on_rtl(&machine);
}

/* -- Faults ------------------------------------------------------------------------------------ */

/* Returns the settings of a row of an image with a row of 8 lanes a stage. */
static void settings_of(const struct image *image, uint32_t row, uint32_t setting[9],
                        size_t word[9])
{
    unsigned found = 0;
    for (unsigned stage = 0; stage < 9; stage++)
        for (size_t k = 0; k < image->count; k++)
            if (image->word[k].address == machine_table_address(&image->machine, stage, row, 0)) {
                setting[stage] = image->word[k].word;
                word[stage] = k;
                found++;
            }
    assert_int_equal(found, 9);
}

/* A flipped bit is a fault only if a word goes astray: it can also meet others earlier and still be
 * combined with all of them. */
static void each_flipped_bit_that_matters_is_found(void **state)
{
    (void)state;
    const struct multistage net = multistage_combine(8);
    unsigned found = 0;
    for (uint32_t n = 5; n <= 8; n++) {
        struct support_job job;
        uint32_t setting[9];
        size_t word[9];
        reduce(n, 2, &job);
        build(machine_of(1, 0), false, 2, SEED, &job);
        settings_of(&job.image, 1, setting, word);
        for (unsigned stage = 0; stage < 9; stage++)
            for (uint32_t lane = 0; lane < 8; lane++) {
                struct simulate_report report;
                struct err err = {0};
                bool astray = false;
                setting[stage] ^= 1u << lane;
                for (uint32_t node = 0; node < n; node++)
                    astray =
                        astray || (node != n / 2 && multistage_trace(&net, setting, node) != n / 2);
                job.image.word[word[stage]].word = setting[stage];
                assert_int_equal(
                    !simulate(&job.image, &job.schedule, &job.payload, &on_csim, &report, &err),
                    astray);
                if (astray)
                    assert_int_equal(err_exit_status(err.code), 1);
                found += astray;
                setting[stage] ^= 1u << lane;
                job.image.word[word[stage]].word = setting[stage];
            }
        support_job_free(&job);
    }
    print_message("%u flipped bits lead words astray, all found\n", found);
    assert_true(found > 50 && found < 4 * 9 * 8);
}

static void other_networks_are_rejected(void **state)
{
    (void)state;
    const struct multistage nets[] = {multistage_benes(8), multistage_multicast(8)};
    for (unsigned which = 0; which < 2; which++) {
        struct machine machine = machine_of(1, 0);
        struct support_job job;
        struct err err = {0};
        machine.network = nets[which];
        reduce(8, 2, &job);
        machine.log2_packets = machine.log2_rows = machine.log2_flits = 1;
        support_payload(&job.schedule, &machine, 2, SEED, &job.payload);
        assert_false(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err));
        support_error(&err, ERR_NETWORK, "does not combine packets",
                      "the model fabric-reduction requires; expected combine:N");
        support_job_free(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_size_and_operator_on_csim),
        cmocka_unit_test(several_reductions_at_once_on_csim),
        cmocka_unit_test(each_flipped_bit_that_matters_is_found),
        cmocka_unit_test(other_networks_are_rejected),
        cmocka_unit_test(sample_with_registers),
        cmocka_unit_test(sample_without_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
