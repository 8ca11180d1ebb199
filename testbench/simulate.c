#include "simulate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* One simulation. */
struct simulation {
    const struct image *image;
    const struct schedule *schedule;
    const struct payload *payload;
    const struct simulate_options *options;
    struct bench bench;
    struct scoreboard *scoreboard;
    uint64_t trace_on, trace_off; /* cycles of the run */
};

/* The packets that the demand places, at their sources. */
static bool load_payload(struct simulation *simulation, struct err *err)
{
    const struct schedule *schedule = simulation->schedule;
    const struct payload *payload = simulation->payload;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t flit = 0; flit < payload->flits; flit++) {
                uint32_t address =
                    machine_packet_address(&simulation->bench.machine, demand->source, packet - 1, flit);
                uint32_t word = MACHINE_VALID | payload_word(payload, packet, flit);
                if (!bench_write(&simulation->bench, address, word, err))
                    return false;
            }
    }
    return true;
}

static struct engine *traced_engine(struct simulation *simulation)
{
    return &simulation->bench.engine[simulation->bench.engine_count - 1];
}

/* The window of rounds, in cycles of the run; both ends one cycle wider, to show the change. */
static bool open_trace(struct simulation *simulation, struct err *err)
{
    const struct simulate_options *options = simulation->options;
    const struct run *run = &simulation->image->run;
    if (options->waves == NULL)
        return true;
    uint64_t last = options->waves_to ? options->waves_to : run->rows;
    simulation->trace_on = (options->waves_from ? options->waves_from - 1 : 0) * run->row_cycles;
    simulation->trace_off = last * run->row_cycles + 1;
    struct engine *engine = traced_engine(simulation);
    char error[200];
    if (!engine->ops->trace_open(engine->self, options->waves, error, sizeof error))
        return err_set(err, ERR_WRITE, "--waves: %s; expected a file that can be written", error);
    engine->ops->trace_enable(engine->self, simulation->trace_on == 0);
    return true;
}

static bool close_trace(struct simulation *simulation, struct err *err)
{
    struct engine *engine = traced_engine(simulation);
    char error[200];
    if (simulation->options->waves == NULL || engine->ops->trace_close(engine->self, error, sizeof error))
        return true;
    return err_set(err, ERR_WRITE, "--waves: %s; expected a file that can be written", error);
}

static bool observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct simulation *simulation = self;
    if (simulation->options->waves != NULL) {
        struct engine *engine = traced_engine(simulation);
        if (cycle + 1 == simulation->trace_on || cycle == simulation->trace_off)
            engine->ops->trace_enable(engine->self, cycle != simulation->trace_off);
    }
    scoreboard_observe(simulation->scoreboard, cycle, obs);
    return true;
}

/* Flags and packet memories of every node. */
static bool read_back(struct simulation *simulation, struct err *err)
{
    const struct schedule *schedule = simulation->schedule;
    const struct payload *payload = simulation->payload;
    struct bench *bench = &simulation->bench;
    uint32_t *word = malloc(payload->flits * sizeof *word);
    bool read = word != NULL || err_set(err, ERR_TOO_BIG, "simulate: no memory for a packet");
    for (uint32_t node = 0; read && node < machine_ports(&bench->machine); node++) {
        uint32_t flags;
        read = bench_read(bench, machine_flags_address(node), &flags, err);
        if (read)
            scoreboard_flags(simulation->scoreboard, node, flags);
    }
    for (uint32_t node = 0; read && node < schedule->nodes; node++)
        for (uint32_t packet = 1; read && packet <= schedule->packets; packet++) {
            uint32_t address = machine_packet_address(&bench->machine, node, packet - 1, 0);
            read = bench_read_block(bench, address, payload->flits, word, err);
            if (read)
                scoreboard_memory(simulation->scoreboard, payload, node, packet, word);
        }
    free(word);
    return read;
}

static bool run_all(struct simulation *simulation, struct simulate_report *report, struct err *err)
{
    struct bench *bench = &simulation->bench;
    const struct bench_observer observer = {simulation, observe};
    if (!bench_load(bench, simulation->image, err) || !load_payload(simulation, err) ||
        !open_trace(simulation, err))
        return false;
    struct err time_out = {0};
    bool done = bench_run(bench, &simulation->image->run, &observer, &report->run_cycles, &time_out);
    bool closed = close_trace(simulation, err);
    if (!done) {
        *err = time_out;
        return false;
    }
    return closed && read_back(simulation, err);
}

bool simulate(const struct image *image, const struct schedule *schedule, const struct payload *payload,
              const struct simulate_options *options, struct simulate_report *report, struct err *err)
{
    *report = (struct simulate_report){0};
    struct simulation simulation = {
        .image = image, .schedule = schedule, .payload = payload, .options = options};
    double start = now();
    if (!bench_open(options->engine, options->engine_count, &image->machine, options->waves != NULL,
                    &simulation.bench, err))
        return false;
    report->build_seconds = now() - start;
    start = now();
    simulation.scoreboard = scoreboard_new(schedule, &image->machine, &image->run, err);
    bool ran = simulation.scoreboard != NULL && run_all(&simulation, report, err);
    report->run_seconds = now() - start;
    report->host_cycles = simulation.bench.cycle - report->run_cycles;
    bool holds = ran && scoreboard_verdict(simulation.scoreboard, &report->checks, err);
    scoreboard_free(simulation.scoreboard);
    bench_close(&simulation.bench);
    return holds;
}
