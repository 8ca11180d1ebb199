/* SPDX-License-Identifier: Apache-2.0 */
/* cube_auto: the nodes of a self-timed hypercube, each a rtl/cube_auto/rc_cube_auto_node.sv. They
 * broadcast packets of any nodes to all nodes, without prior knowledge of the sources or the number
 * of packets, by the algorithm cube-broadcast:
 *
 *     round                         phase; rounds count from 1, and are the rows of the run
 *     1 … d                         sums fold up: over dimension j in round j, to the lower half of
 *                                   each block of 2^j
 *     d + 1 … 2d                    sums of the nodes after a block fold down, over dimension j in
 *                                   round 2d + 1 - j
 *     2d + 1                        node 0 sends the roots of the d trees the number of packets,
 *                                   K
 *     then ⌈K/d⌉ + d - 1            gather: packets climb their trees, one per tree and round, a
 *                                   node's own packets first
 *     then ⌈K/d⌉ + d                spread: a root sends a packet over all its arcs, and the other
 *                                   nodes forward what they receive
 *
 * The root of tree j is the node with bit j - 1 alone. A packet of position r = 1 … K climbs tree
 * (r - 1) mod d + 1; if nodes x, x + 1, … have r packets, those of x have the positions r, r - 1,
 * …, in the order of its list. A root sends `last` when its queue is empty. A node is done when it
 * has received or sent the last packet of every tree; when all nodes are done, the run ends with
 * the row.
 */
#ifndef ROUNDCAST_CUBE_AUTO_H
#define ROUNDCAST_CUBE_AUTO_H

#include "csim/kernel/ports.h"
#include "csim/shell/host_port.h"
#include "sched/machine/machine.h"

#define CUBE_AUTO_MAX TOPOLOGY_MAX_DIMENSIONS

#define CUBE_AUTO_PORTS(INPUT, OUTPUT)           \
    INPUT(rst, 1)                                \
    INPUT(start, 1)                              \
    INPUT(fetch, 1)                              \
    INPUT(row, machine->log2_rows)               \
    INPUT(tx_en, 1)                              \
    INPUT(tx_flit, machine->log2_flits)          \
    INPUT(rx_en, 1)                              \
    INPUT(rx_last, 1)                            \
    INPUT(rx_flit, machine->log2_flits)          \
    INPUT(host_re_memory, 1)                     \
    INPUT(host_bank, machine_bank_bits(machine)) \
    OUTPUT(finish, 1)

/* No two trees share an arc, so the incoming arc and the kind of a packet determine where a node
 * forwards it. The sender writes the kind into the highest two bits of the first flit; the lowest
 * bits are the slot in which the packet is stored.
 *
 *     sum       slot, value                of rounds 1 … 2d + 1; consumed, not forwarded
 *     gather    slot, payload              queued for the parent in its tree, or, at the root,
 *                                          until the spread
 *     spread    slot, payload              forwarded at once, over the arcs of its tree
 *     last      slot, number of packets    the same; no packet follows over this arc
 *
 * Endpoints send a node's own packets, from the list in the send program; routers send other
 * packets, from their buffers. Exception: an endpoint sends a packet back over the arc on which the
 * root received it. Sums and last packets are generated here. */
enum cube_auto_kind { CUBE_AUTO_SUM, CUBE_AUTO_GATHER, CUBE_AUTO_SPREAD, CUBE_AUTO_LAST };

/* The place of a received packet: dimension, slot of the router's buffer, slot of the endpoint's
 * memory. */
struct cube_auto_packet {
    uint32_t dimension, place, slot;
};

/* Arrays are indexed by dimension or tree, from 1. */
struct cube_auto_node {
    /* Constants. 0 means no dimension, or no tree. */
    unsigned zeros;                     /* lowest bits of its number that are 0; d of node 0 */
    unsigned root;                      /* the tree whose root it is */
    unsigned parent[CUBE_AUTO_MAX + 1]; /* by tree: the dimension of the arc to its parent */
    /* by dimension: the tree whose packets arrive over it in the gather */
    unsigned climb[CUBE_AUTO_MAX + 1];
    /* by dimension: the dimension over which it receives the packets forwarded in the spread */
    unsigned from[CUBE_AUTO_MAX + 1];
    unsigned order[CUBE_AUTO_MAX + 1]; /* dimensions by ascending neighbour, from 1 */

