/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/machine_sizing.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/machine/network_rows.h"
#include "sched/route/packet_tracker.h"
#include "sched/route/self_timed.h"
#include "sched/route/setting_period.h"
#include "sched/schedule/ranges.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Buffers and queues of routers -------------------------------------------------------- */

/* The arrival of a packet in a queue in a step, or its departure. */
struct event {
    uint32_t queue; /* queue_of */
    uint32_t step;
    int32_t change;
};

/* Compares events of queues: in a step, departures come before arrivals, for which they make
 * room. */
static int compare(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    return compare_then(COMPARE(a->queue, b->queue),
                        compare_then(COMPARE(a->step, b->step), COMPARE(a->change, b->change)));
}

/* Returns the queue of a transfer's branch: queue v is up from node v, queue all + v is down to
 * node v. In the single-port model, packets for one leaf wait in the queue of child 0 for every
 * branch downwards. */
static uint32_t queue_of(const struct schedule *schedule, const struct transfer *transfer)
{
    const struct topology *tree = &schedule->topology;
    if (transfer->destination > transfer->source)
        return transfer->source;
    bool together = model_row(schedule->model)->one_link &&
                    schedule_demand_of(schedule, transfer->packet)->wanted_count == 1;
    unsigned level = topology_level(tree, transfer->source);
    return tree->all +
           (together ? topology_child(tree, level, transfer->source, 0) : transfer->destination);
}

/* Returns the level of the router that owns a queue. */
static unsigned queue_level(const struct topology *tree, uint32_t queue)
{
    return topology_level(tree, queue % tree->all) + (queue >= tree->all);
}

static void raise(uint32_t *most, uint32_t count)
{
    *most = MAX(*most, count);
}

/* Records the needs of a copy of a packet that a router sends. */
static bool look_at_copy(struct packet_tracker *walk, const struct transfer *transfer,
                         const struct packet_stay *stay, struct router_needs *needs,
                         struct err *err)
{
    const struct topology *topology = &walk->schedule->topology;
    uint32_t read = packet_tracker_read(walk, stay);
    char node[TOPOLOGY_NODE_TEXT];
    if (read == MACHINE_MAX_READS)
        return err_set(
            err, ERR_TOO_SMALL,
            "route: router %s sends more than %d packets of one input in one step; expected fewer",
            topology_node_text(topology, transfer->source, node), MACHINE_MAX_READS);
    raise(&needs->depth[wiring_level(topology, wiring_router(topology, transfer->source))],
          walk->arrived[stay->input] - stay->number);
    raise(&needs->reads, read + 1);
    return true;
}

/* Records the needs of a router's transfer: those of all copies that it combines. */
static bool look_at(struct packet_tracker *walk, size_t index, struct event *event,
                    struct router_needs *needs, struct err *err)
{
    const struct topology *topology = &walk->schedule->topology;
    const struct transfer *transfer = &walk->schedule->transfer[index];
    const struct packet_stay *stay = packet_tracker_stay(walk, transfer);
    for (const struct packet_stay *copy = stay; copy != NULL;
         copy = packet_tracker_before(walk, copy))
        if (!look_at_copy(walk, transfer, copy, needs, err))
            return false;
    uint32_t queue = topology_has_routers(topology) ? queue_of(walk->schedule, transfer) : 0;
    event[0] = (struct event){queue, stay->step, 1};
    event[1] = (struct event){queue, (uint32_t)walk->step, -1};
    return true;
}

static void find_queues(const struct topology *tree, struct event *event, size_t count,
                        struct router_needs *needs)
{
    qsort(event, count, sizeof *event, compare);
    int64_t owed = 0;
    for (size_t k = 0; k < count; k++) {
        owed += event[k].change;
        raise(&needs->queue[queue_level(tree, event[k].queue)], (uint32_t)owed);
    }
}

/* Records the needs of the transfers of this step that routers make. */
static bool look_at_step(struct packet_tracker *walk, struct event *event, size_t *events,
                         struct router_needs *needs, struct err *err)
{
    const struct schedule *schedule = walk->schedule;
    const size_t step = walk->step;
    for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++)
        if (packet_tracker_is_routed(walk, &schedule->transfer[t])) {
            if (!look_at(walk, t, &event[*events], needs, err))
                return false;
            *events += 2;
        }
    return true;
}

