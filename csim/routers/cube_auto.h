/* SPDX-License-Identifier: Apache-2.0 */
/* cube_auto: what the nodes of a self-timed hypercube do; as many times
 * rtl/cube_auto/rc_cube_auto_node.sv. They broadcast packets of any nodes to all, without anybody
 * knowing which nodes or how many, as cube-broadcast has it:
 *
 *     slot                          phase; slots count from 1, and are the rows of the run
 *     1 … d                         sums fold up: over dimension j in slot j, to the lower half of
 *                                   each block of 2^j
 *     d + 1 … 2d                    sums of what is right of a block fold down, over dimension j in
 *                                   slot 2d + 1 - j
 *     2d + 1                        node 0 tells the roots of the d trees how many packets there
 *                                   are, K
 *     then ⌈K/d⌉ + d - 1            gather: packets climb their trees, one of each in a slot, a
 *                                   node's own ones first
 *     then ⌈K/d⌉ + d                spread: a root sends one over all its arcs, and the others send
 *                                   on what comes
 *
 * The root of tree j is the node with bit j - 1 alone. A packet of rank r = 1 … K climbs tree (r -
 * 1) mod d + 1; if nodes x, x + 1, … have r packets, those of x have the ranks r, r - 1, …, in the
 * order of its list. A root sends `last` when its queue is empty. A node is done when it has had
 * the last packet of every tree, or sent it; when all are, the run ends with the row.
 */
#ifndef ROUNDCAST_CUBE_AUTO_H
#define ROUNDCAST_CUBE_AUTO_H

#include "csim/kernel/ports.h"
#include "csim/shell/host_port.h"
#include "sched/machine/machine.h"

#define CUBE_AUTO_MAX TOPOLOGY_MAX_DIMENSIONS

#define CUBE_AUTO_PORTS(INPUT, OUTPUT)              \
    INPUT(rst, 1)                                   \
    INPUT(start, 1)                                 \
    INPUT(fetch, 1)                                 \
    INPUT(row, machine->log2_rows)                  \
    INPUT(tx_en, 1)                                 \
    INPUT(tx_flit, machine->log2_flits)             \
    INPUT(rx_en, 1)                                 \
    INPUT(rx_last, 1)                               \
    INPUT(rx_flit, machine->log2_flits)             \
    INPUT(host_re_memory, 1)                        \
    INPUT(host_unit, host_port_unit_width(machine)) \
    OUTPUT(finish, 1)

/* No two trees share an arc, so that a node knows where to send what comes by the arc that it came
 * over, and by its kind, the highest two bits of its first flit, of which the lowest are the slot
 * that it is stored in. Who sends the kind puts it in.
 *
 *     sum       slot, value                of slots 1 … 2d + 1; taken, not sent on
 *     gather    slot, payload              queued for the parent in its tree, or, at the root,
 *                                          until the spread
 *     spread    slot, payload              sent on at once, over the arcs of its tree
 *     last      slot, number of packets    the same; and no more comes over this arc
 *
 * Own packets are sent by endpoints, from the list in the send program, others by routers from
 * where they were stored; but an endpoint sends back what a root has got over its very arc. Sums
 * and last packets are made here. */
enum cube_auto_kind { CUBE_AUTO_SUM, CUBE_AUTO_GATHER, CUBE_AUTO_SPREAD, CUBE_AUTO_LAST };

/* Where a packet that has come is kept: dimension, slot of the router's buffer, slot of the
 * endpoint's memory. */
struct cube_auto_packet {
    uint32_t dimension, place, slot;
};

/* Arrays are indexed by dimension or tree, from 1. */
struct cube_auto_node {
    /* Fixed. 0 is no dimension, and no tree. */
    unsigned zeros;                     /* lowest bits of its number that are 0; d of node 0 */
    unsigned root;                      /* the tree whose root it is */
    unsigned parent[CUBE_AUTO_MAX + 1]; /* by tree: the dimension of the arc to its parent */
    /* by dimension: the tree whose packets come over it in the gather */
    unsigned climb[CUBE_AUTO_MAX + 1];
    /* by dimension: the one over which the packets come that it sends on in the spread */
    unsigned from[CUBE_AUTO_MAX + 1];
    unsigned order[CUBE_AUTO_MAX + 1]; /* dimensions by ascending neighbour, from 1 */

