/* SPDX-License-Identifier: Apache-2.0 */
/* test_fabric_reductions: networks that combine packets, and those that also copy, end to end.
 *
 * State space. On csim, exhaustive: fabric-reduce and fabric-all-reduce for n ≤ 8, m ≤ 8 and each
 * operator, on networks with and without registers, with all storages of settings that such a
 * network has; then seeded schedules of several reductions, and broadcasts if the network copies,
 * at once. On the RTL, in lockstep with csim: a seeded sample of both on four machines; if every
 * case is tested, each size and operator on two of them. `simulate`
 * fails if a packet arrives in another cycle, if a flag is set, or if a word in memory is not the
 * combination of the contributions in the payload; a receipt counts once, however many packets it
 * combines.
 *
 * Counter-cases. Each setting bit is flipped: the scoreboard must find each flip after which an
 * output gets the words of other inputs, or words meet in a stage without operators, and no other
 * flip. A network that does not combine, or does not copy, is rejected.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/reduction_lab.h"
#include "tests/support/running.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEED UINT64_C(20261127)
#define MOST 8
#define DRAWN 200
#define RTL_RUNS 42

static struct multistage network_of(bool copies)
{
    return copies ? multistage_all_reduce(8) : multistage_combine(8);
}

static struct machine machine_of(bool copies, unsigned pipe, unsigned pad)
{
    struct machine machine = MULTISTAGE(3, pipe, pad, 16, 1, 1, 1);
    machine.network = network_of(copies);
    machine.combines = true;
    return machine;
}

/* Runs an image. `receipts` is the expected number of receipts. */
static void run(struct support_job *job, const struct simulate_options *options, uint32_t operation,
                uint64_t receipts)
{
    assert_int_equal(reduction_lab_run(job, options, operation).checks.seen, receipts);
}

/* Builds fabric-reduce or, with `copies`, fabric-all-reduce. Returns the number of receipts. */
static uint64_t reduce(bool copies, uint32_t n, uint32_t m, struct support_job *job)
{
    const struct collective asked = {.n = n,
                                     .m = m,
                                     .source = copies ? 0 : n / 2,
                                     .kind = copies ? COLLECTIVE_ALL_REDUCE : COLLECTIVE_REDUCE,
                                     .model =
                                         copies ? MODEL_FABRIC_ALL_REDUCE : MODEL_FABRIC_REDUCTION,
                                     .lambda = {1, 1}};
    *job = (struct support_job){0};
    support_schedule(support_algorithm(copies ? "fabric-all-reduce" : "fabric-reduce"), &asked,
                     &job->schedule);
    assert_int_equal(job->schedule.end, m + (copies && n > 2));
    assert_int_equal(job->schedule.transfer_count, (uint64_t)m * (n - 1) * (copies ? 2 : 1));
    return (uint64_t)m * (copies ? n : 1);
}

static void each_size_and_operator_on_csim(void **state)
{
    static const enum machine_settings settings[] = {MACHINE_FULL, MACHINE_INDEXED};
    const bool copies = *(const bool *)*state;
    unsigned runs = 0;
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t m = 1; m <= MOST; m++)
            for (unsigned which = 0; which < 4; which++) {
                struct machine machine = machine_of(copies, n % 3, m % 2);
                struct support_job job;
                machine.settings = settings[which % 2];
                machine.reconfigures = which >= 2;
                const uint64_t receipts = reduce(copies, n, m, &job);
                reduction_lab_build(machine, true, 1 + (n + m) % 4, SEED + m, &job);
                /* all rounds have the same circuits, or some of them */
                assert_true(job.image.run.period <= 1);
                for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++, runs++)
                    run(&job, &reduction_lab_csim, operation, receipts);
                support_job_free(&job);
            }
    assert_int_equal(runs, 7 * 8 * 4 * 7);
}

/* Draws a schedule of several reductions at once: in each round each node sends its packet of a
 * group to the root of the group, a node that does not send in the round. With `copies` the root of
 * some groups sends a packet to all others instead. Returns the number of receipts. */
static uint64_t draw(bool copies, struct rng *rng, uint32_t n, struct support_job *job)
{
    char text[8192], demands[2048] = "", rounds[4096] = "";
    size_t demand = 0, round = 0;
    uint32_t packets = 0;
    uint64_t receipts = 0;
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
            const bool copied = copies && rng_below(rng, 2);
            packets++;
            receipts += copied ? members - 1 : 1;
            demand += (size_t)snprintf(demands + demand, sizeof demands - demand, "%s %u %u ",
                                       copied ? "demand" : "reduce", packets, leader);
            for (uint32_t node = 0, listed = 0; node < n; node++) {
                if (root[node] != group)
                    continue;
                demand += (size_t)snprintf(demands + demand, sizeof demands - demand, "%s%u",
                                           listed++ ? "," : "", node);
                if (node != leader)
                    round +=
                        (size_t)snprintf(rounds + round, sizeof rounds - round, "%u %u %u\n",
                                         copied ? leader : node, copied ? node : leader, packets);
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
                     "model fabric-%s\n%s%send %u\n",
                     n, copies ? "all-reduce" : "reduction", demands, rounds, number);
        }
    }
    struct err err = {0};
    *job = (struct support_job){0};
    support_true(support_read(text, "drawn", &job->schedule, &err), &err);
    return receipts;
}

