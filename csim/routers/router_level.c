/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_level.h"

#include "csim/shell/events.h"
#include "sched/machine/machine_address.h"

#include <string.h>

/* -- Aims -------------------------------------------------------------------------------------- */

/* Routers whose nodes select the packets to send (cube_auto.h): rtl/routers/rc_router_core.sv
 * without a table or rules. */

/* With the first flit of a row: aims the outputs at the packets that aim_i selects. Raises the flag
 * `not held` if a selected place has received no packet. Returns whether any lane sends. O(ports of
 * the level). */
static bool router_aim(struct router_level *l)
{
    const uint32_t *aim = csim_read(&l->aim_i);
    bool any = false;
    for (uint32_t router = 0; router < l->routers; router++)
        for (uint32_t port = 0; port < l->ports; port++) {
            uint32_t word = aim[router * l->ports + port], at = l->none;
            uint32_t from = router_level_lane(l, router, word >> 16 & 0x7fff),
                     place = word & 0xffff;
            bool sends = word & MACHINE_VALID;
            if (sends && place < l->filled[from])
                at = router_level_address(l, from, place);
            else if (sends)
                router_level_raise(l, router, MACHINE_ROUTER_NOT_HELD);
            l->tx_at[router_level_lane(l, router, port)] = at;
            any |= at != l->none;
        }
    return any;
}

/* -- Sending ----------------------------------------------------------------------------------- */

/* Returns whether packets are sent in blocks. Packets of one or two flits would leave most of a
 * block empty. */
static bool level_in_blocks(const struct router_level *l)
{
    return l->machine.log2_flits > 1;
}

/* Sends a flit of the outputs to one side: from the block, or from the memory if packets do not
 * move in blocks. */
static void level_send_side(const struct router_level *l, uint32_t flit, uint32_t first,
                            uint32_t count, uint32_t *restrict out)
{
    const uint32_t *restrict at = l->tx_at + first, *restrict memory = l->memory;
    if (level_in_blocks(l))
        memcpy(out, router_level_block_row(l, l->tx_words, flit) + first, count * sizeof *out);
    else
        for (uint32_t k = 0; k < count; k++)
            out[k] = memory[at[k] + flit];
}

/* Sends a flit of every output. */
static void level_send_flit(struct router_level *l, uint32_t flit)
{
    if (level_in_blocks(l) && flit % BLOCK_FLITS == 0)
        block_load(l->tx_words, l->memory, l->tx_at, l->no_mark, flit, l->lanes);
    level_send_side(l, flit, 0, l->routers * l->child_ports, csim_write(&l->children_o));
    if (l->parent_ports != 0)
        level_send_side(l, flit, l->parents, l->routers * l->parent_ports,
                        csim_write(&l->parent_o));
}

/* Selects, with the first flit of a row, the packets that the level sends. Returns whether any
 * router sends. */
static bool level_aim(struct router_level *l)
{
    if (l->rules != NULL)
        return router_rules_aim(l);
    return l->aimed ? router_aim(l) : router_table_aim(l);
}

static void level_send(struct router_level *l)
{
    bool tx = csim_get(&l->tx_en_i);
    uint32_t flit = csim_get(&l->tx_flit_i);
    if (tx && flit == 0)
        l->sending = level_aim(l);
    if (tx && l->sending) {
        level_send_flit(l, flit);
    } else if (csim_get(&l->flow_o)) {
        memset(csim_write(&l->children_o), 0, l->routers * l->child_ports * sizeof(uint32_t));
        if (l->parent_ports != 0)
            memset(csim_write(&l->parent_o), 0, l->routers * l->parent_ports * sizeof(uint32_t));
    }
    ports_set(&l->flow_o, tx && l->sending);
}

/* -- Flags and host ---------------------------------------------------------------------------- */

/* Returns the flags of a router after this edge. */
static uint32_t level_flags_next(const struct router_level *l, uint32_t router, bool clear)
{
    return clear ? 0 : csim_read(&l->flags_q)[router] | l->raised[router];
}

