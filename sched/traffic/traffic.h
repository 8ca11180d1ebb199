/* SPDX-License-Identifier: Apache-2.0 */
/* traffic: how many packets go from each node to each other one.
 *
 *     entry    [0]         [1]         [2]     …      ascending by source, then destination
 *              0 → 2: 5    0 → 3: 1    2 → 0: 7     of no pair twice, none from a node to itself
 *
 * What a node would send to itself never leaves it: it is counted as local, and has no entry.
 */
#ifndef ROUNDCAST_TRAFFIC_H
#define ROUNDCAST_TRAFFIC_H

#include "sched/base/err.h"

#include <stddef.h>

#define TRAFFIC_MAX_NODES (UINT32_C(1) << 24)
#define TRAFFIC_MAX_ENTRIES (UINT32_C(1) << 27)

struct traffic_entry {
    uint32_t source, destination; /* 0 … nodes-1, not the same */
    uint32_t packets;             /* 1 or more */
};

struct traffic {
    uint32_t nodes;
    size_t count, room;
    struct traffic_entry *entry;
    uint64_t packets; /* of all entries; after traffic_finish */
    uint64_t local;   /* packets from a node to itself */
};

/* Append an entry in any order; 0 packets are none. E102 for a node that does not exist, or for
 * more than 2^32 - 1 packets; E104. Amortised O(1). */
bool traffic_add(struct traffic *traffic, uint32_t source, uint32_t destination, uint64_t packets,
                 struct err *err);

/* Sort the entries and add up those of one pair. E102 for a pair with more than 2^32 - 1 packets.
 * E104. O(entries), and O(entries + nodes) if they are not in order. */
bool traffic_finish(struct traffic *traffic, struct err *err);

void traffic_free(struct traffic *traffic);

/* Traffic whose numbers count bytes, in packets of so many, 1 or more: none has bytes of two
 * entries. cut->entry[bytes->count] is the caller's, and may be that of `bytes`. O(entries). */
void traffic_cut(const struct traffic *bytes, uint32_t packet_bytes, struct traffic *cut);

/* The packets that each node sends and receives: sent[nodes], received[nodes]. O(entries). */
void traffic_sums(const struct traffic *traffic, uint64_t sent[], uint64_t received[]);

#define TRAFFIC_SETTINGS 16

/* What the busiest nodes have to do. */
struct traffic_load {
    uint64_t packets; /* of all nodes */
    uint64_t degree;  /* the most that one node sends, or that one receives */
    uint64_t both;    /* the most that one node sends and receives together */
    uint64_t entries; /* the most nodes that one node sends to, or that one receives from */
    /* the least of entries, entries + 1, … settings; 0 before traffic_load_settings */
    uint64_t rounds[TRAFFIC_SETTINGS];
};

/* The load of these sums, which do not tell the entries. */
struct traffic_load traffic_load_of(uint32_t nodes, const uint64_t sent[],
                                    const uint64_t received[]);

/* The load of traffic. No schedule in which a node sends and receives one packet a round has fewer
 * rounds than `degree`, and some schedule has exactly that many (König 1916). E104. O(entries). */
bool traffic_load(const struct traffic *traffic, struct traffic_load *load, struct err *err);

/* Find load->rounds, for traffic_makespan, of a load that traffic_load found. E104. O(entries · log
 * entries). */
bool traffic_load_settings(const struct traffic *traffic, struct traffic_load *load,
                           struct err *err);

/* What a round, 1 or more, and a change of settings take: in cycles of a machine, or in rounds, of
 * which one is 1. */
struct traffic_cost {
    uint64_t round, change;
};

/* What so many of both take. */
static inline uint64_t traffic_takes(struct traffic_cost cost, uint64_t rounds, uint64_t changes)
{
    return cost.round * rounds + cost.change * changes;
}

/* The rounds that a change takes, a part of one as a whole one. */
static inline uint64_t traffic_change_rounds(struct traffic_cost cost)
{
    return (cost.change + cost.round - 1) / cost.round;
}

/* A lower bound of the makespan if a setting connects a node to one other
 * (sched/decompose/decompose.h), in the unit of the cost. It is the least of what K settings take,
 * K from `entries` on. No setting serves two entries of a node, so that there are no fewer settings
 * than entries of any node; and there are no fewer rounds than a node has packets.
 *
 * If a node has E entries, the i-th largest of e_i packets, K settings serve no more than K - E
 * entries twice or more often. So i - (K - E) of its i largest entries have a setting of their own,
 * of e_i rounds or more: as many settings are that long. All settings together take no fewer rounds
 * than the sum of these over the settings, by length. */
uint64_t traffic_makespan(const struct traffic_load *load, struct traffic_cost cost);

#endif
