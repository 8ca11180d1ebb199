/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/run/simulate.h"

#include "sched/image/image_packet.h"
#include "sched/machine/machine_address.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <stdlib.h>

/* If at most one node in FEW must have a packet, only these nodes are read, one by one. */
#define FEW 64

/* One simulation. */
struct simulation {
    const struct image *image;
    const struct schedule *schedule;
    const struct payload *payload;
    const struct simulate_options *options;
    uint32_t data;         /* number of data packets */
    uint32_t packet;       /* the packet that is being read back */
    uint32_t words_before; /* words of this packet that were read by earlier reads */
    struct testbench testbench;
    struct scoreboard *scoreboard;
    uint64_t first_row, end_row;  /* rows of the trace: the first, and one past the last */
    uint64_t trace_on, trace_off; /* cycles of the run: the first and last that are traced */
    /* cycles of the testbench: when the trace was opened, and when cycle 0 of the run began */
    uint64_t opened, begun;
    struct progress progress;
    uint64_t cycles;    /* predicted cycles of the run */
    uint64_t report_at; /* the cycle of the next progress call */
};

/* Begins a progress line on a terminal, if the caller requests it. */
static struct progress begin_progress(const struct simulation *simulation, const char *what,
                                      uint64_t total)
{
    return simulation->options->shows_progress ? progress_begin(what, total) : (struct progress){0};
}

/* Appends a packet at an endpoint of a node. */
static bool append_packet(const struct simulation *simulation, uint32_t endpoint, uint32_t packet,
                          struct image *image, struct err *err)
{
    const uint32_t node = endpoint / simulation->schedule->topology.endpoints;
    const uint32_t slot = machine_slot(&image->machine, simulation->data, packet);
    const struct image_packet at = {node, endpoint, slot, packet};
    return image_packet_append(image, simulation->payload, at, err);
}

/* Appends the packets of a demand at all endpoints of a node. */
static bool append_demand(const struct simulation *simulation, const struct demand *demand,
                          uint32_t node, struct image *image, struct err *err)
{
    const struct topology *topology = &simulation->schedule->topology;
    uint32_t first = wiring_first_endpoint(topology, node), each = topology->endpoints;
    bool appended = true;
    for (uint32_t packet = demand->first_packet; appended && packet <= demand->last_packet;
         packet++)
        for (uint32_t endpoint = first; appended && endpoint < first + each; endpoint++)
            appended = append_packet(simulation, endpoint, packet, image, err);
    return appended;
}

/* Appends the packets that the demands place at the nodes at which they start, except the control
 * packets that the nodes of a self-timed hypercube generate. */
static bool append_payload(const struct simulation *simulation, struct image *image,
                           struct err *err)
{
    const struct schedule *schedule = simulation->schedule;
    bool appended = true;
    for (size_t d = 0; appended && d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        if (demand->control && machine_is_autonomous(&image->machine))
            continue;
        const uint32_t starts = schedule_starts(schedule, demand);
        for (uint32_t k = 0; appended && k < starts; k++)
            appended = append_demand(simulation, demand, schedule_start(demand, k), image, err);
    }
    return appended;
}

/* Lists the fewest writes that load the image with the payload. */
static bool list_writes(const struct simulation *simulation, struct image *fewest, struct err *err)
{
    const struct image *image = simulation->image;
    struct image both = {.machine = image->machine, .run = image->run};
    bool listed = image_reserve(&both, image->count, err);
    for (size_t k = 0; listed && k < image->count; k++)
        listed = image_append(&both, image->word[k].address, image->word[k].word, err);
    listed = listed && append_payload(simulation, &both, err) && image_fewest(&both, fewest, err);
    image_free(&both);
    return listed;
}

static bool load(struct simulation *simulation, struct err *err)
{
    struct image fewest = {0};
    bool loaded = list_writes(simulation, &fewest, err) &&
                  testbench_load(&simulation->testbench, &fewest, err);
    image_free(&fewest);
    return loaded;
}

static const struct engine *traced_engine(const struct simulation *simulation)
{
    return &simulation->testbench.engine[simulation->testbench.engine_count - 1];
}

