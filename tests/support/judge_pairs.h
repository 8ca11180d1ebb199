/* SPDX-License-Identifier: Apache-2.0 */
/* judge_pairs: is a broadcast from node 0 legal in a model whose rounds are pairs (telephone,
 * telegraph)?
 *
 * It shares nothing with verify.c and does not think alike: it plays the schedule round by round on
 * rows of bytes and looks at pairs, not at ports.
 */
#ifndef ROUNDCAST_JUDGE_PAIRS_H
#define ROUNDCAST_JUDGE_PAIRS_H

#include "sched/algorithms/algorithm.h"

/* The first thing that is wrong, NULL if nothing is. Receiving a packet twice is wrong, too. */
const char *judge_pairs(const struct schedule *s);

/* Build a broadcast in a model and judge it; a breach fails. */
struct schedule judge_pairs_build(const char *algorithm, enum model model, uint32_t n, uint32_t m);

#endif
