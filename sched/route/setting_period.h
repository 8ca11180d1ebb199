/* SPDX-License-Identifier: Apache-2.0 */
/* setting_period: finds the setting index of a machine with a setting period (machine.h), and its
 * computed programs, in a schedule.
 *
 * The setting index has the shortest possible period, counted from the first row; with computed
 * programs it has the period of the programs.
 */
#ifndef ROUNDCAST_SETTING_PERIOD_H
#define ROUNDCAST_SETTING_PERIOD_H

#include "sched/machine/expand.h"
#include "sched/machine/machine.h"
#include "sched/route/affine.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule.h"

/* -- Periodic programs ------------------------------------------------------------------------- */

/* Programs from which endpoints compute their packets (machine.h), for schedules that repeat.
 *
 * Träff's circulant broadcast repeats: with q = ⌈log2 n⌉ and x = -(m-1) mod q, its row r is in
 * setting phase (x + r) mod q. In each phase a node sends and receives packets whose numbers grow
 * by q from period to period; numbers below the first packet are none, and numbers above the last
 * are the last. So q entries for each node and direction describe all rounds for any m.
 *
 * A stream has first = 0 and the shortest period for which the same holds, except that numbers
 * above the last packet are none. */

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

/* -- Setting periods --------------------------------------------------------------------------- */

struct setting_period {
    uint32_t period, first;
    /* setting_index[period]: a row of the tables, or a tag; NULL if settings are full and the
     * machine has no reconfiguration */
    uint32_t *setting_index;
    uint32_t distinct; /* number of settings, or maps, that the setting index selects; else 0 */
    struct settings settings; /* if settings are indexed */
    /* with reconfiguration: the consecutive settings; of a stream: one for each setting phase, from
     * the phase of row 0 on */
    struct settings reconfig;
    /* rows[reconfig.count]: for how many rows each is held; they repeat with the setting index */
    uint32_t *rows;
    struct affine_grouping maps;       /* if settings are masks */
    struct periodic_programs computed; /* if programs are computed */
};

/* Finds the setting index and the programs. Preconditions: as route_rows_begin;
 * machine_has_setting_period. E409 if a row has no tag or no masks, or if the setting index does
 * not repeat with computed programs; the errors of settings_find and periodic_programs_find. Free
 * it with setting_period_free. */
bool setting_period_find(const struct schedule *schedule, const struct machine *machine,
                         struct setting_period *setting_period, struct err *err);
void setting_period_free(struct setting_period *setting_period);

/* Finds the tag of a round, in which ports may be idle (MULTISTAGE_IDLE); the tag of an idle round
 * is a shift by 0. Returns false if the round has none. to[ports]. O(ports). */
bool tags_of(const struct multistage *net, const uint32_t to[], struct tag *tag);

#endif
