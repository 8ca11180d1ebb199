/* SPDX-License-Identifier: Apache-2.0 */
/* judge_control: a slow judge of packets of control, who counts transfers and fills a table of
 * nodes. */
#ifndef ROUNDCAST_JUDGE_CONTROL_H
#define ROUNDCAST_JUDGE_CONTROL_H

#include "tests/support/cube_runs.h"

/* A packet of data, or of control, has come to a node before step k, or has left the node where it
 * starts. */
bool judge_control_was_there(const struct schedule *schedule, uint32_t node, uint32_t packet,
                             size_t k);

/* All breaches; the first is one at a line, if there is any. */
uint64_t judge_control(const struct schedule *schedule, const struct cube_runs_set *set,
                       enum err_code *first);

#endif
