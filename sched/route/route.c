#include "sched/route/route.h"

#include "sched/base/bits.h"
#include "sched/image/header.h"
#include "sched/machine/machine_network.h"
#include "sched/route/beats.h"
#include "sched/route/route_needs.h"
#include "sched/route/route_tables.h"
#include "sched/route/route_walk.h"
#include "sched/route/self_timed.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of a capacity that holds `value`, not below a minimum. */
static unsigned log2_capacity(uint64_t value, unsigned minimum)
{
    unsigned log2 = bits_log2_up(value);
    return log2 > minimum ? log2 : minimum;
}

unsigned route_log2_capacity(uint64_t count)
{
    return log2_capacity(count, 1);
}

bool route_check_ports(uint32_t nodes, const struct machine *machine, struct err *err)
{
    bool copies = multistage_copies(&machine->network);
    return nodes <= machine_ports(machine) ||
           err_set(err, ERR_TOO_SMALL,
                   "--network: %" PRIu32 " ports for %" PRIu32 " nodes; expected %s:%" PRIu32
                   " or larger",
                   machine_ports(machine), nodes, copies ? "multicast" : "benes",
                   copies ? UINT32_C(1) << bits_log2_up(nodes) : nodes);
}

static bool check_topology(const struct schedule *schedule, const struct machine *machine,
                           struct err *err)
{
    static const char *const expected[] = {
        [TOPOLOGY_COMPLETE] = "a multistage network",
        [TOPOLOGY_TREE] = "fat-tree or fat-tree-auto, of the schedule's tree",
        [TOPOLOGY_HYPERCUBE] = "cube or cube-auto, of the schedule's hypercube"};
    return machine_has_topology(machine, &schedule->topology) ||
           err_set(err, ERR_NETWORK, "--network: another topology than the schedule's; expected %s",
                   expected[schedule->topology.kind]);
}

/* A schedule that counts on copies needs a network that makes them. */
static bool check_copies(const struct schedule *schedule, const struct machine *machine,
                         struct err *err)
{
    char network[MACHINE_NETWORK_TEXT];
    return !model_copies(schedule->model) || multistage_copies(&machine->network) ||
           err_set(err, ERR_NETWORK,
                   "--network: %s does not copy packets, which the model %s needs; expected "
                   "multicast:N",
                   machine_network_name(machine, network), model_name(schedule->model));
}

/* What any row is looked at with: nodes are ports, of a network that can do what the model counts
 * on. */
static bool check_network(const struct schedule *schedule, const struct machine *machine,
                          struct err *err)
{
    return check_topology(schedule, machine, err) && check_copies(schedule, machine, err) &&
           route_check_ports(wiring_endpoints(&schedule->topology), machine, err);
}

/* Rows of a machine that runs the schedule; of lists, all packets may be in one. */
static uint64_t rows_of(const struct schedule *schedule, const struct machine *machine)
{
    uint32_t packets = machine_is_autonomous(machine) ? schedule_data_packets(schedule) : 0;
    return schedule->end > packets ? schedule->end : packets;
}

static bool check_memories(const struct schedule *schedule, const struct machine *machine,
                           uint32_t flits, struct err *err)
{
    uint64_t rows = rows_of(schedule, machine);
    return (schedule->packets <= 1u << machine->log2_packets && rows <= 1u << machine->log2_rows &&
            flits <= 1u << machine->log2_flits) ||
           err_set(err, ERR_TOO_SMALL,
                   "machine: %u packets of %u flits, %u rows for %" PRIu32 " packets of %" PRIu32
                   " flits, %" PRIu64 " rows; expected a larger --memory",
                   1u << machine->log2_packets, 1u << machine->log2_flits, 1u << machine->log2_rows,
                   schedule->packets, flits, rows);
}

/* What is needed, or the next power of two from `least` on, but not more than `most`. */
static uint32_t rounded(uint32_t needed, bool exactly, uint32_t least, uint32_t most)
{
    uint32_t size = least;
    while (size < needed)
        size *= 2;
    return exactly ? needed : size < most ? size : most;
}

static uint32_t rounded_depth(uint32_t needed, bool exactly)
{
    return rounded(needed, exactly, ROUTE_MIN_DEPTH, MACHINE_MAX_DEPTH);
}

/* Enough for whatever nodes have the packets: a tree has ⌈K/d⌉ of K, and while those that its root
 * has got wait there, as many of another tree and a last one come over the same arc. */