static void several_packets_at_once_on_csim(void **state)
{
    const bool copies = *(const bool *)*state;
    struct rng rng = {SEED};
    uint64_t all = 0, combined = 0;
    for (unsigned which = 0; which < DRAWN; which++) {
        struct support_job job;
        struct machine machine = machine_of(copies, which % 4, which % 3);
        machine.settings = which % 2 ? MACHINE_INDEXED : MACHINE_FULL;
        machine.reconfigures = which % 5 == 0;
        const uint64_t receipts = draw(copies, &rng, 3 + rng_below(&rng, MOST - 2), &job);
        if (!job.schedule.has_reductions)
            machine.combines = false;
        reduction_lab_build(machine, true, 1 + which % 3, SEED + which, &job);
        run(&job, &reduction_lab_csim, machine.combines ? which % MACHINE_OPERATORS : 0, receipts);
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
    const bool copies = multistage_copies(&shape->network);
    struct rng rng = {seed};
    uint64_t all = 0;
    for (unsigned which = 0; which < RTL_RUNS; which++) {
        struct support_job job;
        const uint32_t n = 3 + rng_below(&rng, MOST - 2), m = 1 + rng_below(&rng, MOST);
        const uint64_t receipts =
            which % 2 == 0 ? reduce(copies, n, m, &job) : draw(copies, &rng, n, &job);
        reduction_lab_build(*shape, false, 2 + rng_below(&rng, 7), seed + which, &job);
        run(&job, &reduction_lab_both, which / 2 % MACHINE_OPERATORS, receipts);
        all += receipts;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u runs, %" PRIu64 " receipts\n", seed, RTL_RUNS, all);
}

static void each_size_and_operator_on_rtl(const struct machine *machine)
{
    const bool copies = multistage_copies(&machine->network);
    uint64_t all = 0;
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t m = 1; m <= MOST; m++) {
            struct support_job job;
            const uint64_t receipts = reduce(copies, n, m, &job);
            reduction_lab_build(*machine, false, 1 + (n + m) % 4, SEED + m, &job);
            for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++)
                run(&job, &reduction_lab_both, operation, receipts);
            all += receipts * MACHINE_OPERATORS;
            support_job_free(&job);
        }
    print_message("%d runs of all sizes and operators, %" PRIu64 " receipts\n",
                  (MOST - 1) * MOST * MACHINE_OPERATORS, all);
}

static void sample_with_registers_on_rtl(void **state)
{
    struct machine machine = MULTISTAGE(3, 1, 0, 16, 5, 4, 8);
    machine.network = network_of(*(const bool *)*state);
    machine.combines = true;
    sample_on_rtl(&machine);
    if (running_exhaustive())
        each_size_and_operator_on_rtl(&machine);
}

/* The register of the endpoint is the only one: all switches are between two edges. */
static void sample_without_registers_on_rtl(void **state)
{
    struct machine machine = MULTISTAGE(3, 0, 0, 7, 5, 3, 8);
    machine.network = network_of(*(const bool *)*state);
    machine.combines = true;
    sample_on_rtl(&machine);
}

/* -- Faults ------------------------------------------------------------------------------------ */

#define STAGES 14 /* of all-reduce:8 */

/* Stages of combine:8 and all-reduce:8. */
static const unsigned stages_of[2] = {9, STAGES};

/* Distances of the lanes of a switch, and the stages whose switches have operators. */
static const uint32_t apart[2][STAGES] = {{4, 2, 1, 2, 4, 2, 1, 2, 4},
                                          {4, 2, 1, 2, 4, 2, 1, 1, 2, 4, 2, 1, 2, 4}};
#define OPERATES(stage) ((stage) >= 4 && (stage) <= 6)

/* Writes the settings of a row of an image with a row of 8 lanes a stage. */
static void settings_of(const struct image *image, unsigned stages, uint32_t row,
                        uint32_t setting[STAGES], size_t word[STAGES])
{
    unsigned found = 0;
    for (unsigned stage = 0; stage < stages; stage++)
        for (size_t k = 0; k < image->count; k++)
            if (image->word[k].address == machine_table_address(&image->machine, stage, row, 0)) {
                setting[stage] = image->word[k].word;
                word[stage] = k;
                found++;
            }
    assert_int_equal(found, stages);
}

/* Moves the words of the nodes in `senders` through the stages, as sets of nodes: at[lane]. Returns
 * whether words meet in a stage without operators. */
