/* SPDX-License-Identifier: Apache-2.0 */
/* benes_topology: the stages, lanes and switches of a Beneš network; shared by router and csim.
 *
 * N = 2^k ports, S = 2k-1 stages of N/2 switches. Stage s pairs the lanes that differ in one bit,
 *
 *     bit(s) = k-1-s for s < k,   bit(s) = s-k+1 for s ≥ k-1        (k-1, …, 1, 0, 1, …, k-1)
 *
 * and changes no wire: lane j of a stage feeds lane j of the next. Switch sw of a stage with bit b
 * owns the lanes  low = (sw >> b << (b+1)) | (sw & (2^b - 1))  and  high = low | 2^b. Setting 0 is
 * straight, 1 is crossed. N = 8 (k = 3):
 *
 *     stage     0        1        2        3        4
 *     bit       2        1        0        1        2
 *     lane 0  ─┬────────┬────────┬────────┬────────┬─
 *     lane 1  ─│┬───────│┬───────┴────────│┬───────│┬
 *     lane 2  ─││┬──────┴│───────┬────────┴│───────││┬       the switches of stage 0 own lanes
 *     lane 3  ─│││┬──────┴───────┴─────────┴───────│││┬      (0,4) (1,5) (2,6) (3,7)
 *     lane 4  ─┴│││─────┬────────┬────────┬────────┴│││
 *     lane 5  ──┴││─────│┬───────┴────────│┬────────┴││
 *     lane 6  ───┴│─────┴│───────┬────────┴│─────────┴│
 *     lane 7  ────┴──────┴───────┴─────────┴──────────┴
 *
 * The lanes that share bit k-1 are a Beneš network of N/2 ports in stages 1 … S-2: the recursion of
 * Beneš (1965).
 */
#ifndef ROUNDCAST_BENES_TOPOLOGY_H
#define ROUNDCAST_BENES_TOPOLOGY_H

#include <stdint.h>

#define BENES_MAX_LOG2_PORTS 24

/* 2k-1 for 2^k ports, k ≥ 1. */
static inline unsigned benes_stages(unsigned log2_ports)
{
    return 2 * log2_ports - 1;
}

/* The bit in which the two lanes of every switch of a stage differ. */
static inline unsigned benes_bit(unsigned log2_ports, unsigned stage)
{
    return stage < log2_ports ? log2_ports - 1 - stage : stage - log2_ports + 1;
}

/* The switch that owns a lane in a stage of the given bit. */
static inline uint32_t benes_switch(unsigned bit, uint32_t lane)
{
    return (lane >> (bit + 1) << bit) | (lane & ((UINT32_C(1) << bit) - 1));
}

/* 32-bit words of one stage's row, row[stage][words]: its settings, 2^(k-1) bits, sw 0 in bit 0 of
 * word 0; at least one word. As many words of 64 bits have a bit for each lane. */
static inline uint32_t benes_row_words(unsigned log2_ports)
{
    return log2_ports <= 6 ? 1 : UINT32_C(1) << (log2_ports - 6);
}

#endif
