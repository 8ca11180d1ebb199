/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine_run.h"

#include "sched/base/compare.h"
#include "sched/base/text.h"

/* Returns the number of flits at which the packets take as long to arrive at a router of a tree as
 * their headers take to be queued. One header is examined in each cycle after flit 1, in the order
 * of the ports; the other cycles are for the registers from there to a queue. */
static uint32_t machine_scan_flits(const struct machine *machine)
{
    return wiring_most_ports(&machine->topology) + 5;
}

/* In a tree one lane is filled in each cycle, after the row is complete and all headers are queued;
 * the other cycles are for the registers from a queue to the output. */
unsigned machine_control_cycles(const struct machine *machine, uint32_t flits)
{
    uint32_t lanes = 0;
    if (machine_has_node_memories(machine))
        return flits < MACHINE_COMBINE_FLITS ? MACHINE_COMBINE_FLITS - flits : 0;
    if (!machine_is_self_timed(machine))
        return 0;
    if (machine_is_autonomous(machine))
        return machine->topology.dimensions + 2;
    for (unsigned level = 1; level <= machine->topology.height; level++)
        lanes = MAX(lanes, machine->topology.capacity[level]);
    uint32_t least = machine_scan_flits(machine);
    return (flits < least ? least - flits : 0) + lanes + 3;
}

/* Checks the cycles of a row, of either kind of run: with or without barriers. */
static bool row_cycles_fit(const struct machine *machine, const struct run *run)
{
    if (machine_header_flits(machine) > 0 && run->flits < 2)
        return false; /* no room for the header */
    unsigned latency = machine_latency(machine);
    if (run->stream && run->row_cycles < MACHINE_STREAM_CYCLES)
        return false;
    if (run->row_cycles >= machine_row_cycles(machine, run->flits))
        return run->row_cycles <= MACHINE_MAX_ROW_CYCLES;
    if (machine->combines && run->flits < MACHINE_COMBINE_FLITS)
        return false;
    return !machine_hops(machine) && !machine->reconfigures && run->row_cycles > 0 &&
           run->flits % run->row_cycles == 0 && latency % run->row_cycles == 0;
}

/* Checks that computed programs have a last packet and that their bases fit in the bits of an
 * offset. */
static bool bases_fit(const struct machine *machine, const struct run *run)
{
    return run->packets >= 1 &&
           (uint64_t)run->first + run->rows <= UINT64_C(1) << machine_offset_bits(machine);
}

/* Checks that a stream begins no more packets than it has rows. */
static bool stream_fits(const struct run *run)
{
    return run->stream <= 1 && (run->stream == 0 || run->packets <= run->rows);
}

static bool setting_period_fit(const struct machine *machine, const struct run *run)
{
    if (machine->ranges && (run->packets < 1 || run->packets > 1u << machine->log2_packets))
        return false;
    if (!machine_has_setting_period(machine))
        return run->period == 0 && run->first == 0 && (machine->ranges || run->packets == 0) &&
               run->stream == 0;
    return run->period >= 1 && run->period <= UINT32_C(1) << machine->log2_period &&
           run->period <= MACHINE_MAX_PERIOD && run->first < run->period &&
           run->packets <= UINT32_C(1) << machine->log2_packets &&
           (machine->computed ? bases_fit(machine, run) && stream_fits(run) : run->stream == 0);
}

bool machine_check_run(const struct machine *machine, const struct run *run, const char *name,
                       struct err *err)
{
    if (run->rows > UINT32_C(1) << machine->log2_rows || run->flits < 1 ||
        run->flits > UINT32_C(1) << machine->log2_flits || !row_cycles_fit(machine, run) ||
        run->single_port > machine_hops(machine) ||
        (run->reconfigure > 0 && !machine->reconfigures) ||
        run->operation >= (machine->combines ? MACHINE_OPERATORS : 1))
        return err_set(err, ERR_FIELD_RANGE,
                       "%.200s:3: a run of %u row%s of %u flit%s in %u cycle%s; expected at most "
                       "%u row%s, 1 … %u "
                       "flit%s, flits + latency … %u cycles or a divisor of flits and latency",
                       name, run->rows, text_s(run->rows), run->flits, text_s(run->flits),
                       run->row_cycles, text_s(run->row_cycles), 1u << machine->log2_rows,
                       text_s(1u << machine->log2_rows), 1u << machine->log2_flits,
                       text_s(1u << machine->log2_flits), MACHINE_MAX_ROW_CYCLES);
    char built[MACHINE_OPERATORS_TEXT];
    if (machine->combines && !(machine_built_operators(machine) >> run->operation & 1))
        return err_set(err, ERR_FIELD_RANGE,
                       "%.200s:3: operator %s is not built in this machine; expected %s", name,
                       machine_operator_name(run->operation),
                       machine_operators_text(machine_built_operators(machine), built));
    if (!setting_period_fit(machine, run))
        return err_set(
            err, ERR_FIELD_RANGE,
            "%.200s:3: a run with period %u, first %u and %u packet%s; expected a period "
            "of at most %u, "
            "first below it, at most %u packet%s, with computed programs or ranges at least 1, and "
            "with computed programs at most %u row%s from the first phase on, or none of them if "
            "the machine has no setting period",
            name, run->period, run->first, run->packets, text_s(run->packets),
            1u << machine->log2_period, 1u << machine->log2_packets,
            text_s(1u << machine->log2_packets), 1u << machine_offset_bits(machine),
            text_s(1u << machine_offset_bits(machine)));
    return true;
}
