/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/endpoint_range.h"

#include "csim/shell/endpoint.h"
#include "csim/shell/events.h"
#include "sched/machine/machine_address.h"

#include <string.h>

/* Names of the registers in rtl/shell/rc_range_program.sv, without _q. */
struct endpoint_range_node {
    uint32_t others, offset; /* of the range that is left, and of the next receiver */
    uint32_t range_last;     /* of the range that was received */
    uint32_t count;          /* packets received */
    uint32_t sent;           /* packets of this message whose header has left */
    uint32_t tx_flit, slot, rx_flit;
    bool sending, heads, receiving, mine;
    bool valid; /* tx_valid: a flit is due on lane_o */
};

/* Inputs of a cycle that are the same for all nodes. */
struct cycle {
    struct endpoint *e;
    const struct endpoint_range *range;
    uint32_t last_flit, packets;
    unsigned node_bits, flit_bits, slot_bits;
    bool tx_en, row_begins, rx_en, rx_fetch;
    bool clear, start;
    bool clears_flags; /* one cycle after clear */
};

/* A flit that arrives at a node, and what the node makes of it. */
struct arrival {
    bool arrives, valid, more, completes;
    uint32_t slot, flit;
};

/* -- The table of splits ----------------------------------------------------------------------- */

static uint32_t split_others(uint32_t word, unsigned bits)
{
    return ports_low(word >> MACHINE_SPLIT_OTHERS, bits);
}

/* Returns how far the next receiver is from a node with that many others in its range. */
static uint32_t next_offset(const struct cycle *c, uint32_t others)
{
    const uint32_t *split = c->range->split;
    const unsigned bits = c->node_bits;
    uint32_t offset = 0;
    for (uint32_t k = 0; k < UINT32_C(1) << c->e->machine.log2_splits; k++) {
        if (others > split_others(split[k], bits) ||
            (k > 0 && others <= split_others(split[k - 1], bits)))
            continue;
        const uint32_t nodes = ports_low(split[k], bits);
        offset |= ports_low(split[k] & MACHINE_VALID ? others + 1 - nodes : nodes, bits);
    }
    return offset >= 1 && offset <= others ? offset : others;
}

static void access_table(const struct endpoint *e)
{
    struct endpoint_range *range = e->range;
    const bool mine = csim_get(&range->host_bank_i) == machine_splits_bank(&e->machine);
    const unsigned bits = machine_node_bits(&e->machine);
    uint32_t *word = &range->split[ports_low(csim_get(&e->host_row_i), e->machine.log2_splits)];
    if (csim_get(&e->host_re_memory_i))
        ports_set(&range->splits_rdata_o, mine ? *word : 0);
    if (csim_get(&range->host_we_table_i) && mine) {
        const uint32_t data = csim_get(&e->host_data_i);
        *word = (data & MACHINE_VALID) | split_others(data, bits) << MACHINE_SPLIT_OTHERS |
                ports_low(data, bits);
    }
}

/* -- Receiving --------------------------------------------------------------------------------- */

/* Returns whether a header is right: a range that begins with this node, the same for all packets.
 */
static bool is_right(const struct cycle *c, uint32_t node, const struct endpoint_range_node *r,
                     uint32_t header)
{
    const uint32_t last = ports_low(header, c->node_bits);
    return header >> c->node_bits == node && last >= node && last < c->e->nodes &&
           r->count < c->packets && (r->count == 0 || last == r->range_last);
}

static struct arrival receive_flit(const struct cycle *c, uint32_t node,
                                   struct endpoint_range_node *r, uint32_t lane, bool broken)
{
    const uint32_t valid = c->e->valid;
    struct arrival at = {.arrives = lane & valid,
                         .slot = ports_low(r->count, c->slot_bits),
                         .flit = r->receiving ? r->rx_flit : 0};
    const bool right = at.arrives && is_right(c, node, r, lane & (valid - 1));
    at.valid = r->receiving ? r->mine : right;
    at.more = at.flit != c->last_flit;
    at.completes = c->rx_en && at.valid && at.arrives && !at.more && !broken;
    if (c->rx_en && r->receiving) {
        r->rx_flit = ports_low(r->rx_flit + 1, c->flit_bits);
        r->receiving = at.more;
    } else if (c->rx_en && at.arrives) {
        if (right && r->count == 0) {
            r->range_last = ports_low(lane, c->node_bits);
            r->others = r->range_last - node;
        }
        r->rx_flit = ports_low(1, c->flit_bits);
        r->receiving = at.more;
        r->mine = right;
    }
    r->count += at.completes;
    return at;
}

