/* SPDX-License-Identifier: Apache-2.0 */
/* router_level: all routers of one level of a fat tree, or of a hypercube, as one module whose
 * lanes are their ports. Each router is a rtl/routers/rc_router.sv, which follows a table, or a
 * rtl/routers/rc_router_auto.sv, which follows rules. Both contain a rtl/routers/rc_router_core.sv,
 * modelled here, and a part that selects what it sends; in a self-timed hypercube that part is
 * outside:
 *
 *     parent_i ──►┌─────────────────────────┐──► parent_o     [routers][lanes to the parent]
 *                 │ buffers, next slot to go │      ▲
 *     children_i ►│ of every port           │──► children_o   [routers][children · lanes]
 *                 └─────────────────────────┘
 *          router_table: setting of the row, or router_rules: queues      select the packets
 *          or router_aim: aim_i
 *
 * The lanes of a branch have the same order at both ends, so that levels are wired without a
 * permutation: the lanes to children are in the order of the nodes of the level below.
 *
 * Packets move in blocks of eight flits, as in endpoint.h, which explains why this is not
 * observable; packets of one or two flits leave the memory flit by flit. A packet with holes, which
 * only a leaf that lacks some of its flits sends, is stored flit by flit: the place of a missing
 * flit keeps its word, and the packet counts if its last flit arrived; self-timed routers queue it
 * if its header arrived.
 *
 * Unlike in the RTL, the word of a lane between routers is 0 while it carries no flit.
 */
#ifndef ROUNDCAST_ROUTER_LEVEL_H
#define ROUNDCAST_ROUTER_LEVEL_H

#include "csim/kernel/ports.h"
#include "csim/shell/block.h"
#include "csim/shell/host_port.h"
#include "csim/shell/wide_words.h"
#include "sched/base/compare.h"
#include "sched/machine/machine.h"
#include "sched/shape/wiring.h"

#define ROUTER_LEVEL_PORTS(INPUT)       \
    INPUT(rst, 1)                       \
    INPUT(start, 1)                     \
    INPUT(single_port, 1)               \
    INPUT(fetch, 1)                     \
    INPUT(row, machine->log2_rows)      \
    INPUT(tx_en, 1)                     \
    INPUT(tx_flit, machine->log2_flits) \
    INPUT(rx_en, 1)                     \
    INPUT(rx_last, 1)                   \
    INPUT(rx_flit, machine->log2_flits) \
    HOST_TABLE_PORTS(INPUT)

enum router_level_word { ROUTER_LEVEL_TABLE, ROUTER_LEVEL_FLAGS, ROUTER_LEVEL_WORDS };

struct router_rules;

struct router_level {
    ROUTER_LEVEL_PORTS(PORTS_INPUT_FIELD)
    struct csim_out flow_o; /* the output lanes may carry flits */
    struct csim_in children_i,
        parent_i; /* [routers][child_ports], [routers][parent_ports]; root: no parent */
    struct csim_out children_o, parent_o;
    /* [routers][ports], in self-timed hypercubes: {valid, input, slot} that each port sends */
    struct csim_in aim_i;
    struct csim_in operation_i; /* of routers that combine packets */
    struct wide_words *wide;    /* of flits above 31 bits; else NULL */
    /* of others; [routers][columns]: the row of the table; or, self-timed, [routers][ports]:
       {valid, input, slot} of what each port sends */
    struct csim_signal setting;
    struct csim_signal flags_q;   /* [routers]: MACHINE_ROUTER_… */
    struct csim_out host_words_o; /* [ROUTER_LEVEL_WORDS]: what the host read */
    struct csim_out first_o;      /* the first router with a flag (events.h) */

    struct machine machine;
    unsigned level;
    uint32_t first_router, routers;
    uint32_t ports, child_ports, parent_ports; /* of one router */
    uint32_t columns;                          /* of a router's table */
    uint32_t depth;                            /* packets of a buffer */
    /* the valid bit of a lane; every word in a buffer has it */
    uint32_t valid;
    uint32_t parents, lanes; /* the first lane to a parent; all lanes with padding */

