/* SPDX-License-Identifier: Apache-2.0 */
/* benes_sparse: the looping algorithm on lists of circuits.
 *
 * A network of n = 2h ports is h input switches, two networks of h ports ("upper" 0, "lower" 1) and
 * h output switches. The circuits of one switch must part, one to each half; so circuits are the
 * nodes of a graph, joined when they share an input switch or an output switch, and any colouring
 * in which neighbours differ says who goes where. A circuit has at most one neighbour on each
 * side: the graph falls into paths and even loops, and a walk colours each. N = 8, three circuits
 * 0→3, 4→7, 5→1 (h = 4):
 *
 *     circuit   input switch   output switch   walk                                  half
 *     0→3       0              3               start: straight, so the upper half    0
 *     4→7       0              3               shares output switch 3 with 0→3       1
 *     5→1       1              1               start: straight, so the lower half    1
 *
 * Output switch 3 then gets 0→3 from the upper half at its upper lane: straight. Output switch 1
 * gets 5→1 from the lower half for its upper lane 1: crossed. Below, the upper half holds 0→3 and
 * the lower 0→3 and 1→1, as networks of 4 ports.
 */
#include "sched/network/benes_sparse.h"

#include "sched/network/benes_topology.h"

#include <string.h>

#define UNCOLOURED 2

/* A sub-network: 2^log2_ports ports that begin at lane `base`. */
struct part {
    unsigned log2_ports;
    uint32_t base;
};

static void set_switch(uint32_t *row, unsigned log2_ports, unsigned stage, uint32_t sw)
{
    row[(size_t)stage * benes_row_words(log2_ports) + sw / 32] |= UINT32_C(1) << sw % 32;
}

/* A circuit alone in its part keeps its lane up to the middle stage; the stages after it bring in
 * the bits of the output one by one. */
static void route_alone(unsigned log2_ports, struct part part, struct benes_circuit circuit,
                        uint32_t *row)
{
    uint32_t lane = part.base | circuit.port[0];
    uint32_t differ = circuit.port[0] ^ circuit.port[1];
    while (differ != 0) {
        unsigned bit = (unsigned)__builtin_ctz(differ);
        set_switch(row, log2_ports, log2_ports - 1 + bit, benes_switch(bit, lane));
        lane ^= UINT32_C(1) << bit;
        differ &= differ - 1;
    }
}

/* Colour the path that leaves `node` through its switch on `side`, until it ends or closes. A
 * switch holds the exclusive or of its circuits' numbers from 1, so that either finds the other. */
static void colour_path(const struct benes_sparse *work, const struct benes_circuit list[],
                        uint32_t mask, uint32_t node, unsigned side)
{
    for (;;) {
        uint32_t other = work->at[side][list[node].port[side] & mask] ^ (node + 1);
        if (other == 0 || work->colour[other - 1] != UNCOLOURED)
            return;
        work->colour[other - 1] = !work->colour[node];
        node = other - 1;
        side = !side;
    }
}

/* Say which half each circuit takes. The first of a path or loop goes straight at its input. */
static void colour_circuits(const struct benes_sparse *work, const struct benes_circuit list[],
                            uint32_t count, uint32_t half)
{
    uint32_t mask = half - 1;
    for (uint32_t node = 0; node < count; node++) {
        work->at[0][list[node].port[0] & mask] ^= node + 1;
        work->at[1][list[node].port[1] & mask] ^= node + 1;
    }
    memset(work->colour, UNCOLOURED, count);
    for (uint32_t node = 0; node < count; node++) {
        if (work->colour[node] != UNCOLOURED)
            continue;
        work->colour[node] = (list[node].port[0] & half) != 0;
        colour_path(work, list, mask, node, 1);
        colour_path(work, list, mask, node, 0);
    }
    for (uint32_t node = 0; node < count; node++) {
        work->at[0][list[node].port[0] & mask] = 0;
        work->at[1][list[node].port[1] & mask] = 0;
    }
}

/* Set the outer switches, and part the list in two, the upper half first, each in its old order.
 * Returns how many take the upper half. */
static uint32_t part_circuits(const struct benes_sparse *work, struct part part,
                              struct benes_circuit list[], uint32_t count, uint32_t *row)
{
    unsigned log2_half = part.log2_ports - 1;
    uint32_t mask = (UINT32_C(1) << log2_half) - 1;
    unsigned stage[2] = {work->log2_ports - part.log2_ports,
                         work->log2_ports + part.log2_ports - 2};
    uint32_t upper = 0, lower = 0;
    for (uint32_t node = 0; node < count; node++) {
        struct benes_circuit inner;
        for (unsigned side = 0; side < 2; side++) {
            uint32_t port = list[node].port[side];
            inner.port[side] = port & mask;
            if (port >> log2_half != work->colour[node])
                set_switch(row, work->log2_ports, stage[side], part.base / 2 + inner.port[side]);
        }
        if (work->colour[node] == 0)
            list[upper++] = inner;
        else
            work->later[lower++] = inner;
    }
    memcpy(list + upper, work->later, lower * sizeof list[0]);
    return upper;
}

static void route_part(const struct benes_sparse *work, struct part part,
                       struct benes_circuit list[], uint32_t count, uint32_t *row)
{
    if (count == 0)
        return;
    if (count == 1) {
        route_alone(work->log2_ports, part, list[0], row);
        return;
    }
    if (part.log2_ports == 1) {
        if (list[0].port[0] != list[0].port[1])
            set_switch(row, work->log2_ports, work->log2_ports - 1, part.base / 2);
        return;
    }
    uint32_t half = UINT32_C(1) << (part.log2_ports - 1);
    colour_circuits(work, list, count, half);
    uint32_t upper = part_circuits(work, part, list, count, row);
    struct part inner = {part.log2_ports - 1, part.base};
    route_part(work, inner, list, upper, row);
    inner.base += half;
    route_part(work, inner, list + upper, count - upper, row);
}

void benes_sparse_route(struct benes_sparse *work, uint32_t count, uint32_t *row)
{
    struct part whole = {work->log2_ports, 0};
    route_part(work, whole, work->circuit, count, row);
}
