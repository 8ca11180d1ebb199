/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint: the ports of all processors of a machine, as one module whose lanes are the nodes; N
 * times rtl/shell/rc_endpoint.sv, which documents an endpoint's behaviour cycle by cycle.
 *
 *     send       {valid, packet} of the row that is sent, from the send programs
 *     recv       {valid, more, combine, packet} of the row that is received
 *     lane_o     {valid, word}: registered here, as it depends on registers alone
 *     obs_o      {valid, missing, unexpected, not held, packet}, registered at rx_last_i; or what
 *                the host reads of all nodes, where the RTL has a multiplexer after registers
 *
 * In a run with barriers packets move in blocks of eight flits (block.h; struct endpoint_direction
 * explains why this is not observable). Without barriers packets begin in any cycle, and every
 * cycle reads and stores a flit of every node; so do runs with packets of one or two flits. Stores
 * precede loads here too, because the RTL forwards a flit that is stored and read at the same edge.
 * Register values that no image contains can start runs in which the RTL does not forward; in
 * these, loads precede stores.
 *
 * A flit that is combined with a word of the memory reads it when the result is stored; the RTL
 * reads the word one cycle earlier, which is not observable, because rows last two cycles or more
 * (formal/endpoint_combine_properties.sv). These machines never move packets in blocks.
 *
 * A host read loads one word of a node, or a block of packets of all nodes, whereas the RTL loads a
 * word of every memory. tx_flow_o is 0 when there is nothing to move (stage.h).
 */
#ifndef ROUNDCAST_ENDPOINT_H
#define ROUNDCAST_ENDPOINT_H

#include "csim/kernel/ports.h"
#include "csim/shell/block.h"
#include "csim/shell/host_port.h"
#include "csim/shell/sequencer.h"
#include "csim/shell/wide_words.h"
#include "sched/machine/machine.h"

#define ENDPOINT_PORTS(INPUT, OUTPUT)               \
    INPUT(rst, 1)                                   \
    INPUT(start, 1)                                 \
    INPUT(flits, machine->log2_flits + 1)           \
    INPUT(row_cycles, SEQUENCER_CYCLE_BITS)         \
    INPUT(fetch, 1)                                 \
    INPUT(row, machine->log2_rows)                  \
    INPUT(tx_en, 1)                                 \
    INPUT(tx_flit, machine->log2_flits)             \
    OUTPUT(tx_flow, 1)                              \
    INPUT(rx_fetch, 1)                              \
    INPUT(rx_row, machine->log2_rows)               \
    INPUT(rx_en, 1)                                 \
    INPUT(rx_last, 1)                               \
    INPUT(rx_flit, machine->log2_flits)             \
    INPUT(host_all_q, 1)                            \
    INPUT(host_node_q, machine_node_bits(machine))  \
    INPUT(host_we_send, 1)                          \
    INPUT(host_we_recv, 1)                          \
    INPUT(host_we_packet, 1)                        \
    INPUT(host_re_memory, 1)                        \
    INPUT(host_show, 1)                             \
    INPUT(host_region_q, 3)                         \
    INPUT(host_row, machine->log2_rows)             \
    INPUT(host_packet, machine->log2_packets)       \
    INPUT(host_flit, host_port_flit_width(machine)) \
    INPUT(host_data, 32)                            \
    OUTPUT(node_rdata, 32)                          \
    OUTPUT(node_first, 32)

/* The state of a direction (tx or rx) in this row, as vectors, and its block. All are [padded];
 * `at` and `mark` have an extra lane, so that lane `nodes` is idle.
 *
 * The flits of a block are read at once when the first of them is due, and stored at once when the
 * last has arrived. This is not observable, because a row is at least flits + latency cycles long:
 *
 *   - A flit that is read ahead of its time must not change until then. The row before stored the
 *     last flit of a block, F-1 at the latest, when flit 0 of this row was read: at one edge, at
 *     which stores come first here. (In the RTL the read comes first; only with F = 1 is it the
 *     same word, and there the endpoint forwards it.) The row itself stores a flit after it was
 *     sent.
 *   - A flit that is stored late must not be read before. It is stored by the end of its block, and
 *     that is no later than the edge at which the block is read ahead.
 */