static bool carry(bool copies, const uint32_t setting[], uint32_t senders, uint32_t at[8])
{
    bool met = false;
    for (uint32_t lane = 0; lane < 8; lane++)
        at[lane] = senders & 1u << lane;
    for (unsigned stage = 0; stage < stages_of[copies]; stage++) {
        uint32_t to[8] = {0};
        for (uint32_t lane = 0; lane < 8; lane++) {
            const uint32_t other = setting[stage] >> lane & 1 ? lane ^ apart[copies][stage] : lane;
            if (copies && stage >= 7) {
                to[lane] = at[other];
            } else {
                met = met || (to[other] != 0 && at[lane] != 0 && !OPERATES(stage));
                to[other] |= at[lane];
            }
        }
        memcpy(at, to, sizeof to);
    }
    return met;
}

/* Returns whether the settings of the second row are wrong: whether the root, or with `copies` any
 * node, gets other words than expected, or words meet in a stage without operators. */
static bool is_wrong(bool copies, const uint32_t setting[], uint32_t n)
{
    const uint32_t root = copies ? 0 : n / 2, all = (1u << n) - 1, others = all & ~(1u << root);
    uint32_t at[8];
    bool wrong = carry(copies, setting, copies ? all : others, at);
    for (uint32_t lane = 0; lane < 8; lane++) {
        const uint32_t copy = lane < n && copies ? 1u << root : 0;
        wrong = wrong || at[lane] != (lane == root ? others : copy);
    }
    return wrong;
}

/* A flipped bit is a fault only if an output gets other words: they can also meet earlier, in a
 * stage with operators, and still be combined. */
static void each_flipped_bit_that_matters_is_found(void **state)
{
    const bool copies = *(const bool *)*state;
    const unsigned stages = stages_of[copies];
    unsigned found = 0;
    for (uint32_t n = 5; n <= 8; n++) {
        struct support_job job;
        uint32_t setting[STAGES];
        size_t word[STAGES];
        reduce(copies, n, 2, &job);
        reduction_lab_build(machine_of(copies, 1, 0), true, 2, SEED, &job);
        settings_of(&job.image, stages, 1, setting, word);
        assert_false(is_wrong(copies, setting, n));
        for (unsigned stage = 0; stage < stages; stage++)
            for (uint32_t lane = 0; lane < 8; lane++) {
                struct simulate_report report;
                struct err err = {0};
                setting[stage] ^= 1u << lane;
                const bool wrong = is_wrong(copies, setting, n);
                job.image.word[word[stage]].word = setting[stage];
                assert_int_equal(!simulate(&job.image, &job.schedule, &job.payload,
                                           &reduction_lab_csim, &report, &err),
                                 wrong);
                if (wrong)
                    assert_int_equal(err_exit_status(err.code), 1);
                found += wrong;
                setting[stage] ^= 1u << lane;
                job.image.word[word[stage]].word = setting[stage];
            }
        support_job_free(&job);
    }
    print_message("%u flipped bits matter, all found\n", found);
    assert_true(found > 50 && found < 4 * stages * 8);
}

static void other_networks_are_rejected(void **state)
{
    (void)state;
    const struct {
        struct multistage net;
        bool copies;
        const char *lacks, *expected;
    } cases[] = {
        {multistage_benes(8), false, "combine", "fabric-reduction requires; expected combine:N"},
        {multistage_multicast(8), false, "combine",
         "fabric-reduction requires; expected combine:N"},
        {multistage_multicast(8), true, "combine",
         "fabric-all-reduce requires; expected all-reduce:N"},
        {multistage_combine(8), true, "copy", "fabric-all-reduce requires; expected all-reduce:N"}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct machine machine = machine_of(false, 1, 0);
        struct support_job job;
        struct err err = {0};
        char lacks[64];
        machine.network = cases[which].net;
        reduce(cases[which].copies, 8, 2, &job);
        machine.log2_packets = machine.log2_rows = machine.log2_flits = 1;
        support_payload(&job.schedule, &machine, 2, SEED, &job.payload);
        assert_false(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err));
        snprintf(lacks, sizeof lacks, "does not %s packets", cases[which].lacks);
        support_error(&err, ERR_NETWORK, lacks, cases[which].expected);
        support_job_free(&job);
    }
}

#define BOTH_NETWORKS(test) \
    cmocka_unit_test_prestate(test, &combines_only), cmocka_unit_test_prestate(test, &copies_too)

int main(void)
{
    static bool combines_only = false, copies_too = true;
    const struct CMUnitTest tests[] = {
        BOTH_NETWORKS(each_size_and_operator_on_csim),
        BOTH_NETWORKS(several_packets_at_once_on_csim),
        BOTH_NETWORKS(each_flipped_bit_that_matters_is_found),
        cmocka_unit_test(other_networks_are_rejected),
        BOTH_NETWORKS(sample_with_registers_on_rtl),
        BOTH_NETWORKS(sample_without_registers_on_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
