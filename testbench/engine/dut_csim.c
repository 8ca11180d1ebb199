/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/dut_csim.h"

#include <stdio.h>
#include <stdlib.h>

#include "csim/kernel/trace.h"
#include "csim/multistage/multistage_machine.h"
#include "csim/routers/router_machine.h"
#include "csim/shell/endpoint.h"
#include "sched/machine/machine.h"

struct dut_csim {
    struct csim *sim;
#define PIN(name, pin, width) struct csim_signal name;
#define FIELD(name, width) struct csim_signal name;
    SHELL_INPUTS(PIN)
    SHELL_OUTPUTS(FIELD)
#undef PIN
#undef FIELD
    struct csim_signal obs;
    struct dut_inputs driven; /* the present values of the inputs; most of them do not change */
    struct csim_trace *trace; /* NULL unless one is open */
    const struct wide_words *wide; /* of flits above 31 bits; else NULL */
};

static struct shell *cube_shell(struct csim_module *root, const struct machine *machine)
{
    struct cube_machine *cube = cube_machine_new(root, "machine", machine);
    return cube == NULL ? NULL : &cube->base.shell;
}

static struct shell *tree_shell(struct csim_module *root, const struct machine *machine)
{
    struct fat_tree_machine *tree = fat_tree_machine_new(root, "machine", machine);
    return tree == NULL ? NULL : &tree->base.shell;
}

static struct shell *multistage_shell(struct csim_module *root, const struct machine *machine)
{
    struct multistage_machine *multistage = multistage_machine_new(root, "machine", machine);
    return multistage == NULL ? NULL : &multistage->shell;
}

/* Builds a machine of each kind. Returns the machine's shell, whose pins are the ports of dut.h;
 * NULL if a building call failed. */
static struct shell *(*const machines[MACHINE_KINDS])(struct csim_module *root,
                                                      const struct machine *machine) = {
    [MACHINE_MULTISTAGE] = multistage_shell,
    [MACHINE_FAT_TREE] = tree_shell,
    [MACHINE_FAT_TREE_AUTO] = tree_shell,
    [MACHINE_CUBE] = cube_shell,
    [MACHINE_CUBE_AUTO] = cube_shell};

