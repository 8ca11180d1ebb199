/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_sizes: machines of routers that are one packet too small for a schedule.
 *
 * State space. Collectives of three trees, on machines of the smallest buffers and queues
 * (machine_sizing.h), each in turn reduced by one packet, at one level. With tables: the image for
 * the larger machine is loaded into the smaller one, and the effect is what tree_replay.h predicts,
 * word for word. Self-timed: the level overflows, and nothing does on the machine of the smallest
 * sizes; a stray packet that a queue has no room for is reported by its router alone. All cases run
 * on csim; some run on csim and RTL in lockstep, which agree even after an overflow.
 */
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/tree_fault_lab.h"
#include "tests/support/tree_machine.h"

static const struct {
    const char *children, *capacity;
} trees[] = {{"2,2", "1,2"}, {"3,2", "1,2"}, {"2,3,2", "1,2,3"}};
#define TREES (sizeof trees / sizeof *trees)

static const struct tree_machine_case cases[] = {
    {"tree-broadcast", NULL, MODEL_SINGLE_PORT, 1},
    {"tree-gather", "greedy", MODEL_SINGLE_PORT, 1},
    {"tree-gather", "greedy", MODEL_MULTIPORT, 0},
    {"tree-all-gather", NULL, MODEL_SINGLE_PORT, 0},
    {"tree-all-gather", "flood", MODEL_MULTIPORT, 0},
    {"tree-total-exchange", NULL, MODEL_SINGLE_PORT, 0},
    {"tree-total-exchange", "phases", MODEL_MULTIPORT, 0},
    {"tree-total-exchange", "pipelined", MODEL_MULTIPORT, 0},
};
#define CASES (sizeof cases / sizeof *cases)
#define EXCHANGE 5 /* single-port */

struct sizes {
    /* machines of the smallest sizes; too small machines; those whose first report is a flag */
    unsigned exact, reported, flagged;
    bool rtl;
};

static void open_machine(struct tree_fault_lab *lab, const struct machine *machine, bool rtl)
{
    static const enum engine_kind kinds[] = {ENGINE_CSIM, ENGINE_RTL};
    tree_fault_lab_open(lab, kinds, rtl ? 2 : 1, machine);
}

/* Runs a job on a machine that may be too small at `level`; returns whether the run passes. */
static bool run_on(const struct support_job *job, const struct machine *machine,
                   struct sizes *sizes, unsigned level)
{
    struct tree_fault_lab lab;
    open_machine(&lab, machine, sizes->rtl);
    lab.job = *job;
    tree_fault_lab_load(&lab, &job->schedule, &job->image);
    bool held = false;
    if (machine->kind == MACHINE_FAT_TREE) {
        held = tree_fault_lab_judge(&lab).count == 0;
    } else {
        const struct topology *tree = &machine->topology;
        uint32_t flags = 0;
        held = tree_fault_lab_holds(&lab, 0, 0, false);
        for (uint32_t node = tree->first[level]; node < tree->first[level + 1] && level != 0;
             node++)
            flags |= lab.router_flags[node - tree->nodes];
        assert_int_equal(flags, held ? 0 : MACHINE_ROUTER_OVERFLOW);
    }
    sizes->flagged += !held && lab.err.code == ERR_FLAG;
    tree_fault_lab_unload(&lab);
    tree_fault_lab_close(&lab);
    return held;
}

/* Runs with `*size` reduced by one packet, if the result is not 0 and words stay legal. */
static void run_smaller(const struct support_job *job, uint32_t *size, struct machine *machine,
                        unsigned level, struct sizes *sizes)
{
    uint32_t least = *size;
    /* An RTL router uses slot numbers of exactly as many bits as it requires. */
    if (least < 2 ||
        (sizes->rtl && machine->kind == MACHINE_FAT_TREE && ((least - 1) & (least - 2)) == 0))
        return;
    --*size;
    assert_false(run_on(job, machine, sizes, level));
    sizes->reported++;
    *size = least;
}

