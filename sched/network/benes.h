/* SPDX-License-Identifier: Apache-2.0 */
/* benes: the stages, lanes and switches of a Beneš network, shared by router and csim, and its
 * settings for any partial permutation.
 *
 * N = 2^k ports, S = 2k-1 stages of N/2 switches. Stage s pairs the lanes that differ in one bit,
 *
 *     bit(s) = k-1-s for s < k,   bit(s) = s-k+1 for s ≥ k-1        (k-1, …, 1, 0, 1, …, k-1)
 *
 * and no wire changes its place: lane j of a stage feeds lane j of the next. Switch sw of a stage
 * with bit b has the lanes  low = (sw >> b << (b+1)) | (sw & (2^b - 1))  and  high = low | 2^b.
 * Setting 0 is straight, 1 is crossed. N = 8 (k = 3):
 *
 *     stage     0        1        2        3        4
 *     bit       2        1        0        1        2
 *     lane 0  ─┬────────┬────────┬────────┬────────┬─
 *     lane 1  ─│┬───────│┬───────┴────────│┬───────│┬
 *     lane 2  ─││┬──────┴│───────┬────────┴│───────││┬       the switches of stage 0 have lanes
 *     lane 3  ─│││┬──────┴───────┴─────────┴───────│││┬      (0,4) (1,5) (2,6) (3,7)
 *     lane 4  ─┴│││─────┬────────┬────────┬────────┴│││
 *     lane 5  ──┴││─────│┬───────┴────────│┬────────┴││
 *     lane 6  ───┴│─────┴│───────┬────────┴│─────────┴│
 *     lane 7  ────┴──────┴───────┴─────────┴──────────┴
 *
 * The lanes with the same bit k-1 are a Beneš network of N/2 ports in stages 1 … S-2: the recursion
 * of Beneš (1965).
 */
#ifndef ROUNDCAST_BENES_H
#define ROUNDCAST_BENES_H

#include "sched/base/err.h"
#include "sched/network/benes_block.h"
#include "sched/shape/multistage.h"

#include <stdint.h>

/* --- Stages, lanes and switches ----------------------------------------------------------- */

#define BENES_MAX_LOG2_PORTS 24

/* Number of stages: 2k-1 for 2^k ports, k ≥ 1. */
static inline unsigned benes_stages(unsigned log2_ports)
{
    return 2 * log2_ports - 1;
}

/* Returns the bit in which the two lanes of every switch of a stage differ. */
static inline unsigned benes_bit(unsigned log2_ports, unsigned stage)
{
    return stage < log2_ports ? log2_ports - 1 - stage : stage - log2_ports + 1;
}

/* Returns the switch of a stage with the given bit that has a lane. */
static inline uint32_t benes_switch(unsigned bit, uint32_t lane)
{
    return (lane >> (bit + 1) << bit) | (lane & ((UINT32_C(1) << bit) - 1));
}

/* Number of 32-bit words in one stage's row, row[stage][words]: 2^(k-1) settings, sw 0 in bit 0 of
 * word 0; at least one word. The same number of 64-bit words has a bit for each lane. */
static inline uint32_t benes_row_words(unsigned log2_ports)
{
    return log2_ports <= 6 ? 1 : UINT32_C(1) << (log2_ports - 6);
}

/* --- Routing ------------------------------------------------------------------------------ */

/* Working memory of benes_route; opaque, reused from call to call, one per thread. */
struct benes_router;
struct benes_router *benes_router_new(unsigned log2_ports, struct err *err); /* E102, E104 */
void benes_router_free(struct benes_router *router);

/* Sets every switch so that input i reaches output to[i]; MULTISTAGE_IDLE inputs are free. Switches
 * without a circuit are straight. Equal rounds get equal rows on every processor, whatever the
 * router did before. In a full round the first input switch of every sub-network of 4 or more ports
 * is straight: Waksman (1968) leaves these switches out.
 *     to[ports], row[stages][words]
 * Errors: E403 if two inputs want one output or an output is out of range (row is then undefined).
 * O(ports · log ports), for few circuits O(ports + words of row + circuits · log ports); no
 * allocation. Looping algorithm: Opferman and Tsao-Wu (1971). */
bool benes_route(struct benes_router *router, const uint32_t to[], uint32_t *row, struct err *err);

/* Sets every switch for a full permutation, given by the input that each output gets.
 *     from[ports] */
void benes_route_full(struct benes_router *router, const uint32_t from[], uint32_t *row);

/* -- Dense permutations ------------------------------------------------------------------------ */

/* Settings for a full permutation, at the speed of memory: of the whole network, or of the part
 * around its inner networks of some size if crossbars replace these. */

/* Working memory. Lanes number the ports of the whole network at every depth of the recursion.
 *     from[ports + 1], next[ports], upper[ports]; from[ports] is spare */
struct benes_dense {
    unsigned log2_ports;
    unsigned log2_inner; /* log2 of the ports of inner networks that are left out; 0: none */
    benes_block_fn *block;
    uint32_t *from; /* the input that each output gets; overwritten by routing */
    uint32_t *next; /* the next input of a walk after each input */
    uint8_t *upper; /* 1: this input uses the upper half */
};

/* Routes work->from, which is overwritten, and writes every word of row[stages][words]. If inner
 * networks are left out, their stages are not written, and work->from becomes the inputs, as lanes,
 * that their outputs get. O(ports · log ports). */
void benes_dense_route(const struct benes_dense *work, uint32_t *row);

/* Sets a bit for each input that sends.
 *     to[ports], live[benes_row_words] */
void benes_idle_mark(unsigned log2_ports, const uint32_t to[], uint64_t live[]);

/* Clears the setting of every switch whose two lanes are both idle.
 *     live[benes_row_words]    from benes_idle_mark; overwritten
 *     row[stages][words] */
void benes_idle_straighten(unsigned log2_ports, uint64_t live[], uint32_t *row);

#endif
