/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite: rewrites a schedule for a network that cannot run it unchanged. */
#ifndef ROUNDCAST_REWRITE_H
#define ROUNDCAST_REWRITE_H

#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

/* --- A hypercube as a complete graph ------------------------------------------------------ */

/* Rewrites the schedule of a hypercube as a schedule of a complete graph, for machines whose
 * networks pass one permutation at a time.
 *
 * The arcs of a dimension are a permutation of the nodes, so that round t becomes the d rounds
 * (t-1)·d + 1 … t·d of the model send-receive, one for each dimension in turn. Nodes, packets and
 * demands stay as they are; rounds of unused dimensions are empty. The end is that of the last
 * dimension used, at most d times as many.
 *
 * A node of a reduction must not send a partial result over a higher dimension than the one over
 * which it receives the packet in the same round.
 */

/* Writes the schedule of rounds to `complete`, which must be zero or freed. Precondition: a legal
 * schedule of a hypercube. E104; E208, as divided_steps_check. O(d · rounds + d · transfers). Free
 * it with schedule_free. */
bool hypercube_to_rounds(const struct schedule *cube, struct schedule *complete, struct err *err);

/* --- Rounds that an omega network passes -------------------------------------------------- */

/* Rewrites a schedule for an omega network, which does not pass every round: each round that it
 * blocks is split into several.
 *
 * Round t becomes as many consecutive rounds as omega_passes_divide needs, and all later rounds are
 * delayed. A node sends only packets that it held before the round, so the order of the parts does
 * not matter, except to reductions (divided_steps.h); in a part a node has fewer partners, and the
 * two directions of an exchange may be in different parts. Therefore all round models allow it.
 * Packets, demands and transfers do not change. */

struct split_report {
    uint64_t rounds_split; /* rounds that were split */
    uint64_t rounds_added; /* rounds by which the schedule became longer */
    uint64_t rounds_bound; /* lower bound of rounds_added: from the most wanted lanes */
};

/* Splits the rounds that the network blocks; node i is at port i. Preconditions: a legal schedule
 * of a complete graph; `net` is a shape of multistage_omega; `split` is zero or freed. E104; E208
 * for models with times, in which packets of several rounds are under way at once, for models that
 * copy, and as divided_steps_check; E402 for more nodes than ports. Free it with schedule_free.
 * O(rounds · orders · ports · log ports), see omega.h. */
bool split_schedule(const struct schedule *schedule, const struct multistage *net,
                    struct schedule *split, struct split_report *report, struct err *err);

#endif