static void level_flags(struct router_level *l, bool clear)
{
    if (clear ? !l->any_flag && !l->any_raised : !l->any_raised)
        return;
    uint32_t *next = csim_write(&l->flags_q);
    for (uint32_t router = 0; router < l->routers; router++) {
        next[router] = level_flags_next(l, router, clear);
        l->raised[router] = 0;
    }
    l->any_raised = false;
    l->any_flag = !clear;
    uint32_t first = events_first(next, l->routers);
    ports_set(&l->first_o, first == 0 ? 0 : first + l->first_router);
}

/* Serves the host. A read returns the flags after this edge, as in the RTL: 0 for a router that it
 * clears. */
static void level_host(struct router_level *l, bool clear)
{
    bool re = csim_get(&l->host_re_memory_i), we = csim_get(&l->host_we_table_i);
    if (!re && !we)
        return;
    uint32_t router = csim_get(&l->host_bank_i) - l->first_router;
    bool here = router < l->routers;
    uint32_t *word = here && l->table != NULL ? router_table_word(l, router) : NULL;
    if (re) {
        uint32_t *words = csim_write(&l->host_words_o);
        words[ROUTER_LEVEL_TABLE] = word == NULL ? 0 : *word;
        words[ROUTER_LEVEL_FLAGS] = here ? level_flags_next(l, router, clear) : 0;
    }
    if (we && word != NULL)
        *word = router_table_mask(l, csim_get(&l->host_data_i));
}

/* -- The edge ---------------------------------------------------------------------------------- */

static void level_clear(struct router_level *l)
{
    router_receive_clear(l);
    if (l->rules != NULL)
        router_rules_clear(l);
}

/* Stores before it loads, and does both before it fetches the words that they use, as the endpoints
 * do. */
static void level_edge(void *state)
{
    struct router_level *l = state;
    bool clear = csim_get(&l->rst_i) || csim_get(&l->start_i);
    if (csim_get(&l->rx_en_i))
        router_receive(l);
    if (clear)
        level_clear(l);
    if (csim_get(&l->tx_en_i) || csim_get(&l->flow_o))
        level_send(l);
    if (csim_get(&l->fetch_i) && l->table != NULL)
        router_table_fetch(l);
    level_host(l, clear);
    level_flags(l, clear);
}

/* Resets the level. Every word in a buffer has the valid bit, whatever its source: a router sends a
 * packet if one arrived in its slot (rc_router_core.sv). */
static void level_reset(void *state)
{
    struct router_level *l = state;
    for (uint32_t word = 0; word < l->buffers; word++)
        l->memory[word] = l->valid;
    if (l->table != NULL)
        memset(l->table, 0, l->table_size);
    for (uint32_t lane = 0; lane < l->lanes; lane++) {
        l->tx_at[lane] = l->none;
        l->rx_at[lane] = l->trash;
        l->rx_mark[lane] = 0;
    }
    memset(l->raised, 0, l->routers * sizeof *l->raised);
    l->any_raised = l->any_flag = l->sending = false;
    l->first = l->block = 0;
    level_clear(l);
}

/* -- Building ---------------------------------------------------------------------------------- */

static bool level_vector(struct csim_module *module, uint32_t **vector, uint32_t words)
{
    *vector = csim_alloc(module, words * sizeof **vector);
    return *vector != NULL;
}

/* Places the buffers. If an address has too few bits for their words, there is no memory for
 * them. */
static bool level_allocate_buffers(struct router_level *l, struct csim_module *module)
{
    uint32_t flits = UINT32_C(1) << l->machine.log2_flits;
    uint64_t buffers = (uint64_t)l->routers * l->ports * l->depth * flits;
    bool fit = buffers < UINT32_MAX - 4 * (uint64_t)flits - BLOCK_FLITS;
    l->buffers = l->none = (uint32_t)buffers;
    l->trash = l->none + flits;
    l->results = l->trash + flits;
    const uint64_t results = l->machine.combines ? (uint64_t)l->routers * flits : 0;
    fit = fit && buffers + results < UINT32_MAX - 4 * (uint64_t)flits - BLOCK_FLITS;
    /* The block that is read at the last packet may extend beyond it. */
    size_t words = (size_t)l->results + results + BLOCK_FLITS;
    l->memory = csim_alloc(module, fit ? words * sizeof *l->memory : SIZE_MAX / 2);
    for (uint32_t router = 0; l->memory != NULL && router < l->routers; router++)
        for (uint32_t port = 0; port < l->ports; port++)
            l->base[router_level_lane(l, router, port)] =
                (router * l->ports + port) * l->depth * flits;
    return l->memory != NULL;
}

