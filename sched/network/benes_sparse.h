/* SPDX-License-Identifier: Apache-2.0 */
/* benes_sparse: settings for a round with few circuits, in time that grows with the circuits. */
#ifndef ROUNDCAST_BENES_SPARSE_H
#define ROUNDCAST_BENES_SPARSE_H

#include <stdint.h>

/* One circuit through a network: its input port and its output port. */
struct benes_circuit {
    uint32_t port[2];
};

/* Working memory, for up to `most` circuits; `at` is all zero between calls.
 *     circuit[most], later[most], colour[most], at[2][ports / 2] */
struct benes_sparse {
    unsigned log2_ports;
    struct benes_circuit *circuit; /* the circuits to route, ascending by input; reordered */
    struct benes_circuit *later;
    uint8_t *colour;
    uint32_t *at[2];
};

/* Set the switches that circuit[0 … count-1] need, in rows that are all zero.
 * O(count · log ports), nothing else of row is touched. */
void benes_sparse_route(struct benes_sparse *work, uint32_t count, uint32_t *row);

#endif
