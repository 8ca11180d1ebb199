/* SPDX-License-Identifier: Apache-2.0 */
/* route_fit: the machine that a schedule needs, and whether one is large enough. */
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/route/beats.h"
#include "sched/route/route.h"
#include "sched/route/route_needs.h"

#include <inttypes.h>

/* log2 of a capacity that holds `value`, not below a minimum. */
static unsigned log2_capacity(uint64_t value, unsigned minimum)
{
    unsigned log2 = bits_log2_up(value);
    return MAX(log2, minimum);
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
                   "--network: %" PRIu32 " port%s for %" PRIu32 " node%s; expected %s:%" PRIu32
                   " or larger",
                   machine_ports(machine), text_s(machine_ports(machine)), nodes, text_s(nodes),
                   copies ? "multicast" : "benes",
                   copies ? UINT32_C(1) << bits_log2_up(nodes) : nodes);
}

static bool check_topology(const struct schedule *schedule, const struct machine *machine,
                           struct err *err)
{
    return machine_has_topology(machine, &schedule->topology) ||
           err_set(err, ERR_NETWORK, "--network: another topology than the schedule's; expected %s",
                   topology_row(&schedule->topology)->machines);
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

/* Every row needs this: nodes are ports of a network that can do what the model counts on. */
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
                   " packet%s of %" PRIu32 " flit%s, %" PRIu64 " row%s; expected a larger --memory",
                   1u << machine->log2_packets, text_s(1u << machine->log2_packets),
                   1u << machine->log2_flits, text_s(1u << machine->log2_flits),
                   1u << machine->log2_rows, text_s(1u << machine->log2_rows), schedule->packets,
                   text_s(schedule->packets), flits, text_s(flits), rows, text_s(rows));
}

/* What is needed, or the next power of two from `least` on, but not more than `most`. */
static uint32_t rounded(uint32_t needed, bool exactly, uint32_t least, uint32_t most)
{
    uint32_t size = least;
    while (size < needed)
        size *= 2;
    return exactly ? needed : MIN(size, most);
}

static uint32_t rounded_depth(uint32_t needed, bool exactly)
{
    return rounded(needed, exactly, ROUTE_MIN_DEPTH, MACHINE_MAX_DEPTH);
}

/* This is enough whichever nodes have the packets. A tree has ⌈K/d⌉ of K; while those that its root
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

bool route_fit_beats(const struct schedule *schedule, bool exactly, struct machine *machine,
                     struct err *err)
{
    struct beats beats;
    machine->log2_period = 1; /* the least, whether a machine of them can be at all */
    machine->log2_settings = machine_is_indexed(machine);
    if (!check_network(schedule, machine, err) || !machine_check(machine, err) ||
        !check_memories(schedule, machine, 1, err) || !beats_find(schedule, machine, &beats, err))
        return false;
    /* No memory has more rows than a run. */
    unsigned period = MIN(ROUTE_MIN_LOG2_PERIOD, machine->log2_rows);
    unsigned settings = MIN(ROUTE_MIN_LOG2_SETTINGS, machine->log2_rows);
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
    return err_set(
        err, ERR_TOO_SMALL,
        "route: %" PRIu32 " packet%s of %" PRIu32 " flit%s in %" PRIu64
        " row%s on %u port%s; expected fewer, the largest machine has 28 bits of address",
        schedule->packets, text_s(schedule->packets), flits, text_s(flits), schedule->end,
        text_s(schedule->end), machine_ports(machine), text_s(machine_ports(machine)));
}

/* The machine is the postal model with λ = 1 + L/F (docs/machine.md). */
static bool check_lambda(const struct schedule *schedule, const struct machine *machine,
                         uint32_t flits, struct err *err)
{
    struct rational lambda = machine_lambda(machine, flits);
    if (rational_equal(lambda, schedule->lambda))
        return true;
    char seen[RATIONAL_TEXT], expected[RATIONAL_TEXT];
    return err_set(
        err, ERR_NETWORK,
        "--network: %" PRIu32 " flit%s through %u register%s make λ = %s; expected λ = %s", flits,
        text_s(flits), machine_latency(machine), text_s(machine_latency(machine)),
        rational_text(lambda.numerator, lambda.denominator, seen),
        rational_text(schedule->lambda.numerator, schedule->lambda.denominator, expected));
}

bool route_check_fits(const struct schedule *schedule, const struct machine *machine,
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
