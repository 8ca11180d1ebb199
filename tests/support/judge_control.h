/* SPDX-License-Identifier: Apache-2.0 */
/* judge_control: checks control packets slowly, by counting transfers and filling a table of
 * nodes. */
#ifndef ROUNDCAST_JUDGE_CONTROL_H
#define ROUNDCAST_JUDGE_CONTROL_H

#include "tests/support/cube_runs.h"

/* Returns whether a data packet has arrived at a node, or a control packet has arrived or left its
 * source, before step k. */
bool judge_control_was_there(const struct schedule *schedule, uint32_t node, uint32_t packet,
                             size_t k);

/* Counts all violations. The first is one with a line, if there is any. */
uint64_t judge_control(const struct schedule *schedule, const struct cube_runs_set *set,
                       enum err_code *first);

#endif
