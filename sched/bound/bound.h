/* SPDX-License-Identifier: Apache-2.0 */
/* bound: lower bounds on the rounds of a collective, for any algorithm.
 *
 * The tables contain all lower bounds that the papers state, or that follow from their proofs, each
 * with its source: bound_complete.c, bound_ports.c and bound_demands.c for complete graphs, and a
 * file for each other topology, such as bound_tree.c. `plan`, `schedule` and `run` report the
 * largest bound that applies. Broadcasts:
 *
 *     send-receive      m - 1 + ⌈log2 n⌉   Bar-Noy, Kipnis and Schieber, Theorem 5
 *     telephone         even n: the same, Theorem 1; odd n: Theorem 2, sharpened
 *     telegraph         Cockayne and Thomason; Farley (cited in section 1 of the same paper)
 *     postal            m - 1 + f_λ(n)     Bar-Noy and Kipnis, Lemma 8
 *                       a count of the useful sends, unit by unit, as in the proof of Theorem 2
 *     fabric-multicast  m                  a node receives one packet in a round
 *     fabric-postal     m - 1 + λ          the last packet leaves at m - 1
 *     all-port          max(d, ⌈(2^d-1)K/(d 2^d)⌉)  Stamoulis and Tsitsiklis, section 3.1
 *     k ports           bound_ports.c      Bar-Noy and Ho; Bar-Noy, Bruck, Ho, Kipnis, Schieber
 *
 * The other collectives of complete graphs are bounded by counting: a node has m(n-1) packets to
 * send or to receive, one in a round. In the telephone and telegraph models an all-gather or total
 * exchange has mn(n-1) receipts, and a round has at most those of its matching. Some algorithm
 * meets each of these bounds. */
#ifndef ROUNDCAST_BOUND_H
#define ROUNDCAST_BOUND_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

struct bound {
    const char *name;    /* one word; unique within a model */
    const char *formula; /* the formula as text */
    const char *source;  /* paper and theorem */
    unsigned models;     /* bit 1u << model for each model in which the bound holds */
    unsigned kinds;      /* bit 1u << kind for each collective to which the bound applies */

    /* Returns whether the bound holds for this n, m and λ, in one of its models and kinds. NULL: it
     * always holds. Precondition: n ≥ 2. */
    bool (*applies)(const struct collective *collective);

    /* Returns the lower bound of the end of any schedule (schedule.h: rounds or ticks; cycles for
     * traffic with reconfiguration). Precondition: applies, n ≥ 2. */
    uint64_t (*value)(const struct collective *collective);

    /* the bound is for nodes with several ports; false: for nodes with one port */
    bool several_ports;
};

/* Returns bound `which`, from 0, of all tables; NULL after the last. If several are equal,
 * bound_tightest returns the first. O(bounds). */
const struct bound *bound_at(size_t which);

/* Returns whether the bound has the model and kind of the collective and applies to it. Returns
 * false for n = 1. */
bool bound_applies(const struct bound *bound, const struct collective *collective);

/* Returns the bound whose value bound_end returns, and the value in *value; NULL and 0 for n = 1.
 * Precondition and complexity as bound_end. */
const struct bound *bound_tightest(const struct collective *collective, uint64_t *value);

/* Returns the largest lower bound of the end of a collective of m packets and n nodes; 0 for n = 1.
 * For broadcasts, some schedule meets it in the send-receive model, in the telephone model with
 * even n, and in the telegraph model. In the telephone model with odd n there may be no such
 * schedule (first at n = 7, m = 3: 5, where exhaustive search needs 6). Precondition: n, m ≥ 1
 * within the limits of schedule.h, λ ≥ 1 if the model is postal. O(log n); in the postal model
 * O(f_λ(n) · b) with λ = a/b. */
uint64_t bound_end(const struct collective *collective);

/* Computes the bound of the collective that a schedule implements; for traffic whose bound the
 * schedule does not meet, also the bound for any demands. Returns false if the demands are not a
 * collective, or if there is no memory to recognise traffic. O(demands log demands). */
bool bound_of_schedule(const struct schedule *schedule, uint64_t *end);

/* Returns a lower bound of f_λ(n), in ticks, without a table: λ⌈log n / log(⌈λ⌉+1)⌉. Precondition:
 * n ≥ 1, λ ≥ 1. O(log n). Bar-Noy and Kipnis, Theorem 7 (1). */
