/* SPDX-License-Identifier: Apache-2.0 */
/* permutation_lab: schedules whose rounds are permutations of the nodes, or maps, on multistage
 * machines.
 *
 * Node i has packet i + 1, and sends it to node p(i) in each round; or to all nodes that map to i.
 */
#ifndef ROUNDCAST_PERMUTATION_LAB_H
#define ROUNDCAST_PERMUTATION_LAB_H

#include "tests/support/support.h"

#define PERMUTATION_LAB_MOST 128 /* nodes */

struct permutation_lab {
    struct multistage net;
    unsigned pipe, pad;
    enum machine_settings settings;
    uint32_t nodes, rounds, blocked;
    struct schedule schedule; /* without demands until it runs */
    bool reached[PERMUTATION_LAB_MOST][PERMUTATION_LAB_MOST];
    uint32_t to[PERMUTATION_LAB_MOST];
    struct network_router *router; /* of an omega network: what passes is found out before */
    uint32_t *row;
};

struct permutation_lab permutation_lab_open(struct multistage net, uint32_t nodes);

/* Adds the round lab->to, unless no node sends, or the network blocks it. */
void permutation_lab_add(struct permutation_lab *lab);

/* Adds the round in which node i receives from node from[i], if that is another node; adds no round
 * if no node sends. */
void permutation_lab_map(struct permutation_lab *lab, const uint32_t from[]);

/* All permutations, or all partial ones without fixed points. */
void permutation_lab_all(struct permutation_lab *lab, bool partial);

/* Partial permutations of N things without fixed points: Σ_k (-1)^k C(N,k) P(N-k), P(j) = Σ_i
 * C(j,i)² i!. */
uint32_t permutation_lab_count(uint32_t things);

/* Draws permutations in which some nodes do not send. */
void permutation_lab_sample(struct permutation_lab *lab, uint32_t rounds, uint64_t seed);

/* Makes the job of the lab's rounds; closes the lab. */
void permutation_lab_job(struct permutation_lab *lab, uint32_t flits, struct support_job *job);

/* Runs on both engines in lockstep. All checks must pass. Returns the number of receipts. */
uint64_t permutation_lab_run(struct permutation_lab *lab, uint32_t flits);

/* Changes a word of the switch tables in a round in which all nodes send; the run must fail. */
void permutation_lab_broken(struct multistage net, uint32_t nodes, uint64_t seed);

#endif
