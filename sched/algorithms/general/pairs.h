/* SPDX-License-Identifier: Apache-2.0 */
/* pairs: the transfers between nodes at one time, chosen by their urgency. */
#ifndef ROUNDCAST_PAIRS_H
#define ROUNDCAST_PAIRS_H

#include "sched/algorithms/general/urgency.h"

/* The most nodes for which matchings are found; for more, packets are taken by their urgency. */
#define PAIRS_MATCHED 128

/* Working memory for a set of demands; opaque. */
struct pairs;

/* E104. */
struct pairs *pairs_new(const struct urgency *urgency, enum model model, struct err *err);
void pairs_free(struct pairs *pairs);

/* Chooses packets, counted from 0, for nodes that are free to send and nodes that are free to
 * receive, by the model. A packet for a helper counts `help` times less. Writes to[nodes] and
 * packet[nodes] for each sender, or PAIRS_NONE. Both free lists are spent. O(nodes³ + Σ senders ·
 * receivers of a packet), or for many nodes O(Σ wanted). */
#define PAIRS_NONE UINT32_MAX
void pairs_choose(struct pairs *pairs, unsigned help, bool sends[], bool receives[], uint32_t to[],
                  uint32_t packet[]);

/* Returns true if pairs_choose finds matchings. */
bool pairs_matched(const struct pairs *pairs);

#endif
