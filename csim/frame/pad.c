/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/frame/pad.h"

#include <string.h>

static void pad_edge(void *state)
{
    struct pad *p = state;
    bool flow = csim_read(&p->flow_i)[p->at];
    if (!csim_get(&p->ce_i) || (!flow && p->zero))
        return;
    memcpy(csim_write(&p->lanes_o), csim_read(&p->lanes_i), p->lanes * sizeof(uint32_t));
    p->zero = !flow;
}

static void pad_reset(void *state)
{
    struct pad *p = state;
    p->zero = true;
}

struct pad *pad_new(struct csim_module *parent, const struct machine *machine, unsigned number,
                    unsigned registers, unsigned depth)
{
    struct csim_module *module = csim_module(parent, "pad%u", number);
    struct pad *p = csim_state(module, sizeof *p);
    if (p == NULL)
        return NULL;
    p->lanes = machine_ports(machine);
    p->at = registers == 0 ? 0 : registers - 1;
    csim_on_reset(module, pad_reset);
    csim_input(module, &p->ce_i, 1, 1, "ce_i");
    csim_input(module, &p->flow_i, 1, registers == 0 ? 1 : depth, "flow_i");
    csim_input(module, &p->lanes_i, machine->width + 1, p->lanes, "lanes_i");
    csim_output(module, &p->lanes_o, machine->width + 1, p->lanes, "lanes_o");
    struct csim_process *edge = csim_clocked(module, "edge", pad_edge);
    csim_reads(edge, &p->ce_i);
    csim_reads(edge, &p->flow_i);
    csim_reads(edge, &p->lanes_i);
    csim_writes(edge, &p->lanes_o);
    return p;
}