    /* [lanes] */
    uint32_t *base;     /* address of an input's buffer */
    uint32_t *slot;     /* slot of the packet that arrives next */
    uint32_t *filled;   /* number of slots that have received a packet */
    uint32_t *tx_at;    /* address of the packet that an output sends; `none` if it sends nothing */
    uint32_t *rx_at;    /* address where an arriving packet is stored; `trash` if none arrives */
    uint32_t *rx_mark;  /* the valid bit if a packet arrives, otherwise 0 */
    uint32_t *tx_words; /* blocks [BLOCK_FLITS][lanes] */
    uint32_t *rx_words;
    uint32_t *no_mark; /* zeros */
    /* addresses of a packet of zeros, of one that is never read, and of the result that the first
     * router combines */
    uint32_t none, trash, results;
    /* buffers [routers][ports][depth][flits], none, trash; results [routers][flits] */
    uint32_t *memory;
    uint32_t buffers; /* words of the buffers */
    uint32_t *raised; /* [routers]: flags that are raised at this edge */
    bool any_raised, any_flag;
    bool sending, arriving; /* some lane carries a flit in this row */
    /* a flit of the rx block is missing or belongs to no packet */
    bool holes;
    uint32_t first, block; /* flits in the rx block that are not stored: the first, and their
                            * number */

    bool aimed;        /* aim_i selects the packets: there are neither tables nor rules */
    uint32_t *table;   /* table[rows][routers][columns]; NULL if self-timed */
    size_t table_size; /* bytes */
    /* [routers][columns]: the lane of the input to which the read port belongs, and the address of
       its buffer; what it reads, then `none` */
    uint32_t *lane_of, *origin, *given;
    /* [routers][ports]: the first column of the router, and the column that an output selects */
    uint32_t *first_of, *source;
    struct router_rules *rules; /* of a self-timed tree, otherwise NULL */
};

/* Builds the routers of level 1 … h in `parent`; NULL if a building call failed. */
struct router_level *router_level_new(struct csim_module *parent, const struct machine *machine,
                                      unsigned level);

/* Returns the lane of port `port` of router `router` of the level. The lanes to children come
 * first, then those to parents:
 *
 *     lane   0 … routers · child_ports - 1, padding, parents … parents + routers · parent_ports -
 *            1, padding
 */
static inline uint32_t router_level_lane(const struct router_level *l, uint32_t router,
                                         uint32_t port)
{
    return port < l->child_ports ? router * l->child_ports + port
                                 : l->parents + router * l->parent_ports + port - l->child_ports;
}

static inline uint32_t router_level_address(const struct router_level *l, uint32_t lane,
                                            uint32_t slot)
{
    return l->base[lane] + (slot << l->machine.log2_flits);
}

/* Returns the row of a block that holds the flit. */
static inline uint32_t *router_level_block_row(const struct router_level *l, uint32_t *words,
                                               uint32_t flit)
{
    return words + (size_t)(flit % BLOCK_FLITS) * l->lanes;
}

static inline void router_level_raise(struct router_level *l, uint32_t router, uint32_t flag)
{
    l->raised[router] |= flag;
    l->any_raised = true;
}

/* Records that the packet complete on `lane` is in its buffer; the next packet goes to the next
 * slot. */
static inline void router_level_advance(struct router_level *l, uint32_t lane)
{
    uint32_t slot = l->slot[lane] + 1;
    l->filled[lane] = MAX(l->filled[lane], slot);
    l->slot[lane] = slot == l->depth ? 0 : slot;
}

/* Accepts the flit on the lanes. Moves blocks to the buffers when they are full; advances the slots
 * when a row is complete, and then applies the rules of self-timed routers. O(lanes). */
void router_receive(struct router_level *level);

/* Empties all buffers. */
void router_receive_clear(struct router_level *level);

/* -- Rules of routers -------------------------------------------------------------------------- */

