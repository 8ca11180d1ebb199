/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/examples/crossbar.h"

/* At the edge: reads the present values and writes the next values of all elements. */
static void crossbar_move(void *state)
{
    struct crossbar *x = state;
    const uint32_t *in = csim_read(&x->in);
    const uint32_t *select = csim_read(&x->select);
    uint32_t *out = csim_write(&x->out);
    for (uint32_t o = 0; o < x->ports; o++)
        out[o] = select[o] == 0 ? 0 : in[select[o] - 1];
    x->moved += csim_get(&x->busy);
}

/* Between edges: computes the output from the inputs alone. */
static void crossbar_count(void *state)
{
    struct crossbar *x = state;
    const uint32_t *select = csim_read(&x->select);
    uint32_t busy = 0;
    for (uint32_t o = 0; o < x->ports; o++)
        busy += select[o] != 0;
    csim_put(&x->busy, busy);
}

static void crossbar_reset(void *state)
{
    struct crossbar *x = state;
    x->moved = 0;
}

struct crossbar *crossbar_new(struct csim_module *parent, const char *name, uint32_t ports,
                              unsigned width)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct crossbar *x = csim_state(module, sizeof *x);
    if (x == NULL)
        return NULL;
    x->ports = ports;
    csim_on_reset(module, crossbar_reset);
    csim_input(module, &x->in, width, ports, "in");
    csim_input(module, &x->select, 8, ports, "select");
    csim_output(module, &x->out, width, ports, "out");
    csim_output(module, &x->busy, 8, 1, "busy");

    struct csim_process *move = csim_clocked(module, "move", crossbar_move);
    csim_reads(move, &x->in);
    csim_reads(move, &x->select);
    csim_reads(move, &x->busy);
    csim_writes(move, &x->out);

    struct csim_process *count = csim_combinational(module, "count", crossbar_count);
    csim_reads(count, &x->select);
    csim_writes(count, &x->busy);
    return x;
}
