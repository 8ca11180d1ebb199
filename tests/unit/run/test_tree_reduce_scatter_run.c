/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_reduce_scatter_run: tree-pipelined-reduce-scatter on fat trees whose routers combine,
 * end to end.
 *
 * State space. On csim, exhaustive: trees of 2 … 16 leaves, full and half duplex, leaves with one
 * and two links, both models, registers in the links, each operator. On the RTL, in lockstep with
 * csim: trees of 4 and 8 leaves, one of them with two links at each leaf, each operator. `simulate`
 * fails if a packet arrives in another cycle, if a flag is set, or if a word in memory is not the
 * combination of the contributions in the payload. The receipts of the schedule are counted anew:
 * each leaf receives its own packet once, and no other.
 *
 * Counter-cases: a combined receipt that an image turns into a plain one, or an operand of a router
 * that is left out, is found at the leaf; routers of one operator reject the reversed all-gather.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/reduction_lab.h"
#include "tests/support/running.h"
#include "tests/support/tree_lab.h"

#include <inttypes.h>

#define SEED UINT64_C(20261127)

static struct machine machine_of(const struct topology *tree, unsigned pad, unsigned width)
{
    return (struct machine){
        .kind = MACHINE_FAT_TREE, .topology = *tree, .pad = pad, .width = width, .combines = true};
}

static void schedule_job(const char *name, const struct topology *tree, enum model model,
                         struct support_job *job)
{
    const struct collective asked = {.n = tree->nodes,
                                     .m = 1,
                                     .topology = tree,
                                     .kind = COLLECTIVE_REDUCE_SCATTER,
                                     .model = model,
                                     .lambda = {1, 1}};
    *job = (struct support_job){0};
    support_schedule(support_algorithm(name), &asked, &job->schedule);
}

/* Each leaf receives its own packet from its router, and nothing else. */
static void check_receipts(const struct schedule *schedule)
{
    uint32_t receipts = 0;
    for (size_t t = 0; t < schedule->transfer_count; t++)
        if (schedule->transfer[t].destination < schedule->nodes) {
            assert_int_equal(schedule->transfer[t].packet, schedule->transfer[t].destination + 1);
            receipts++;
        }
    assert_int_equal(receipts, schedule->nodes);
}

/* Runs the reduce-scatter with each operator. `memories` has the memory sizes; NULL: the smallest
 * that suffice. */
static unsigned run_each(const struct topology *tree, enum model model, unsigned pad,
                         unsigned width, const struct machine *memories,
                         const struct simulate_options *options)
{
    struct machine machine = machine_of(tree, pad, width);
    struct support_job job;
    if (memories != NULL)
        machine = *memories;
    schedule_job("tree-pipelined-reduce-scatter", tree, model, &job);
    check_receipts(&job.schedule);
    reduction_lab_build(machine, memories == NULL, 1 + (tree->nodes + pad) % 5, SEED, &job);
    for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++) {
        running("%" PRIu32 " leaves, operator %" PRIu32, tree->nodes, operation);
        const struct simulate_report report = reduction_lab_run(&job, options, operation);
        assert_int_equal(report.checks.seen, tree->nodes);
    }
    support_job_free(&job);
    return MACHINE_OPERATORS;
}

static void each_tree_and_operator_on_csim(void **state)
{
    (void)state;
    static const char *const trees[][2] = {
        {"2", "1"},         {"5", "1"},         {"2,2", "1,1"},        {"2,2", "2,1"},
        {"3,2", "1,2"},     {"2,4", "1,3"},     {"4,4", "1,1"},        {"2,2,2", "1,1,1"},
        {"2,2,2", "2,2,1"}, {"2,2,4", "1,1,2"}, {"2,2,2,2", "1,1,1,1"}};
    unsigned runs = 0;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        for (unsigned kind = 0; kind < 4; kind++) {
            struct topology tree = tree_lab_parse(trees[t][0], trees[t][1]);
            tree.half_duplex = kind & 1;
            runs += run_each(&tree, kind & 2 ? MODEL_MULTIPORT : MODEL_SINGLE_PORT, kind % 3, 12,
                             NULL, &reduction_lab_csim);
        }
    assert_int_equal(runs, 11 * 4 * 7);
}