struct endpoint_direction {
    uint32_t *at;    /* address of the packet in the memory; of a spare packet if there is none */
    uint32_t *mark;  /* the valid bit of a lane, where a packet is sent (expected) */
    uint32_t *words; /* words[BLOCK_FLITS][padded] */
};

/* Setting phase and base of the fetched row, for computed programs (setting_counter.h). */
struct endpoint_phase {
    struct csim_in setting_phase_i, base_i;
};

struct endpoint {
    ENDPOINT_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_out lane_o, obs_o; /* [nodes] */
    struct csim_in lane_i;         /* [nodes] */
    struct csim_in operation_i;    /* of machines that combine */
    /* of computed programs: the packets of the schedule, and whether the run is a stream */
    struct csim_in packets_i, stream_i;
    struct endpoint_phase tx_phase, rx_phase;
    /* [nodes]: the packets that nodes with lists send (endpoint.h) */
    struct csim_in list_i;
    struct csim_out count_o;       /* [nodes]: the lengths of these lists */
    struct csim_signal send, recv; /* [nodes] */
    struct csim_signal flags_q;    /* [nodes]: MACHINE_NOT_HELD, _UNEXPECTED, _MISSING */
    struct csim_signal broken_q;   /* [nodes]: some flit of the packet was missing or unexpected */
    struct csim_signal not_held;   /* [nodes]: the flit due on lane_o is not held */

    struct machine machine;
    uint32_t nodes, padded; /* padded: to whole blocks of lanes */
    uint32_t valid;         /* the valid bit of a lane, which is the held bit in the memory */
    uint32_t no_packet;     /* address of a packet of zeros, which idle nodes send */
    uint32_t trash;         /* address of a packet that stores unexpected flits */

    uint32_t *send_program, *recv_program; /* program[rows][padded] */
    /* of machines that combine, [nodes]: valid where a flit that arrives is combined, and where it
     * was combined with a word that is not held */
    uint32_t *combining, *lacks;
    /* memory[packets][nodes][flits], then no_packet and trash: the packets that move in a cycle,
     * and those that the host accesses at all nodes, are adjacent */
    uint32_t *memory;
    /* of node memories and of machines that keep a node's own packets apart (below), as memory;
     * else NULL */
    uint32_t *arrived;
    uint8_t *result;
    size_t program_size, memory_size; /* bytes */

    struct wide_words *wide;      /* of flits above 31 bits; else NULL */
    struct endpoint_range *range; /* with ranges in place of programs (endpoint_range.h); or NULL */
    bool busy;                    /* with ranges: something moved in the last cycle */

    struct endpoint_direction tx, rx;
    /* number of header flits, which name the packet's place; 0: a receive program does
     * (endpoint.h) */
    unsigned headers;
    bool lists;             /* the send programs are lists (endpoint.h) */
    bool streams;           /* flits move one by one: without barriers, or with few flits per
                             * packet */
    bool loads_first;       /* in addition, no flit is forwarded, so that loads precede stores */
    uint32_t lacking;       /* a bit per flit of the tx block: some node does not hold this flit */
    bool sending;           /* some node sends in this row */
    bool more;              /* some node receives a packet in this row that continues in the next
                             * row */
    uint32_t first, filled; /* flits in the rx block: the first, and their number */
    /* 1 + the start of the block in tx.words that the host reads, or 0 (endpoint_host.c) */
    uint32_t gathered;
    bool clears; /* the flags are cleared at this edge, one cycle after a reset or a start */
    bool any_not_held, any_flag, any_broken, any_combining, any_lacks;
};

/* Builds the endpoints of a machine in `parent`; NULL if a building call failed. */
struct endpoint *endpoint_new(struct csim_module *parent, const char *name,
                              const struct machine *machine);

/* Returns the shape of the packet memory. */
static inline struct block_memory endpoint_memory(const struct endpoint *e)
{
    return (struct block_memory){e->nodes, e->machine.log2_flits};
}

/* -- For endpoint_build.c and endpoint_leap.c -------------------------------------------------- */

/* Advances the endpoints, the state of a process, by a clock edge. */
void endpoint_edge(void *state);

/* Fetches a row of a program into words[nodes]. */
void endpoint_fetch(const struct endpoint *e, const uint32_t *program, uint32_t row,
                    const struct endpoint_phase *phase, uint32_t *words);

