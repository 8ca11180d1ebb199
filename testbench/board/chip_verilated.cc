// SPDX-License-Identifier: Apache-2.0
// chip_verilated: implements chip.h with a bitstream's Verilog, compiled by Verilator.
#include "Vmachine.h"
#include "verilated.h"

#include <memory>
#include <new>

extern "C" {
#include "testbench/board/chip.h"
}

namespace
{

struct Chip {
    VerilatedContext context;
    std::unique_ptr<Vmachine> model;
};

void *create()
{
    Chip *chip = new (std::nothrow) Chip;
    if (chip == nullptr)
        return nullptr;
    chip->model.reset(new (std::nothrow) Vmachine{&chip->context});
    if (!chip->model) {
        delete chip;
        return nullptr;
    }
    chip->model->clk_i = 0;
    chip->model->rx_i = 1;
    chip->model->eval();
    return chip;
}

void destroy(void *self)
{
    delete static_cast<Chip *>(self);
}

void step(void *self, bool rx, chip_pins *pins)
{
    Vmachine &model = *static_cast<Chip *>(self)->model;
    model.rx_i = rx;
    model.clk_i = 0;
    model.eval();
    model.clk_i = 1;
    model.eval();
    pins->tx = model.tx_o;
    pins->run = model.run_o;
    pins->done = model.done_o;
    pins->strobe = model.strobe_o;
    pins->obs = reinterpret_cast<const uint32_t *>(&model.obs_o);
}

} // namespace

extern "C" __attribute__((visibility("default")))
const chip_library chip_entry = {create, destroy, step};
