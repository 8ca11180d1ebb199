/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_build: memory, ports and reset of the endpoints. */
#include "csim/shell/endpoint.h"

#include <string.h>

#include "csim/shell/endpoint_range.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"

/* Resets the endpoints: nothing is sent before a row is fetched, and padding lanes never send. */
static void endpoint_reset(void *state)
{
    struct endpoint *e = state;
    memset(e->send_program, 0, e->program_size);
    memset(e->recv_program, 0, e->program_size);
    memset(e->memory, 0, e->memory_size);
    if (e->range != NULL)
        endpoint_range_reset(e);
    if (e->arrived != NULL)
        endpoint_node_reset(e);
    for (uint32_t node = 0; node < e->padded; node++) {
        e->tx.at[node] = e->no_packet;
        e->rx.at[node] = e->trash;
        e->tx.mark[node] = e->rx.mark[node] = 0;
    }
    e->lacking = e->filled = e->first = e->gathered = 0;
    e->streams = e->loads_first = e->sending = e->more = false;
    e->clears = false;
    e->any_not_held = e->any_flag = e->any_broken = e->any_combining = e->any_lacks = false;
}

static bool endpoint_allocate_direction(struct endpoint_direction *direction,
                                        struct csim_module *module, uint32_t padded)
{
    direction->at = csim_alloc(module, (padded + 1) * sizeof *direction->at);
    direction->mark = csim_alloc(module, (padded + 1) * sizeof *direction->mark);
    direction->words = csim_alloc(module, (size_t)padded * BLOCK_FLITS * sizeof *direction->words);
    return direction->at != NULL && direction->mark != NULL && direction->words != NULL;
}

static bool endpoint_allocate(struct endpoint *e, struct csim_module *module)
{
    uint32_t flits = UINT32_C(1) << e->machine.log2_flits;
    e->no_packet = e->nodes * flits << e->machine.log2_packets;
    e->trash = e->no_packet + flits;
    e->program_size =
        ((size_t)e->padded << machine_log2_program_rows(&e->machine)) * sizeof *e->send_program;
    /* The block that is read at the last packet may extend beyond it. */
    e->memory_size = ((size_t)e->trash + flits + BLOCK_FLITS) * sizeof *e->memory;
    e->send_program = csim_alloc(module, e->program_size);
    e->recv_program = csim_alloc(module, e->program_size);
    e->memory = csim_alloc(module, e->memory_size);
    if (e->machine.combines) {
        e->combining = csim_alloc(module, e->nodes * sizeof *e->combining);
        e->lacks = csim_alloc(module, e->nodes * sizeof *e->lacks);
        if (e->combining == NULL || e->lacks == NULL)
            return false;
    }
    if (machine_keeps_received(&e->machine) && !endpoint_node_allocate(e, module))
        return false;
    return e->send_program != NULL && e->recv_program != NULL && e->memory != NULL &&
           endpoint_allocate_direction(&e->tx, module, e->padded) &&
           endpoint_allocate_direction(&e->rx, module, e->padded);
}

static void endpoint_phase(struct endpoint_phase *phase, struct csim_module *module,
                           struct csim_process *process, const struct machine *machine,
                           const char *setting_phase, const char *base)
{
    csim_input(module, &phase->setting_phase_i, machine->log2_period, 1, "%s", setting_phase);
    csim_input(module, &phase->base_i, machine_offset_bits(machine), 1, "%s", base);
    csim_reads(process, &phase->setting_phase_i);
    csim_reads(process, &phase->base_i);
}

static void endpoint_vectors(struct endpoint *self, struct csim_module *module,
                             struct csim_process *process)
{
    unsigned lane_width = wide_words_lane_bits(&self->machine) + 1;
    csim_input(module, &self->lane_i, lane_width, self->nodes, "lane_i");
    csim_output(module, &self->lane_o, lane_width, self->nodes, "lane_o");
    csim_output(module, &self->obs_o, 32, self->nodes, "obs_o");
    csim_signal(module, &self->send, 32, self->nodes, "send");
    csim_signal(module, &self->recv, 32, self->nodes, "recv");
    csim_signal(module, &self->flags_q, 3, self->nodes, "flags_q");
    csim_signal(module, &self->broken_q, 1, self->nodes, "broken_q");
    csim_signal(module, &self->not_held, 1, self->nodes, "not_held");
    csim_reads(process, &self->lane_i);
    if (self->lists) {
        csim_input(module, &self->list_i, 32, self->nodes, "list_i");
        csim_output(module, &self->count_o, self->machine.log2_packets, self->nodes, "count_o");
        csim_reads(process, &self->list_i);
        csim_writes(process, &self->count_o);
    }
    csim_writes(process, &self->lane_o);
    csim_writes(process, &self->obs_o);
    csim_writes(process, &self->send);
    csim_writes(process, &self->recv);
    csim_writes(process, &self->flags_q);
    csim_writes(process, &self->broken_q);
    csim_writes(process, &self->not_held);
}

struct endpoint *endpoint_new(struct csim_module *parent, const char *name,
                              const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct endpoint *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->machine = *machine;
    self->nodes = machine_ports(machine);
    self->padded = csim_padded(self->nodes);
    self->valid = UINT32_C(1) << wide_words_lane_bits(machine);
    self->lists = machine_is_autonomous(machine);
    self->headers = machine_header_flits(machine);
    self->wide = machine->width > MACHINE_WORD_WIDTH ? wide_words_new(module, machine) : NULL;
    self->range = machine->ranges ? endpoint_range_new(module, machine) : NULL;
    if (!endpoint_allocate(self, module) || (machine->ranges && self->range == NULL) ||
        (machine->width > MACHINE_WORD_WIDTH && self->wide == NULL))
        return NULL;
    csim_on_reset(module, endpoint_reset);
    struct csim_process *process =
        csim_clocked(module, "edge", machine->ranges ? endpoint_range_edge : endpoint_edge);
    ENDPOINT_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    endpoint_vectors(self, module, process);
    if (machine->ranges)
        endpoint_range_declare(self->range, module, process, machine);
    if (machine->computed) {
        PORTS_INPUT_DECLARE(packets, machine->log2_packets + 1)
        PORTS_INPUT_DECLARE(stream, 1)
        endpoint_phase(&self->tx_phase, module, process, machine, "setting_phase_i", "base_i");
        endpoint_phase(&self->rx_phase, module, process, machine, "rx_setting_phase_i",
                       "rx_base_i");
    }
    if (machine->combines) {
        PORTS_INPUT_DECLARE(operation, MACHINE_OPERATOR_BITS)
    }
    return self;
}
