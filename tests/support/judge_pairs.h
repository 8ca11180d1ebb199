/* SPDX-License-Identifier: Apache-2.0 */
/* judge_pairs: checks that a broadcast from node 0 is legal in a model whose rounds are pairs
 * (telephone, telegraph).
 *
 * It shares no code with verify.c and uses another method: it executes the schedule round by round
 * on rows of bytes and examines pairs, not ports.
 */
#ifndef ROUNDCAST_JUDGE_PAIRS_H
#define ROUNDCAST_JUDGE_PAIRS_H

#include "sched/algorithms/algorithm.h"

/* Returns the first violation, or NULL. Receiving a packet twice is also a violation. */
const char *judge_pairs(const struct schedule *s);

/* Builds a broadcast in a model and judges it; a violation fails the test. */
struct schedule judge_pairs_build(const char *algorithm, enum model model, uint32_t n, uint32_t m);

#endif