static void fit_cube_auto(const struct schedule *schedule, bool exactly, struct machine *machine)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t share = (uint32_t)bits_divide_up(schedule_data_packets(schedule), d);
    machine->reads = 1;
    machine->queue[1] = rounded_depth(share > 0 ? share : 1, exactly);
    if (machine->depth[1] == 0)
        machine->depth[1] = rounded_depth(2 * share + 1, exactly);
}

bool route_fit_routers(const struct schedule *schedule, bool exactly, struct machine *machine,
                       struct err *err)
{
    struct route_needs needs;
    if (machine_is_autonomous(machine)) {
        fit_cube_auto(schedule, exactly, machine);
        return true;
    }
    if (!route_needs_on(machine, schedule, &needs, err))
        return false;
    machine->reads = rounded(needs.reads, exactly, 1, MACHINE_MAX_READS);
    for (unsigned level = 1; level <= wiring_levels(&schedule->topology); level++) {
        if (machine->depth[level] == 0)
            machine->depth[level] = rounded_depth(needs.depth[level], exactly);
        bool self_timed = machine_is_self_timed(machine);
        machine->queue[level] = self_timed ? rounded_depth(needs.queue[level], exactly) : 0;
    }
    return true;
}

/* No memory has more rows than a run. */
static unsigned lesser(unsigned usual, unsigned log2_rows)
{
    return usual < log2_rows ? usual : log2_rows;
}

bool route_fit_beats(const struct schedule *schedule, bool exactly, struct machine *machine,
                     struct err *err)
{
    struct beats beats;
    machine->log2_period = 1; /* the least, whether a machine of them can be at all */
    machine->log2_settings = machine_is_indexed(machine);
    if (!check_network(schedule, machine, err) || !machine_check(machine, err) ||
        !check_memories(schedule, machine, 1, err) || !beats_find(schedule, machine, &beats, err))
        return false;
    unsigned period = lesser(ROUTE_MIN_LOG2_PERIOD, machine->log2_rows);
    unsigned settings = lesser(ROUTE_MIN_LOG2_SETTINGS, machine->log2_rows);
    machine->log2_period = log2_capacity(beats.period, exactly ? 1 : period);
    if (machine_is_indexed(machine))
        machine->log2_settings = log2_capacity(beats.distinct, exactly ? 1 : settings);
    beats_free(&beats);
    return true;
}

bool route_fit(const struct schedule *schedule, uint32_t flits, const struct machine *minimum,
               struct machine *machine, struct err *err)
{
    if (machine_hops(machine) && !route_fit_routers(schedule, minimum == NULL, machine, err))
        return false;
    machine->log2_packets = log2_capacity(schedule->packets, minimum ? minimum->log2_packets : 1);
    machine->log2_flits = log2_capacity(flits, minimum ? minimum->log2_flits : 1);
    machine->log2_rows =
        log2_capacity(rows_of(schedule, machine), minimum ? minimum->log2_rows : 1);
    if (machine_has_beats(machine) && !route_fit_beats(schedule, minimum == NULL, machine, err))
        return false;
    if (machine_check(machine, NULL))
        return true;
    return err_set(err, ERR_TOO_SMALL,
                   "route: %" PRIu32 " packets of %" PRIu32 " flits in %" PRIu64
                   " rows on %u ports; expected fewer, the largest machine has 28 bits of address",
                   schedule->packets, flits, schedule->end, machine_ports(machine));
}

/* The machine is the postal model with λ = 1 + L/F (DESIGN section 5). */
static bool check_lambda(const struct schedule *schedule, const struct machine *machine,
                         uint32_t flits, struct err *err)
{
    struct rational lambda = machine_lambda(machine, flits);
    if (rational_equal(lambda, schedule->lambda))
        return true;
    char seen[RATIONAL_TEXT], expected[RATIONAL_TEXT];
    return err_set(
        err, ERR_NETWORK,
        "--network: %" PRIu32 " flits through %u registers make λ = %s; expected λ = %s", flits,
        machine_latency(machine), rational_text(lambda.numerator, lambda.denominator, seen),
        rational_text(schedule->lambda.numerator, schedule->lambda.denominator, expected));
}

static bool check_fits(const struct schedule *schedule, const struct machine *machine,
                       const struct payload *payload, struct err *err)
{
    if (!check_network(schedule, machine, err) ||
        !check_memories(schedule, machine, payload->flits, err))
        return false;
    if (model_has_times(schedule->model))
        return check_lambda(schedule, machine, payload->flits, err);
    if (machine_row_cycles(machine, payload->flits) > MACHINE_MAX_ROW_CYCLES)
        return err_set(err, ERR_TOO_SMALL, "machine: rounds of %u cycles; expected at most %u",
                       machine_row_cycles(machine, payload->flits), MACHINE_MAX_ROW_CYCLES);
    return true;
}

