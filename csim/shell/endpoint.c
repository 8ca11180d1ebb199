/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/endpoint.h"

#include <string.h>

#include "csim/shell/events.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"

static uint32_t *block_row(const struct endpoint *e, const struct endpoint_direction *direction,
                           uint32_t flit)
{
    return direction->words + (size_t)(flit % BLOCK_FLITS) * e->padded;
}

/* -- Sending ----------------------------------------------------------------------------------- */

/* Fetches the entries of a row. In a computed program they are the entries of its setting phase. */
void endpoint_fetch(const struct endpoint *e, const uint32_t *program, uint32_t row,
                    const struct endpoint_phase *phase, uint32_t *words)
{
    if (!e->machine.computed) {
        memcpy(words, program + (size_t)row * e->padded, e->nodes * sizeof *words);
        return;
    }
    uint32_t base = csim_get(&phase->base_i), packets = csim_get(&e->packets_i);
    packets |= csim_get(&e->stream_i) ? MACHINE_STREAM : 0;
    const uint32_t *entry = program + (size_t)csim_get(&phase->setting_phase_i) * e->padded;
    for (uint32_t node = 0; node < e->nodes; node++)
        words[node] = machine_computed(&e->machine, entry[node], base, packets);
}

/* Computes the addresses of the packets {valid, member, packet} of the send programs, as block_aim
 * does, where a member's memory is that of another endpoint of the node. Members that the machine
 * does not have hold nothing. Returns the OR of the words. */
static uint32_t aim_members(struct endpoint *e, const uint32_t send[])
{
    const uint32_t shared = e->machine.shared;
    const unsigned bits = e->machine.log2_packets;
    uint32_t any = 0;
    for (uint32_t node = 0; node < e->nodes; node++) {
        bool valid = send[node] & MACHINE_VALID;
        uint32_t member = (send[node] & ~MACHINE_VALID) >> bits,
                 packet = ports_low(send[node], bits);
        uint32_t from = node - node % shared + member;
        bool exists = valid && member < shared && from < e->nodes;
        e->tx.at[node] =
            exists ? (packet * e->nodes + from) << e->machine.log2_flits : e->no_packet;
        e->tx.mark[node] = valid ? e->valid : 0;
        any |= send[node];
    }
    return any;
}

void endpoint_fetch_send(struct endpoint *e, uint32_t row)
{
    uint32_t *send = csim_write(&e->send);
    endpoint_fetch(e, e->send_program, row, &e->tx_phase, send);
    if (e->machine.shared > 0) {
        e->sending = aim_members(e, send) & MACHINE_VALID;
        return;
    }
    uint32_t any =
        block_aim(e->tx.at, e->tx.mark, send, endpoint_memory(e), e->no_packet, e->valid);
    e->sending = any & MACHINE_VALID;
}

/* Records the nodes that should send a flit that they do not hold; there are rarely any. Their
 * lanes are then 0 if the switches require it (rtl/shell/rc_endpoint.sv). */
static void endpoint_check_held(struct endpoint *e, uint32_t flit, bool lacking)
{
    if (!lacking && !e->any_not_held)
        return;
    const uint32_t min_and = 1u << MACHINE_OPERATOR_MIN | 1u << MACHINE_OPERATOR_AND;
    const bool clears = e->machine.combines && !(machine_built_operators(&e->machine) & min_and);
    uint32_t *not_held = csim_write(&e->not_held);
    for (uint32_t node = 0; node < e->nodes; node++) {
        const uint32_t place = e->tx.at[node] + flit;
        const uint32_t word =
            e->arrived != NULL ? endpoint_node_sent(e, node, place) : e->memory[place];
        not_held[node] = lacking && (e->tx.mark[node] & ~word);
        if (not_held[node] && clears)
            csim_write(&e->lane_o)[node] = 0;
    }
    e->any_not_held = lacking;
}

/* Sends every node's flit from the block. Returns whether some node does not hold its flit. */
static bool endpoint_send_block(struct endpoint *e, uint32_t flit)
{
    if (flit % BLOCK_FLITS == 0)
        e->lacking = block_load(e->tx.words, e->memory, e->tx.at, e->tx.mark, flit, e->padded);
    memcpy(csim_write(&e->lane_o), block_row(e, &e->tx, flit), e->nodes * sizeof(uint32_t));
    return e->lacking >> flit % BLOCK_FLITS & 1;
}

