/* SPDX-License-Identifier: Apache-2.0 */
/* pairs: chooses the transfers between nodes at one time by their urgency. */
#ifndef ROUNDCAST_PAIRS_H
#define ROUNDCAST_PAIRS_H

#include "sched/algorithms/general/urgency.h"

/* Maximum number of nodes for matchings; above it, packets are chosen in order of urgency. */
#define PAIRS_MATCHED 128

/* Working memory for a set of demands; opaque. */
struct pairs;

/* Allocates working memory. Returns NULL with E104. */
struct pairs *pairs_new(const struct urgency *urgency, enum model model, struct err *err);
void pairs_free(struct pairs *pairs);

/* Chooses packets, counted from 0, for nodes that are free to send and nodes that are free to
 * receive, by the model. The urgency of a packet for a helper is divided by `help`. Writes
 * to[nodes] and, unless it is PAIRS_NONE, packet[nodes] for each sender. The contents of sends[]
 * and receives[] may be overwritten. O(nodes³ + Σ senders · receivers of a packet), or for many
 * nodes O(Σ wanted). */
#define PAIRS_NONE UINT32_MAX
void pairs_choose(struct pairs *pairs, unsigned help, bool sends[], bool receives[], uint32_t to[],
                  uint32_t packet[]);

/* Returns whether pairs_choose uses matchings. */
bool pairs_matched(const struct pairs *pairs);

#endif
