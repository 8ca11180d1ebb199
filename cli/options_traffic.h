/* SPDX-License-Identifier: Apache-2.0 */
/* options_traffic: what --matrix, --entries, --pattern, --packet-bytes, --total, --reconfigure and
 * --clock ask for. */
#ifndef ROUNDCAST_OPTIONS_TRAFFIC_H
#define ROUNDCAST_OPTIONS_TRAFFIC_H

#include "cli/options_price.h"
#include "sched/schedule/collective.h"
#include "sched/traffic/traffic_read.h"

#include <argp.h>

struct options_traffic {
    struct err *err;
    const char *matrix, *entries, *pattern; /* NULL if not given */
    struct traffic_unit unit;
    struct options_price price;
    bool pays;              /* a machine pays it, for whatever is scheduled */
    bool unweighed;         /* who schedules does not look at the price */
    struct traffic traffic; /* after options_traffic_check; owned */
};

extern const struct argp options_traffic_argp;

void options_traffic_free(struct options_traffic *options);

/* Is there any? */
bool options_traffic_given(const struct options_traffic *options);

/* The option that gives it, such as "--matrix"; NULL if there is none. */
const char *options_traffic_name(const struct options_traffic *options);

/* Read or make the traffic, and set n, m, kind and load of what is asked for, and the price. A
 * pattern needs -n, and is drawn from the seed. Nothing without one of the options. E101, E102,
 * E104, those of traffic_read.h. */
bool options_traffic_check(struct options_traffic *options, uint64_t seed,
                           struct collective *asked);

#endif