/* Sends a flit from the memory. */
static bool endpoint_send_flit(struct endpoint *e, uint32_t flit)
{
    const uint32_t *restrict at = e->tx.at, *restrict mark = e->tx.mark,
                             *restrict memory = e->memory;
    uint32_t *restrict lane = csim_write(&e->lane_o);
    uint32_t nodes = e->nodes, lacking = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t word = memory[at[node] + flit];
        lacking |= mark[node] & ~word;
        lane[node] = word;
    }
    return lacking;
}

void endpoint_put(struct endpoint *e, bool sending, uint32_t flit)
{
    bool lacking = false;
    if (sending && e->arrived != NULL)
        lacking = endpoint_node_send(e, flit);
    else if (sending)
        lacking = e->streams ? endpoint_send_flit(e, flit) : endpoint_send_block(e, flit);
    else if (csim_get(&e->tx_flow_o))
        memset(csim_write(&e->lane_o), 0, e->nodes * sizeof(uint32_t));
    ports_set(&e->tx_flow_o, sending);
    endpoint_check_held(e, flit, lacking);
}

static void endpoint_send(struct endpoint *e)
{
    bool sends = csim_get(&e->tx_en_i);
    uint32_t flit = csim_get(&e->tx_flit_i);
    if (e->lists && sends && flit == 0)
        e->sending = endpoint_list(e);
    endpoint_put(e, sends && e->sending, flit);
}

/* -- Receiving --------------------------------------------------------------------------------- */

/* Finds the nodes that combine in this row. */
static void endpoint_find_combining(struct endpoint *e, const uint32_t *recv)
{
    e->any_combining = false;
    for (uint32_t node = 0; node < e->nodes; node++) {
        const uint32_t both = MACHINE_VALID | MACHINE_COMBINE;
        e->combining[node] = (recv[node] & both) == both;
        e->any_combining = e->any_combining || e->combining[node];
    }
}

static void endpoint_fetch_recv(struct endpoint *e)
{
    uint32_t *recv = csim_write(&e->recv);
    endpoint_fetch(e, e->recv_program, csim_get(&e->rx_row_i), &e->rx_phase, recv);
    uint32_t any = block_aim(e->rx.at, e->rx.mark, recv, endpoint_memory(e), e->trash, e->valid);
    e->more = any & MACHINE_MORE;
    if (e->machine.combines)
        endpoint_find_combining(e, recv);
}

/* Stores the block that has arrived. Unexpected flits are stored in the trash, and a missing flit
 * leaves a word that is not held. */
static void endpoint_store(struct endpoint *e)
{
    if (e->filled == BLOCK_FLITS) {
        block_store(e->memory, e->rx.words, e->rx.at, e->first, e->padded);
    } else {
        for (uint32_t node = 0; node < e->nodes; node++) {
            uint32_t *to = e->memory + e->rx.at[node] + e->first;
            for (uint32_t f = 0; f < e->filled; f++)
                to[f] = block_row(e, &e->rx, f)[node];
        }
    }
    e->filled = 0;
}

/* Copies the flits on the lanes to the block. Returns whether any was missing or unexpected. If
 * nothing is received, no lane is valid: flits and the wavefront that announces them travel
 * together. */
static bool endpoint_receive_block(struct endpoint *e)
{
    bool strange = false;
    bool block_end = true; /* of a run that was reset in the middle of a packet */
    if (csim_get(&e->rx_en_i)) {
        uint32_t flit = csim_get(&e->rx_flit_i);
        uint32_t *words = block_row(e, &e->rx, flit);
        if (e->headers)
            endpoint_header(e, flit);
        strange = block_take(words, csim_read(&e->lane_i), e->rx.mark, e->valid, e->nodes);
        e->first = flit - flit % BLOCK_FLITS;
        e->filled = flit % BLOCK_FLITS + 1;
        block_end = e->filled == BLOCK_FLITS || csim_get(&e->rx_last_i);
    }
    if (block_end && e->filled != 0)
        endpoint_store(e);
    return strange;
}

uint32_t endpoint_operate(const struct endpoint *e, uint32_t a, uint32_t b)
{
    return wide_words_combine(e->wide, csim_get(&e->operation_i), e->machine.width, a, b);
}

/* Stores the received flits in the memory, combined with the words there at the nodes that do so,
 * or apart from the nodes' own packets. A result is held if both words are. Returns whether some
 * node combines with a word that is not held. */
