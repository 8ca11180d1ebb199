/* SPDX-License-Identifier: Apache-2.0 */
/* benes_block: settings of up to 64 lanes at once, the bottom of the recursion. */
#ifndef ROUNDCAST_BENES_BLOCK_H
#define ROUNDCAST_BENES_BLOCK_H

#include "sched/shape/multistage.h"

#include <stdint.h>

/* --- Blocks of a power of two ------------------------------------------------------------- */

#define BENES_BLOCK_LOG2 6
#define BENES_BLOCK 64        /* lanes */
#define BENES_BLOCK_STAGES 11 /* at most */

/* Routes a permutation through a network of 2^log2_ports ports, 1 ≤ log2_ports ≤ 6, except its
 * inner networks of 2^log2_inner ports, log2_inner < log2_ports; through all of it if log2_inner is
 * 0.
 *     from[64]       the input that each output gets; from output 2^log2_ports on, output p gets
 *                    input p. Overwritten by the inputs that outputs of inner networks get, as
 *                    lanes.
 *     setting[11]    2·log2_ports - 1 rows, unused bits 0; rows of inner networks are not written
 * All implementations compute equal settings: the lowest input of each loop is routed straight. */
typedef void benes_block_fn(unsigned log2_ports, unsigned log2_inner, uint8_t from[BENES_BLOCK],
                            uint32_t setting[BENES_BLOCK_STAGES]);

/* Walks the loops; for any processor. */
void benes_block_walk(unsigned log2_ports, unsigned log2_inner, uint8_t from[BENES_BLOCK],
                      uint32_t setting[BENES_BLOCK_STAGES]);

/* Returns the fastest implementation that this processor can run. */
benes_block_fn *benes_block_best(void);

/* --- Blocks of any size ------------------------------------------------------------------- */

/* A tile is a block of up to 64 lanes in a Beneš network of any number of ports.
 *
 * Its lanes are numbered from 0. A block of odd size has a phantom lane (benes_any.c) after the
 * tile's last lane, whose circuit connects it with itself. A network has many tiles, but few kinds
 * of them.
 */

#define BENES_TILE 64       /* lanes */
#define BENES_TILE_LEVELS 6 /* at most */
#define BENES_TILE_STAGES (2 * BENES_TILE_LEVELS - 1)

/* Masks have a bit for each lane. */
struct benes_tile_level {
    /* the other lane of each lane's switch: a lane, a phantom, or the lane itself if it has no
     * switch */
    uint8_t partner[BENES_TILE];
    uint64_t low, high; /* the lanes of switches */
    uint64_t switches;  /* the switches that exist, numbered from that of the tile's first lane */
    /* Low lanes of switches that are always straight: those with a phantom, and those that do not
     * exist on the way back. */
    uint64_t phantom, left_out;
};

/* Tiles with equal keys are equal. The key consists of which blocks of the last level have a lane,
 * and whether the number of the first lane is odd. */
struct benes_tile {
    uint64_t key[2];
    unsigned levels;
    struct benes_tile_level level[BENES_TILE_LEVELS];
};

/* Returns the level of the network whose blocks are tiles. */
static inline unsigned benes_tile_top(const struct multistage *net)
{
    return net->levels > BENES_TILE_LEVELS ? net->levels - BENES_TILE_LEVELS : 0;
}

/* Maximum number of kinds of tiles in a network. They differ in how many of the 64 ends of blocks
 * of the last level are rounded up, and in whether the first lane is odd. */
#define BENES_TILE_KINDS (2 * 65)

/* Returns the index of the tile that is block `number` of that level: one of the `known` tiles, or
 * tile[known], which is then filled. */
uint32_t benes_tile_find(const struct multistage *net, uint32_t number, struct benes_tile tile[],
                         uint32_t known);

/* Routes a permutation of the lanes.
 *     from[64]       the input that each output gets; output p gets input p after the last lane
 *     setting[11]    stages of the tile's levels; bit 0 is the switch ⌊first lane / 2⌋
 * All implementations compute equal settings: those of benes_any.c. */
typedef void benes_tile_fn(const struct benes_tile *tile, const uint8_t from[BENES_TILE],
                           uint64_t setting[BENES_TILE_STAGES]);

/* Walks the loops; for any processor. */
void benes_tile_walk(const struct benes_tile *tile, const uint8_t from[BENES_TILE],
                     uint64_t setting[BENES_TILE_STAGES]);

/* Returns the fastest implementation that this processor can run. */
benes_tile_fn *benes_tile_best(void);

#endif
