/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/run/bench.h"

#include "testbench/run/progress.h"

#include <inttypes.h>
#include <string.h>

#define READ_LATENCY 3 /* rtl/shell/rc_host_port.sv */
#define SHOW_LATENCY 2 /* of a read of all nodes, to the observation port */
#define START_MARGIN 8 /* cycles from start to run, and from the last row to done, at most */

/* Name the first output in which two engines differ, as they do. */
static bool diverged(const struct bench *bench, unsigned other, const struct dut_outputs *seen,
                     struct err *err)
{
    const struct dut_outputs *first = &bench->outputs;
    const char *output = first->run != seen->run                 ? "run"
                         : first->done != seen->done             ? "done"
                         : first->obs_strobe != seen->obs_strobe ? "obs_strobe"
                         : first->host_rdata != seen->host_rdata ? "host_rdata"
                                                                 : "obs";
    char detail[80] = "";
    if (strcmp(output, "obs") == 0) {
        uint32_t node = 0;
        while (first->obs[node] == seen->obs[node])
            node++;
        snprintf(detail, sizeof detail, " of node %" PRIu32 " (%08" PRIx32 " and %08" PRIx32 ")",
                 node, first->obs[node], seen->obs[node]);
    }
    return err_set(err, ERR_DIVERGED,
                   "cycle %" PRIu64 ": %s and %s differ in %s%s; expected equal outputs",
                   bench->cycle, engine_name(bench->engine[0].kind),
                   engine_name(bench->engine[other].kind), output, detail);
}

static bool same_outputs(const struct bench *bench, const struct dut_outputs *seen)
{
    const struct dut_outputs *first = &bench->outputs;
    return first->run == seen->run && first->done == seen->done &&
           first->obs_strobe == seen->obs_strobe && first->host_rdata == seen->host_rdata &&
           (!first->obs_strobe ||
            memcmp(first->obs, seen->obs, machine_ports(&bench->machine) * sizeof *seen->obs) == 0);
}

static bool step(struct bench *bench, const struct dut_inputs *inputs, struct err *err)
{
    bench->engine[0].ops->step(bench->engine[0].self, inputs, &bench->outputs);
    for (unsigned other = 1; other < bench->engine_count; other++) {
        struct dut_outputs seen;
        bench->engine[other].ops->step(bench->engine[other].self, inputs, &seen);
        if (!same_outputs(bench, &seen))
            return diverged(bench, other, &seen, err);
    }
    bench->cycle++;
    return true;
}

static bool idle(struct bench *bench, unsigned cycles, struct err *err)
{
    for (unsigned k = 0; k < cycles; k++)
        if (!step(bench, &(struct dut_inputs){0}, err))
            return false;
    return true;
}

/* Is the hardware what we think it is? */
static bool check_registers(struct bench *bench, struct err *err)
{
    const struct machine *machine = &bench->machine;
    const struct {
        uint32_t address, expected;
        const char *name;
    } registers[] = {
        {MACHINE_ID, MACHINE_ID_WORD, "id"},
        {MACHINE_PORTS, machine_ports(machine), "ports"},
        {MACHINE_WIDTH, machine->width, "width"},
        {MACHINE_PACKETS, 1u << machine->log2_packets, "packets"},
        {MACHINE_FLITS, 1u << machine->log2_flits, "flits"},
        {MACHINE_ROWS, 1u << machine->log2_rows, "rows"},
        {MACHINE_LATENCY, machine_latency(machine), "latency"},
        {MACHINE_ROUTERS, machine_routers(machine), "routers"},
    };
    for (size_t k = 0; k < sizeof registers / sizeof *registers; k++) {
        uint32_t word;
        if (!bench_read(bench, registers[k].address, &word, err))
            return false;
        if (word != registers[k].expected)
            return err_set(
                err, ERR_OTHER_MACHINE, "engine %s: %s is %" PRIu32 "; expected %" PRIu32,
                engine_name(bench->engine[0].kind), registers[k].name, word, registers[k].expected);
    }
    return true;
}

bool bench_open(const enum engine_kind kinds[], unsigned count, const struct machine *machine,
                bool traced, struct bench *bench, struct err *err)
{
    *bench = (struct bench){.machine = *machine};
    bool opened = true;
    for (unsigned k = 0; opened && k < count; k++) {
        opened = engine_open(kinds[k], machine, traced && k == count - 1, &bench->engine[k], err);
        bench->engine_count += opened;
    }
    for (unsigned k = 0; opened && k < machine_latency(machine) + 3; k++)
        opened = step(bench, &(struct dut_inputs){.rst = true}, err);
    opened = opened && idle(bench, 1, err) && check_registers(bench, err);
    if (!opened)
        bench_close(bench);
    return opened;
}

