/* SPDX-License-Identifier: Apache-2.0 */
/* combination: a certificate of the order in which a schedule combines contributions.
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
 */
#ifndef ROUNDCAST_COMBINATION_H
#define ROUNDCAST_COMBINATION_H

#include "sched/schedule/schedule.h"

struct combination {
    uint64_t certificate;
    bool packets_alike; /* all packets of a demand are combined by the same trees */
    bool nodes_alike;   /* all nodes that want the same result have it by the same tree */
};

/* Computes the certificate of the combined packets. Preconditions: the schedule is valid (verify.h)
 * and has combined packets. E104. O(transfers + results). */
bool combination_of(const struct schedule *schedule, struct combination *combination,
                    struct err *err);

/* Returns the hash of a leaf, and of a combination, for engines that combine hashes. */
uint64_t combination_leaf(uint32_t node);
uint64_t combination_join(uint64_t one, uint64_t other);

#endif
