/* SPDX-License-Identifier: Apache-2.0 */
/* tree_fault_rig: the machines and jobs that are broken: on each of two trees, with lanes, the
 * all-gather that floods (multiport), the total exchange and a broadcast (single-port). */
#ifndef ROUNDCAST_TREE_FAULT_RIG_H
#define ROUNDCAST_TREE_FAULT_RIG_H

#include "tests/support/cmocka_all.h"
#include "tests/support/tree_fault_lab.h"
#include "tests/support/tree_machine.h"

#define TREE_FAULT_RIG_TREES 2
#define TREE_FAULT_RIG_JOBS 3 /* on each tree */

struct tree_fault_rig_tree {
    const char *children, *capacity;
};

extern const struct tree_fault_rig_tree tree_fault_rig_trees[TREE_FAULT_RIG_TREES];

extern const struct tree_machine_case tree_fault_rig_jobs[TREE_FAULT_RIG_JOBS];

struct tree_fault_rig {
    struct tree_fault_lab lab;
    enum engine_kind kind;
    unsigned tree, job;
};

/* Runs a test for each job on its machine. The unchanged job must hold before and after. */
void tree_fault_rig_each(enum engine_kind kind, void (*run)(struct tree_fault_rig *rig, void *data),
                         void *data);

/* Restores the job's own image. */
void tree_fault_rig_reload(struct tree_fault_rig *rig);

/* Returns the schedule with one transfer a step later, or (which = transfer_count) with a further
 * transfer from a packet's source in its own step at the end. */
struct schedule tree_fault_rig_changed(const struct tree_fault_rig *rig, size_t which);

/* Defines each test of a file for each engine: TREE_FAULT_RIG_ON(test) next to the test,
 * TREE_FAULT_RIG_BOTH(test) in the list. */
#define TREE_FAULT_RIG_ON_ENGINE(test, engine, ENGINE) \
    static void test##_on_##engine(void **unused)      \
    {                                                  \
        (void)unused;                                  \
        test(ENGINE);                                  \
    }
#define TREE_FAULT_RIG_ON(test)                       \
    TREE_FAULT_RIG_ON_ENGINE(test, csim, ENGINE_CSIM) \
    TREE_FAULT_RIG_ON_ENGINE(test, rtl, ENGINE_RTL)
#define TREE_FAULT_RIG_BOTH(test) cmocka_unit_test(test##_on_csim), cmocka_unit_test(test##_on_rtl)

#endif