    uint32_t count; /* own packets */

    uint32_t sum;                     /* number of packets of its block */
    uint32_t right;                   /* number of packets of all nodes after the block, at last of
                                       * all nodes after this node */
    uint32_t kept[CUBE_AUTO_MAX + 1]; /* by dimension: sum of the upper half of the block */
    uint32_t total;                   /* K; of roots */

    uint32_t own[CUBE_AUTO_MAX + 1]; /* by tree: row of the list that is sent next */
    struct {
        uint32_t head, count;
        struct cube_auto_packet *packet; /* [room], a ring */
    } queue[CUBE_AUTO_MAX + 1];          /* by tree */
    uint32_t place[CUBE_AUTO_MAX + 1];   /* by dimension: the place of the packet that arrives
                                          * next */
    uint32_t header[CUBE_AUTO_MAX + 1];  /* by dimension: first flit of the packet that is
                                          * arriving */
    struct {
        bool valid;
        enum cube_auto_kind kind;
        uint32_t place;
    } relay[CUBE_AUTO_MAX + 1]; /* by dimension: the packet received over it in the spread, to be
                                 * forwarded */
    /* bit j - 1: `last` was received over dimension j, or sent by root j */
    uint32_t done;
    bool overflow; /* a packet arrived at a full queue */
};

/* The flits that leave over an arc in this row: the first flit, or only its kind bits if the sender
 * already has the flit; then the second flit. */
struct cube_auto_mark {
    bool made;
    uint32_t first, value;
};

struct cube_auto {
    CUBE_AUTO_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_out flow_o; /* a packet generated here is on the lanes */
    struct csim_in lanes_i; /* [nodes][d]: flits that arrive over the arcs */
    /* [nodes][d]: length of the endpoints' lists, equal for all endpoints of a node */
    struct csim_in count_i;
    struct csim_out list_o;       /* [nodes][d]: selects the packets that the endpoints send */
    struct csim_out aim_o;        /* [nodes][d]: {valid, input, address} of the packets that the
                                   * routers send */
    struct csim_out marks_o;      /* [nodes][d]: words that are ORed into the lanes */
    struct csim_out host_words_o; /* [ROUTER_LEVEL_WORDS]: flags that the host read */
    struct csim_out first_o;      /* the first node with a flag (events.h) */

    struct machine machine;
    unsigned d;
    uint32_t nodes, lanes, row; /* row: of the packets under way */
    struct cube_auto_node *node;
    struct cube_auto_mark *mark; /* [nodes][d] */
    struct cube_auto_packet *queue_memory;
    bool makes; /* some mark belongs to a packet generated here */
    bool marks; /* a mark is on the lanes */
};

/* Builds the nodes in `parent`; NULL if a building call failed. */
struct cube_auto *cube_auto_new(struct csim_module *parent, const char *name,
                                const struct machine *machine);

/* -- For the other files of cube_auto ---------------------------------------------------------- */

/* Computes the fixed fields of a node. */
void cube_auto_wire(struct cube_auto_node *node, uint32_t number, unsigned d);

/* Returns a number truncated to the width of the hardware's counters. */
static inline uint32_t cube_auto_low(const struct cube_auto *a, uint32_t number)
{
    return ports_low(number, a->machine.log2_packets);
}

/* Sends control packet number `which`, from 0, with a value over a dimension. */
void cube_auto_make(struct cube_auto *a, uint32_t number, unsigned dimension,
                    enum cube_auto_kind kind, uint32_t which, uint32_t value);

/* Rows up to 2d, the prefix sums: send the sums of the row; accept the value that arrived over a
 * dimension. */
void cube_auto_sums_send(struct cube_auto *a, uint32_t number, uint32_t row);
void cube_auto_sums_take(struct cube_auto *a, uint32_t number, unsigned dimension, uint32_t value);

/* Later rows: choose what is sent; accept the packet that arrived over a dimension. */
void cube_auto_packets_send(struct cube_auto *a, uint32_t number, uint32_t row);
void cube_auto_packets_take(struct cube_auto *a, uint32_t number, unsigned dimension);

#endif
