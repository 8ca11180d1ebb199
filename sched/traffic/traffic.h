/* SPDX-License-Identifier: Apache-2.0 */
/* traffic: the number of packets from each node to each other node.
 *
 *     entry    [0]         [1]         [2]     …      ascending by source, then destination
 *              0 → 2: 5    0 → 3: 1    2 → 0: 7     no pair twice, no pair of equal nodes
 *
 * Packets from a node to itself are not sent: they are counted as local and have no entry.
 */
#ifndef ROUNDCAST_TRAFFIC_H
#define ROUNDCAST_TRAFFIC_H

#include "sched/base/err.h"

#include <stddef.h>

#define TRAFFIC_MAX_NODES (UINT32_C(1) << 24)
#define TRAFFIC_MAX_ENTRIES (UINT32_C(1) << 27)

struct traffic_entry {
    uint32_t source, destination; /* 0 … nodes-1, different */
    uint32_t packets;             /* 1 or more */
};

struct traffic {
    uint32_t nodes;
    size_t count, room;
    struct traffic_entry *entry;
    uint64_t packets; /* sum of all entries, valid after traffic_finish */
    uint64_t local;   /* packets from a node to itself */
};

/* Appends an entry, in any order; 0 packets append nothing. E102 for a node that does not exist or
 * for more than 2^32 - 1 packets; E104. Amortised O(1). */
bool traffic_add(struct traffic *traffic, uint32_t source, uint32_t destination, uint64_t packets,
                 struct err *err);

/* Sorts the entries and adds up those of one pair. E102 for a pair with more than 2^32 - 1 packets;
 * E104. O(entries) if the entries are in order, else O(entries + nodes). */
bool traffic_finish(struct traffic *traffic, struct err *err);

void traffic_free(struct traffic *traffic);

/* Converts traffic in bytes to packets of `packet_bytes` bytes, 1 or more; no packet has bytes of
 * two entries. The caller provides cut->entry[bytes->count], which can be that of `bytes`.
 * O(entries). */
void traffic_cut(const struct traffic *bytes, uint32_t packet_bytes, struct traffic *cut);

/* Sums up the packets that each node sends and receives: sent[nodes], received[nodes].
 * O(entries). */
void traffic_sums(const struct traffic *traffic, uint64_t sent[], uint64_t received[]);

#define TRAFFIC_SETTINGS 16

/* The load of the busiest nodes. */
struct traffic_load {
    uint64_t packets; /* sum over all nodes */
    uint64_t degree;  /* maximum that one node sends, or that one node receives */
    uint64_t both;    /* maximum that one node sends and receives together */
    uint64_t entries; /* maximum number of nodes that one node sends to, or receives from */
    /* minimum rounds of entries, entries + 1, … settings; 0 before traffic_load_settings */
    uint64_t rounds[TRAFFIC_SETTINGS];
};

/* Returns the load of these sums. They do not determine `entries`. */
struct traffic_load traffic_load_of(uint32_t nodes, const uint64_t sent[],
                                    const uint64_t received[]);

/* Computes the load of traffic. No schedule in which a node sends and receives one packet a round
 * has fewer rounds than `degree`, and some schedule has exactly that many (König 1916). E104.
 * O(entries). */
bool traffic_load(const struct traffic *traffic, struct traffic_load *load, struct err *err);

/* Computes load->rounds, for traffic_makespan, of a load from traffic_load. E104. O(entries · log
 * entries). */
bool traffic_load_settings(const struct traffic *traffic, struct traffic_load *load,
                           struct err *err);

/* The duration of a round, 1 or more, and of a reconfiguration: in cycles of a machine, or in
 * rounds if `round` is 1. */
struct traffic_cost {
    uint64_t round, change;
};

/* Returns the duration of `rounds` rounds and `changes` reconfigurations. */
static inline uint64_t traffic_takes(struct traffic_cost cost, uint64_t rounds, uint64_t changes)
{
    return cost.round * rounds + cost.change * changes;
}

/* Returns the duration of a reconfiguration in rounds, rounded up. */
static inline uint64_t traffic_change_rounds(struct traffic_cost cost)
{
    return (cost.change + cost.round - 1) / cost.round;
}

/* Returns a lower bound of the makespan, in the unit of the cost, if a setting connects a node to
 * one other node (sched/decompose/decompose.h). It is the minimum over K, K ≥ `entries`, of the
 * duration of K settings. No setting serves two entries of a node, so there are at least as many
 * settings as any node has entries; and there are at least as many rounds as any node has packets.
 *
 * If a node has E entries, the i-th largest with e_i packets, K settings serve at most K - E
 * entries twice or more. So i - (K - E) of its i largest entries have a setting of their own with
 * at least e_i rounds: as many settings are that long. All settings together take at least the sum
 * of these lengths.
 */
uint64_t traffic_makespan(const struct traffic_load *load, struct traffic_cost cost);

#endif
