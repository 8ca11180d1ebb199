/* SPDX-License-Identifier: Apache-2.0 */
/* options_schedule: the schedule that is to be built: an algorithm, its collective, a seed. */
#ifndef ROUNDCAST_OPTIONS_SCHEDULE_H
#define ROUNDCAST_OPTIONS_SCHEDULE_H

#include "cli/options_collective.h"
#include "cli/options_round.h"

struct options_schedule {
    struct err *err;
    struct options_collective collective;
    struct options_round round;
    const char *algorithm; /* NULL if not given */
};

/* The algorithm's name, --seed, and those of options_collective_argp and options_round_argp.
 * Initialise with OPTIONS_SCHEDULE, free the collective. */
extern const struct argp options_schedule_argp;

#define OPTIONS_SCHEDULE(error)                                                                \
    {                                                                                          \
        .err = (error), .collective = OPTIONS_COLLECTIVE(error), .round = OPTIONS_ROUND(error) \
    }

/* After parsing: the algorithm, and its collective; NULL if they are not right. E101, E102,
 * E103. */
const struct algorithm *options_schedule_of(struct options_schedule *options,
                                            struct collective *collective);

#endif
