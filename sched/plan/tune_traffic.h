/* SPDX-License-Identifier: Apache-2.0 */
/* tune_traffic: how large the packets should be that traffic is cut into, and by which method its
 * settings are found, if changing one takes time.
 *
 * A packet of F flits of W bits has ⌊F·W/8⌋ bytes of one entry. With L registers from endpoint to
 * endpoint (docs/machine.md) and R rounds, those of the busiest node,
 *
 *     rounds on a barrier take           R·(F + L) cycles
 *     units of the postal model          R·F + L
 *     R rounds, S changes of settings    R·(F + L) + S·price
 *
 * so that large packets are filled badly by entries of few bytes, and small ones pay L often.
 * Every F is tried. Of settings that are held each method is, with the cuts of the least bounds.
 */
#ifndef ROUNDCAST_TUNE_TRAFFIC_H
#define ROUNDCAST_TUNE_TRAFFIC_H

#include "sched/decompose/decompose.h"
#include "sched/plan/tune.h"

struct tune_demand {
    const char *name;            /* what messages call it: its file or its pattern */
    const struct traffic *bytes; /* the numbers of its entries count bytes */
    uint32_t packet_bytes;       /* of a packet; 0: any */
    bool priced;                 /* changing a setting takes … */
    uint64_t price;              /* … so many cycles; the model is send-receive */
    uint64_t seed;               /* of what methods draw */
};

/* A row for each model, or for each method: the best cut, with the packets of all entries.
 * request->nodes and `kind` are those of traffic, `bytes` that of all entries. The errors are those
 * of tune_search. Free it with tune_free. O(entries · cuts), and what the methods take. */
bool tune_traffic(const struct tune_request *request, const struct tune_demand *demand,
                  struct tune *tune, struct err *err);

#endif