/* The rule by which self-timed routers send; rtl/routers/rc_router_auto.sv. All collectives use
 * the same rule. It is applied once per row, when the last flits of the row have arrived, to the
 * packets whose headers arrived:
 *
 *     queue   Each packet that has arrived is queued for its branches: a multicast packet for all
 *             branches, to children and parent, except the branch it came from; a unicast packet
 *             for the branch towards its destination. The packets of a row are queued in the order
 *             of their input ports. In a single-port run all unicast packets to children wait in
 *             one queue, that of child 0.
 *     serve   In the next row each branch sends its oldest packets, the j-th on lane j. In a
 *             single-port run the router sends one packet, on lane 0: to the parent if there is one
 *             waiting for it, else from the next nonempty queue of a child, in turn.
 *
 * The destination is in the header, flit 1 of the packet: {multicast, destination}. No packet is
 * sent back over its incoming branch. The flag `overflow` reports a packet that was not queued
 * because the queue was full, a packet that is sent although another has overwritten it, and a row
 * in which an input must supply more different packets than it has read ports. The router then
 * sends the same words as the hardware (rules_read). */

/* A packet in a queue: its arrival number at an input, from 0, and the branch over which it
 * leaves. */
struct router_packet {
    uint32_t input, arrival, branch;
};

/* A packet taken from a queue: its input, its slot there, and its output port. */
struct router_taken {
    uint32_t input, slot, output;
};

struct router_rules {
    uint32_t children, branches; /* of a router: its children, then its parent */
    uint32_t room;               /* packets of a queue */
    uint32_t below;              /* endpoints below a child */
    size_t queues;               /* queues of all routers */

    struct router_packet *queue; /* queue[routers][branches][room], a ring each */
    /* [routers][branches]: the oldest packet of the queue, and its number of packets */
    uint32_t *head, *count;
    uint32_t *header;     /* [lanes]: flit 1 of the arriving row; valid if there is one */
    uint32_t *arrived;    /* [lanes]: number of packets that have arrived */
    uint32_t *next_child; /* [routers]: the child that is served first */
    /* [ports][reads]: slots that a router's inputs supply in the row; [ports]: their number */
    uint32_t *given, *given_count;
    struct router_taken *taken; /* [branches]: for one lane of each branch of a router */
    uint32_t taken_count;
    bool sends; /* a router sends in the next row */
    bool lacks; /* a packet cannot be supplied, because read ports are too few */
};

/* Allocates the queues. False if there is no memory. */
bool router_rules_new(struct router_level *level, struct csim_module *module);

/* Empties the queues; nothing is sent. */
void router_rules_clear(struct router_level *level);

/* Reads the headers: flit 1 of a row is on the lanes. O(lanes). */
void router_rules_headers(struct router_level *level, const uint32_t *lanes);

/* Completes a row: the packets whose last flit is valid in last[lanes] are in their buffers. Queues
 * those that have headers, advances the slots, and aims the outputs at what they send in the next
 * row. O(ports of the level). */
void router_rules_apply(struct router_level *level, const uint32_t *last);

/* Begins the row that was aimed. A router that sends from an empty slot raises its flag. Returns
 * whether any router sends. */
bool router_rules_aim(struct router_level *level);

/* -- The tables of routers --------------------------------------------------------------------- */

/* The tables that select what routers send (machine.h, region 1); rtl/routers/rc_router.sv. A
 * row fetched at fetch_i in cycle c-2 is in `setting` from cycle c-1 on.
 *
 *     setting of output o      {valid, source}       sends the packet of read port `source` of the
 *                                                    router
 *     setting of read port s   address               reads the packet there, of input s / reads
 *
 * Routers that combine packets have two more bits: output o sends the result of the row, and the
 * packet of read port 0 of an input is an operand of it. A result is held if all its operands are.
 *
 * The flags are those of machine.h: not held, twice. */

/* Allocates the tables. False if there is no memory. */
bool router_table_new(struct router_level *level, struct csim_module *module);

/* Loads the row of row_i into `setting`. */
void router_table_fetch(struct router_level *level);

/* Aims the outputs at the packets of the setting. Returns whether any lane sends. O(ports of the
 * level). */
bool router_table_aim(struct router_level *level);

/* Returns the word that the host addresses in the router's table, NULL if there is none. */
uint32_t *router_table_word(const struct router_level *level, uint32_t router);

/* Returns the bits of a word that the hardware stores in the column that the host addresses. */
uint32_t router_table_mask(const struct router_level *level, uint32_t word);

#endif
