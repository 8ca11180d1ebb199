/* second_engine: make two engines in lockstep differ on purpose. */
#ifndef ROUNDCAST_SECOND_ENGINE_H
#define ROUNDCAST_SECOND_ENGINE_H

#include "testbench/run/bench.h"

/* Write a word into the second engine only, while the first one idles. */
static inline void write_second(struct bench *bench, uint32_t address, uint32_t word)
{
    struct dut_outputs outputs;
    const struct dut_inputs inputs[] = {{.host_we = true, .host_addr = address, .host_wdata = word}, {0}};
    for (unsigned k = 0; k < 2; k++) {
        bench->engine[0].ops->step(bench->engine[0].self, &inputs[1], &bench->outputs);
        bench->engine[1].ops->step(bench->engine[1].self, &inputs[k], &outputs);
    }
}

#endif