/* Fetches the send program of a row. */
void endpoint_fetch_send(struct endpoint *e, uint32_t row);

/* Drives the lanes with a flit of every node, if any node sends. */
void endpoint_put(struct endpoint *e, bool sending, uint32_t flit);

/* Observes complete packets at all nodes that recv[nodes], a row of a receive program, expects to
 * receive. */
void endpoint_observe_whole(struct endpoint *e, const uint32_t *recv);

/* -- Self-timed endpoints ---------------------------------------------------------------------- */

/* Endpoints of self-timed machines receive packets as their headers specify (machine.h).
 *
 *     flit 0   {slot}                      where the packet is stored, with its header
 *     flit 1   {multicast, destination}    in a tree: no further flits are expected of a packet
 *                                          for another leaf
 */

/* Evaluates flit `flit` on lane_i before it is stored: sets `recv` and the addresses of rx as a
 * receive program would. O(nodes) for the flits of the header. */
void endpoint_header(struct endpoint *e, uint32_t flit);

/* Resets: discards the number of the packet received last. */
void endpoint_header_clear(struct endpoint *e);

/* Endpoints of a self-timed hypercube send what their node selects (routers/cube_auto.h): a row
 * of the list in their send program, or a packet of their memory. (In the RTL the program is
 * read a cycle earlier, with the fetch.) */

/* The word that selects the packet of an endpoint: {valid, direct, row of its list, or, if direct,
 * slot of its memory}. */
#define ENDPOINT_LIST_DIRECT UINT32_C(0x40000000)

/* With the first flit of a row: sets `send` and the addresses of tx from list_i. Returns whether
 * any endpoint sends. O(nodes). */
bool endpoint_list(struct endpoint *e);

/* Writes a word of the host to the lists of nodes begin … end - 1; an invalid word empties them.
 * O(nodes). */
void endpoint_list_write(struct endpoint *e, uint32_t begin, uint32_t end);

/* Returns the combination of two flits, without their valid bits. */
uint32_t endpoint_operate(const struct endpoint *e, uint32_t a, uint32_t b);

/* -- Packets that arrive apart from a node's own ----------------------------------------------- */

/* Endpoints that keep what they receive apart from the node's own packets, in the memory of the
 * node or in one of their own (machine_keeps_received). */

/* Allocates what has arrived; memory_size is set. Returns false if there is no memory. */
bool endpoint_node_allocate(struct endpoint *e, struct csim_module *module);
void endpoint_node_reset(struct endpoint *e);

/* Returns {held, word} of a flit that the host reads at endpoint `node`; `place` is its place in
 * the memory. O(endpoints of a node). */
uint32_t endpoint_node_word(const struct endpoint *e, uint32_t node, uint32_t place);

/* Returns {held, word} of a flit that endpoint `node` sends in this row. O(endpoints of a node). */
uint32_t endpoint_node_sent(const struct endpoint *e, uint32_t node, uint32_t place);

/* Drives the lanes with a flit of every endpoint. Returns whether some endpoint should send a flit
 * that its node does not hold. */
bool endpoint_node_send(struct endpoint *e, uint32_t flit);

/* Stores the received flits in the memory of a node. */
void endpoint_node_store(struct endpoint *e, uint32_t flit);

/* Forgets what has arrived at a place, because the host writes there. */
void endpoint_node_clear(struct endpoint *e, uint32_t place);

/* -- Host access ------------------------------------------------------------------------------- */

/* The host's accesses to the programs, packet memories and flags of the endpoints. */

/* Serves the access of this cycle, if there is one; O(1), or O(nodes) if all nodes are addressed.
 * flags[nodes]: their values in the next cycle, NULL if all are 0. */
void endpoint_host(struct endpoint *e, const uint32_t *flags);

/* Moves the packets of `row` from senders to receivers, observes them, and sends the first flits of
 * row `next`. source[nodes] is the sender of each lane (`nodes`: none). Returns false without an
 * observable change if the row must be simulated flit by flit: a flag is set or would be set, or a
 * node receives the packet that it sends, so that the order of the flits matters. Precondition: a
 * machine that does not combine; the row has been fetched for sending, and nothing of it has been
 * received.
 */
bool endpoint_leap(struct endpoint *e, uint32_t row, uint32_t next, const uint32_t source[]);

#endif
