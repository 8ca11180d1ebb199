/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_host: csim and the RTL have equal outputs in every cycle, for any sequence of host accesses.
 *
 * The first byte selects the machine, and whether an image is loaded first; then follow reads,
 * writes, runs, resets of one cycle, starts during a run and idle cycles. Runs are those that
 * machine_check_run accepts. No receive program continues a packet in the next row, which is valid
 * only in runs without barriers (machine.h).
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/engine/engine.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/machines.h"

#include <inttypes.h>
#include <string.h>

#define MOST_CYCLES 20000

struct host {
    struct machine machine;
    struct engine csim, rtl;
    struct dut_outputs outputs;
    bool active; /* from a start until it is done, or reset */
    uint64_t cycle;
};

static bool same(const struct host *host, const struct dut_outputs *seen)
{
    const struct dut_outputs *first = &host->outputs;
    return first->busy == seen->busy && first->run == seen->run && first->done == seen->done &&
           first->obs_strobe == seen->obs_strobe && first->host_rdata == seen->host_rdata &&
           first->host_error == seen->host_error && first->error == seen->error &&
           first->irq == seen->irq &&
           (!first->obs_strobe ||
            memcmp(first->obs, seen->obs, machine_ports(&host->machine) * sizeof *seen->obs) == 0);
}

static void step(struct host *host, struct dut_inputs inputs)
{
    struct dut_outputs seen;
    host->csim.ops->step(host->csim.self, &inputs, &host->outputs);
    inputs.host_wdata ^= FUZZ_FAULT;
    host->rtl.ops->step(host->rtl.self, &inputs, &seen);
    if (!same(host, &seen))
        fuzz_fail("cycle %" PRIu64 ": csim run %d done %d strobe %d rdata %08" PRIx32
                  ", rtl run %d done %d strobe %d rdata %08" PRIx32,
                  host->cycle, host->outputs.run, host->outputs.done, host->outputs.obs_strobe,
                  host->outputs.host_rdata, seen.run, seen.done, seen.obs_strobe, seen.host_rdata);
    host->active = !inputs.rst && (inputs.start || (host->active && !host->outputs.done));
    host->cycle++;
}

static void reset(struct host *host)
{
    step(host, (struct dut_inputs){.rst = true});
}

static void write_word(struct host *host, uint32_t address, uint32_t word)
{
    step(host, (struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word});
}

static void load(struct host *host)
{
    struct bundle bundle;
    machines_bundle(MACHINE_FULL, &bundle);
    for (size_t k = 0; k < bundle.image.count; k++)
        write_word(host, bundle.image.word[k].address, bundle.image.word[k].word);
    bundle_free(&bundle);
}

/* Draws a run with barriers that the machine accepts. */
static bool draw_run(struct fuzz_bytes *bytes, const struct machine *machine, struct run *run)
{
    uint32_t least = machine_header_flits(machine) + 1;
    *run = (struct run){.rows = fuzz_take(bytes, (1u << machine->log2_rows) + 1),
                        .flits = least + fuzz_take(bytes, 1u << machine->log2_flits),
                        .single_port = fuzz_take(bytes, 1u + machine_hops(machine))};
    run->row_cycles = machine_row_cycles(machine, run->flits) + fuzz_take(bytes, 4);
    if (machine_has_setting_period(machine)) {
        run->period = 1 + fuzz_take(bytes, 1u << machine->log2_period);
        run->first = fuzz_take(bytes, run->period);
    }
    return machine_check_run(machine, run, "drawn", NULL);
}

/* Writes the run registers, waits one cycle until they reach the sequencer, and starts. */
static void start(struct fuzz_bytes *bytes, struct host *host)
{
    struct run run;
    uint32_t word;
    if (host->active || !draw_run(bytes, &host->machine, &run))
        return;
    for (uint32_t which = 0; which < 16; which++)
        if (machine_run_word(&host->machine, &run, which, &word))
            write_word(host, which, word);
    step(host, (struct dut_inputs){0});
    step(host, (struct dut_inputs){.start = true});
}

/* Draws an address: mostly of existing words, with small numbers; sometimes arbitrary bits. */
static uint32_t draw_address(struct fuzz_bytes *bytes)
{
    uint32_t region = fuzz_take(bytes, 8), field = fuzz_take(bytes, 65536);
    uint32_t all = field % 31 == 30 ? MACHINE_ALL_NODES : 0;
    if (region == 7)
        region = MACHINE_REGISTER;
    if (region == MACHINE_REGISTER)
        field %= MACHINE_REGISTERS;
    return all | region << 28 | field;
}

static uint32_t draw_word(struct fuzz_bytes *bytes)
{
    uint32_t word = fuzz_take(bytes, 65536);
    uint32_t valid = word & 1 ? MACHINE_VALID : 0;
    return word % 4 == 3 ? (word * UINT32_C(0x10001)) & ~MACHINE_MORE : word / 4 % 64 | valid;
}

static void act(struct fuzz_bytes *bytes, struct host *host)
{
    uint32_t what = fuzz_take(bytes, 16);
    struct dut_inputs inputs = {0};
    if (what == 0) {
        reset(host);
    } else if (what == 1) {
        start(bytes, host);
    } else if (what < 5) {
        for (uint32_t k = fuzz_take(bytes, 256); k > 0; k--)
            step(host, inputs);
    } else {
        inputs.host_addr = draw_address(bytes);
        inputs.host_re = what < 10;
        inputs.host_we = !inputs.host_re;
        inputs.start = what == 15 && host->active; /* a start during a run, which has no effect */
        inputs.host_wdata = inputs.host_we ? draw_word(bytes) : 0;
        step(host, inputs);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, data + size};
    uint32_t first = fuzz_take(&bytes, MACHINES + 1);
    struct host host = {.machine = machines_make(first % MACHINES)};
    struct err err = {0};
    if (!machines_have_rtl(&host.machine))
        return 0;
    fuzz_holds(engine_open(ENGINE_CSIM, &host.machine, false, &host.csim, &err) &&
                   engine_open(ENGINE_RTL, &host.machine, false, &host.rtl, &err),
               &err, "an engine");
    reset(&host);
    if (first == MACHINES) {
        for (uint32_t k = machine_latency(&host.machine) + 3; k > 0; k--)
            step(&host, (struct dut_inputs){0});
        load(&host);
    }
    while (fuzz_more(&bytes) && host.cycle < MOST_CYCLES)
        act(&bytes, &host);
    engine_close(&host.csim);
    engine_close(&host.rtl);
    return 0;
}
