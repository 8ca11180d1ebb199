// SPDX-License-Identifier: Apache-2.0
// dut_coverage: writes the coverage counters of an engine's models to a file.
//
// Each model has its own counters. They are added, and written when the library is unloaded: to
// $ROUNDCAST_COVERAGE/NAME.PROCESS.dat, point by point as Verilator writes them, separately for
// each instance. Nothing is written without that variable.
#ifndef ROUNDCAST_DUT_COVERAGE_H
#define ROUNDCAST_DUT_COVERAGE_H

#include "Vmachine___024root.h"
#include "Vmachine__Syms.h"
#include "verilated_cov.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

// Its model is never clocked: the counters are the sums.
struct Covered {
    VerilatedContext context;
    Vmachine model{&context};

    void add(const Vmachine &of)
    {
        const auto &from = of.rootp->vlSymsp->__Vcoverage;
        auto &sum = model.rootp->vlSymsp->__Vcoverage;
        for (size_t point = 0; point < sizeof sum / sizeof *sum; point++)
            sum[point] = sum[point] + from[point];
    }

    ~Covered()
    {
        const char *folder = std::getenv("ROUNDCAST_COVERAGE");
        if (folder == nullptr)
            return;
        const std::string name = std::string(folder) + "/" DUT_COVERED;
        context.coveragep()->forcePerInstance(true);
        context.coveragep()->write((name + "." + std::to_string(getpid()) + ".dat").c_str());
    }
};

void add_coverage(const Vmachine &of)
{
    static Covered covered;
    covered.add(of);
}

} // namespace

#endif
