/* SPDX-License-Identifier: Apache-2.0 */
/* periodic_programs: programs from which endpoints compute their packets (machine.h), for schedules
 * that repeat.
 *
 * Träff's circulant broadcast repeats: with q = ⌈log2 n⌉ and x = -(m-1) mod q, its row r is in
 * setting phase (x + r) mod q. In each phase a node sends and receives packets whose numbers grow
 * by q from period to period; numbers below the first packet are none, and numbers above the last
 * are the last. So q entries for each node and direction describe all rounds for any m.
 *
 * A stream has first = 0 and the shortest period for which the same holds, except that numbers
 * above the last packet are none.
 */
#ifndef ROUNDCAST_PERIODIC_PROGRAMS_H
#define ROUNDCAST_PERIODIC_PROGRAMS_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct periodic_programs {
    uint32_t nodes, period, first;
    void *memory; /* of all arrays (arena.h) */
    /* offset[direction][setting_phase · nodes + node] of senders (0) and receivers (1);
     * PERIODIC_PROGRAMS_NONE: no entry */
    int32_t *offset[2];
};

#define PERIODIC_PROGRAMS_NONE INT32_MAX

/* Finds programs with which every node's computed packet in every row is the schedule's, for a
 * schedule of rounds. If it is a stream, the source begins packet r in round r, and every packet
 * arrives everywhere in as many rounds, at most, as the last one needs. E409 if there are none,
 * E104. Free them with periodic_programs_free. O(transfers + rows · nodes); of a stream, times the
 * period in the worst case. */
bool periodic_programs_find(const struct schedule *schedule, struct periodic_programs *computed,
                            struct err *err);

/* Checks that offsets and bases fit in the bits of the machine, provided that the machine has room
 * for the period. E409. O(period · nodes). */
bool periodic_programs_check_bits(const struct periodic_programs *computed,
                                  const struct schedule *schedule, const struct machine *machine,
                                  struct err *err);

void periodic_programs_free(struct periodic_programs *computed);

#endif
