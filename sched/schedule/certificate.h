/* SPDX-License-Identifier: Apache-2.0 */
/* certificate: a hash of the trees by which results are combined.
 *
 * Floating-point addition is commutative but not associative: the bits of a sum depend on the tree
 * of its additions. The tree of a result has a leaf for each contributor, and a node for each
 * combination of two partial results:
 *
 *     2→0, 3→1 in round 1, 1→0 in round 2:      ((0 2) (1 3))
 *
 * The hash of a leaf is that of the number of its node, that of a combination is the hash of the
 * hashes of its two parts, without their order. The certificate is a hash of the trees of all
 * results. If it is equal for two schedules, machines or numbers of packets, then so are all bits
 * of all results.
 *
 *     mix(x)           the finalizer of SplitMix64
 *     leaf of node v   mix(v + 1)
 *     combination      mix(min + mix(max)), modulo 2^64, of the hashes of the parts
 *     packet           h = 0; for each result, ascending by node: h = mix(h + tree)
 *     demand           the packet's, if all packets have the same; else h = mix(h + packet) of all
 *     certificate      h = the first demand's; for each later demand: h = mix(h + demand)
 *
 * The verifier hashes the trees of a schedule (sched/verify/combination.h), the scoreboard those
 * that it observes.
 */
#ifndef ROUNDCAST_CERTIFICATE_H
#define ROUNDCAST_CERTIFICATE_H

#include "sched/schedule/schedule.h"

/* A certificate that is computed result by result. All members are 0 at first. */
struct certificate {
    const void *demand;               /* the demand of the packets so far */
    uint64_t packet;                  /* hash of the results of the packet so far */
    uint64_t first, packets, demands; /* hash of its first packet, of its packets, of demands */
    size_t demand_count;
    bool differ;         /* the packets of the demand so far have several trees */
    bool packets_differ; /* those of at least one demand */
};

/* Returns the hash of a leaf. */
uint64_t certificate_leaf(uint32_t node);

/* Combines a hash with that of a partial result, which may be empty: 0. */
void certificate_add(uint64_t *to, uint64_t part);

/* Adds the tree of a result to the packet; results are added ascending by node. */
void certificate_result(struct certificate *certificate, uint64_t tree);

/* Ends `packets` packets of a demand, which have the results that have been added. Packets and
 * demands are passed in the order of the schedule. */
void certificate_packets(struct certificate *certificate, const void *demand, uint32_t packets);

/* Ends the last demand and returns the certificate; 0 without results. */
uint64_t certificate_end(struct certificate *certificate);

/* Returns the hash of the tree of a packet's result at a node. */
typedef uint64_t certificate_tree(const void *with, const struct demand *demand, uint32_t node,
                                  uint32_t packet);

/* Returns the certificate of a schedule whose results have the trees tree(with, …). O(results). */
uint64_t certificate_of(const struct schedule *schedule, certificate_tree *tree, const void *with);

#endif