/* Rows of the programs, and packets, of which everything is cleared. */
static uint32_t cleared_rows(const struct image *image)
{
    const struct run *run = &image->run;
    return machine_is_autonomous(&image->machine) ? 1
           : image->machine.computed              ? run->period
                                                  : run->rows;
}

static uint32_t cleared_slots(const struct image *image, const struct schedule *schedule)
{
    return machine_is_autonomous(&image->machine) ? 1u << image->machine.log2_packets
                                                  : schedule->packets;
}

/* Words that there are whatever the schedule sends: one for each row of each table and program. */
static uint64_t least_words(const struct image *image, const struct schedule *schedule)
{
    const struct machine *machine = &image->machine;
    uint64_t programs = machine_is_self_timed(machine) ? 1 : 2, columns = 0;
    for (unsigned stage = 0; !machine_hops(machine) && stage < machine_stages(machine); stage++)
        columns += !machine_has_order(machine) ? machine_columns(machine, stage) : 0;
    return programs * cleared_rows(image) + columns * image->run.rows +
           (uint64_t)cleared_slots(image, schedule) * image->run.flits;
}

/* Run registers, and everything that an earlier image may have left where this one writes
 * nothing. */
static bool append_preamble(struct image *image, const struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &image->machine;
    const struct run *run = &image->run;
    bool fits = true;
    uint32_t word;
    for (uint32_t which = MACHINE_RUN_ROWS; fits && which <= MACHINE_RUN_PACKETS; which++)
        if (machine_run_word(machine, run, which, &word))
            fits = image_append(image, which, word, err);
    int last = machine_is_self_timed(machine) ? MACHINE_SEND : MACHINE_RECEIVE;
    uint32_t rows = cleared_rows(image), slots = cleared_slots(image, schedule);
    for (int program = MACHINE_SEND; program <= last; program++)
        for (uint32_t row = 0; fits && row < rows; row++)
            fits =
                image_append(image,
                             MACHINE_ALL_NODES | machine_program_address(
                                                     machine, (enum machine_region)program, 0, row),
                             0, err);
    for (uint32_t slot = 0; fits && slot < slots; slot++)
        for (uint32_t flit = 0; fits && flit < run->flits; flit++)
            fits = image_append(
                image, MACHINE_ALL_NODES | machine_packet_address(machine, 0, slot, flit), 0, err);
    return fits;
}

static bool append_entry(struct image *image, enum machine_region program, uint32_t node,
                         uint32_t row, uint32_t entry, struct err *err)
{
    return image_append(image, machine_program_address(&image->machine, program, node, row), entry,
                        err);
}

/* A packet is in the programs of its sender and its receiver in each of its rows, as far as they
 * are endpoints and have such a program; in that of a sender whose packet is copied once, if its
 * transfers follow each other. */
static bool append_entries(struct image *image, const struct transfer *transfer, bool sends,
                           uint32_t first, struct err *err)
{
    const struct machine *machine = &image->machine;
    const struct topology *topology = &machine->topology;
    uint32_t entry = MACHINE_VALID | (transfer->packet - 1);
    uint32_t last = first + machine_packet_rows(&image->run) - 1;
    uint32_t source = wiring_endpoint(topology, transfer->source, transfer->destination);
    uint32_t destination = wiring_endpoint(topology, transfer->destination, transfer->source);
    bool receives = destination < machine_ports(machine) && !machine_is_self_timed(machine);
    for (uint32_t row = first; row <= last; row++) {
        uint32_t more = row < last ? MACHINE_MORE : 0;
        if ((sends && !append_entry(image, MACHINE_SEND, source, row, entry, err)) ||
            (receives &&
             !append_entry(image, MACHINE_RECEIVE, destination, row, entry | more, err)))
            return false;
    }
    return true;
}

static bool append_programs(struct image *image, const struct schedule *schedule, struct err *err)
{
    struct route_walk walk;
    bool copies = model_copies(schedule->model);
    bool appended = route_walk_open(&walk, schedule, err);
    while (appended && walk.step < schedule->step_count) {
        uint32_t row = (uint32_t)schedule_row(schedule, walk.step);
        size_t first = schedule->step[walk.step].first;
        for (size_t t = first; t < schedule_step_end(schedule, walk.step); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            bool again = copies && t > first && transfer[-1].source == transfer->source;
            bool sends = !again && !route_walk_is_routed(&walk, transfer);
            appended = appended && append_entries(image, transfer, sends, row, err);
        }
        route_walk_next(&walk);
    }
    route_walk_close(&walk);
    return appended;
}