/* -- RTL --------------------------------------------------------------------------------------- */

static void run_on_rtl(const char *children, const char *capacity, unsigned pad, unsigned width,
                       uint32_t reads, bool half)
{
    struct topology tree = tree_lab_parse(children, capacity);
    struct machine machine = machine_of(&tree, pad, width);
    machine.log2_packets = machine.log2_flits = 3;
    machine.log2_rows = 6;
    machine.reads = reads;
    for (unsigned level = 1; level <= tree.height; level++)
        machine.depth[level] = 6;
    tree.half_duplex = half;
    run_each(&tree, MODEL_SINGLE_PORT, pad, width, &machine, &reduction_lab_both);
}

static void four_leaves_on_rtl(void **state)
{
    (void)state;
    run_on_rtl("2,2", "1,1", 0, 16, 3, false);
    run_on_rtl("2,2", "1,1", 0, 16, 3, true);
}

static void four_leaves_of_two_links_on_rtl(void **state)
{
    (void)state;
    run_on_rtl("2,2", "2,1", 0, 16, 1, false);
    run_on_rtl("2,2", "2,1", 0, 16, 1, true);
}

static void eight_leaves_on_rtl(void **state)
{
    (void)state;
    run_on_rtl("4,2", "1,2", 1, 9, 3, false);
}

/* -- Faults ------------------------------------------------------------------------------------ */

/* Clears a bit of each word of a region that has it, and runs the image: each one must be found.
 * Returns how many there are. */
static unsigned clear_each(struct support_job *job, enum machine_region region, uint32_t bit)
{
    unsigned cleared = 0;
    for (size_t k = 0; k < job->image.count; k++) {
        uint32_t *word = &job->image.word[k].word;
        const struct machine_place at =
            machine_place_of(&job->image.machine, job->image.word[k].address);
        if (at.region != region || !(*word & bit))
            continue;
        struct simulate_report report;
        struct err err = {0};
        *word ^= bit;
        assert_false(simulate(&job->image, &job->schedule, &job->payload, &reduction_lab_csim,
                              &report, &err));
        assert_int_equal(err_exit_status(err.code), 1);
        *word ^= bit;
        cleared++;
    }
    return cleared;
}

static void each_cleared_bit_is_found(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("3,2", "1,1");
    struct support_job job;
    schedule_job("tree-pipelined-reduce-scatter", &tree, MODEL_SINGLE_PORT, &job);
    reduction_lab_build(machine_of(&tree, 0, 16), true, 2, SEED, &job);
    assert_int_equal(clear_each(&job, MACHINE_RECEIVE, MACHINE_COMBINE), 6);
    /* At a router of 4 branches each of 6 packets has 3 operands. The root has two branches, and
     * passes on what arrives on the other one. */
    assert_int_equal(clear_each(&job, MACHINE_TABLE, MACHINE_OPERAND), 2 * 6 * 3);
    support_job_free(&job);
}

static void several_packets_in_a_step_are_rejected(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "1,1");
    struct machine machine = machine_of(&tree, 0, 16);
    struct support_job job;
    struct err err = {0};
    schedule_job("tree-reduce-scatter", &tree, MODEL_MULTIPORT, &job);
    support_payload(&job.schedule, &machine, 2, SEED, &job.payload);
    support_true(machine_sizing_fit(&job.schedule, 2, NULL, &machine, &err), &err);
    assert_false(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err));
    support_error(&err, ERR_UNSUPPORTED, "combines two packets in a step",
                  "as in the model single-port");
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tree_and_operator_on_csim),
        cmocka_unit_test(four_leaves_on_rtl),
        cmocka_unit_test(four_leaves_of_two_links_on_rtl),
        cmocka_unit_test(eight_leaves_on_rtl),
        cmocka_unit_test(each_cleared_bit_is_found),
        cmocka_unit_test(several_packets_in_a_step_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