/* Stores the flit, and raises the flags that it causes. */
static uint32_t store_flit(const struct cycle *c, uint32_t node, const struct arrival *at,
                           uint32_t lane)
{
    struct endpoint *e = c->e;
    const bool expected = c->rx_en && at->valid;
    if (expected)
        e->memory[((at->slot * e->nodes + node) << c->flit_bits) + at->flit] = lane;
    return at->arrives == expected ? 0 : at->arrives ? MACHINE_UNEXPECTED : MACHINE_MISSING;
}

/* -- Sending ----------------------------------------------------------------------------------- */

/* Returns the word on the lane of the next cycle. `others` and `heads` are those of this cycle. */
static uint32_t send_flit(const struct cycle *c, uint32_t node, struct endpoint_range_node *r,
                          uint32_t others, uint32_t sent)
{
    const struct endpoint *e = c->e;
    const bool begins = c->row_begins && c->tx_en && !r->sending && others != 0 && sent < r->count;
    uint32_t lane = 0;
    r->valid = c->tx_en && (begins || r->sending);
    if (begins) {
        /* offset and others of the next cycle, which nothing else changes before */
        lane = e->valid | ports_low(node + r->offset, c->node_bits) << c->node_bits |
               ports_low(node + r->others, c->node_bits);
        r->sending = c->last_flit != 0;
        r->slot = ports_low(sent, c->slot_bits);
        r->tx_flit = ports_low(1, c->flit_bits);
    } else if (r->valid) {
        lane = e->memory[((r->slot * e->nodes + node) << c->flit_bits) + r->tx_flit];
        r->sending = r->tx_flit != c->last_flit;
        r->tx_flit = ports_low(r->tx_flit + 1, c->flit_bits);
    }
    r->heads = begins;
    return lane;
}

/* Advances to the next packet of the message, or to the next message. */
static void finish_header(const struct cycle *c, struct endpoint_range_node *r, uint32_t offset)
{
    if (r->sent + 1 != c->packets) {
        r->sent++;
        return;
    }
    r->sent = 0;
    r->others = ports_low(offset - 1, c->node_bits);
}

static void begin_run(const struct cycle *c, uint32_t node, struct endpoint_range_node *r)
{
    const uint32_t start = c->start ? c->e->send_program[node] : 0;
    const uint32_t last = ports_low(start, c->node_bits);
    const bool source = start & MACHINE_VALID;
    *r = (struct endpoint_range_node){.range_last = r->range_last,
                                      .others = source && last > node ? last - node : 0,
                                      .offset = r->offset,
                                      .count = source ? c->packets : 0};
}

/* -- The edge ---------------------------------------------------------------------------------- */

/* Executes the edge for a node. Returns the flags that it raises; *lane is the word to send. */
static uint32_t step(const struct cycle *c, uint32_t node, uint32_t lane_i, bool lacks,
                     struct arrival *at, uint32_t *lane)
{
    struct endpoint *e = c->e;
    struct endpoint_range_node *r = &c->range->node[node];
    const uint32_t others = r->others, offset = r->offset, sent = r->sent;
    const bool heads = r->heads, broken = csim_read(&e->broken_q)[node];
    *at = receive_flit(c, node, r, lane_i, broken);
    if (heads)
        finish_header(c, r, offset);
    r->offset = next_offset(c, others);
    *lane = send_flit(c, node, r, others, sent);
    const uint32_t flags = store_flit(c, node, at, lane_i) | (lacks ? MACHINE_NOT_HELD : 0);
    if (c->clear) {
        begin_run(c, node, r);
        *lane = 0;
    }
    return flags;
}

