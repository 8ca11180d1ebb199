/* bench_machine: how fast do the engines simulate the whole machine, all ports busy?
 *
 * Every stage has 64 rows of seeded random settings, every node sends a packet of 64 flits in every
 * round, so that any settings make a permutation. A lane-stage is one flit moved through one stage; only
 * flits that endpoints sent are counted, not the cycles in which the pipeline drains.
 *
 *     bench_machine [LARGEST [TRACED]]     N = 64, 256, 1024, 4096 (csim alone), up to LARGEST (4096);
 *                                          the RTL traced up to TRACED (64), for such a model of more
 *                                          ports takes many minutes to compile
 */
#include "bench.h"
#include "rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SEED 20260101
#define ROWS 64
#define FLITS 64
#define SECONDS 2.0
#define TRACED_CYCLES 3000

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool count_receipts(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)cycle;
    (void)err;
    uint64_t *receipts = self;
    *receipts += obs != NULL && obs[0] & MACHINE_VALID;
    return true;
}

static bool load(struct bench *bench, struct err *err)
{
    const struct machine *machine = &bench->machine;
    struct rng rng = {SEED};
    bool loaded = true;
    for (uint32_t stage = 0; stage < machine_stages(machine); stage++)
        for (uint32_t row = 0; row < ROWS; row++)
            for (uint32_t column = 0; column < multistage_row_words(&machine->network); column++)
                loaded = loaded && bench_write(bench, machine_table_address(machine, stage, row, column),
                                               (uint32_t)rng_next(&rng), err);
    /* Packets 0 and 1 take turns: what is sent in a round was received in the one before. */
    for (uint32_t row = 0; row < ROWS; row++)
        loaded =
            loaded &&
            bench_write(bench, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_SEND, 0, row),
                        MACHINE_VALID | (row & 1), err) &&
            bench_write(bench, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_RECEIVE, 0, row),
                        MACHINE_VALID | (~row & 1), err);
    for (uint32_t node = 0; node < machine_ports(machine); node++)
        for (uint32_t flit = 0; flit < FLITS; flit++)
            loaded = loaded && bench_write(bench, machine_packet_address(machine, node, 0, flit),
                                           MACHINE_VALID | (uint32_t)(rng_next(&rng) & 0xffff), err);
    return loaded;
}

static bool run_once(struct bench *bench, uint64_t *cycles, struct err *err)
{
    const struct run run = {
        .rows = ROWS, .flits = FLITS, .row_cycles = FLITS + machine_latency(&bench->machine)};
    uint64_t receipts = 0, flags = 0, now_cycles;
    if (!bench_write(bench, MACHINE_RUN_ROWS, run.rows, err) ||
        !bench_write(bench, MACHINE_RUN_FLITS, run.flits, err) ||
        !bench_write(bench, MACHINE_RUN_ROW_CYCLES, run.row_cycles, err) ||
        !bench_run(bench, &run, &(struct bench_observer){&receipts, count_receipts}, &now_cycles, err))
        return false;
    for (uint32_t node = 0; node < machine_ports(&bench->machine); node++) {
        uint32_t word;
        if (!bench_read(bench, machine_flags_address(node), &word, err))
            return false;
        flags |= word;
    }
    *cycles += now_cycles;
    return (receipts == ROWS && flags == 0) ||
           err_set(err, ERR_BUG, "node 0 received %" PRIu64 " packets; expected %d and no flag", receipts,
                   ROWS);
}

static bool measure(enum engine_kind kind, unsigned log2_ports, bool traced, struct err *err)
{
    const struct machine machine = {.network = multistage_benes(UINT32_C(1) << log2_ports),
                                    .pipe = 1,
                                    .width = 16,
                                    .log2_packets = 1,
                                    .log2_flits = 6,
                                    .log2_rows = 6};
    const char *file = "build/bench/machine.fst";
    struct bench bench;
    char error[200];
    if (!bench_open(&kind, 1, &machine, traced, &bench, err))
        return false;
    uint64_t words = bench.cycle;
    double start = now();
    bool ran = load(&bench, err);
    double load_seconds = now() - start;
    words = bench.cycle - words;
    struct engine *engine = &bench.engine[0];
    if (ran && traced) {
        ran = engine->ops->trace_open(engine->self, file, error, sizeof error) ||
              err_set(err, ERR_WRITE, "%s", error);
        engine->ops->trace_enable(engine->self, true);
    }
    uint64_t cycles = 0, runs = 0;
    double seconds = 0;
    start = now();
    while (ran && (traced ? cycles < TRACED_CYCLES : seconds < SECONDS)) {
        ran = run_once(&bench, &cycles, err);
        runs++;
        seconds = now() - start;
    }
    if (traced)
        engine->ops->trace_close(engine->self, error, sizeof error);
    if (traced)
        unlink(file);
    double ports = machine_ports(&machine), stages = machine_stages(&machine);
    if (ran)
        printf("%6.0f  %-5s  %-5s  %10.0f  %8.3f  %8.3f  %8.0f\n", ports, engine_name(kind),
               traced ? "fst" : "off", (double)cycles / seconds,
               (double)runs * ROWS * FLITS * ports * stages / seconds * 1e-9,
               (double)cycles * ports * stages / seconds * 1e-9, load_seconds / (double)words * 1e9);
    fflush(stdout);
    bench_close(&bench);
    return ran;
}

int main(int argc, char **argv)
{
    unsigned long largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 4096;
    unsigned long traced = argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
    struct err err = {0};
    bool measured = true;
    printf(
        "whole machine, %d random rows, %d flits of 16 bits a packet, seed %d; G lane-stages per CPU-second\n"
        " ports  engine trace   cycles/s     flits      wire  ns/write\n",
        ROWS, FLITS, SEED);
    for (unsigned log2_ports = 6; log2_ports <= 12 && 1ul << log2_ports <= largest; log2_ports += 2)
        for (int kind = ENGINE_CSIM; kind <= ENGINE_RTL; kind++) {
            if (kind == ENGINE_RTL && 1ul << log2_ports > MACHINE_MAX_RTL_PORTS)
                continue;
            measured = measured && measure((enum engine_kind)kind, log2_ports, false, &err);
            if (kind == ENGINE_CSIM ? log2_ports <= 10 : 1ul << log2_ports <= traced)
                measured = measured && measure((enum engine_kind)kind, log2_ports, true, &err);
        }
    if (!measured)
        err_print(stderr, &err);
    return measured ? 0 : err_exit_status(err.code);
}