/* Computes the cycles of the window of rows: from the cycle before its first flit leaves, in which
 * the flit is read, to the cycle after its last flit is stored, in which it is observed. The window
 * is unbounded at an end at which it includes the first or last row. Cycles of the run count from 0
 * in the cycle after the first flit of the first row has left (rtl/shell/rc_sequencer.sv). */
static bool set_window(struct simulation *simulation, struct err *err)
{
    const struct simulate_options *options = simulation->options;
    bool timed = model_has_times(simulation->schedule->model);
    /* number of rows in a unit of time, or in a round */
    uint64_t unit = simulation->schedule->lambda.denominator;
    uint64_t last = simulation->schedule->end / unit;
    uint64_t to = options->waves_to && options->waves_to < last ? options->waves_to : 0;
    uint64_t from = options->waves_from > !timed ? options->waves_from - !timed : 0;
    if (from > 0 && from >= (to ? to : last))
        return err_set(err, ERR_RANGE, "{waves-from}: %" PRIu64 "; expected %d … %" PRIu64,
                       options->waves_from, !timed, (to ? to : last) - timed);
    simulation->first_row = from * unit;
    simulation->end_row = to ? to * unit : simulation->schedule->end;
    uint64_t begin = scoreboard_row_begin(simulation->scoreboard, simulation->first_row);
    simulation->trace_on = begin > 2 ? begin - 2 : 0;
    uint64_t end = scoreboard_row_begin(simulation->scoreboard, simulation->end_row);
    simulation->trace_off = to ? end - 1 : UINT64_MAX;
    return true;
}

static bool open_trace(struct simulation *simulation, struct err *err)
{
    const struct simulate_options *options = simulation->options;
    if (options->waves == NULL)
        return true;
    const struct engine *engine = traced_engine(simulation);
    const unsigned width = simulation->testbench.machine.width;
    if (engine->kind == ENGINE_CSIM && width > MACHINE_WORD_WIDTH)
        return err_set(err, ERR_UNSUPPORTED,
                       "{waves}: csim traces flits of at most %u bits, not of %u; expected "
                       "{engine} rtl",
                       MACHINE_WORD_WIDTH, width);
    char error[200];
    if (!engine->ops->trace_open(engine->self, options->waves, error, sizeof error))
        return err_set(err, ERR_WRITE, "{waves}: %s", error);
    engine->ops->trace_enable(engine->self, simulation->trace_on == 0);
    simulation->opened = simulation->begun = simulation->testbench.cycle;
    return true;
}

static bool close_trace(const struct simulation *simulation, struct simulate_trace *trace,
                        struct err *err)
{
    if (simulation->options->waves == NULL)
        return true;
    const struct engine *engine = traced_engine(simulation);
    char error[200];
    if (!engine->ops->trace_close(engine->self, error, sizeof error))
        return err_set(err, ERR_WRITE,
                       "{waves}: not everything could be written; expected room on the disk");
    uint64_t begun = simulation->begun;
    *trace = (struct simulate_trace){
        .written = true,
        .engine = engine->kind,
        .first_row = simulation->first_row,
        .end_row = simulation->end_row,
        .zero = begun - 1,
        .from = simulation->trace_on ? begun + simulation->trace_on : simulation->opened,
        .to = begun + scoreboard_row_begin(simulation->scoreboard, simulation->end_row)};
    return true;
}

/* Reports the packets of a cycle to the caller. */
static void show_arrivals(const struct simulation *simulation, uint64_t cycle, const uint32_t *obs)
{
    const struct simulate_watch *watch = &simulation->options->watch;
    const struct machine *machine = &simulation->testbench.machine;
    if (watch->arrival == NULL || obs == NULL)
        return;
    for (uint32_t node = 0; node < machine_ports(machine); node++)
        if (obs[node] & MACHINE_VALID)
            watch->arrival(
                watch->with, cycle, node,
                machine_packet(machine, simulation->data, obs[node] & MACHINE_OBS_PACKET));
}

#define PROGRESS_REPORTS 100

