/* SPDX-License-Identifier: Apache-2.0 */
/* fibonacci: sizes and heights of the generalised Fibonacci trees (Bruck, Cypher and Ho, section
 * 3). */
#ifndef ROUNDCAST_FIBONACCI_H
#define ROUNDCAST_FIBONACCI_H

#include <stdint.h>

/* Returns F_d(t), the number of nodes of FT_d(t): 1 for t < d, else 1 + F_d(t-1) + … + F_d(t-d).
 * Returns UINT64_MAX if the number is larger. Precondition: d ≥ 1. O(min(t - d, 128)). */
uint64_t fibonacci_size(uint32_t d, uint64_t t);

/* Returns f_d(n) = min { t : F_d(t) ≥ n }. Precondition: d ≥ 1, n ≥ 1. O(log² n). */
uint64_t fibonacci_index(uint32_t d, uint64_t n);

/* Returns the lower bound of F_d(t) that the paper guarantees: (2 - 2^(1-d))^(t-d-4), Theorem 3.7;
 * 1 for t < d + 2 or d = 1, which the theorem does not cover. */
double fibonacci_size_least(uint32_t d, uint64_t t);

/* Returns the upper bound of f_d(n) that the paper guarantees: log n + 3 log n/(2^d - 3) + d + 5,
 * Theorem 3.9. Precondition: d ≥ 2, n ≥ 1. */
double fibonacci_index_most(uint32_t d, uint64_t n);

#endif
