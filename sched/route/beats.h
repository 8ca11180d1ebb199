/* SPDX-License-Identifier: Apache-2.0 */
/* beats: the order and the computed programs of a machine with beats (machine.h), found in a
 * schedule.
 *
 * The order has the shortest period that it can, from the first row on; with computed programs it
 * has that of theirs.
 */
#ifndef ROUNDCAST_BEATS_H
#define ROUNDCAST_BEATS_H

#include "sched/route/computed.h"
#include "sched/route/maps.h"
#include "sched/route/settings.h"

struct beats {
    uint32_t period, first;
    /* order[period]: a row of the tables, or a tag; NULL if settings are full and not held */
    uint32_t *order;
    uint32_t distinct;        /* settings, or maps, that the order names; else 0 */
    struct settings settings; /* if they are indexed */
    struct settings held;     /* if they are held: one after the other */
    uint32_t *rows;           /* rows[held.count] of each; they repeat as the order does */
    struct maps maps;         /* if they are masks */
    struct computed computed; /* if programs are */
};

/* Preconditions: as route_rows_begin; machine_has_beats. E409 if a row has no tag, or no masks, or
 * the order does not repeat with computed programs; those of settings_find and of computed.h. Free
 * it with beats_free. */
bool beats_find(const struct schedule *schedule, const struct machine *machine, struct beats *beats,
                struct err *err);
void beats_free(struct beats *beats);

#endif
