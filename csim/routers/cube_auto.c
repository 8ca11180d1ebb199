/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/cube_auto.h"

#include <string.h>

#include "csim/routers/router_level.h"
#include "sched/machine/machine_address.h"

/* -- Sending ----------------------------------------------------------------------------------- */

void cube_auto_make(struct cube_auto *a, uint32_t number, unsigned dimension,
                    enum cube_auto_kind kind, uint32_t which, uint32_t value)
{
    uint32_t header = (uint32_t)kind << (a->machine.width - 2) | cube_auto_low(a, ~which);
    a->mark[number * a->d + dimension - 1] = (struct cube_auto_mark){true, header, value};
    a->makes = true;
}

/* Chooses the packets that all nodes send in the fetched row. */
static void auto_choose(struct cube_auto *a)
{
    uint32_t row = csim_get(&a->row_i);
    memset(csim_write(&a->list_o), 0, a->lanes * sizeof(uint32_t));
    memset(csim_write(&a->aim_o), 0, a->lanes * sizeof(uint32_t));
    memset(a->mark, 0, a->lanes * sizeof *a->mark);
    a->makes = false;
    for (uint32_t number = 0; number < a->nodes; number++)
        if (row <= 2 * a->d)
            cube_auto_sums_send(a, number, row);
        else
            cube_auto_packets_send(a, number, row);
    a->row = row;
}

static void auto_send(struct cube_auto *a)
{
    bool tx = csim_get(&a->tx_en_i);
    uint32_t flit = csim_get(&a->tx_flit_i), valid = UINT32_C(1) << a->machine.width;
    uint32_t *marks = csim_write(&a->marks_o);
    for (uint32_t lane = 0; lane < a->lanes; lane++) {
        const struct cube_auto_mark *mark = &a->mark[lane];
        uint32_t word = flit == 0 ? mark->first : flit == 1 ? mark->value : 0;
        marks[lane] = tx ? (mark->made ? valid : 0) | word : 0;
    }
    a->marks = tx;
    ports_set(&a->flow_o, tx && a->makes);
}

/* -- Receiving --------------------------------------------------------------------------------- */

static void auto_take_last(struct cube_auto *a, const uint32_t *lanes)
{
    bool finish = true;
    for (uint32_t number = 0; number < a->nodes; number++) {
        struct cube_auto_node *node = &a->node[number];
        for (unsigned k = 1; k <= a->d; k++)
            if (lanes[number * a->d + node->order[k] - 1] >> a->machine.width)
                cube_auto_packets_take(a, number, node->order[k]);
        finish &= node->done == (UINT32_C(1) << a->d) - 1;
    }
    ports_set(&a->finish_o, finish);
}

static void auto_receive(struct cube_auto *a)
{
    const uint32_t *lanes = csim_read(&a->lanes_i);
    uint32_t flit = csim_get(&a->rx_flit_i), word = UINT32_MAX >> (32 - a->machine.width);
    for (uint32_t lane = 0; flit <= 1 && lane < a->lanes; lane++) {
        uint32_t number = lane / a->d;
        unsigned dimension = lane % a->d + 1;
        if (!(lanes[lane] >> a->machine.width))
            continue;
        if (flit == 0)
            a->node[number].header[dimension] = lanes[lane] & word;
        else if (a->row <= 2 * a->d)
            cube_auto_sums_take(a, number, dimension, cube_auto_low(a, lanes[lane]));
    }
    if (csim_get(&a->rx_last_i))
        auto_take_last(a, lanes);
}

/* -- Flags, start ------------------------------------------------------------------------------ */

static void auto_host(struct cube_auto *a)
{
    if (!csim_get(&a->host_re_memory_i))
        return;
    uint32_t number = csim_get(&a->host_bank_i);
    uint32_t *words = csim_write(&a->host_words_o);
    words[ROUTER_LEVEL_TABLE] = 0;
    words[ROUTER_LEVEL_FLAGS] =
        number < a->nodes && a->node[number].overflow ? MACHINE_ROUTER_OVERFLOW : 0;
}

/* Returns the first node that has overflowed, as a cause (events.h). */
static uint32_t auto_first(const struct cube_auto *a)
{
    for (uint32_t number = 0; number < a->nodes; number++)
        if (a->node[number].overflow)
            return MACHINE_ROUTER_OVERFLOW << MACHINE_ERROR_CAUSE_FLAGS_LOW | number;
    return 0;
}

