/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_pairs: a telegraph broadcast made from a send-receive broadcast among half as many
 * nodes. It is optimal for odd n, and at most one round longer than the optimum for even n
 * (docs/algorithms/telegraph.md has the proof).
 */
#ifndef ROUNDCAST_TELEGRAPH_PAIRS_H
#define ROUNDCAST_TELEGRAPH_PAIRS_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns the number of rounds: 2m - 1 + ⌊log2 n⌋ for odd n, 2m - 1 + ⌈log2(n/2)⌉ - ⌊m / (n/2)⌋ if
 * n/2 is odd, and 2m - 1 + ⌈log2(n/2)⌉ - ⌊(m-1) / (n/2)⌋ if n/2 is even. Precondition: n ≥ 3.
 * O(1). */
uint64_t telegraph_pairs_end(const struct collective *collective);

/* Returns whether these are the fewest rounds possible: for odd n, for powers of two, and for other
 * even n if m mod n/2 is between 1 and n - 2^⌊log2 n⌋, or 0 and n/2 is odd. Precondition: n ≥ 3.
 * O(log n). */
bool telegraph_pairs_optimal(const struct collective *collective);

/* Appends the rounds of the broadcast from node 0. Precondition: n ≥ 3. E104. O(transfers) plus n
 * log n times m/64. */
bool telegraph_pairs_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err);

#endif
