/* SPDX-License-Identifier: Apache-2.0 */
/* periodic_programs: programs from which endpoints compute their packets (machine.h), for
 * schedules that repeat.
 *
 * Träff's circulant broadcast does: with q = ⌈log2 n⌉ and x = -(m-1) mod q, its row r is in beat
 * (x + r) mod q, in which a node sends, and receives, packets that move on by q from turn to turn,
 * none before the first, and the last again where they would be behind it. So q entries a node and
 * way tell all rounds of any m.
 */
#ifndef ROUNDCAST_PERIODIC_PROGRAMS_H
#define ROUNDCAST_PERIODIC_PROGRAMS_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct periodic_programs {
    uint32_t nodes, period, first;
    void *memory; /* of all arrays (arena.h) */
    /* offset[way][beat · nodes + node] of senders (0) and receivers (1); PERIODIC_PROGRAMS_NONE: no
       entry */
    int32_t *offset[2];
};

#define PERIODIC_PROGRAMS_NONE INT32_MAX

/* The programs of a schedule of rounds, so that every node's computed packet in every row is the
 * schedule's. E409 if there are none, E104. Free it with periodic_programs_free. O(transfers +
 * rows · nodes). */
bool periodic_programs_find(const struct schedule *schedule, struct periodic_programs *computed,
                            struct err *err);

/* Are offsets and bases as short as the machine's, if it has room for the period? E409. O(period ·
 * nodes). */
bool periodic_programs_check_bits(const struct periodic_programs *computed,
                                  const struct schedule *schedule, const struct machine *machine,
                                  struct err *err);

void periodic_programs_free(struct periodic_programs *computed);

#endif
