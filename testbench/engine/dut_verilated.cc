// SPDX-License-Identifier: Apache-2.0
// dut_verilated: implements dut.h with a Verilated machine; the only C++ of the product.
//
// Each shape is compiled into its own library, with -DDUT_TRACED if the model can be traced, which
// makes a large model slow to compile, and with -DDUT_COVERED='"NAME"' if it counts coverage
// (qa/coverage/coverage_rtl.mk).
#include "Vmachine.h"
#include "verilated.h"
#ifdef DUT_TRACED
#include "verilated_fst_c.h"
#endif
#ifdef DUT_COVERED
#include "testbench/engine/dut_coverage.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

extern "C" {
#include "testbench/engine/dut.h"
}

namespace
{

struct Dut {
    VerilatedContext context;
    std::unique_ptr<Vmachine> model;
#ifdef DUT_TRACED
    std::unique_ptr<VerilatedFstC> trace;
    std::string file; // of the trace
#endif
    bool tracing = false;
    uint64_t cycle = 0;
};

// The observation port is one wide signal: for a 32-bit port a number, else an array of words.
template <class Port> const uint32_t *words(const Port &port)
{
    return reinterpret_cast<const uint32_t *>(&port);
}

void *create()
{
    Dut *dut = new (std::nothrow) Dut;
    if (dut == nullptr)
        return nullptr;
#ifdef DUT_TRACED
    dut->context.traceEverOn(true);
#endif
    dut->model.reset(new (std::nothrow) Vmachine{&dut->context});
    if (!dut->model) {
        delete dut;
        return nullptr;
    }
#ifdef DUT_MUTANTS
    const char *mutant = std::getenv("ROUNDCAST_MUTANT");
    dut->model->mutant_i = mutant == nullptr ? 0 : std::atoi(mutant);
#endif
    dut->model->clk_i = 0;
    dut->model->eval();
    return dut;
}

void destroy(void *self)
{
    Dut *dut = static_cast<Dut *>(self);
#ifdef DUT_COVERED
    add_coverage(*dut->model);
#endif
    delete dut;
}

#ifdef DUT_TRACED

void dump(Dut &dut, uint64_t time)
{
    dut.trace->dump(time);
}

bool trace_open(void *self, const char *file, char *error, unsigned size)
{
    Dut &dut = *static_cast<Dut *>(self);
    dut.trace.reset(new VerilatedFstC);
    dut.trace->set_time_unit("1ns");
    dut.trace->set_time_resolution("1ns");
    dut.model->trace(dut.trace.get(), 99);
    dut.trace->open(file);
    dut.file = file;
    if (dut.trace->isOpen())
        return true;
    std::snprintf(error, size, "%s: cannot be written; expected a file in a writable folder", file);
    dut.trace.reset();
    return false;
}

void trace_enable(void *self, bool enable)
{
    Dut &dut = *static_cast<Dut *>(self);
    dut.tracing = enable && dut.trace;
}

// A trace that was not written completely is empty (fst_files.h).
bool trace_close(void *self, char *error, unsigned size)
{
    Dut &dut = *static_cast<Dut *>(self);
    dut.tracing = false;
    if (!dut.trace)
        return true;
    dut.trace->close();
    dut.trace.reset();
    std::FILE *made = std::fopen(dut.file.c_str(), "rb");
    bool written = made != nullptr && std::fgetc(made) != EOF;
    if (made != nullptr)
        std::fclose(made);
    if (!written)
        std::snprintf(error, size, "not everything could be written; expected room on the disk");
    return written;
}

#else

void dump(Dut &, uint64_t)
{
}

bool trace_open(void *, const char *, char *error, unsigned size)
{
    std::snprintf(error, size, "this engine was built without tracing; expected a traced one");
    return false;
}

void trace_enable(void *, bool)
{
}

bool trace_close(void *, char *, unsigned)
{
    return true;
}

#endif

void step(void *self, const dut_inputs *inputs, dut_outputs *outputs)
{
    Dut &dut = *static_cast<Dut *>(self);
    Vmachine &model = *dut.model;
    model.rst_i = inputs->rst;
    model.start_i = inputs->start;
    model.host_we_i = inputs->host_we;
    model.host_re_i = inputs->host_re;
    model.host_addr_i = inputs->host_addr;
    model.host_wdata_i = inputs->host_wdata;
    model.clk_i = 0;
    model.eval();
    if (dut.tracing && dut.cycle > 0)
        dump(dut, 10 * dut.cycle - 5);
    model.clk_i = 1;
    model.eval();
    if (dut.tracing)
        dump(dut, 10 * dut.cycle);
    dut.cycle++;
    outputs->busy = model.busy_o;
    outputs->run = model.run_o;
    outputs->done = model.done_o;
    outputs->obs_strobe = model.obs_strobe_o;
    outputs->host_error = model.host_error_o;
    outputs->error = model.error_o;
    outputs->irq = model.irq_o;
    outputs->host_rdata = model.host_rdata_o;
    outputs->obs = words(model.obs_o);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const dut_library dut_entry = {
    create,
    {destroy, step, trace_open, trace_enable, trace_close},
};
