/* SPDX-License-Identifier: Apache-2.0 */
/* tune_traffic: finds the packet size for traffic, and the method for its settings if
 * reconfiguration takes time.
 *
 * A packet of F flits of W bits has ⌊F·W/8⌋ bytes of one entry. With L registers from endpoint to
 * endpoint (docs/machine.md) and R rounds, those of the busiest node,
 *
 *     rounds on a barrier take           R·(F + L) cycles
 *     units of the postal model          R·F + L
 *     R rounds in S settings             R·(F + L) + S·price
 *
 * so entries of few bytes fill large packets badly, and small packets pay L often. Every F is
 * tried. With reconfiguration each method is tried for the cuts with the least bounds.
 */
#ifndef ROUNDCAST_TUNE_TRAFFIC_H
#define ROUNDCAST_TUNE_TRAFFIC_H

#include "sched/decompose/decompose.h"
#include "sched/plan/tune.h"

struct tune_demand {
    const char *name;            /* what messages call it: its file or its pattern */
    const struct traffic *bytes; /* the numbers of its entries count bytes */
    uint32_t packet_bytes;       /* bytes of a packet; 0: any */
    bool priced;                 /* a reconfiguration takes … */
    uint64_t price;              /* … this many cycles; the model is send-receive */
    uint64_t seed;               /* seed of random choices */
};

/* Finds a row for each model, or for each method: the best cut, with the packets of all entries.
 * request->nodes and `kind` are those of traffic, `bytes` that of all entries. Errors as
 * tune_search. Free the result with tune_free. O(entries · cuts), plus the time of the methods. */
bool tune_traffic(const struct tune_request *request, const struct tune_demand *demand,
                  struct tune *tune, struct err *err);

#endif
