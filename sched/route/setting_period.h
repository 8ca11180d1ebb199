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
#include "sched/route/periodic_programs.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule.h"

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
