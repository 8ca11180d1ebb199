/* SPDX-License-Identifier: Apache-2.0 */
/* tune_traffic: finds the best size of the packets into which traffic is cut and, if changing a
 * setting takes time, the best method of finding its settings.
 *
 * A packet of F flits of W bits has ⌊F·W/8⌋ bytes of one entry. With L registers from endpoint to
 * endpoint (docs/machine.md) and R rounds, those of the busiest node,
 *
 *     rounds on a barrier take           R·(F + L) cycles
 *     units of the postal model          R·F + L
 *     R rounds, S changes of settings    R·(F + L) + S·price
 *
 * so entries of few bytes leave large packets partly empty, and small packets pay L often. Every F
 * is tried. If changes of settings have a price, each method is tried with the cuts that have the
 * lowest bounds. */
#ifndef ROUNDCAST_TUNE_TRAFFIC_H
#define ROUNDCAST_TUNE_TRAFFIC_H

#include "sched/decompose/decompose.h"
#include "sched/plan/tune.h"

struct tune_demand {
    const char *name;            /* the name in messages: its file or its pattern */
    const struct traffic *bytes; /* traffic whose entries count bytes */
    uint32_t packet_bytes;       /* bytes of a packet; 0: any */
    bool priced;                 /* changing a setting takes time */
    uint64_t price;              /* that time in cycles; the model is then send-receive */
    uint64_t seed;               /* seed of the methods that draw */
};

/* Finds a row for each model, or for each method: the best cut, with the packets of all entries.
 * request->nodes and `kind` are those of the traffic, and `bytes` is the sum of all entries. The
 * errors are those of tune_search. Free it with tune_free. O(entries · cuts), plus the time of the
 * methods. */
bool tune_traffic(const struct tune_request *request, const struct tune_demand *demand,
                  struct tune *tune, struct err *err);

#endif
