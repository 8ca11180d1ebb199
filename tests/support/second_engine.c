/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/second_engine.h"

void second_engine_write(struct testbench *testbench, uint32_t address, uint32_t word)
{
    struct dut_outputs outputs;
    const struct dut_inputs inputs[] = {{.host_we = true, .host_addr = address, .host_wdata = word},
                                        {0}};
    for (unsigned k = 0; k < 2; k++) {
        testbench->engine[0].ops->step(testbench->engine[0].self, &inputs[1], &testbench->outputs);
        testbench->engine[1].ops->step(testbench->engine[1].self, &inputs[k], &outputs);
    }
}
