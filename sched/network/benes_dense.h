/* SPDX-License-Identifier: Apache-2.0 */
/* benes_dense: settings for a full permutation, at the speed of memory: of the whole network, or of
 * the part around its inner networks of some size if crossbars replace these. */
#ifndef ROUNDCAST_BENES_DENSE_H
#define ROUNDCAST_BENES_DENSE_H

#include "sched/network/benes_block.h"

#include <stdint.h>

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
