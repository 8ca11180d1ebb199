/* SPDX-License-Identifier: Apache-2.0 */
/* postal: the generalised Fibonacci function of the postal model and its index (Bar-Noy and Kipnis,
 * section 3), computed exactly in ticks of 1/b, where λ = a/b.
 *
 *     F_λ(t) = 1 for t < λ, else F_λ(t - 1) + F_λ(t - λ): nodes that a packet can reach by time t
 *     f_λ(n) = min { t : F_λ(t) ≥ n }: the time that n nodes need
 *
 * F_λ is a step function whose steps are at times λ + iλ + j only. These are few, however fine the
 * ticks are, so only the steps are stored. Example, λ = 5/2, ticks of 1/2:
 *
 *     tick     0   5   7   9  10  11  12  13  14  15
 *     F_λ      1   2   3   4   5   6   8   9  12  14
 */
#ifndef ROUNDCAST_POSTAL_H
#define ROUNDCAST_POSTAL_H

#include "sched/base/err.h"
#include "sched/base/rational.h"

#include <stddef.h>

/* A time at which F_λ grows. */
struct postal_step {
    uint64_t tick;
    uint64_t reached;     /* F_λ(t) from this tick on */
    uint64_t unit_before; /* F_λ(t - 1); 1 for the first, t = 0 */
};

struct postal {
    uint64_t a, b;  /* λ = a/b, not necessarily in lowest terms */
    uint64_t ports; /* k: nodes to which a node sends at a time */
    uint64_t index; /* f_λ(reach) in ticks: that of the last step */
    size_t count;   /* at most `reach`, and about index²/2ab */
    struct postal_step *step;
};

/* Computes the steps of F_λ until it is `reach` or more. Precondition: λ = a/b ≥ 1 with b > 0,
 * a ≤ 2^50, 1 ≤ reach ≤ 2^63. E104, also for more than 2^22 steps. O(steps) time and memory. */
bool postal_init(struct postal *postal, uint64_t a, uint64_t b, uint64_t reach, struct err *err);

/* Does the same for nodes of k = `ports` ports: F(t) = F(t - 1) + k F(t - λ). Preconditions: those
 * of postal_init, 1 ≤ k ≤ 2^16 and reach ≤ 2^46. */
bool postal_init_ports(struct postal *postal, uint64_t a, uint64_t b, uint64_t ports,
                       uint64_t reach, struct err *err);
void postal_free(struct postal *postal);

/* Returns f_λ(n) in ticks. Precondition: 1 ≤ n ≤ reach. O(log steps). */
uint64_t postal_index(const struct postal *postal, uint64_t n);

/* Returns F_λ(f_λ(n) - 1), in 1 … n-1: the number of nodes, out of n, that remain with the holder
 * of a packet when it sends the packet to another node, which serves the rest. Precondition: 2 ≤ n
 * ≤ reach. O(log steps). */
uint64_t postal_split(const struct postal *postal, uint64_t n);

/* Returns F_λ(tick / b); UINT64_MAX after the end of the table, where F_λ is `reach` or more. O(log
 * steps). */
uint64_t postal_size(const struct postal *postal, uint64_t tick);

/* Returns the lower bound of F_λ(t) that the paper guarantees: (⌈λ⌉ + 1)^⌊t/2λ⌋, Theorem 7 (1). */
double postal_size_least(struct rational lambda, struct rational t);

/* Returns the upper bound of f_λ(n) that the paper guarantees, in units: 2λ + 2λ log n/log(⌈λ⌉ +
 * 1), Theorem 7 (2). Precondition: n ≥ 1. */
double postal_index_most(struct rational lambda, uint64_t n);

#endif
