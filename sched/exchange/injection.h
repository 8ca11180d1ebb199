/* SPDX-License-Identifier: Apache-2.0 */
/* injection: the cycles in which nodes inject the packets of a schedule, for simulators of networks
 * on chips. A node injects a flit per cycle. A round lasts as many cycles as a node needs to inject
 * all packets that its model lets it send in a round:
 *
 *     2 flits, 1 port    round 1: cycles 0 and 1    round 2: cycles 2 and 3
 *     2 flits, 3 arcs    round 1: cycles 0 … 5      round 2: cycles 6 … 11 */
#ifndef ROUNDCAST_INJECTION_H
#define ROUNDCAST_INJECTION_H

#include "sched/schedule/schedule.h"

/* Stores the cycles of a round in *cycles. Preconditions: the model has rounds, and flits ≥ 1. E104
 * for a schedule of more than `most` cycles; messages name the format. O(1). */
bool injection_round(const struct schedule *schedule, const char *format, uint64_t flits,
                     uint64_t most, uint64_t *cycles, struct err *err);

#endif