uint64_t bound_of_index(struct rational lambda, uint32_t n);

/* -- Trees given by their parents -------------------------------------------------------------- */

/* Lower bounds for collectives among the leaves of a tree that is defined by its parents. */

/* Return whether the tree is defined by its parents, and whether it is defined by its levels. */
bool bound_any_applies(const struct collective *collective);
bool bound_any_is_levels(const struct collective *collective);

#define BOUND_NO_LEAF UINT64_MAX

/* Returns the steps of a broadcast in the part of the tree that hangs from `node`, excluding the
 * part beyond `from` (if from = node: the whole tree); BOUND_NO_LEAF if that part has no leaf, so
 * that no packet is sent there. With one link at a time it is b(T) of equation (1), which is
 * optimal, else the distance of the furthest leaf. O(nodes²). */
uint64_t bound_any_hanging(const struct topology *tree, uint32_t node, uint32_t from,
                           bool one_link);
uint64_t bound_any_broadcast(const struct collective *collective);

/* Returns the distance of the furthest leaf from the destination of a reduction, and ⌈m/c⌉ - 1.
 * O(nodes²). */
uint64_t bound_any_distance(const struct collective *collective);

/* Returns a bound for an all-reduce of m packets on half-duplex links, which cross each branch in
 * both directions: none before the contribution of a leaf has reached the branch, and each then has
 * to reach the furthest leaf beyond. O(nodes³). */
uint64_t bound_any_both_directions(const struct collective *collective);

/* Returns a bound of the single-port model for a broadcast or an all-reduce of m packets: a router
 * sends each packet to each neighbour that leads to leaves, in a broadcast not to the one from
 * which it receives them. The first packet reaches it from the source, in an all-reduce from the
 * nearest leaf, and the last one has to reach the leaves beyond. O(nodes³). */
uint64_t bound_any_copies(const struct collective *collective);

/* Returns the last step of a reduce-scatter in the single-port model, for the node that needs the
 * most steps: it sends one partial result of each packet, after those of its other branches have
 * arrived, and some links remain. O(nodes³). */
uint64_t bound_any_sends(const struct collective *collective);

/* Returns the largest ⌈i / c⌉ - 1 + d_i, where d_1 ≥ d_2 ≥ … are the distances of the leaves on one
 * branch of the source; in the single-port model the distances of all leaves, with c = 1. For a
 * scatter from the source, and a gather to it. O(nodes²). */
uint64_t bound_any_scatter(const struct collective *collective);

/* -- Hypercubes -------------------------------------------------------------------------------- */

/* Components of the bounds for broadcasts of K packets from given sources, in an all-port
 * hypercube of d dimensions. They are original to this project.
 *
 * The bound is not higher if the nodes do not know the sources: for any one set of sources there is
 * a distributed algorithm that ends as early as any schedule (docs/algorithms/cube.md). It can be
 * higher for the worst of all sets: bound_cube_worst. */

/* Returns max over a of a - 1 + ⌈w/d⌉, where w packets cross the d arcs into a node and have at
 * least a arcs to go altogether, so that none of them arrives before round a. The same holds for
 * the arcs out of a node: the last of w packets to leave it leaves in round ⌈w/d⌉ at the earliest
 * and has a - 1 arcs left. packets[a] have exactly a arcs to go, a ≤ d. O(d). */
uint64_t bound_cube_over_arcs(const uint32_t packets[], unsigned d);

/* Returns the maximum of bound_cube_over_arcs over all nodes; each node receives all packets that
 * start elsewhere. 0 if there is no memory. O(d² 2^d). */
uint64_t bound_cube_arrivals(const struct collective *collective);

/* Returns the same maximum for the arcs out of the nodes: each packet has d arcs to go. O(K). */
uint64_t bound_cube_departures(const struct collective *collective);

/* Returns a lower bound for the worst set of K different sources, for algorithms whose nodes know
 * only their own packets: bound_cube_arrivals of the K nodes that are furthest from one node, or
 * the bound for any sources. Precondition: 1 ≤ K ≤ 2^d. O(d). */
uint64_t bound_cube_worst(unsigned d, uint32_t packets);

#endif