/* Clears all state except the constants. */
static void auto_clear(struct cube_auto *a)
{
    for (uint32_t number = 0; number < a->nodes; number++) {
        struct cube_auto_node *node = &a->node[number];
        node->right = node->total = node->done = 0;
        node->overflow = false;
        memset(node->kept, 0, sizeof node->kept);
        memset(node->own, 0, sizeof node->own);
        memset(node->place, 0, sizeof node->place);
        memset(node->relay, 0, sizeof node->relay);
        for (unsigned tree = 1; tree <= a->d; tree++)
            node->queue[tree].head = node->queue[tree].count = 0;
    }
}

/* Begins a run with the lists as they are, and counts the packets of each node. */
static void auto_count(struct cube_auto *a)
{
    const uint32_t *count = csim_read(&a->count_i);
    for (uint32_t number = 0; number < a->nodes; number++)
        a->node[number].sum = a->node[number].count = count[number * a->d];
}

/* Receives before choosing, because the received packets belong to an earlier row. */
static void auto_edge(void *state)
{
    struct cube_auto *a = state;
    if (csim_get(&a->tx_en_i) || a->marks)
        auto_send(a);
    if (csim_get(&a->rx_en_i)) {
        auto_receive(a);
        ports_set(&a->first_o, auto_first(a));
    }
    if (csim_get(&a->rst_i) || csim_get(&a->start_i)) {
        auto_clear(a);
        auto_count(a);
        ports_set(&a->finish_o, 0);
        ports_set(&a->first_o, 0);
    }
    if (csim_get(&a->fetch_i))
        auto_choose(a);
    auto_host(a);
}

static void auto_reset(void *state)
{
    struct cube_auto *a = state;
    for (uint32_t number = 0; number < a->nodes; number++) {
        a->node[number].count = a->node[number].sum = 0;
        memset(a->node[number].header, 0, sizeof a->node[number].header);
    }
    memset(a->mark, 0, a->lanes * sizeof *a->mark);
    a->row = 0;
    a->makes = a->marks = false;
    auto_clear(a);
}

/* -- Building ---------------------------------------------------------------------------------- */

static bool auto_allocate(struct cube_auto *a, struct csim_module *module)
{
    uint32_t room = a->machine.queue[1];
    a->node = csim_alloc(module, a->nodes * sizeof *a->node);
    a->mark = csim_alloc(module, a->lanes * sizeof *a->mark);
    a->queue_memory = csim_alloc(module, (size_t)a->lanes * room * sizeof *a->queue_memory);
    if (a->node == NULL || a->mark == NULL || a->queue_memory == NULL)
        return false;
    for (uint32_t number = 0; number < a->nodes; number++) {
        cube_auto_wire(&a->node[number], number, a->d);
        for (unsigned tree = 1; tree <= a->d; tree++)
            a->node[number].queue[tree].packet =
                a->queue_memory + (size_t)(number * a->d + tree - 1) * room;
    }
    return true;
}

struct cube_auto *cube_auto_new(struct csim_module *parent, const char *name,
                                const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct cube_auto *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->machine = *machine;
    self->d = machine->topology.dimensions;
    self->nodes = machine->topology.nodes;
    self->lanes = machine_ports(machine);
    if (!auto_allocate(self, module))
        return NULL;
    csim_on_reset(module, auto_reset);
    struct csim_process *process = csim_clocked(module, "edge", auto_edge);
    CUBE_AUTO_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    PORTS_OUTPUT_DECLARE(flow, 1)
    csim_input(module, &self->lanes_i, machine->width + 1, self->lanes, "lanes_i");
    csim_output(module, &self->list_o, 32, self->lanes, "list_o");
    csim_output(module, &self->aim_o, 32, self->lanes, "aim_o");
    csim_output(module, &self->marks_o, machine->width + 1, self->lanes, "marks_o");
    csim_output(module, &self->host_words_o, 32, ROUTER_LEVEL_WORDS, "host_words_o");
    csim_input(module, &self->count_i, machine->log2_packets, self->lanes, "count_i");
    csim_reads(process, &self->lanes_i);
    csim_reads(process, &self->count_i);
    csim_writes(process, &self->list_o);
    csim_writes(process, &self->aim_o);
    csim_writes(process, &self->marks_o);
    csim_writes(process, &self->host_words_o);
    csim_output(module, &self->first_o, 32, 1, "first_o");
    csim_writes(process, &self->first_o);
    return self;
}
