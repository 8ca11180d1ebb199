/* SPDX-License-Identifier: Apache-2.0 */
/* beats: the order and the computed programs of a machine with beats (machine.h), found in a
 * schedule.
 *
 * The order has the shortest period that it can, from the first row on; with computed programs it
 * has that of theirs.
 */
#ifndef ROUNDCAST_BEATS_H
#define ROUNDCAST_BEATS_H

#include "sched/machine/expand.h"
#include "sched/route/affine_grouping.h"
#include "sched/route/periodic_programs.h"
#include "sched/route/settings.h"

struct beats {
    uint32_t period, first;
    /* order[period]: a row of the tables, or a tag; NULL if settings are full and not held */
    uint32_t *order;
    uint32_t distinct;                 /* settings, or maps, that the order names; else 0 */
    struct settings settings;          /* if they are indexed */
    struct settings held;              /* if they are held: one after the other */
    uint32_t *rows;                    /* rows[held.count] of each; they repeat as the order does */
    struct affine_grouping maps;       /* if they are masks */
    struct periodic_programs computed; /* if programs are */
};

/* Preconditions: as route_rows_begin; machine_has_beats. E409 if a row has no tag, or no masks,
 * or the order does not repeat with computed programs; those of settings_find and of
 * periodic_programs.h. Free it with beats_free. */
bool beats_find(const struct schedule *schedule, const struct machine *machine, struct beats *beats,
                struct err *err);
void beats_free(struct beats *beats);

/* The tag of a round, some of whose ports may be idle (MULTISTAGE_IDLE); of an idle round it is a
 * shift by 0. False if it has none. to[ports]. O(ports). */
bool tags_of(const struct multistage *net, const uint32_t to[], struct tag *tag);

#endif
