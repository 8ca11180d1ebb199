/* SPDX-License-Identifier: Apache-2.0 */
/* options_demands: what --demands and --exact ask for. */
#ifndef ROUNDCAST_OPTIONS_DEMANDS_H
#define ROUNDCAST_OPTIONS_DEMANDS_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

#include <argp.h>

struct options_demands {
    struct err *err;
    const char *file;         /* NULL if not given */
    bool exact;
    struct schedule schedule; /* after options_demands_check; owned */
};

extern const struct argp options_demands_argp;

void options_demands_free(struct options_demands *options);

/* Read the file, and set n, m, kind, load and demands of what is asked for; its model and λ too,
 * unless `has_model` says that another was given. Nothing without the option. E101, E102, those of
 * schedule_read. */
bool options_demands_check(struct options_demands *options, bool has_model,
                           struct collective *asked);

/* The demands of traffic that was asked for, an entry each. E104. */
bool options_demands_of_traffic(struct options_demands *options, struct collective *asked);

#endif