static bool dut_csim_build(struct dut_csim *dut, const struct machine *machine, struct err *err)
{
    dut->sim = csim_create();
    struct csim_module *root = csim_root(dut->sim);
    if (root == NULL)
        return err_no_memory(err, "a simulator");
    struct shell *m = machines[machine->kind](root, machine);
    if (m == NULL)
        return csim_elaborate(dut->sim, err);
    dut->wide = m->endpoint->wide;
#define INPUT(name, pin, width)                     \
    csim_signal(root, &dut->name, (width), 1, pin); \
    csim_bind(&m->name, &dut->name);                \
    csim_external(&dut->name);
#define OUTPUT(name, width)                                \
    csim_signal(root, &dut->name, (width), 1, #name "_o"); \
    csim_bind(&m->name, &dut->name);
    SHELL_INPUTS(INPUT)
    SHELL_OUTPUTS(OUTPUT)
#undef INPUT
#undef OUTPUT
    csim_signal(root, &dut->obs, 32, machine_ports(machine), "obs_o");
    csim_bind(&m->obs, &dut->obs);
    return csim_elaborate(dut->sim, err);
}

static void dut_csim_destroy(void *self)
{
    struct dut_csim *dut = self;
    csim_trace_close(dut->trace, NULL);
    csim_destroy(dut->sim);
    free(dut);
}

void *dut_csim_create(const struct machine *machine, struct err *err)
{
    if (!machine_check(machine, err))
        return NULL;
    struct dut_csim *dut = calloc(1, sizeof *dut);
    if (dut == NULL) {
        err_no_memory(err, "an engine");
        return NULL;
    }
    if (!dut_csim_build(dut, machine, err)) {
        dut_csim_destroy(dut);
        return NULL;
    }
    return dut;
}

#define MOST_BYTES ((size_t)64 << 20)

bool dut_csim_mark(void *self)
{
    struct dut_csim *dut = self;
    return csim_mark(dut->sim, MOST_BYTES);
}

void dut_csim_rewind(void *self)
{
    struct dut_csim *dut = self;
    csim_rewind(dut->sim);
    dut->driven = (struct dut_inputs){0};
}

static bool same_inputs(const struct dut_inputs *a, const struct dut_inputs *b)
{
    return a->rst == b->rst && a->start == b->start && a->host_we == b->host_we &&
           a->host_re == b->host_re && a->host_addr == b->host_addr &&
           a->host_wdata == b->host_wdata;
}

static void drive(struct dut_csim *dut, const struct dut_inputs *inputs)
{
    *csim_poke(dut->rst_pin.net) = inputs->rst;
    *csim_poke(dut->start_pin.net) = inputs->start;
    *csim_poke(dut->host_we.net) = inputs->host_we;
    *csim_poke(dut->host_re.net) = inputs->host_re;
    *csim_poke(dut->host_addr.net) = inputs->host_addr;
    *csim_poke(dut->host_wdata.net) = inputs->host_wdata;
    dut->driven = *inputs;
}

static struct dut_outputs outputs_of(const struct dut_csim *dut)
{
    return (struct dut_outputs){.busy = csim_get(&dut->busy),
                                .run = csim_get(&dut->run),
                                .done = csim_get(&dut->done),
                                .obs_strobe = csim_get(&dut->obs_strobe),
                                .host_error = csim_get(&dut->host_error),
                                .error = csim_get(&dut->error),
                                .irq = csim_get(&dut->irq),
                                .host_rdata = csim_get(&dut->host_rdata),
                                .obs = csim_read(&dut->obs)};
}

static void dut_csim_step(void *self, const struct dut_inputs *inputs, struct dut_outputs *outputs)
{
    struct dut_csim *dut = self;
    if (!same_inputs(inputs, &dut->driven))
        drive(dut, inputs);
    csim_cycle(dut->sim);
    *outputs = outputs_of(dut);
}

bool dut_csim_check(void *self, struct err *err)
{
    const struct dut_csim *dut = self;
    return dut->wide == NULL || !wide_words_failed(dut->wide) ||
           err_no_memory(err, "the flits of the packets");
}

uint64_t dut_csim_leap(void *self, uint64_t most, struct dut_outputs *outputs)
{
    struct dut_csim *dut = self;
    uint64_t cycles = dut->trace != NULL ? 0 : csim_leap(dut->sim, most);
    if (cycles != 0)
        *outputs = outputs_of(dut);
    return cycles;
}

static bool dut_csim_reported(const struct err *err, char *error, unsigned size)
{
    snprintf(error, size, "%s", err->text);
    return false;
}

static bool dut_csim_trace_open(void *self, const char *file, char *error, unsigned size)
{
    struct dut_csim *dut = self;
    struct err err = {0};
    dut->trace = csim_trace_open(dut->sim, file, NULL, &err);
    if (dut->trace == NULL)
        return dut_csim_reported(&err, error, size);
    csim_trace_enable(dut->trace, false);
    return true;
}

static void dut_csim_trace_enable(void *self, bool enable)
{
    struct dut_csim *dut = self;
    csim_trace_enable(dut->trace, enable);
}

static bool dut_csim_trace_close(void *self, char *error, unsigned size)
{
    struct dut_csim *dut = self;
    struct err err = {0};
    bool written = csim_trace_close(dut->trace, &err);
    dut->trace = NULL;
    return written || dut_csim_reported(&err, error, size);
}

struct csim *dut_csim_simulator(void *self)
{
    return ((struct dut_csim *)self)->sim;
}

const struct dut_ops dut_csim_ops = {.destroy = dut_csim_destroy,
                                     .step = dut_csim_step,
                                     .trace_open = dut_csim_trace_open,
                                     .trace_enable = dut_csim_trace_enable,
                                     .trace_close = dut_csim_trace_close};