static bool endpoint_combine(struct endpoint *e, uint32_t flit)
{
    const uint32_t *lane = csim_read(&e->lane_i), *recv = csim_read(&e->recv);
    const uint32_t bits = e->valid - 1;
    uint32_t *memory = e->machine.keeps_own ? e->arrived : e->memory;
    bool lacking = false;
    for (uint32_t node = 0; node < e->nodes; node++) {
        const uint32_t place = e->rx.at[node] + flit;
        uint32_t *word = &memory[place], arrives = lane[node];
        e->lacks[node] = e->combining[node] && !(*word & e->valid);
        lacking = lacking || e->lacks[node];
        if (e->combining[node])
            arrives =
                (*word & arrives & e->valid) | endpoint_operate(e, *word & bits, arrives & bits);
        *word = arrives;
        if (e->machine.keeps_own)
            e->result[place] = !(recv[node] & MACHINE_OWN);
    }
    return lacking;
}

/* Stores the received flits in the memory. */
static bool endpoint_receive_flit(struct endpoint *e)
{
    if (!csim_get(&e->rx_en_i))
        return false;
    const uint32_t *restrict at = e->rx.at, *restrict mark = e->rx.mark;
    const uint32_t *restrict lane = csim_read(&e->lane_i);
    uint32_t *restrict memory = e->memory;
    uint32_t nodes = e->nodes, flit = csim_get(&e->rx_flit_i), differ = 0;
    if (e->any_combining || e->arrived != NULL) {
        if (machine_has_node_memories(&e->machine))
            endpoint_node_store(e, flit);
        else
            e->any_lacks = endpoint_combine(e, flit);
        for (uint32_t node = 0; node < nodes; node++)
            differ |= lane[node] ^ mark[node];
        return differ & e->valid;
    }
    for (uint32_t node = 0; node < nodes; node++) {
        memory[at[node] + flit] = lane[node];
        differ |= lane[node] ^ mark[node];
    }
    return differ & e->valid;
}

/* -- Flags and observation --------------------------------------------------------------------- */

/* Returns the flags, including those that this cycle raises: the next value of flags_q, unless they
 * are cleared. */
static const uint32_t *endpoint_judge(struct endpoint *e, bool strange, bool any_not_held)
{
    const uint32_t *now = csim_read(&e->flags_q);
    if (!strange && !any_not_held && !e->any_lacks)
        return now;
    uint32_t *next = csim_write(&e->flags_q);
    const uint32_t *lane = csim_read(&e->lane_i);
    const uint32_t *not_held = csim_read(&e->not_held);
    for (uint32_t node = 0; node < e->nodes; node++) {
        uint32_t differ = strange ? (lane[node] ^ e->rx.mark[node]) & e->valid : 0;
        bool lacks = not_held[node] || (e->any_lacks && e->lacks[node]);
        next[node] = now[node] | (lacks ? MACHINE_NOT_HELD : 0) |
                     (differ & lane[node] ? MACHINE_UNEXPECTED : 0) |
                     (differ & e->rx.mark[node] ? MACHINE_MISSING : 0);
    }
    e->any_flag = true;
    e->any_lacks = false;
    ports_set(&e->node_first_o, events_first(next, e->nodes));
    return next;
}

void endpoint_observe_whole(struct endpoint *e, const uint32_t *restrict recv)
{
    uint32_t *restrict obs = csim_write(&e->obs_o);
    for (uint32_t node = 0, nodes = e->nodes; node < nodes; node++)
        obs[node] =
            recv[node] & ~(recv[node] << 1 & MACHINE_VALID) & (MACHINE_VALID | MACHINE_OBS_PACKET);
}

static void endpoint_observe(struct endpoint *e, const uint32_t *flags)
{
    const uint32_t *recv = csim_read(&e->recv);
    if (!e->any_flag) { /* then no packet is broken either, because that raises a flag */
        endpoint_observe_whole(e, recv);
        return;
    }
    uint32_t *obs = csim_write(&e->obs_o);
    const uint32_t *lane = csim_read(&e->lane_i);
    const uint32_t *broken = csim_read(&e->broken_q);
    for (uint32_t node = 0; node < e->nodes; node++) {
        bool whole = (lane[node] & e->rx.mark[node] & e->valid) && !broken[node] &&
                     !(recv[node] & MACHINE_MORE);
        obs[node] = (whole ? MACHINE_VALID : 0) | (recv[node] & MACHINE_OBS_PACKET) |
                    flags[node] << MACHINE_OBS_FLAGS;
    }
}

/* Updates the broken marks. A fetch clears them, except if the packet of the row before it
 * continues. */
