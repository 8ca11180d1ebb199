/* SPDX-License-Identifier: Apache-2.0 */
/* test_certificates: machines combine contributions in the order that the certificate of the
 * schedule states.
 *
 * The operators of machines are associative, so that results do not show their order. The order is
 * observed in the memories of the engine: each node contributes a bit of its own, and a run is
 * repeated with the first 0, 1, 2 … rows only. After each row, the bits that a node has more than
 * before are those of a partial result that another node had; the tree of that combination follows
 * from theirs. The certificate of the trees at the end, hashed as the head of certificate.h
 * defines, must be that of the schedule. The report of a run must have it, too.
 *
 * On csim: each algorithm of a reduction in rounds whose nodes keep one partial result and have the
 * same trees, n ≤ 8, m ≤ 3: if two nodes have the same contributions by different trees, the
 * memories do not show which of them was sent. On the RTL in lockstep with csim: a few of them.
 * Counter-case: an image whose rows have another order has the same results, but another
 * certificate.
 *
 * tags: long
 */
#include "sched/algorithms/algorithm.h"
#include "sched/machine/machine_address.h"
#include "sched/route/partial_results.h"
#include "sched/route/route.h"
#include "sched/verify/combination.h"
#include "testbench/run/simulate.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_hash.h"

#include <stdlib.h>

enum { NODES = 8, PACKETS = 32 };

/* What each node has of each packet: the contributions as bits, and the hash of their tree. */
struct partials {
    uint32_t set[NODES][PACKETS];
    uint64_t tree[NODES][PACKETS];
};

/* -- The definition of the certificate --------------------------------------------------------- */

static bool wants(const struct demand *demand, uint32_t node)
{
    return demand->reduction->prefix || demand->wanted_count == 0 || demand->wanted[0] == node;
}

/* Returns the certificate of results, for demands that combine. */
static uint64_t certificate(const struct schedule *schedule, const struct partials *partials)
{
    uint64_t all = 0;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        uint64_t packets = 0, first = 0;
        bool alike = true;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            uint64_t hash = 0;
            for (uint32_t node = 0; node < schedule->nodes; node++)
                if (wants(demand, node))
                    hash = hash_mix(hash + partials->tree[node][packet - 1]);
            if (packet == demand->first_packet)
                first = hash;
            alike = alike && hash == first;
            packets = hash_mix(packets + hash);
        }
        const uint64_t one = alike ? first : packets;
        all = d == 0 ? one : hash_mix(all + one);
    }
    return all;
}

/* -- Observations ------------------------------------------------------------------------------ */

static void must(bool right, const struct err *err)
{
    if (!right)
        fail_msg("%s", err->text);
}

