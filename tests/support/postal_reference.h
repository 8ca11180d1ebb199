/* SPDX-License-Identifier: Apache-2.0 */
/* postal_reference: reference values for the tests of the postal model. It shares only the layout
 * of a schedule with sched/. */
#ifndef ROUNDCAST_POSTAL_REFERENCE_H
#define ROUNDCAST_POSTAL_REFERENCE_H

#include "sched/schedule/schedule.h"

/* F_λ(t), ticks of 1/b, λ = a/b: a node at depth i has the packet after i latencies and j units of
 * waiting, shared out among the i callers above it. The number of those with ia + jb ≤ t is C(⌊(t -
 * ia)/b⌋ + i, i). */
uint64_t postal_reference_reached(uint64_t a, uint64_t b, uint64_t t);

/* f_λ(n) in ticks: F_λ at least doubles in λ. */
uint64_t postal_reference_index(uint64_t a, uint64_t b, uint64_t n);

/* A lower bound of the end of m packets, in ticks: the larger of Lemma 8 and of a count, unit by
 * unit back from the last send: in each at most as many packets are sent as nodes have one, and as
 * nodes receive. */
uint64_t postal_reference_bound(uint64_t a, uint64_t b, uint64_t n, uint64_t m);

/* The postal model, with a table of when each packet arrives at each node: a sender is busy in [t,
 * t + b], a receiver in [t + a - b, t + a], what arrives at t + a can be sent from then on.
 * Packets also arrive once and, if `ordered`, in order. Copies, in the fabric-postal model, are of
 * one packet at a time. Fails on any violation. */
void postal_reference_judge(const struct schedule *s, uint32_t source, bool ordered);

#endif