bool router_needs_of(const struct schedule *schedule, struct router_needs *needs, struct err *err)
{
    *needs = (struct router_needs){.reads = 1};
    for (unsigned level = 1; level <= schedule->topology.router_levels; level++)
        needs->depth[level] = needs->queue[level] = 1;
    struct packet_tracker walk;
    if (!packet_tracker_open(&walk, schedule, err))
        return false;
    size_t events = 0;
    struct event *event = malloc((2 * schedule->transfer_count + 1) * sizeof *event);
    bool found = event != NULL ||
                 err_no_memory(err, "the queues of %zu transfers", schedule->transfer_count);
    while (found && walk.step < schedule->step_count) {
        found = look_at_step(&walk, event, &events, needs, err);
        packet_tracker_next(&walk);
    }
    if (found && topology_has_routers(&schedule->topology))
        find_queues(&schedule->topology, event, events, needs);
    if (schedule->topology.dimensions > 0) {
        unsigned d = schedule->topology.dimensions;
        raise(&needs->queue[1], (uint32_t)bits_divide_up(schedule_data_packets(schedule), d));
    }
    free(event);
    packet_tracker_close(&walk);
    return found;
}

/* Indexed by kind: functions that build the transfers that self-timed routers make, because these
 * may take other paths between leaves than the schedule. NULL: the routers follow the schedule. */
static bool (*const builds[MACHINE_KINDS])(const struct schedule *asked, struct schedule *kept,
                                           struct err *err) = {
    [MACHINE_FAT_TREE_AUTO] = fat_tree_auto_build};

bool router_needs_on(const struct machine *machine, const struct schedule *schedule,
                     struct router_needs *needs, struct err *err)
{
    *needs = (struct router_needs){.reads = 1};
    if (machine_has_node_memories(machine))
        return true; /* there are no routers */
    if (builds[machine->kind] == NULL)
        return router_needs_of(schedule, needs, err);
    struct schedule kept;
    if (!builds[machine->kind](schedule, &kept, err))
        return false;
    bool found = router_needs_of(&kept, needs, err);
    schedule_free(&kept);
    return found;
}

/* --- Machines ----------------------------------------------------------------------------- */

/* Finds the machine that a schedule needs, and checks whether a machine is large enough. */

/* Returns log2 of a capacity that holds `value`, at least `minimum`. */
static unsigned log2_capacity(uint64_t value, unsigned minimum)
{
    unsigned log2 = bits_log2_up(value);
    return MAX(log2, minimum);
}

unsigned machine_sizing_log2(uint64_t count)
{
    return log2_capacity(count, 1);
}

/* Returns the name of the network of multistage_supporting. */
static const char *network_supporting(bool copies, bool combines)
{
    const struct multistage net = multistage_supporting(copies, combines, 2);
    return network_row_of(&net)->form[0].name;
}

bool machine_sizing_check_ports(uint32_t nodes, const struct machine *machine, struct err *err)
{
    const struct multistage *net = &machine->network;
    bool copies = multistage_copies(net), combines = multistage_combines(net);
    const uint32_t ports = copies || combines ? UINT32_C(1) << bits_log2_up(nodes) : nodes;
    return nodes <= machine_ports(machine) ||
           err_set(err, ERR_TOO_SMALL,
                   "{network}: %" PRIu32 " port%s for %" PRIu32 " node%s; expected %s:%" PRIu32
                   " or larger",
                   machine_ports(machine), text_s(machine_ports(machine)), nodes, text_s(nodes),
                   network_supporting(copies, combines), ports);
}

static bool check_topology(const struct schedule *schedule, const struct machine *machine,
                           struct err *err)
{
    return machine_has_topology(machine, &schedule->topology) ||
           err_set(err, ERR_NETWORK, "{network}: its topology is not the schedule's; expected %s",
                   topology_row(&schedule->topology)->machines);
}

bool machine_sizing_check_sources(const struct schedule *schedule, struct err *err)
{
    char node[TOPOLOGY_NODE_TEXT];
    size_t d = 0;
    while (d < schedule->demand_count && schedule->demand[d].source < schedule->nodes)
        d++;
    return d == schedule->demand_count ||
           err_set(err, ERR_UNSUPPORTED,
                   "machine: packet %" PRIu32 " starts at router %s, which has no endpoint to load "
                   "it into; expected packets of processors",
                   schedule->demand[d].first_packet,
                   topology_node_text(&schedule->topology, schedule->demand[d].source, node));
}

/* Checks that the network copies packets if the schedule requires it. */
static bool check_copies(const struct schedule *schedule, const struct machine *machine,
                         struct err *err)
{
    char network[MACHINE_NETWORK_TEXT];
    return !model_copies(schedule->model) || multistage_copies(&machine->network) ||
           err_set(err, ERR_NETWORK,
                   "{network}: %s does not copy packets, which the model %s requires; expected "
                   "%s:N",
                   machine_network_name(machine, network), model_name(schedule->model),
                   network_supporting(true, model_combines(schedule->model)));
}

