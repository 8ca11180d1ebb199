/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/pad.h"

struct pad *pad_new(struct csim_module *parent, const struct machine *machine, unsigned number,
                    unsigned registers, unsigned depth)
{
    struct csim_module *module = csim_module(parent, "pad%u", number);
    struct pad *p = csim_state(module, sizeof *p);
    if (p == NULL)
        return NULL;
    uint32_t lanes = machine_ports(machine);
    csim_input(module, &p->ce_i, 1, 1, "ce_i");
    csim_input(module, &p->flow_i, 1, registers == 0 ? 1 : depth, "flow_i");
    csim_input(module, &p->lanes_i, machine->width + 1, lanes, "lanes_i");
    csim_output(module, &p->lanes_o, machine->width + 1, lanes, "lanes_o");
    return p;
}
