/* SPDX-License-Identifier: Apache-2.0 */
/* affine_grouping: groups the rows of a schedule that are parts of one affine map (affine.h) and
 * therefore have the same masks.
 *
 * First-fit: each row joins the first map that can do what it does besides, so equal rows always
 * share. Circuits of two rows that share have neither an input nor an output in common without the
 * other, as those that share settings (settings.h); but that is not enough.
 */
#ifndef ROUNDCAST_AFFINE_GROUPING_H
#define ROUNDCAST_AFFINE_GROUPING_H

#include "sched/machine/machine.h"
#include "sched/route/affine.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule.h"

struct affine_grouping {
    uint32_t count;           /* of distinct maps */
    uint32_t *index;          /* index[rows]: the map of each row; 0 for an idle one */
    struct affine_part *part; /* part[count] */
    uint32_t room;
};

/* Of all rows, or of the settings that are held (settings_hold), if `held` is not NULL.
 * Preconditions: as route_rows_begin; a machine with masks. E401 unless its network is benes:N
 * of a power of two, E409 naming a row that is no part of an affine map, E104, and those of
 * route_rows_next. Free it with affine_grouping_free. O(rows · ports · log ports + rows · count)
 * if rows that cannot share differ in their first circuits. */
bool affine_grouping_find(const struct schedule *schedule, const struct machine *machine,
                          const struct settings *held, struct affine_grouping *maps,
                          struct err *err);
void affine_grouping_free(struct affine_grouping *maps);

#endif