static void run_case(size_t tree_number, size_t case_number, enum machine_kind kind,
                     struct sizes *sizes)
{
    struct err err = {0};
    struct topology tree;
    struct schedule schedule;
    struct support_job job;
    support_true(
        topology_parse_tree(trees[tree_number].children, trees[tree_number].capacity, &tree, &err),
        &err);
    struct machine machine = tree_machine_of(kind, &tree, 0);
    tree_machine_schedule(&cases[case_number], &tree, &schedule);
    tree_machine_fit(&schedule, TREE_FAULT_LAB_FLITS, &machine);
    tree_machine_job(&schedule, &machine, TREE_FAULT_LAB_FLITS, &job);
    assert_true(run_on(&job, &machine, sizes, 0));
    sizes->exact++;
    /* Building an RTL model for each machine takes seconds, so that only level 1 is tested. */
    for (unsigned level = 1; level <= (sizes->rtl ? 1 : tree.height); level++) {
        run_smaller(&job, &machine.depth[level], &machine, level, sizes);
        if (kind == MACHINE_FAT_TREE_AUTO)
            run_smaller(&job, &machine.queue[level], &machine, level, sizes);
    }
    support_job_free(&job);
}

static void report(const char *what, const struct sizes *sizes, unsigned reported)
{
    print_message(
        "%s: %u machines of the least sizes, %u too small: first reported are %u flags and "
        "%u packets\n",
        what, sizes->exact, sizes->reported, sizes->flagged, sizes->reported - sizes->flagged);
    assert_true(sizes->exact > 0);
    assert_int_equal(sizes->reported, reported);
}

static void test_forced_tables(void **state)
{
    (void)state;
    struct sizes sizes = {0}, both = {.rtl = true};
    for (size_t tree = 0; tree < TREES; tree++)
        for (size_t k = 0; k < CASES; k++)
            run_case(tree, k, MACHINE_FAT_TREE, &sizes);
    report("tables", &sizes, 18);
    run_case(1, EXCHANGE, MACHINE_FAT_TREE, &both);
    report("tables, with RTL", &both, 1);
}

static void test_self_timed_rtl(void **state)
{
    (void)state;
    struct sizes both = {.rtl = true};
    run_case(0, EXCHANGE, MACHINE_FAT_TREE_AUTO, &both);
    report("self-timed, with RTL", &both, 2);
}

static void test_self_timed(void **state)
{
    (void)state;
    struct sizes sizes = {0};
    for (size_t tree = 0; tree < TREES; tree++)
        for (size_t k = 0; k < CASES; k++)
            run_case(tree, k, MACHINE_FAT_TREE_AUTO, &sizes);
    report("self-timed", &sizes, 64);
}

/* Leaf 1, which has nothing to send in a scatter, sends a packet upwards when leaf 0 does. The
 * queue to the parent holds one packet: that of leaf 0, whose port is the first. Only the router
 * reports the other packet. */
static void test_stray_packet(void **state)
{
    (void)state;
    static const struct tree_machine_case scatter = {"tree-scatter", NULL, MODEL_MULTIPORT, 0};
    const uint32_t slot = 2, destination = 3;
    struct tree_fault_lab lab;
    struct err err = {0};
    struct topology tree;
    struct schedule schedule;
    struct support_job job;
    support_true(topology_parse_tree("2,2", "1,2", &tree, &err), &err);
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE_AUTO, &tree, 0);
    tree_machine_schedule(&scatter, &tree, &schedule);
    tree_machine_fit(&schedule, TREE_FAULT_LAB_FLITS, &machine);
    tree_machine_job(&schedule, &machine, TREE_FAULT_LAB_FLITS, &job);
    assert_int_equal(machine.queue[1], 1);
    open_machine(&lab, &machine, true);
    lab.job = job;
    tree_fault_lab_load(&lab, &job.schedule, &job.image);
    const uint32_t packet[TREE_FAULT_LAB_FLITS] = {slot, destination, 0};
    for (uint32_t flit = 0; flit < TREE_FAULT_LAB_FLITS; flit++)
        support_true(image_append(&lab.rest, machine_packet_address(&machine, 1, slot, flit),
                                  MACHINE_VALID | packet[flit], &err),
                     &err);
    support_true(tree_fault_lab_holds(&lab, 0, 0, false), &lab.err);
    tree_fault_lab_write(&lab, machine_program_address(&machine, MACHINE_SEND, 1, 0),
                         MACHINE_VALID | slot);
    assert_false(tree_fault_lab_holds(&lab, 0, 0, false));
    support_error(&lab.err, ERR_FLAG,
                  "after the run: router 1:0 flags a buffer that overflows; expected no flag");
    assert_int_equal(lab.err.further, 0);
    tree_fault_lab_unload(&lab);
    tree_fault_lab_close(&lab);
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forced_tables),
                                       cmocka_unit_test(test_self_timed),
                                       cmocka_unit_test(test_stray_packet)};
    const struct CMUnitTest others[] = {cmocka_unit_test(test_self_timed_rtl)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(others, NULL, NULL) : failed;
}