/* Checks that the network combines packets if the schedule requires it. */
static bool check_network_combines(const struct schedule *schedule, const struct machine *machine,
                                   struct err *err)
{
    char network[MACHINE_NETWORK_TEXT];
    return !model_combines(schedule->model) || multistage_combines(&machine->network) ||
           err_set(err, ERR_NETWORK,
                   "{network}: %s does not combine packets, which the model %s requires; expected "
                   "%s:N",
                   machine_network_name(machine, network), model_name(schedule->model),
                   network_supporting(model_copies(schedule->model), true));
}

/* Checks what every row requires: a port for each node, and a network that supports the model. */
static bool check_network(const struct schedule *schedule, const struct machine *machine,
                          struct err *err)
{
    return check_topology(schedule, machine, err) && machine_sizing_check_sources(schedule, err) &&
           check_copies(schedule, machine, err) && check_network_combines(schedule, machine, err) &&
           machine_sizing_check_ports(wiring_endpoints(&schedule->topology), machine, err);
}

/* Returns the rows that a machine needs for the schedule; a list of packets may hold all packets.
 */
static uint64_t rows_of(const struct schedule *schedule, const struct machine *machine)
{
    uint32_t packets = machine_is_autonomous(machine) ? schedule_data_packets(schedule) : 0;
    return MAX(schedule->end, packets);
}

static bool check_memories(const struct schedule *schedule, const struct machine *machine,
                           uint32_t flits, struct err *err)
{
    uint64_t rows = rows_of(schedule, machine);
    return (schedule->packets <= 1u << machine->log2_packets && rows <= 1u << machine->log2_rows &&
            flits <= 1u << machine->log2_flits) ||
           err_set(err, ERR_TOO_SMALL,
                   "machine: %u packet%s of %u flit%s, %u row%s for %" PRIu32
                   " packet%s of %" PRIu32 " flit%s, %" PRIu64 " row%s; expected a larger {memory}",
                   1u << machine->log2_packets, text_s(1u << machine->log2_packets),
                   1u << machine->log2_flits, text_s(1u << machine->log2_flits),
                   1u << machine->log2_rows, text_s(1u << machine->log2_rows), schedule->packets,
                   text_s(schedule->packets), flits, text_s(flits), rows, text_s(rows));
}

/* Returns the exact need, or the next power of two from `least` on, at most `most`. */
static uint32_t rounded(uint32_t needed, bool exactly, uint32_t least, uint32_t most)
{
    uint32_t size = least;
    while (size < needed)
        size *= 2;
    return exactly ? needed : MIN(size, most);
}

static uint32_t rounded_depth(uint32_t needed, bool exactly)
{
    return rounded(needed, exactly, MACHINE_SIZING_MIN_DEPTH, MACHINE_MAX_DEPTH);
}

/* These sizes suffice for any sources. A tree carries at most ⌈K/d⌉ of the K packets; while the
 * packets that have reached its root wait there, as many packets of another tree and one more can
 * arrive over the same arc. */
static void fit_cube_auto(const struct schedule *schedule, bool exactly, struct machine *machine)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t share = (uint32_t)bits_divide_up(schedule_data_packets(schedule), d);
    machine->reads = 1;
    machine->queue[1] = rounded_depth(share > 0 ? share : 1, exactly);
    if (machine->depth[1] == 0)
        machine->depth[1] = rounded_depth(2 * share + 1, exactly);
}

bool machine_sizing_fit_routers(const struct schedule *schedule, bool exactly,
                                struct machine *machine, struct err *err)
{
    struct router_needs needs;
    if (machine_is_autonomous(machine)) {
        fit_cube_auto(schedule, exactly, machine);
        return true;
    }
    if (!router_needs_on(machine, schedule, &needs, err))
        return false;
    machine->reads = rounded(needs.reads, exactly, 1, MACHINE_MAX_READS);
    for (unsigned level = 1; level <= machine->topology.router_levels; level++) {
        if (machine->depth[level] == 0)
            machine->depth[level] = rounded_depth(needs.depth[level], exactly);
        bool self_timed = machine_is_self_timed(machine);
        machine->queue[level] = self_timed ? rounded_depth(needs.queue[level], exactly) : 0;
    }
    return true;
}

