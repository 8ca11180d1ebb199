/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tree_fault_rig.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/tree_lab.h"

const struct tree_fault_rig_tree tree_fault_rig_trees[TREE_FAULT_RIG_TREES] = {{"2,2", "1,2"},
                                                                               {"3,2", "1,2"}};

const struct tree_machine_case tree_fault_rig_jobs[TREE_FAULT_RIG_JOBS] = {
    {"tree-all-gather", "flood", MODEL_MULTIPORT, 0},
    {"tree-total-exchange", NULL, MODEL_SINGLE_PORT, 0},
    {"tree-broadcast", NULL, MODEL_SINGLE_PORT, 1}};

/* The machine that holds all jobs of the rig's tree, links with a register on every other tree, and
 * the schedules of these. */
static struct machine tree_fault_rig_machine(const struct tree_fault_rig *rig,
                                             struct schedule schedule[TREE_FAULT_RIG_JOBS])
{
    const struct topology tree = tree_lab_parse(tree_fault_rig_trees[rig->tree].children,
                                                tree_fault_rig_trees[rig->tree].capacity);
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &tree, rig->tree);
    for (unsigned job = 0; job < TREE_FAULT_RIG_JOBS; job++) {
        tree_machine_schedule(&tree_fault_rig_jobs[job], &tree, &schedule[job]);
        tree_machine_fit(&schedule[job], TREE_FAULT_LAB_FLITS, &machine);
    }
    machine.log2_rows++; /* for rows that are too many */
    return machine;
}

void tree_fault_rig_each(enum engine_kind kind, void (*run)(struct tree_fault_rig *rig, void *data),
                         void *data)
{
    struct tree_fault_rig rig = {.kind = kind};
    for (rig.tree = 0; rig.tree < TREE_FAULT_RIG_TREES; rig.tree++) {
        struct schedule schedule[TREE_FAULT_RIG_JOBS];
        struct machine machine = tree_fault_rig_machine(&rig, schedule);
        tree_fault_lab_open(&rig.lab, &kind, 1, &machine);
        for (rig.job = 0; rig.job < TREE_FAULT_RIG_JOBS; rig.job++) {
            struct support_job *job = &rig.lab.job;
            tree_machine_job(&schedule[rig.job], &machine, TREE_FAULT_LAB_FLITS, job);
            tree_fault_lab_load(&rig.lab, &job->schedule, &job->image);
            assert_int_equal(tree_fault_lab_judge(&rig.lab).count, 0);
            run(&rig, data);
            assert_int_equal(tree_fault_lab_judge(&rig.lab).count, 0);
            tree_fault_lab_unload(&rig.lab);
            support_job_free(job);
        }
        tree_fault_lab_close(&rig.lab);
    }
}

void tree_fault_rig_reload(struct tree_fault_rig *rig)
{
    tree_fault_lab_unload(&rig->lab);
    tree_fault_lab_load(&rig->lab, &rig->lab.job.schedule, &rig->lab.job.image);
}

struct schedule tree_fault_rig_changed(const struct tree_fault_rig *rig, size_t which)
{
    struct err err = {0};
    struct schedule later = {0};
    const struct schedule *schedule = &rig->lab.job.schedule;
    const struct topology *tree = &schedule->topology;
    support_true(schedule_init_empty(&later, "late", tree, schedule->model, &err) &&
                     schedule_copy_demands(schedule, &later, &err),
                 &err);
    const uint32_t source = schedule->demand[0].source;
    for (uint64_t time = 1; time <= schedule->end + 1; time++) {
        assert_non_null(schedule_open_step(&later, time, 1, &err));
        for (size_t t = 0; t < schedule->transfer_count; t++)
            if (schedule->step[schedule_step_of(schedule, t)].time + (t == which) == time)
                support_true(schedule_append_lane(&later, schedule->transfer[t],
                                                  schedule_lane(schedule, t), &err),
                             &err);
        if (which == schedule->transfer_count && time == schedule->end + 1)
            support_true(schedule_append_lane(
                             &later, (struct transfer){source, topology_parent(tree, 0, source), 1},
                             0, &err),
                         &err);
        schedule_close_step(&later, 0);
    }
    return later;
}
