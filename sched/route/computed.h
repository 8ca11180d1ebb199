/* SPDX-License-Identifier: Apache-2.0 */
/* computed: programs from which endpoints compute their packets (machine.h), for schedules that
 * repeat.
 *
 * Träff's circulant broadcast does: with q = ⌈log2 n⌉ and x = -(m-1) mod q, its row r is in beat
 * (x + r) mod q, in which a node sends, and receives, packets that move on by q from turn to turn,
 * none before the first, and the last again where they would be behind it. So q entries a node and
 * way tell all rounds of any m.
 */
#ifndef ROUNDCAST_COMPUTED_H
#define ROUNDCAST_COMPUTED_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct computed {
    uint32_t nodes, period, first;
    void *memory; /* of all arrays (arena.h) */
    /* offset[way][beat · nodes + node] of senders (0) and receivers (1); COMPUTED_NONE: no
       entry */
    int32_t *offset[2];
};

#define COMPUTED_NONE INT32_MAX

/* The programs of a schedule of rounds, so that every node's computed packet in every row is the
 * schedule's. E409 if there are none, E104. Free it with computed_free. O(transfers + rows ·
 * nodes). */
bool computed_find(const struct schedule *schedule, struct computed *computed, struct err *err);

/* Are offsets and bases as short as the machine's, if it has room for the period? E409. O(period ·
 * nodes). */
bool computed_check_bits(const struct computed *computed, const struct schedule *schedule,
                         const struct machine *machine, struct err *err);

void computed_free(struct computed *computed);

#endif