    uint32_t count; /* own packets */

    uint32_t sum;                     /* of the packets of its block */
    uint32_t right;                   /* … of all that is right of the block, then of the node */
    uint32_t kept[CUBE_AUTO_MAX + 1]; /* by dimension: sum of the upper half of the block */
    uint32_t total;                   /* K; of roots */

    uint32_t own[CUBE_AUTO_MAX + 1]; /* by tree: row of the list that is sent next */
    struct {
        uint32_t head, count;
        struct cube_auto_packet *packet; /* [room], a ring */
    } queue[CUBE_AUTO_MAX + 1];          /* by tree */
    uint32_t place[CUBE_AUTO_MAX + 1];   /* by dimension: of the packet that comes next */
    uint32_t header[CUBE_AUTO_MAX + 1];  /* … first flit of what comes now */
    struct {
        bool valid;
        enum cube_auto_kind kind;
        uint32_t place;
    } relay[CUBE_AUTO_MAX + 1]; /* by dimension: what came over it in the spread, to be sent on */
    /* bit j - 1: `last` has come over dimension j, or, of root j, been sent */
    uint32_t done;
    bool overflow; /* a packet came to a full queue */
};

/* What leaves over an arc in this row: the first flit, or only its bits of the kind if the sender
 * has the flit anyhow; then the second. */
struct cube_auto_mark {
    bool made;
    uint32_t first, value;
};

struct cube_auto {
    CUBE_AUTO_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_out flow_o; /* a packet made here is on the lanes */
    struct csim_in lanes_i; /* [nodes][d]: what comes over the arcs */
    /* [nodes][d]: length of the endpoints' lists, which are the same at a node */
    struct csim_in count_i;
    struct csim_out list_o;       /* [nodes][d]: what the endpoints send */
    struct csim_out aim_o;        /* [nodes][d]: {valid, input, address} of what the routers send */
    struct csim_out marks_o;      /* [nodes][d]: what is ORed to the lanes */
    struct csim_out host_words_o; /* [ROUTER_LEVEL_WORDS]: flags that the host read */

    struct machine machine;
    unsigned d;
    uint32_t nodes, lanes, row; /* row: of the packets under way */
    struct cube_auto_node *node;
    struct cube_auto_mark *mark; /* [nodes][d] */
    struct cube_auto_packet *queue_memory;
    bool makes; /* some mark is of a packet made here */
    bool marks; /* a mark is on the lanes */
};

/* In `parent`; NULL if a building call failed. */
struct cube_auto *cube_auto_new(struct csim_module *parent, const char *name,
                                const struct machine *machine);

/* -- Between its files ------------------------------------------------------------------------- */

/* The fixed part of a node. */
void cube_auto_wire(struct cube_auto_node *node, uint32_t number, unsigned d);

/* A number as the hardware keeps it. */
static inline uint32_t cube_auto_low(const struct cube_auto *a, uint32_t number)
{
    return ports_low(number, a->machine.log2_packets);
}

/* Packet `which` of control, from 0, of a value leaves over a dimension. */
void cube_auto_make(struct cube_auto *a, uint32_t number, unsigned dimension,
                    enum cube_auto_kind kind, uint32_t which, uint32_t value);

/* Rows up to 2d, the prefix: what is made, and the value that has come over a dimension. */
void cube_auto_sums_send(struct cube_auto *a, uint32_t number, uint32_t row);
void cube_auto_sums_take(struct cube_auto *a, uint32_t number, unsigned dimension, uint32_t value);

/* Later rows: choose what is sent; and the packet that has come over a dimension. */
void cube_auto_packets_send(struct cube_auto *a, uint32_t number, uint32_t row);
void cube_auto_packets_take(struct cube_auto *a, uint32_t number, unsigned dimension);

#endif
