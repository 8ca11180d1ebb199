/* tree_fault_rig: the machines and jobs that are broken: on each of two trees, with lanes, the multinode broadcast that
 * floods (multiport), the total exchange and a broadcast (single-port). Include it after <cmocka.h>'s four headers.
 */
#ifndef ROUNDCAST_TREE_FAULT_RIG_H
#define ROUNDCAST_TREE_FAULT_RIG_H

#include "testbench/unit/support/tree_fault_lab.h"

#define RIG_TREES 2
#define RIG_JOBS 3 /* on each tree */

static const struct {
    const char *children, *capacity;
} rig_trees[RIG_TREES] = {{"2,2", "1,2"}, {"3,2", "1,2"}};

static const struct tree_case rig_jobs[RIG_JOBS] = {{"tree-multinode", "flood", MODEL_MULTIPORT, 0},
                                                    {"tree-exchange", NULL, MODEL_SINGLE_PORT, 0},
                                                    {"tree-broadcast", NULL, MODEL_SINGLE_PORT, 1}};

struct rig {
    struct tree_fault_lab lab;
    enum engine_kind kind;
    unsigned tree, job;
};

/* The machine that holds all jobs of the rig's tree, links with a register on every other tree, and the schedules of
 * these. */
static inline struct machine rig_machine(const struct rig *rig, struct schedule schedule[RIG_JOBS])
{
    struct topology tree;
    struct err err = {0};
    support_true(
        topology_parse_tree(rig_trees[rig->tree].children, rig_trees[rig->tree].capacity, &tree, &err), &err);
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &tree, rig->tree);
    for (unsigned job = 0; job < RIG_JOBS; job++) {
        tree_machine_schedule(&rig_jobs[job], &tree, &schedule[job]);
        tree_machine_fit(&schedule[job], TREE_FAULT_FLITS, &machine);
    }
    machine.log2_rows++; /* for rows that are too many */
    return machine;
}

/* Do something with each job on its machine. It holds before and after. */
static inline void rig_each(enum engine_kind kind, void (*run)(struct rig *rig, void *data), void *data)
{
    struct rig rig = {.kind = kind};
    for (rig.tree = 0; rig.tree < RIG_TREES; rig.tree++) {
        struct schedule schedule[RIG_JOBS];
        struct machine machine = rig_machine(&rig, schedule);
        tree_fault_open(&rig.lab, &kind, 1, &machine);
        for (rig.job = 0; rig.job < RIG_JOBS; rig.job++) {
            struct support_job *job = &rig.lab.job;
            tree_machine_job(&schedule[rig.job], &machine, TREE_FAULT_FLITS, job);
            tree_fault_load(&rig.lab, &job->schedule, &job->image);
            assert_int_equal(tree_fault_judge(&rig.lab).count, 0);
            run(&rig, data);
            assert_int_equal(tree_fault_judge(&rig.lab).count, 0);
            tree_fault_unload(&rig.lab);
            support_job_free(job);
        }
        tree_fault_close(&rig.lab);
    }
}

/* The job's own image again. */
static inline void rig_reload(struct rig *rig)
{
    tree_fault_unload(&rig->lab);
    tree_fault_load(&rig->lab, &rig->lab.job.schedule, &rig->lab.job.image);
}

/* The schedule with one transfer a step later, or (which = transfer_count) with one more, of a packet's source in a
 * step of its own at the end. */
static inline struct schedule rig_changed(const struct rig *rig, size_t which)
{
    struct err err = {0};
    struct schedule later = {0};
    const struct schedule *schedule = &rig->lab.job.schedule;
    const struct topology *tree = &schedule->topology;
    support_true(schedule_init(&later, "late", tree, support_algorithm(rig_jobs[rig->job].algorithm)->kind,
                               schedule->packets, schedule->model, &err),
                 &err);
    for (size_t d = 0; d < schedule->demand_count; d++)
        later.demand[d].source = schedule->demand[d].source;
    const uint32_t source = schedule->demand[0].source;
    for (uint64_t time = 1; time <= schedule->end + 1; time++) {
        assert_non_null(schedule_open_step(&later, time, 1, &err));
        for (size_t t = 0; t < schedule->transfer_count; t++)
            if (schedule->step[schedule_step_of(schedule, t)].time + (t == which) == time)
                support_true(
                    schedule_append_lane(&later, schedule->transfer[t], schedule_lane(schedule, t), &err),
                    &err);
        if (which == schedule->transfer_count && time == schedule->end + 1)
            support_true(schedule_append_lane(
                             &later, (struct transfer){source, topology_parent(tree, 0, source), 1}, 0, &err),
                         &err);
        schedule_close_step(&later, 0);
    }
    return later;
}

/* Each test of a file on each engine: RIG_ON(test) beside it, RIG_BOTH(test) in the list. */
#define RIG_ON_ENGINE(test, engine, ENGINE)       \
    static void test##_on_##engine(void **unused) \
    {                                             \
        (void)unused;                             \
        test(ENGINE);                             \
    }
#define RIG_ON(test)                       \
    RIG_ON_ENGINE(test, csim, ENGINE_CSIM) \
    RIG_ON_ENGINE(test, rtl, ENGINE_RTL)
#define RIG_BOTH(test) cmocka_unit_test(test##_on_csim), cmocka_unit_test(test##_on_rtl)

#endif
