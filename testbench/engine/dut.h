/* SPDX-License-Identifier: Apache-2.0 */
/* dut: the device under test, one C interface for every engine.
 *
 * An engine executes an image, without access to the schedule. The ports are those of
 * rtl/multistage/rc_multistage_machine.sv. One call of `step` is one clock cycle: the inputs are
 * applied, then comes the rising edge, and the outputs are the register values after it, which are
 * visible in the next cycle. (All outputs depend on registers alone, so they do not depend on the
 * inputs of their own cycle.)
 *
 * This header is also the binary interface of engines that are loaded at run time (the Verilated
 * ones): it is plain C, and such a library exports one symbol, `dut_entry`.
 */
#ifndef ROUNDCAST_DUT_H
#define ROUNDCAST_DUT_H

#include <stdbool.h>
#include <stdint.h>

struct dut_inputs {
    bool rst, start;
    bool host_we, host_re;
    uint32_t host_addr, host_wdata;
};

struct dut_outputs {
    bool busy, run, done, error, irq, obs_strobe, host_error;
    uint32_t host_rdata;
    const uint32_t *obs; /* obs[ports], meaningful while obs_strobe; valid until the next step */
};

/* A running engine; the functions of dut_ops take its `self`. */
struct dut_ops {
    void (*destroy)(void *self);
    void (*step)(void *self, const struct dut_inputs *inputs, struct dut_outputs *outputs);

    /* Writes a trace of every signal to an .fst file, from the next step on. At most one trace per
     * engine. Returns false, with a message in error[size], if the file cannot be created;
     * trace_close does so if it was not written completely. Tracing starts disabled; trace_enable
     * enables and disables it between steps. A cycle is 10 ns; cycle 0 is the first step after the
     * engine was created. */
    bool (*trace_open)(void *self, const char *file, char *error, unsigned size);
    void (*trace_enable)(void *self, bool enable);
    bool (*trace_close)(void *self, char *error, unsigned size);
};

/* The symbol `dut_entry` of a loadable engine. `create` returns an engine of the shape for which
 * the library was built; NULL without memory. */
struct dut_library {
    void *(*create)(void);
    struct dut_ops ops;
};

#endif
