/* SPDX-License-Identifier: Apache-2.0 */
/* benes_block: settings of up to 64 lanes at once, the bottom of the recursion of a full round. */
#ifndef ROUNDCAST_BENES_BLOCK_H
#define ROUNDCAST_BENES_BLOCK_H

#include <stdint.h>

#define BENES_BLOCK_LOG2 6
#define BENES_BLOCK 64        /* lanes */
#define BENES_BLOCK_STAGES 11 /* at most */

/* Route a permutation through a network of 2^log2_ports ports, 1 ≤ log2_ports ≤ 6, but for its
 * inner networks of 2^log2_inner ports, log2_inner < log2_ports; through all of it if that is 0.
 *     from[64]       the input that each output gets; output p gets input p from 2^log2_ports on.
 *                    Used up; the inputs that outputs of inner networks get, as lanes.
 *     setting[11]    2·log2_ports - 1 rows, unused bits 0; those of inner networks are not written
 * All implementations give equal settings: the lowest input of each loop goes straight. */
typedef void benes_block_fn(unsigned log2_ports, unsigned log2_inner, uint8_t from[BENES_BLOCK],
                            uint32_t setting[BENES_BLOCK_STAGES]);

/* For any processor: walks the loops. */
void benes_block_walk(unsigned log2_ports, unsigned log2_inner, uint8_t from[BENES_BLOCK],
                      uint32_t setting[BENES_BLOCK_STAGES]);

/* The fastest that this processor can run. */
benes_block_fn *benes_block_best(void);

#endif