bool bench_write(struct bench *bench, uint32_t address, uint32_t word, struct err *err)
{
    return step(bench,
                &(struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word},
                err);
}

bool bench_read_block(struct bench *bench, uint32_t address, uint32_t count, uint32_t word[],
                      struct err *err)
{
    for (uint32_t k = 0; k < count + READ_LATENCY - 1; k++) {
        struct dut_inputs inputs = {.host_re = k < count, .host_addr = address + k};
        if (!step(bench, &inputs, err))
            return false;
        if (k >= READ_LATENCY - 1)
            word[k - (READ_LATENCY - 1)] = bench->outputs.host_rdata;
    }
    return true;
}

bool bench_read(struct bench *bench, uint32_t address, uint32_t *word, struct err *err)
{
    return bench_read_block(bench, address, 1, word, err);
}

bool bench_read_nodes(struct bench *bench, uint32_t address, uint32_t count,
                      const struct bench_reader *reader, struct err *err)
{
    for (uint32_t k = 0; k < count + SHOW_LATENCY - 1; k++) {
        struct dut_inputs inputs = {.host_re = k < count,
                                    .host_addr = MACHINE_ALL_NODES | (address + k)};
        if (!step(bench, &inputs, err))
            return false;
        if (k >= SHOW_LATENCY - 1)
            reader->look(reader->self, k - (SHOW_LATENCY - 1), bench->outputs.obs);
    }
    return true;
}

bool bench_load(struct bench *bench, const struct image *image, struct err *err)
{
    if (memcmp(&image->machine, &bench->machine, sizeof image->machine) != 0)
        return err_set(err, ERR_OTHER_MACHINE,
                       "image: made for another machine; expected this one's parameters");
    struct progress progress = {0};
    if (bench->shows_progress)
        progress = progress_begin("words loaded", image->count);
    bool loaded = true;
    for (size_t k = 0; loaded && k < image->count; k++) {
        loaded = bench_write(bench, image->word[k].address, image->word[k].word, err);
        progress_update(&progress, k);
    }
    progress_end(&progress);
    return loaded && idle(bench, 1, err);
}

/* A step of the run, or as many as a lone engine does at once; then what lies between is shown, in
 * which nothing completes. How many; 0 with an error. */
static uint64_t advance(struct bench *bench, uint64_t most, const struct bench_observer *observer,
                        uint64_t *cycles, struct err *err)
{
    uint64_t leapt = 0;
    if (bench->engine_count == 1 && bench->outputs.run)
        leapt = engine_leap(&bench->engine[0], most, &bench->outputs);
    if (leapt == 0)
        return step(bench, &(struct dut_inputs){0}, err);
    bench->cycle++;
    for (uint64_t k = 1; k < leapt; k++, bench->cycle++, ++*cycles)
        if (!observer->observe(observer->self, *cycles, NULL, err))
            return 0;
    return leapt;
}

bool bench_run(struct bench *bench, const struct run *run, const struct bench_observer *observer,
               uint64_t *cycles, struct err *err)
{
    uint64_t most = machine_row_begin(run, run->rows, run->rows), limit = most + START_MARGIN;
    *cycles = 0;
    /* A register that was written in the last cycle reaches the sequencer in the next one. */
    if (!idle(bench, 1, err) || !step(bench, &(struct dut_inputs){.start = true}, err))
        return false;
    for (uint64_t k = 0, passed; k < limit; k += passed) {
        passed = advance(bench, limit - k, observer, cycles, err);
        if (passed == 0)
            return false;
        if (bench->outputs.run) {
            const uint32_t *obs = bench->outputs.obs_strobe ? bench->outputs.obs : NULL;
            if (!observer->observe(observer->self, *cycles, obs, err))
                return false;
            ++*cycles;
        } else if (bench->outputs.done) {
            return true;
        }
    }
    return err_set(err, ERR_TIME_OUT,
                   "cycle %" PRIu64 ": the machine is not done; expected it after %" PRIu64,
                   *cycles, most);
}

void bench_close(struct bench *bench)
{
    for (unsigned k = 0; k < bench->engine_count; k++)
        engine_close(&bench->engine[k]);
    *bench = (struct bench){0};
}