static void show_progress(struct simulation *simulation, uint64_t cycle)
{
    const struct simulate_watch *watch = &simulation->options->watch;
    progress_update(&simulation->progress, cycle);
    if (watch->progress == NULL || cycle < simulation->report_at)
        return;
    watch->progress(watch->with, cycle, simulation->cycles);
    simulation->report_at = cycle + 1 + simulation->cycles / PROGRESS_REPORTS;
}

static bool observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct simulation *simulation = self;
    if (cycle == 0)
        simulation->begun = simulation->testbench.cycle - 1;
    if (simulation->options->waves != NULL) {
        const struct engine *engine = traced_engine(simulation);
        if (cycle + 1 == simulation->trace_on || cycle == simulation->trace_off)
            engine->ops->trace_enable(engine->self, cycle != simulation->trace_off);
    }
    scoreboard_observe(simulation->scoreboard, cycle, obs);
    show_arrivals(simulation, cycle, obs);
    show_progress(simulation, cycle);
    return true;
}

/* Reads the flags of all routers, and the step in which a packet moved last. */
static bool read_routers(struct simulation *simulation, struct err *err)
{
    struct testbench *testbench = &simulation->testbench;
    uint32_t word;
    if (!machine_hops(&testbench->machine))
        return true;
    for (uint32_t router = 0; router < machine_routers(&testbench->machine); router++) {
        if (!testbench_read(testbench, machine_router_flags_address(router), &word, err))
            return false;
        scoreboard_router_flags(simulation->scoreboard, router, word);
    }
    if (!testbench_read(testbench, MACHINE_STEPS, &word, err))
        return false;
    scoreboard_steps(simulation->scoreboard, word);
    return true;
}

static void look_at_flags(void *self, uint32_t k, const uint32_t word[])
{
    (void)k;
    struct simulation *simulation = self;
    for (uint32_t node = 0; node < machine_ports(&simulation->testbench.machine); node++)
        scoreboard_flags(simulation->scoreboard, node, machine_observed_flags(word[node]));
}

static void look_at_word(void *self, uint32_t k, const uint32_t word[])
{
    struct simulation *simulation = self;
    scoreboard_word(simulation->scoreboard, simulation->packet, simulation->words_before + k, 0,
                    wiring_endpoints(&simulation->schedule->topology), word);
}

/* Number of words of a packet that have adjacent addresses: all of them, or the parts of a flit. */
static uint32_t adjacent_words(const struct simulation *simulation)
{
    const uint32_t parts = machine_parts(&simulation->testbench.machine);
    return parts > 1 ? parts : simulation->payload->flits;
}

/* Reads a packet from the memories of all nodes at once. */
static bool read_packet(struct simulation *simulation, uint32_t slot, struct err *err)
{
    const struct machine *machine = &simulation->testbench.machine;
    const struct testbench_reader reader = {simulation, look_at_word};
    const uint32_t words = image_packet_words(machine, simulation->payload),
                   count = adjacent_words(simulation);
    bool read = true;
    for (uint32_t first = 0; read && first < words; first += count) {
        uint32_t address = machine_packet_word_address(machine, 0, slot, first);
        simulation->words_before = first;
        read = testbench_read_nodes(&simulation->testbench, address, count, &reader, err);
    }
    return read;
}

/* Reads a packet node by node, from the nodes that must have it. */
static bool read_packet_of_few(struct simulation *simulation, uint32_t slot, uint32_t word[],
                               struct err *err)
{
    const struct machine *machine = &simulation->testbench.machine;
    const uint32_t packet = simulation->packet,
                   endpoints = wiring_endpoints(&simulation->schedule->topology),
                   words = image_packet_words(machine, simulation->payload),
                   count = adjacent_words(simulation);
    for (uint32_t node = 0; node < endpoints; node++) {
        if (!scoreboard_wants(simulation->scoreboard, node, packet))
            continue;
        for (uint32_t first = 0; first < words; first += count) {
            uint32_t address = machine_packet_word_address(machine, node, slot, first);
            if (!testbench_read_block(&simulation->testbench, address, count, word + first, err))
                return false;
        }
        scoreboard_memory(simulation->scoreboard, node, packet, word);
    }
    return true;
}

