/* SPDX-License-Identifier: Apache-2.0 */
/* fibonacci: sizes and heights of the generalised Fibonacci trees (Bruck, Cypher and Ho, section
 * 3). */
#ifndef ROUNDCAST_FIBONACCI_H
#define ROUNDCAST_FIBONACCI_H

#include <stdint.h>

/* F_d(t), the nodes of FT_d(t): 1 for t < d, 1 + F_d(t-1) + … + F_d(t-d) after; UINT64_MAX if it is
 * larger. Precondition: d ≥ 1. Steps: min(t - d, 128). */
uint64_t fibonacci_size(uint32_t d, uint64_t t);

/* f_d(n) = min { t : F_d(t) ≥ n }. Precondition: d ≥ 1, 1 ≤ n. O(log² n). */
uint64_t fibonacci_index(uint32_t d, uint64_t n);

#endif