static bool ignore(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Runs the first rows of an image, in which each node contributes a bit of its own, and reads what
 * the nodes have. */
static void run_rows(struct testbench *testbench, const struct support_job *job, uint32_t rows,
                     struct partials *partials)
{
    const struct machine *machine = &job->image.machine;
    const struct testbench_observer observer = {NULL, ignore};
    struct run run = job->image.run;
    struct err err = {0};
    uint64_t cycles;
    must(testbench_load(testbench, &job->image, &err), &err);
    for (uint32_t node = 0; node < job->schedule.nodes; node++)
        for (uint32_t packet = 0; packet < job->schedule.packets; packet++)
            must(testbench_write(testbench, machine_packet_address(machine, node, packet, 0),
                                 MACHINE_VALID | UINT32_C(1) << node, &err),
                 &err);
    run.rows = rows;
    must(testbench_write(testbench, machine_region_address(MACHINE_REGISTER) | MACHINE_RUN_ROWS,
                         rows, &err),
         &err);
    must(testbench_run(testbench, &run, &observer, &cycles, &err), &err);
    for (uint32_t node = 0; node < job->schedule.nodes; node++)
        for (uint32_t packet = 0; packet < job->schedule.packets; packet++) {
            uint32_t *set = &partials->set[node][packet];
            must(testbench_read(testbench, machine_packet_address(machine, node, packet, 0), set,
                                &err),
                 &err);
            *set &= ~MACHINE_VALID;
        }
}

/* Returns the tree of a set that a node had before a row; 0 if no other node had it. */
static uint64_t tree_of(const struct partials *before, uint32_t nodes, uint32_t node,
                        uint32_t packet, uint32_t set)
{
    uint64_t tree = 0;
    for (uint32_t other = 0; other < nodes; other++)
        if (other != node && before->set[other][packet] == set) {
            assert_true(tree == 0 || tree == before->tree[other][packet]);
            tree = before->tree[other][packet];
        }
    return tree;
}

/* Finds the trees after a row from the sets after it and the trees before it. */
static void find_trees(const struct partials *before, const struct schedule *schedule,
                       struct partials *after)
{
    for (uint32_t node = 0; node < schedule->nodes; node++)
        for (uint32_t packet = 0; packet < schedule->packets; packet++) {
            const uint32_t old = before->set[node][packet], now = after->set[node][packet];
            const uint64_t tree = before->tree[node][packet];
            after->tree[node][packet] = tree;
            if (now == old)
                continue;
            const uint64_t added = tree_of(before, schedule->nodes, node, packet, now ^ old);
            const uint64_t replaced = tree_of(before, schedule->nodes, node, packet, now);
            const bool combines = (now & old) == old && added != 0;
            assert_true(combines != (replaced != 0)); /* it is one of both */
            after->tree[node][packet] = combines ? hash_join(tree, added) : replaced;
        }
}

static uint64_t observed(const struct support_job *job, const enum engine_kind kinds[],
                         unsigned count)
{
    struct testbench testbench;
    struct err err = {0};
    struct partials *before = calloc(1, sizeof *before), *after = calloc(1, sizeof *after);
    assert_non_null(before);
    assert_non_null(after);
    must(testbench_open(kinds, count, &job->image.machine, false, &testbench, &err), &err);
    for (uint32_t node = 0; node < job->schedule.nodes; node++)
        for (uint32_t packet = 0; packet < job->schedule.packets; packet++) {
            before->set[node][packet] = UINT32_C(1) << node;
            before->tree[node][packet] = hash_leaf(node);
        }
    for (uint32_t rows = 1; rows <= job->image.run.rows; rows++) {
        run_rows(&testbench, job, rows, after);
        find_trees(before, &job->schedule, after);
        *before = *after;
    }
    testbench_close(&testbench);
    const uint64_t hash = certificate(&job->schedule, before);
    free(before);
    free(after);
    return hash;
}

/* -- Tests ------------------------------------------------------------------------------------- */

static struct machine machine_of(void)
{
    struct machine machine = MULTISTAGE(3, 1, 0, 16, 6, 4, 8);
    machine.combines = true;
    return machine;
}

/* Returns whether nodes need one partial result in the algorithm's schedule in rounds. */
static bool can(const struct algorithm *algorithm, const struct collective *asked)
{
    struct schedule schedule = {0};
    if (!collective_rows[algorithm->kind].combined || algorithm->topology != TOPOLOGY_COMPLETE ||
        !algorithm_check(algorithm, asked, NULL))
        return false;
    support_schedule(algorithm, asked, &schedule);
    bool can = !partial_results_two(&schedule) && schedule.packets <= PACKETS;
    schedule_free(&schedule);
    return can;
}

/* Returns the certificate that the report of a run has. */
static uint64_t reported(const struct support_job *job, const enum engine_kind kinds[],
                         unsigned count)
{
    struct simulate_options options = {.engine_count = count};
    struct simulate_report report;
    struct err err = {0};
    for (unsigned which = 0; which < count; which++)
        options.engine[which] = kinds[which];
    support_true(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err),
                 &err);
    return report.checks.certificate;
}

/* Returns the number of schedules whose certificates were compared. */
static unsigned compare_all(uint32_t most_packets, const enum engine_kind kinds[], unsigned count)
{
    const struct machine machine = machine_of();
    unsigned compared = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (uint32_t n = count > 1 ? NODES - 1 : 2; n <= NODES; n++)
            for (uint32_t m = 1; m <= most_packets; m++) {
                const struct collective asked = {
                    .n = n, .m = m, .model = MODEL_SEND_RECEIVE, .lambda = {1, 1}};
                struct support_job job = {0};
                struct combination expected;
                struct err err = {0};
                if (!can(*entry, &asked))
                    continue;
                running("%s, %u nodes, %u packets", (*entry)->name, n, m);
                support_job(*entry, &asked, &machine, 1, 1, &job);
                support_true(combination_of(&job.schedule, COMBINATION_ON_ARRIVAL, &expected, &err),
                             &err);
                assert_true(reported(&job, kinds, count) == expected.certificate);
                if (expected.nodes_alike) {
                    assert_true(observed(&job, kinds, count) == expected.certificate);
                    compared++;
                }
                support_job_free(&job);
            }
    return compared;
}

static void test_csim(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    assert_true(compare_all(3, csim, 1) >= 100);
}

static void test_rtl(void **state)
{
    (void)state;
    static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};
    assert_true(compare_all(1, both, 2) >= 10);
}

/* Node 0 combines the contributions of nodes 1 and 2 in another order. */
static void test_another_order(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    static const char *const texts[] = {"round 1\n1 0 1\nround 2\n2 0 1\n",
                                        "round 1\n2 0 1\nround 2\n1 0 1\n"};
    uint64_t seen[2];
    for (unsigned which = 0; which < 2; which++) {
        struct machine machine = machine_of();
        struct support_job job = {0};
        struct combination expected;
        struct err err = {0};
        char text[200];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm by hand\ntopology complete 3\n"
                 "model send-receive\nreduce 1 0 *\n%send 2\n",
                 texts[which]);
        support_true(support_read(text, "hand", &job.schedule, &err), &err);
        support_payload(&job.schedule, &machine, 1, 1, &job.payload);
        support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
        support_true(combination_of(&job.schedule, COMBINATION_ON_ARRIVAL, &expected, &err), &err);
        seen[which] = observed(&job, csim, 1);
        assert_true(seen[which] == expected.certificate);
        support_job_free(&job);
    }
    assert_true(seen[0] != seen[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csim),
        cmocka_unit_test(test_rtl),
        cmocka_unit_test(test_another_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
