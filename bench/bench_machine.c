/* SPDX-License-Identifier: Apache-2.0 */
/* bench_machine: the speed at which engines simulate the whole machine with all ports busy.
 *
 * 64 rows of seeded random permutations (cyclic shifts, if the settings are tags); every node sends
 * a packet of 64 flits in every round. A lane-stage, or flit-hop, is one flit moved through one
 * stage. *Flits* counts the flits that endpoints sent, without the cycles in which the pipeline
 * drains. Memory is the growth of the process, including the code of the engine.
 *
 *     bench_machine              the machines listed below, some of them also with a trace
 *     bench_machine NETWORK…     these, without a trace, on csim and RTL: benes:2048, gf11,
 *                                benes:1024+tags, …
 *     bench_machine csim NETWORK…   these on csim only
 */
#include "bench/measure.h"
#include "sched/base/text.h"
#include "sched/machine/expand.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/network/network_router.h"
#include "testbench/run/testbench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEED 20260101
#define ROWS 64
#define FLITS 64
#define SECONDS 2.0
#define TRACED_CYCLES 3000

static bool count_receipts(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)cycle;
    (void)err;
    uint64_t *receipts = self;
    *receipts += obs != NULL && obs[0] & MACHINE_VALID;
    return true;
}

/* Returns the memory of the process in bytes; 0 if unknown. */
static double resident(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Draws the settings of a row for all stages. */
static bool write_row(struct testbench *testbench, uint32_t row, const uint32_t setting[],
                      struct err *err)
{
    const struct machine *machine = &testbench->machine;
    bool written = true;
    for (unsigned stage = 0; stage < machine_stages(machine); stage++)
        for (uint32_t column = 0; column < multistage_columns(&machine->network, stage); column++)
            written = written &&
                      testbench_write(
                          testbench, machine_table_address(machine, stage, row, column),
                          setting[stage * multistage_row_words(&machine->network) + column], err);
    return written;
}

static bool load_tables(struct testbench *testbench, struct rng *rng, struct err *err)
{
    const struct multistage *net = &testbench->machine.network;
    struct network_router *router = network_router_new(net, err);
    uint32_t *circuit = measure_allocate(net->ports, sizeof *circuit);
    uint32_t *setting =
        measure_allocate(multistage_stages(net) * multistage_row_words(net), sizeof *setting);
    bool loaded = router != NULL;
    for (uint32_t row = 0; loaded && row < ROWS; row++) {
        rng_permutation(rng, net->ports, circuit);
        loaded =
            network_route(router, circuit, setting, err) && write_row(testbench, row, setting, err);
    }
    network_router_free(router);
    free(circuit);
    free(setting);
    return loaded;
}

static bool load_tags(struct testbench *testbench, struct rng *rng, struct err *err)
{
    const struct machine *machine = &testbench->machine;
    bool loaded = testbench_write(testbench, MACHINE_RUN_PERIOD, ROWS, err);
    for (uint32_t row = 0; row < ROWS; row++) {
        struct tag tag = {.value = rng_below(rng, machine->network.ports)};
        loaded = loaded && testbench_write(testbench, machine_setting_index_address(machine, row),
                                           tags_word(&machine->network, tag), err);
    }
    return loaded;
}

static bool load(struct testbench *testbench, struct err *err)
{
    const struct machine *machine = &testbench->machine;
    struct rng rng = {SEED};
    bool loaded = machine_has_tags(machine) ? load_tags(testbench, &rng, err)
                                            : load_tables(testbench, &rng, err);
    /* Packets 0 and 1 alternate: a packet sent in a round was received in the previous round. */
    for (uint32_t row = 0; row < ROWS; row++)
        loaded = loaded &&
                 testbench_write(testbench,
                                 MACHINE_ALL_NODES |
                                     machine_program_address(machine, MACHINE_SEND, 0, row),
                                 MACHINE_VALID | (row & 1), err) &&
                 testbench_write(testbench,
                                 MACHINE_ALL_NODES |
                                     machine_program_address(machine, MACHINE_RECEIVE, 0, row),
                                 MACHINE_VALID | (~row & 1), err);
    for (uint32_t node = 0; node < machine_ports(machine); node++)
        for (uint32_t flit = 0; flit < FLITS; flit++)
            loaded =
                loaded && testbench_write(testbench, machine_packet_address(machine, node, 0, flit),
                                          MACHINE_VALID | (uint32_t)(rng_next(&rng) & 0xffff), err);
    return loaded;
}

static bool run_once(struct testbench *testbench, uint64_t *cycles, struct err *err)
{
    const struct run run = {
        .rows = ROWS, .flits = FLITS, .row_cycles = FLITS + machine_latency(&testbench->machine)};
    uint64_t receipts = 0, flags = 0, now_cycles;
    if (!testbench_write(testbench, MACHINE_RUN_ROWS, run.rows, err) ||
        !testbench_write(testbench, MACHINE_RUN_FLITS, run.flits, err) ||
        !testbench_write(testbench, MACHINE_RUN_ROW_CYCLES, run.row_cycles, err) ||
        !testbench_run(testbench, &run, &(struct testbench_observer){&receipts, count_receipts},
                       &now_cycles, err))
        return false;
    for (uint32_t node = 0; node < machine_ports(&testbench->machine); node++) {
        uint32_t word;
        if (!testbench_read(testbench, machine_flags_address(node), &word, err))
            return false;
        flags |= word;
    }
    *cycles += now_cycles;
    return (receipts == ROWS && flags == 0) ||
           err_set(err, ERR_BUG, "node 0 received %" PRIu64 " packet%s; expected %d and no flag",
                   receipts, text_s(receipts), ROWS);
}

/* Parses "benes:64" or "benes:64+tags". */
static bool parse(const char *text, struct machine *machine, struct err *err)
{
    char network[MACHINE_NETWORK_TEXT];
    const char *plus = strchr(text, '+');
    snprintf(network, sizeof network, "%.*s",
             (int)(plus != NULL ? plus - text : (long)strlen(text)), text);
    *machine = (struct machine){.width = 16, .log2_packets = 1, .log2_flits = 6, .log2_rows = 6};
    if (plus != NULL && !machine_parse_settings(plus + 1, &machine->settings))
        return err_set(err, ERR_OPTION, "%s: settings '%s'; expected tags", text, plus + 1);
    machine->log2_period = machine_has_setting_period(machine) ? 6 : 0;
    return machine_parse_network(network, machine, err) && machine_check(machine, err);
}

static bool trace_to(struct engine *engine, char *file, struct err *err)
{
    char error[200] = "no file in /tmp";
    int made = mkstemp(file);
    if (made >= 0)
        close(made);
    if (made < 0 || !engine->ops->trace_open(engine->self, file, error, sizeof error))
        return err_set(err, ERR_WRITE, "%s", error);
    engine->ops->trace_enable(engine->self, true);
    return true;
}

static bool measure(enum engine_kind kind, const char *text, bool traced, struct err *err)
{
    char file[] = "/tmp/bench_machine-XXXXXX";
    struct machine machine;
    struct testbench testbench;
    char error[200];
    double before = resident();
    if (!parse(text, &machine, err) || !testbench_open(&kind, 1, &machine, traced, &testbench, err))
        return false;
    uint64_t words = testbench.cycle, cycles = 0, runs = 0;
    double start = measure_cpu_seconds(), seconds = 0;
    bool ran = load(&testbench, err);
    double load_seconds = measure_cpu_seconds() - start;
    words = testbench.cycle - words;
    ran = ran && (!traced || trace_to(&testbench.engine[0], file, err));
    start = measure_cpu_seconds();
    while (ran && (traced ? cycles < TRACED_CYCLES : seconds < SECONDS)) {
        ran = run_once(&testbench, &cycles, err);
        runs++;
        seconds = measure_cpu_seconds() - start;
    }
    double bytes = resident() - before;
    if (traced) {
        testbench.engine[0].ops->trace_close(testbench.engine[0].self, error, sizeof error);
        unlink(file);
    }
    double ports = machine_ports(&machine), stages = machine_stages(&machine);
    if (ran)
        printf("%-16s %-5s  %-5s  %10.0f  %8.3f  %8.3f  %8.0f  %8.1f  %9.0f\n", text,
               engine_name(kind), traced ? "fst" : "off", (double)cycles / seconds,
               (double)runs * ROWS * FLITS * ports * stages / seconds * 1e-9,
               (double)cycles * ports * stages / seconds * 1e-9, load_seconds / (double)words * 1e9,
               bytes * 1e-6, bytes / ports);
    fflush(stdout);
    testbench_close(&testbench);
    return ran;
}

/* Runs in a separate process, whose memory is that of this machine. */
static bool measure_apart(enum engine_kind kind, const char *text, bool traced)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct err err = {0};
        bool measured = measure(kind, text, traced, &err);
        if (!measured)
            err_print(stderr, &err, NULL);
        fflush(stdout);
        _exit(measured ? 0 : err_exit_status(err.code));
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* The machines of `make bench`. Models of more ports take minutes to compile. */
static const struct {
    const char *network;
    bool on_rtl, traced_csim, traced_rtl;
} usual[] = {{"benes:64", true, true, true},
             {"benes:256", true, true, false},
             {"gf11", true, false, false},
             {"benes:1024", true, true, false},
             {"benes:1024+tags", true, false, false},
             {"multicast:256", true, false, false},
             {"benes:2048", false, false, false},
             {"benes:4096", false, false, false}};

static bool measure_usual(void)
{
    bool measured = true;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
        measured = measured && measure_apart(ENGINE_CSIM, usual[k].network, false);
        if (usual[k].on_rtl)
            measured = measured && measure_apart(ENGINE_RTL, usual[k].network, false);
        if (usual[k].traced_csim)
            measured = measured && measure_apart(ENGINE_CSIM, usual[k].network, true);
        if (usual[k].traced_rtl)
            measured = measured && measure_apart(ENGINE_RTL, usual[k].network, true);
    }
    return measured;
}

int main(int argc, char **argv)
{
    bool measured = true;
    printf("whole machine, %d random rows, %d flits of 16 bits a packet, seed %d; G lane-stages "
           "per CPU-second\n"
           "network          engine trace   cycles/s     flits      wire  ns/write        MB  "
           "bytes/port\n",
           ROWS, FLITS, SEED);
    bool on_csim = argc > 1 && strcmp(argv[1], engine_name(ENGINE_CSIM)) == 0;
    for (int k = 1 + on_csim; k < argc; k++)
        for (int kind = ENGINE_CSIM; kind <= (on_csim ? ENGINE_CSIM : ENGINE_RTL); kind++)
            measured = measured && measure_apart((enum engine_kind)kind, argv[k], false);
    if (argc == 1)
        measured = measure_usual();
    return measured ? 0 : 1;
}