/* Reads each packet from the memories of the nodes that must have it. */
static bool read_packets(struct simulation *simulation, struct err *err)
{
    const struct machine *machine = &simulation->testbench.machine;
    const uint32_t packets = simulation->schedule->packets;
    uint32_t *word = malloc(image_packet_words(machine, simulation->payload) * sizeof *word);
    bool read = word != NULL || err_no_memory(err, "a packet");
    struct progress progress = begin_progress(simulation, "packets read back", packets);
    for (uint32_t packet = 1; read && packet <= packets; packet++) {
        uint32_t slot = machine_slot(machine, simulation->data, packet);
        uint32_t wanters = scoreboard_wanters(simulation->scoreboard, packet);
        simulation->packet = packet;
        read = wanters <= machine_ports(machine) / FEW
                   ? read_packet_of_few(simulation, slot, word, err)
                   : read_packet(simulation, slot, err);
        progress_update(&progress, packet);
    }
    progress_end(&progress);
    free(word);
    return read;
}

/* Reads the flags and packet memories of all nodes. */
static bool read_back(struct simulation *simulation, struct err *err)
{
    const struct testbench_reader flags = {simulation, look_at_flags};
    return testbench_read_nodes(&simulation->testbench, machine_flags_address(0), 1, &flags, err) &&
           read_routers(simulation, err) && read_packets(simulation, err);
}

static bool run_all(struct simulation *simulation, struct simulate_report *report, struct err *err)
{
    struct testbench *testbench = &simulation->testbench;
    const struct testbench_observer observer = {simulation, observe};
    testbench->stop_after = simulation->options->stop_after;
    if (!load(simulation, err) || !open_trace(simulation, err))
        return false;
    struct err time_out = {0};
    simulation->cycles = report->expected_cycles;
    simulation->progress = begin_progress(simulation, "cycles run", report->expected_cycles);
    bool done = testbench_run(testbench, &simulation->image->run, &observer, &report->run_cycles,
                              &time_out);
    progress_end(&simulation->progress);
    bool closed = close_trace(simulation, &report->trace, err);
    if (!done) {
        *err = time_out;
        return false;
    }
    return closed && read_back(simulation, err);
}

bool simulate(const struct image *image, const struct schedule *schedule,
              const struct payload *payload, const struct simulate_options *options,
              struct simulate_report *report, struct err *err)
{
    *report = (struct simulate_report){0};
    struct simulation simulation = {.image = image,
                                    .schedule = schedule,
                                    .payload = payload,
                                    .options = options,
                                    .data = schedule_data_packets(schedule)};
    double start = progress_seconds();
    simulation.scoreboard = scoreboard_new(schedule, payload, &image->machine, &image->run, err);
    if (simulation.scoreboard == NULL)
        return false;
    report->expected_cycles = scoreboard_row_begin(simulation.scoreboard, schedule->end);
    report->reconfigures = image->machine.reconfigures;
    report->setting_changes = scoreboard_setting_changes(simulation.scoreboard);
    const struct testbench_engines engines = {options->engine, options->engine_count,
                                              options->waves != NULL, options->engines};
    if (!set_window(&simulation, err) ||
        !testbench_open_kept(&engines, &image->machine, &simulation.testbench, err)) {
        scoreboard_free(simulation.scoreboard);
        return false;
    }
    simulation.testbench.shows_progress = options->shows_progress;
    report->build_seconds = progress_seconds() - start;
    start = progress_seconds();
    bool ran = run_all(&simulation, report, err);
    if (!ran && err_exit_status(err->code) == 1) {
        struct err stopped = *err; /* a violation that the testbench detected */
        scoreboard_stop(simulation.scoreboard, &stopped);
        ran = true;
    }
    report->run_seconds = progress_seconds() - start;
    report->host_cycles = simulation.testbench.cycle - report->run_cycles;
    bool holds = ran && scoreboard_verdict(simulation.scoreboard, &report->checks, err);
    if (holds && report->run_cycles != report->expected_cycles)
        holds = err_set(err, ERR_TIME_OUT,
                        "cycle %" PRIu64 ": the machine is done; expected it after %" PRIu64,
                        report->run_cycles, report->expected_cycles);
    scoreboard_free(simulation.scoreboard);
    testbench_close(&simulation.testbench);
    return holds;
}
