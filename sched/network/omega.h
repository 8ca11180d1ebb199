/* SPDX-License-Identifier: Apache-2.0 */
/* omega: finds the settings of an omega network, or why it cannot pass a round; divides a round
 * that it blocks into passes.
 *
 * A circuit has only one path: after stage s its lane consists of the first s + 1 bits of its
 * destination, followed by the remaining bits of its source. N = 8, circuits 1 → 6 and 3 → 7:
 *
 *     lane before stage 0      001     011
 *     after stage 0            101     111
 *     after stage 1            111     111      both need lane 7: blocked at stage 1, switch 3
 *                                               (lanes 5 and 7)
 */
#ifndef ROUNDCAST_OMEGA_H
#define ROUNDCAST_OMEGA_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Two circuits that need one lane after a switch. */
struct omega_conflict {
    unsigned stage;
    uint32_t sw;
    uint32_t source[2], destination[2]; /* ascending by source */
};

/* Returns the lane after a stage of the circuit from source to destination. */
static inline uint32_t omega_lane(const struct multistage *net, unsigned stage, uint32_t source,
                                  uint32_t destination)
{
    uint32_t below = (UINT32_C(1) << (net->levels - 1 - stage)) - 1;
    return (destination & ~below) | (source & below);
}

/* Working memory of omega_route; opaque, reused from call to call, one per thread. */
struct omega_router;

/* Creates a router. Precondition: a shape of multistage_omega. E104. */
struct omega_router *omega_router_new(const struct multistage *net, struct err *err);
void omega_router_free(struct omega_router *router);

/* Sets every switch so that input i reaches output to[i]; MULTISTAGE_IDLE inputs are free. Switches
 * without a circuit are straight.
 *     to[ports], row[stages][multistage_row_words]
 * Errors: E403 if two inputs want one output or an output is out of range; E408 if two circuits
 * need one lane; `conflict` (may be NULL) then has the conflict at the lowest switch of the lowest
 * stage. row is then undefined. O(ports · log ports); no allocation. Lawrie (1975). */
bool omega_route(struct omega_router *router, const uint32_t to[], uint32_t *row,
                 struct omega_conflict *conflict, struct err *err);

/* --- Several passes for one round --------------------------------------------------------- */

/* Divides a round among as few passes of an omega network as it can find.
 *
 * Circuits that need one lane after some stage must be in different passes. First-fit: each circuit
 * in turn joins the first pass in which all lanes on its path are free. The number of passes
 * depends on the order of the circuits, so several orders are tried: by source, by destination,
 * both with bits reversed, and with circuits first that share their lanes with most others. Then
 * the best division determines new orders, pass by pass: the last pass first, or the fullest, or a
 * random one. First-fit then needs no more passes, and often fewer (iterated greedy, Culberson
 * 1992). The search ends at the lower bound, the number of circuits that need the most wanted lane,
 * or when its budget is used up (omega.c).
 */

/* Working memory; opaque, reused from call to call, one per thread. */
struct omega_passes;

/* Creates working memory. Precondition: a shape of multistage_omega. E104. Memory O(ports · log
 * ports). */
struct omega_passes *omega_passes_new(const struct multistage *net, struct err *err);
void omega_passes_free(struct omega_passes *work);

struct omega_passes_count {
    uint32_t passes; /* 0 if the round has no circuits */
    uint32_t bound;  /* lower bound of the number of passes */
};

/* Divides the circuits input i → to[i]; MULTISTAGE_IDLE inputs have none. pass[i] becomes the pass,
 * from 0, of circuit i, or MULTISTAGE_IDLE. Equal rounds get equal passes.
 *     to[ports], pass[ports]
 * Errors: E403 if two inputs want one output or an output is out of range. O(circuits · stages ·
 * passes / 8) for each order tried. */
bool omega_passes_divide(struct omega_passes *work, const uint32_t to[], uint32_t pass[],
                         struct omega_passes_count *count, struct err *err);

#endif