bool machine_sizing_fit_settings(const struct schedule *schedule, bool exactly,
                                 struct machine *machine, struct err *err)
{
    struct setting_period setting_period;
    machine->log2_period =
        1; /* minimum sizes first, to check that such a machine can exist at all */
    machine->log2_settings = machine_is_indexed(machine);
    if (!check_network(schedule, machine, err) || !machine_check(machine, err) ||
        !check_memories(schedule, machine, 1, err) ||
        !setting_period_find(schedule, machine, &setting_period, err))
        return false;
    /* No memory needs more rows than the run has. */
    unsigned period = MIN(MACHINE_SIZING_MIN_LOG2_PERIOD, machine->log2_rows);
    unsigned settings = MIN(MACHINE_SIZING_MIN_LOG2_SETTINGS, machine->log2_rows);
    machine->log2_period = log2_capacity(setting_period.period, exactly ? 1 : period);
    if (machine_is_indexed(machine))
        machine->log2_settings = log2_capacity(setting_period.distinct, exactly ? 1 : settings);
    setting_period_free(&setting_period);
    return true;
}

bool machine_sizing_fit_splits(const struct schedule *schedule, bool exactly,
                               struct machine *machine, struct err *err)
{
    struct ranges ranges;
    if (!check_network(schedule, machine, err) || !machine_check_ranges(machine, err) ||
        !ranges_find(schedule, &ranges, err))
        return false;
    unsigned least = MIN(MACHINE_SIZING_MIN_LOG2_SPLITS, machine->log2_rows);
    machine->log2_splits = log2_capacity(ranges.split_count, exactly ? 1 : least);
    ranges_free(&ranges);
    return machine->log2_splits <= machine->log2_rows ||
           err_set(err, ERR_TOO_SMALL,
                   "machine: %u row%s for %u splits; expected a larger {memory}",
                   1u << machine->log2_rows, text_s(1u << machine->log2_rows),
                   1u << machine->log2_splits);
}

bool machine_sizing_fit(const struct schedule *schedule, uint32_t flits,
                        const struct machine *minimum, struct machine *machine, struct err *err)
{
    if (machine_hops(machine) &&
        !machine_sizing_fit_routers(schedule, minimum == NULL, machine, err))
        return false;
    machine->log2_packets = log2_capacity(schedule->packets, minimum ? minimum->log2_packets : 1);
    machine->log2_flits = log2_capacity(flits, minimum ? minimum->log2_flits : 1);
    machine->log2_rows =
        log2_capacity(rows_of(schedule, machine), minimum ? minimum->log2_rows : 1);
    if (machine->ranges) {
        /* There are fewer splits than nodes, but a run may have fewer rows than splits. */
        const unsigned rows = machine->log2_rows;
        machine->log2_rows = MAX(rows, machine_sizing_log2(schedule->nodes));
        if (!machine_sizing_fit_splits(schedule, minimum == NULL, machine, err))
            return false;
        machine->log2_rows = MAX(rows, machine->log2_splits);
    }
    if (machine_has_setting_period(machine) &&
        !machine_sizing_fit_settings(schedule, minimum == NULL, machine, err))
        return false;
    if (machine_check(machine, NULL))
        return true;
    return err_set(
        err, ERR_TOO_SMALL,
        "route: %" PRIu32 " packet%s of %" PRIu32 " flit%s in %" PRIu64
        " row%s on %u port%s; expected fewer, the largest machine has 28 bits of address",
        schedule->packets, text_s(schedule->packets), flits, text_s(flits), schedule->end,
        text_s(schedule->end), machine_ports(machine), text_s(machine_ports(machine)));
}

/* Checks that the machine implements the postal model with λ = 1 + L/F (docs/machine.md). */
static bool check_lambda(const struct schedule *schedule, const struct machine *machine,
                         uint32_t flits, struct err *err)
{
    struct rational lambda = machine_lambda(machine, flits);
    if (rational_equal(lambda, schedule->lambda))
        return true;
    char seen[RATIONAL_TEXT], expected[RATIONAL_TEXT];
    return err_set(
        err, ERR_NETWORK,
        "{network}: %" PRIu32 " flit%s through %u register%s make λ = %s; expected λ = %s", flits,
        text_s(flits), machine_latency(machine), text_s(machine_latency(machine)),
        rational_text(lambda.numerator, lambda.denominator, seen),
        rational_text(schedule->lambda.numerator, schedule->lambda.denominator, expected));
}

bool machine_sizing_check(const struct schedule *schedule, const struct machine *machine,
                          uint32_t flits, struct err *err)
{
    if (!check_network(schedule, machine, err) || !check_memories(schedule, machine, flits, err))
        return false;
    if (model_has_times(schedule->model))
        return check_lambda(schedule, machine, flits, err);
    if (machine_row_cycles(machine, flits) > MACHINE_MAX_ROW_CYCLES)
        return err_set(err, ERR_TOO_SMALL, "machine: rounds of %u cycle%s; expected at most %u",
                       machine_row_cycles(machine, flits),
                       text_s(machine_row_cycles(machine, flits)), MACHINE_MAX_ROW_CYCLES);
    return true;
}
