/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/cube_auto.h"
#include "csim/shell/endpoint.h"
#include "sched/base/bits.h"
#include "sched/machine/machine_address.h"

/* -- Queues ------------------------------------------------------------------------------------ */

static void push(struct cube_auto *a, struct cube_auto_node *node, unsigned tree,
                 struct cube_auto_packet packet)
{
    uint32_t room = a->machine.queue[1];
    if (node->queue[tree].count == room) {
        node->overflow = true;
        return;
    }
    uint32_t at = node->queue[tree].head + node->queue[tree].count++;
    node->queue[tree].packet[at % room] = packet;
}

static struct cube_auto_packet pop(struct cube_auto *a, struct cube_auto_node *node, unsigned tree)
{
    uint32_t head = node->queue[tree].head;
    node->queue[tree].head = (head + 1) % a->machine.queue[1];
    node->queue[tree].count--;
    return node->queue[tree].packet[head];
}

/* -- Sending ----------------------------------------------------------------------------------- */

static uint32_t lane_of(const struct cube_auto *a, uint32_t number, unsigned dimension)
{
    return number * a->d + dimension - 1;
}

static void mark(struct cube_auto *a, uint32_t lane, enum cube_auto_kind kind)
{
    a->mark[lane] = (struct cube_auto_mark){.first = (uint32_t)kind << (a->machine.width - 2)};
}

/* Makes the endpoint of an arc send row `row` of its list. */
static void send_own(struct cube_auto *a, uint32_t number, unsigned dimension,
                     enum cube_auto_kind kind, uint32_t row)
{
    uint32_t lane = lane_of(a, number, dimension);
    csim_write(&a->list_o)[lane] = MACHINE_VALID | ports_low(row, a->machine.log2_rows);
    mark(a, lane, kind);
}

/* Makes the router send the packet at a place, or the endpoint if the packet arrived over the same
 * arc. */
static void send_on(struct cube_auto *a, uint32_t number, unsigned dimension,
                    enum cube_auto_kind kind, struct cube_auto_packet packet)
{
    uint32_t lane = lane_of(a, number, dimension);
    if (packet.dimension == dimension)
        csim_write(&a->list_o)[lane] = MACHINE_VALID | ENDPOINT_LIST_DIRECT | packet.slot;
    else
        csim_write(&a->aim_o)[lane] = MACHINE_VALID | (packet.dimension - 1) << 16 | packet.place;
    mark(a, lane, kind);
}

/* Sends, at a root in the spread, its own packets, then the received packets, then `last`. */
static void send_root(struct cube_auto *a, uint32_t number)
{
    struct cube_auto_node *node = &a->node[number];
    unsigned tree = node->root;
    uint32_t packets = node->total / a->d + (tree <= node->total % a->d);
    bool own = node->own[tree] < node->count, waiting = node->queue[tree].count != 0;
    struct cube_auto_packet packet = {0};
    if (!own && waiting)
        packet = pop(a, node, tree);
    for (unsigned dimension = 1; dimension <= a->d; dimension++)
        if (own)
            send_own(a, number, dimension, CUBE_AUTO_SPREAD, node->own[tree]);
        else if (waiting)
            send_on(a, number, dimension, CUBE_AUTO_SPREAD, packet);
        else
            cube_auto_make(a, number, dimension, CUBE_AUTO_LAST, 2 * (a->nodes - 1) + tree,
                           packets);
    if (own)
        node->own[tree] += a->d;
    else if (!waiting)
        node->done |= UINT32_C(1) << (tree - 1);
}

/* Sends a packet up a tree: one of the node's own, or the oldest received packet. */
static void send_climber(struct cube_auto *a, uint32_t number, unsigned tree)
{
    struct cube_auto_node *node = &a->node[number];
    unsigned dimension = node->parent[tree];
    if (node->own[tree] < node->count) {
        send_own(a, number, dimension, CUBE_AUTO_GATHER, node->own[tree]);
        node->own[tree] += a->d;
    } else if (node->queue[tree].count != 0) {
        send_on(a, number, dimension, CUBE_AUTO_GATHER, pop(a, node, tree));
    }
}

/* Forwards a packet received in the spread over the arcs of its tree. Returns whether there is one
 * for the dimension. */
static bool send_relay(struct cube_auto *a, uint32_t number, unsigned dimension)
{
    const struct cube_auto_node *node = &a->node[number];
    unsigned from = node->from[dimension];
    if (from == 0 || !node->relay[from].valid)
        return false;
    send_on(a, number, dimension, node->relay[from].kind,
            (struct cube_auto_packet){.dimension = from, .place = node->relay[from].place});
    return true;
}

/* Returns whether the root knows that all its packets have arrived and has not yet sent `last`. */
static bool root_spreads(const struct cube_auto *a, const struct cube_auto_node *node, uint32_t row)
{
    uint32_t share = (uint32_t)bits_divide_up(node->total, a->d);
    return node->root != 0 && row >= 3 * a->d + share && !(node->done >> (node->root - 1) & 1);
}

void cube_auto_packets_send(struct cube_auto *a, uint32_t number, uint32_t row)
{
    struct cube_auto_node *node = &a->node[number];
    uint32_t taken = 0; /* a bit for each dimension */
    for (unsigned dimension = 1; dimension <= a->d; dimension++)
        if (send_relay(a, number, dimension))
            taken |= UINT32_C(1) << dimension;
    for (unsigned dimension = 1; dimension <= a->d; dimension++)
        node->relay[dimension].valid = false;
    if (root_spreads(a, node, row)) {
        send_root(a, number);
        return;
    }
    for (unsigned tree = 1; tree <= a->d; tree++)
        if (tree != node->root && !(taken >> node->parent[tree] & 1))
            send_climber(a, number, tree);
}

/* -- Receiving --------------------------------------------------------------------------------- */

void cube_auto_packets_take(struct cube_auto *a, uint32_t number, unsigned dimension)
{
    struct cube_auto_node *node = &a->node[number];
    uint32_t header = node->header[dimension], place = node->place[dimension];
    enum cube_auto_kind kind = (enum cube_auto_kind)(header >> (a->machine.width - 2));
    unsigned tree = node->climb[dimension];
    node->place[dimension] = place + 1 == a->machine.depth[1] ? 0 : place + 1;
    if (kind == CUBE_AUTO_GATHER && tree != 0)
        push(a, node, tree, (struct cube_auto_packet){dimension, place, cube_auto_low(a, header)});
    if (kind == CUBE_AUTO_SPREAD || kind == CUBE_AUTO_LAST) {
        node->relay[dimension].valid = true;
        node->relay[dimension].kind = kind;
        node->relay[dimension].place = place;
    }
    if (kind == CUBE_AUTO_LAST)
        node->done |= UINT32_C(1) << (dimension - 1);
}
