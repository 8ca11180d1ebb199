/* SPDX-License-Identifier: Apache-2.0 */
/* mscclpp_races: finds uses of chunks that race in a plan of MSCCL++.
 *
 * Two events race if both use one chunk, one of them writes it, and neither happens before the
 * other. Each thread has a vector clock; a post stores it, a wait takes it over (C. Fidge 1988; C.
 * Flanagan and S. Freund 2009). */
#ifndef ROUNDCAST_MSCCLPP_RACES_H
#define ROUNDCAST_MSCCLPP_RACES_H

#include "sched/exchange/mscclpp_plan.h"

/* A use of a chunk: 1 + the event, 0: none; its thread, and the time of that thread. */
struct mscclpp_use {
    size_t event;
    uint32_t thread, time;
    bool writes;
};

struct mscclpp_reading {
    struct mscclpp_use use;
    size_t next; /* 1 + the number of the reading before; 0: none */
};

struct mscclpp_races {
    const struct mscclpp *plan;
    uint32_t *clock;                 /* [threads · threads]: the clock of each thread */
    struct mscclpp_use *written;     /* [chunks]: by which event last */
    size_t *read;                    /* [chunks]: 1 + the number of the latest reading since */
    struct mscclpp_reading *reading; /* [chunks of all operands] */
    size_t readings;
    void *memory;
};

/* E104. Free it with mscclpp_races_free. */
bool mscclpp_races_begin(const struct mscclpp *plan, struct mscclpp_races *races, struct err *err);

void mscclpp_races_free(struct mscclpp_races *races);

/* Begins the next event of a thread. Returns its use of chunks. */
struct mscclpp_use mscclpp_races_next(struct mscclpp_races *races, size_t thread, size_t event);

/* Returns a copy of the clock of a thread; NULL without memory. */
uint32_t *mscclpp_races_clock(const struct mscclpp_races *races, size_t thread);

/* Takes over a clock, NULL: none: what precedes it precedes all further events of the thread. */
void mscclpp_races_join(struct mscclpp_races *races, size_t thread, const uint32_t clock[]);

/* Records a use of a chunk. E206 for a use that races with an earlier one. */
bool mscclpp_races_use(struct mscclpp_races *races, const struct mscclpp_use *use, size_t chunk,
                       struct err *err);

#endif