/* An entry for each beat that a node has one in. */
static bool append_computed(struct image *image, const struct computed *computed, struct err *err)
{
    bool appended = true;
    for (int way = 0; way < 2; way++)
        for (uint32_t beat = 0; beat < computed->period; beat++)
            for (uint32_t node = 0; appended && node < computed->nodes; node++) {
                int32_t offset = computed->offset[way][(size_t)beat * computed->nodes + node];
                enum machine_region program = way == 0 ? MACHINE_SEND : MACHINE_RECEIVE;
                if (offset != COMPUTED_NONE)
                    appended = append_entry(image, program, node, beat,
                                            machine_offset_word(&image->machine, offset), err);
            }
    return appended;
}

/* At all endpoints of its source, any of which may send it. */
static bool append_packet(struct image *image, const struct payload *payload, uint32_t source,
                          uint32_t packet, struct err *err)
{
    const struct topology *topology = &image->machine.topology;
    uint32_t first = wiring_first_endpoint(topology, source);
    bool appended = true;
    for (uint32_t endpoint = first; endpoint < first + wiring_node_endpoints(topology); endpoint++)
        for (uint32_t flit = 0; appended && flit < payload->flits; flit++)
            appended = image_append(
                image, machine_packet_address(&image->machine, endpoint, packet - 1, flit),
                MACHINE_VALID | payload_word(payload, packet, flit), err);
    return appended;
}

static bool append_payload(struct image *image, const struct schedule *schedule,
                           const struct payload *payload, struct err *err)
{
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        if (demand->control && machine_is_autonomous(&image->machine))
            continue;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            if (!append_packet(image, payload, demand->source, packet, err))
                return false;
    }
    return true;
}

static struct run run_of(const struct schedule *schedule, const struct machine *machine,
                         uint32_t flits)
{
    return (struct run){
        .rows = machine_is_autonomous(machine) ? 1u << machine->log2_rows : (uint32_t)schedule->end,
        .flits = flits,
        .row_cycles = model_has_times(schedule->model) ? flits / schedule->lambda.denominator
                                                       : machine_row_cycles(machine, flits),
        .single_port = schedule->model == MODEL_SINGLE_PORT};
}

/* What repeats, if the machine is one that can use it. */
static bool find_beats(const struct schedule *schedule, struct image *image, struct beats *beats,
                       struct err *err)
{
    const struct machine *machine = &image->machine;
    *beats = (struct beats){0};
    if (!machine_has_beats(machine))
        return true;
    if (!beats_find(schedule, machine, beats, err))
        return false;
    image->run.period = beats->period;
    image->run.first = beats->first;
    image->run.packets = schedule->packets;
    bool fits = beats->period <= 1u << machine->log2_period &&
                (!machine_is_indexed(machine) || beats->distinct <= 1u << machine->log2_settings);
    return fits || err_set(err, ERR_TOO_SMALL,
                           "machine: %u beats, %u settings for %" PRIu32 " and %" PRIu32
                           "; expected a larger --memory",
                           1u << machine->log2_period, 1u << machine->log2_settings, beats->period,
                           beats->distinct);
}

static bool append_all(struct image *image, const struct schedule *schedule,
                       const struct payload *payload, const struct beats *beats, struct err *err)
{
    const struct machine *machine = &image->machine;
    bool tables = image_reserve(image, least_words(image, schedule), err) &&
                  append_preamble(image, schedule, err) &&
                  (machine_hops(machine) ? route_routers(image, schedule, err)
                                         : route_multistage(image, schedule, beats, err));
    bool programs = tables && (machine_is_autonomous(machine) ? route_lists(image, schedule, err)
                               : machine->computed ? append_computed(image, &beats->computed, err)
                                                   : append_programs(image, schedule, err));
    return programs && append_payload(image, schedule, payload, err);
}

bool route_schedule(const struct schedule *schedule, const struct machine *machine,
                    const struct payload *payload, struct image *image, struct err *err)
{
    struct beats beats = {0};
    *image = (struct image){.machine = *machine};
    if (!self_timed_check(schedule, machine, err) || !check_fits(schedule, machine, payload, err))
        return false;
    image->run = run_of(schedule, machine, payload->flits);
    bool routed = find_beats(schedule, image, &beats, err) &&
                  append_all(image, schedule, payload, &beats, err);
    beats_free(&beats);
    if (!routed)
        image_free(image);
    return routed;
}