static bool level_allocate(struct router_level *l, struct csim_module *module)
{
    uint32_t children = csim_padded(l->routers * l->child_ports);
    l->parents = children;
    l->lanes = children + csim_padded(l->routers * l->parent_ports);
    uint32_t **vectors[] = {&l->base,  &l->slot,    &l->filled, &l->tx_at,
                            &l->rx_at, &l->rx_mark, &l->no_mark};
    bool allocated = true;
    for (size_t v = 0; allocated && v < sizeof vectors / sizeof *vectors; v++)
        allocated = level_vector(module, vectors[v], l->lanes);
    return allocated && level_vector(module, &l->tx_words, l->lanes * BLOCK_FLITS) &&
           level_vector(module, &l->rx_words, l->lanes * BLOCK_FLITS) &&
           level_vector(module, &l->raised, l->routers) && level_allocate_buffers(l, module);
}

static void level_vectors(struct router_level *self, struct csim_module *module,
                          struct csim_process *process)
{
    unsigned lane_width = wide_words_lane_bits(&self->machine) + 1;
    uint32_t below = self->routers * self->child_ports, above = self->routers * self->parent_ports;
    csim_input(module, &self->children_i, lane_width, below, "children_i");
    csim_output(module, &self->children_o, lane_width, below, "children_o");
    csim_reads(process, &self->children_i);
    csim_writes(process, &self->children_o);
    if (above != 0) {
        csim_input(module, &self->parent_i, lane_width, above, "parent_i");
        csim_output(module, &self->parent_o, lane_width, above, "parent_o");
        csim_reads(process, &self->parent_i);
        csim_writes(process, &self->parent_o);
    }
    if (self->aimed) {
        csim_input(module, &self->aim_i, 32, self->routers * self->ports, "aim_i");
        csim_reads(process, &self->aim_i);
    }
    uint32_t settings = self->routers * (self->rules != NULL ? self->ports : self->columns);
    csim_signal(module, &self->setting, 32, settings, "setting");
    csim_signal(module, &self->flags_q, 3, self->routers, "flags_q");
    csim_output(module, &self->host_words_o, 32, ROUTER_LEVEL_WORDS, "host_words_o");
    csim_writes(process, &self->setting);
    csim_writes(process, &self->flags_q);
    csim_writes(process, &self->host_words_o);
    csim_output(module, &self->first_o, 32, 1, "first_o");
    csim_writes(process, &self->first_o);
}

struct router_level *router_level_new(struct csim_module *parent, const struct machine *machine,
                                      unsigned level)
{
    struct csim_module *module = csim_module(parent, "level%u", level);
    struct router_level *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    const struct topology *topology = &machine->topology;
    self->machine = *machine;
    self->level = level;
    self->first_router = topology->router_first[level];
    self->routers = wiring_level_routers(topology, level);
    self->ports = topology->router_ports[level];
    self->parent_ports = wiring_parent_lanes(topology, level);
    self->child_ports = self->ports - self->parent_ports;
    self->columns = self->ports * machine->reads;
    self->depth = machine->depth[level];
    self->valid = UINT32_C(1) << wide_words_lane_bits(machine);
    self->aimed = machine_is_autonomous(machine);
    bool rules = machine_is_self_timed(machine) && !self->aimed;
    bool built = level_allocate(self, module);
    if (built && !self->aimed)
        built = rules ? router_rules_new(self, module) : router_table_new(self, module);
    if (!built)
        return NULL;
    csim_on_reset(module, level_reset);
    struct csim_process *process = csim_clocked(module, "edge", level_edge);
    ROUTER_LEVEL_PORTS(PORTS_INPUT_DECLARE)
    PORTS_OUTPUT_DECLARE(flow, 1)
    if (machine->combines) {
        PORTS_INPUT_DECLARE(operation, MACHINE_OPERATOR_BITS)
    }
    level_vectors(self, module, process);
    return self;
}