/* Observes the packet that this cycle completes, if any. */
static void observe(const struct cycle *c, uint32_t node, const struct arrival *at, uint32_t flags,
                    uint32_t *obs)
{
    const uint32_t complete =
        csim_get(&c->e->rst_i) ? 0 : (at->completes ? MACHINE_VALID : 0) | at->slot;
    obs[node] = complete | flags << MACHINE_OBS_FLAGS;
}

static void step_nodes(const struct cycle *c)
{
    struct endpoint *e = c->e;
    const uint32_t *lane_i = csim_read(&e->lane_i), *now = csim_read(&e->flags_q);
    const uint32_t *broken_now = csim_read(&e->broken_q), *lacks = csim_read(&e->not_held);
    uint32_t *lane_o = csim_write(&e->lane_o), *flags_q = csim_write(&e->flags_q);
    uint32_t *broken_q = csim_write(&e->broken_q), *not_held = csim_write(&e->not_held);
    uint32_t *obs = csim_get(&e->rx_last_i) ? csim_write(&e->obs_o) : NULL, any = 0;
    for (uint32_t node = 0; node < e->nodes; node++) {
        struct arrival at;
        uint32_t flags = step(c, node, lane_i[node], lacks[node], &at, &lane_o[node]);
        bool broken = broken_now[node] || (flags & (MACHINE_UNEXPECTED | MACHINE_MISSING));
        if (c->rx_fetch && !(at.valid && at.more))
            broken = false;
        broken_q[node] = !c->clears_flags && broken;
        flags_q[node] = c->clears_flags ? 0 : now[node] | flags;
        not_held[node] = c->range->node[node].valid && !(lane_o[node] & e->valid);
        any |= lane_o[node];
        if (obs != NULL)
            observe(c, node, &at, flags_q[node], obs);
    }
    ports_set(&e->tx_flow_o, any != 0);
    ports_set(&e->node_first_o, c->clears_flags ? 0 : events_first(flags_q, e->nodes));
}

void endpoint_range_edge(void *state)
{
    struct endpoint *e = state;
    const uint32_t flits = csim_get(&e->flits_i);
    const struct cycle c = {
        .e = e,
        .range = e->range,
        .last_flit = ports_low(flits - 1, e->machine.log2_flits),
        .packets = csim_get(&e->range->packets_i),
        .node_bits = machine_node_bits(&e->machine),
        .flit_bits = e->machine.log2_flits,
        .slot_bits = e->machine.log2_packets,
        .tx_en = csim_get(&e->tx_en_i),
        .row_begins = csim_get(&e->range->wave_fetch_i),
        .rx_en = csim_get(&e->rx_en_i),
        .rx_fetch = csim_get(&e->rx_fetch_i),
        .clear = csim_get(&e->rst_i) || csim_get(&e->start_i),
        .start = csim_get(&e->start_i),
        .clears_flags = e->clears,
    };
    const bool moves = c.tx_en || c.rx_en || c.rx_fetch || c.clear || c.clears_flags ||
                       csim_get(&e->tx_flow_o) || csim_get(&e->rx_last_i);
    if (moves) {
        e->gathered = 0;
        e->busy = true;
    }
    if (moves || e->busy)
        step_nodes(&c);
    e->busy = moves;
    e->clears = c.clear;
    access_table(e);
    endpoint_host(e, c.clears_flags ? NULL : csim_read(&e->flags_q));
}

/* -- Building ---------------------------------------------------------------------------------- */

void endpoint_range_reset(struct endpoint *e)
{
    memset(e->range->node, 0, e->range->node_size);
    memset(e->range->split, 0, e->range->split_size);
    e->busy = false;
}

struct endpoint_range *endpoint_range_new(struct csim_module *module, const struct machine *machine)
{
    struct endpoint_range *range = csim_alloc(module, sizeof *range);
    if (range == NULL)
        return NULL;
    range->node_size = machine_ports(machine) * sizeof *range->node;
    range->split_size = sizeof *range->split << machine->log2_splits;
    range->node = csim_alloc(module, range->node_size);
    range->split = csim_alloc(module, range->split_size);
    return range->node != NULL && range->split != NULL ? range : NULL;
}

void endpoint_range_declare(struct endpoint_range *self, struct csim_module *module,
                            struct csim_process *process, const struct machine *machine)
{
    ENDPOINT_RANGE_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
}