static void endpoint_mark_broken(struct endpoint *e, bool strange)
{
    bool fetch = csim_get(&e->rx_fetch_i);
    bool kept = !fetch || e->more;
    if (!(strange && kept) && !(e->any_broken && fetch))
        return;
    const uint32_t both = MACHINE_VALID | MACHINE_MORE;
    const uint32_t *now = csim_read(&e->broken_q);
    const uint32_t *lane = csim_read(&e->lane_i);
    const uint32_t *recv = csim_read(&e->recv);
    uint32_t *next = csim_write(&e->broken_q);
    for (uint32_t node = 0; node < e->nodes; node++) {
        bool differ = strange && ((lane[node] ^ e->rx.mark[node]) & e->valid);
        next[node] = (now[node] || differ) && (!fetch || (recv[node] & both) == both);
    }
    e->any_broken = kept;
}

/* Returns whether packets pass through blocks. That requires barriers, and packets that fill more
 * than a corner of a block; headers are read from blocks. Other runs proceed flit by flit. */
static bool endpoint_in_blocks(const struct endpoint *e)
{
    uint32_t flits = csim_get(&e->flits_i);
    return !e->machine.combines && flits >= (e->headers ? 1 : 3) &&
           flits <= UINT32_C(1) << e->machine.log2_flits &&
           csim_get(&e->row_cycles_i) >= flits + machine_latency(&e->machine);
}

/* Clears all but these bits of the present observation. */
static void endpoint_keep_observed(struct endpoint *e, uint32_t bits)
{
    if (!csim_get(&e->rx_last_i))
        return;
    uint32_t *obs = csim_write(&e->obs_o);
    for (uint32_t node = 0; node < e->nodes; node++)
        obs[node] &= bits;
}

/* Clears the flags, one cycle after a reset or a start, also in the present observation. */
static void endpoint_clear_flags(struct endpoint *e)
{
    if (e->any_flag)
        memset(csim_write(&e->flags_q), 0, e->nodes * sizeof(uint32_t));
    if (e->any_broken)
        memset(csim_write(&e->broken_q), 0, e->nodes * sizeof(uint32_t));
    e->any_flag = e->any_broken = false;
    ports_set(&e->node_first_o, 0);
    endpoint_keep_observed(e, MACHINE_VALID | MACHINE_OBS_PACKET);
}

/* Clears what a reset clears at once: the packets that are observed, and headers. */
static void endpoint_reset_packets(struct endpoint *e)
{
    endpoint_keep_observed(e, UINT32_C(7) << MACHINE_OBS_FLAGS);
    if (e->headers)
        endpoint_header_clear(e);
}

/* At a reset or a start; a start selects the kind of the run. */
static void endpoint_begin(struct endpoint *e)
{
    if (csim_get(&e->rst_i))
        endpoint_reset_packets(e);
    if (csim_get(&e->start_i)) {
        e->streams = !endpoint_in_blocks(e);
        e->loads_first =
            machine_has_node_memories(&e->machine) ||
            (e->streams && csim_get(&e->flits_i) != 1 && csim_get(&e->row_cycles_i) != 1);
    }
}

/* -- The edge ---------------------------------------------------------------------------------- */

/* In this order each step reads the register values from before the edge. Stores come before loads,
 * except where the RTL forwards nothing, and both come before the fetch of what they use. */
void endpoint_edge(void *state)
{
    struct endpoint *e = state;
    bool clears = e->clears;
    bool rx_fetch = csim_get(&e->rx_fetch_i), any_not_held = e->any_not_held;
    bool rx = csim_get(&e->rx_en_i) || rx_fetch || e->filled != 0 || any_not_held;
    bool tx = csim_get(&e->tx_en_i) || csim_get(&e->tx_flow_o);
    const uint32_t *flags = csim_read(&e->flags_q);
    if (tx || rx)
        e->gathered = 0;
    if (tx && e->loads_first)
        endpoint_send(e);
    if (rx) {
        bool strange = e->streams ? endpoint_receive_flit(e) : endpoint_receive_block(e);
        flags = endpoint_judge(e, strange, any_not_held);
        if (csim_get(&e->rx_last_i))
            endpoint_observe(e, flags);
        endpoint_mark_broken(e, strange);
        if (rx_fetch && !e->headers)
            endpoint_fetch_recv(e);
    }
    e->clears = csim_get(&e->rst_i) || csim_get(&e->start_i);
    if (e->clears)
        endpoint_begin(e);
    if (clears)
        endpoint_clear_flags(e);
    if (tx && !e->loads_first)
        endpoint_send(e);
    if (csim_get(&e->fetch_i) && !e->lists)
        endpoint_fetch_send(e, csim_get(&e->row_i));
    endpoint_host(e, clears ? NULL : flags);
}
