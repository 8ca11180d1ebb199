/* SPDX-License-Identifier: Apache-2.0 */
/* tree_machine: runs collectives on machines of routers.
 *
 * A case is a collective on a tree; a machine is made for one case or for several, so that one
 * Verilated model serves all of them.
 */
#ifndef ROUNDCAST_TREE_MACHINE_H
#define ROUNDCAST_TREE_MACHINE_H

#include "tests/support/support.h"

struct tree_machine_case {
    const char *algorithm;
    const char *method; /* NULL: the first method */
    enum model model;
    uint32_t source;
};

void tree_machine_schedule(const struct tree_machine_case *asked, const struct topology *tree,
                           struct schedule *schedule);
struct machine tree_machine_of(enum machine_kind kind, const struct topology *tree, unsigned pad);

/* Enlarges the machine so that it also holds a schedule, with packets of so many flits. */
void tree_machine_fit(const struct schedule *schedule, uint32_t flits, struct machine *machine);

/* The schedule, with a pseudo-random payload, on a machine that holds it. */
void tree_machine_job(const struct schedule *schedule, const struct machine *machine,
                      uint32_t flits, struct support_job *job);

/* Runs the job. All checks must pass, in `steps` steps. Returns the number of receipts checked. */
uint64_t tree_machine_run(const struct support_job *job, bool rtl, uint64_t steps);

#endif
