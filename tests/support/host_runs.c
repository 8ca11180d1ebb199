/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/host_runs.h"

#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"

void host_runs_list(struct host_lab *lab, struct rng *rng, unsigned valid, uint32_t processor,
                    uint32_t first, uint32_t length)
{
    const struct machine *machine = &lab->map.machine;
    const unsigned dimensions = machine->topology.dimensions;
    for (uint32_t node = processor * dimensions; node < (processor + 1) * dimensions; node++) {
        host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, 0), 0);
        for (uint32_t row = 0; row < length; row++) {
            const uint32_t slot = first + row, held = rng_below(rng, 8) < valid ? MACHINE_VALID : 0;
            host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                           MACHINE_VALID | slot);
            for (uint32_t flit = 0; flit < 1u << machine->log2_flits; flit++) {
                uint32_t word = flit == 0 ? slot : (uint32_t)rng_next(rng) & ~MACHINE_VALID;
                host_lab_write(lab, machine_packet_address(machine, node, slot, flit), held | word);
            }
        }
    }
}

struct run host_runs_draw_ranges(const struct machine *machine, struct rng *rng)
{
    const uint32_t most = 1u << machine->log2_flits;
    struct run run = {.rows = 1u << machine->log2_rows, .flits = 2 + rng_below(rng, most - 1)};
    run.row_cycles = run.flits + machine_latency(machine) + rng_below(rng, 3);
    run.packets = 1 + rng_below(rng, 1u << machine->log2_packets);
    if (rng_below(rng, 3) == 0) {
        run.row_cycles = run.flits;
        run.packets = 1 + rng_below(rng, 2);
    } else if (run.flits % 2 == 0 && rng_below(rng, 2)) {
        run.row_cycles = run.flits / 2;
        run.packets = 1;
    }
    return run;
}

/* Draws `often` two times in three, else a number up to `most`. */
static uint32_t draw_near(struct rng *rng, uint32_t often, uint32_t most)
{
    return rng_below(rng, 3) ? often : rng_below(rng, most + 1);
}

/* Writes the sources, few or many. */
static void write_sources(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t last = lab->map.nodes - 1, most = (1u << machine_node_bits(machine)) - 1,
                   many = 2 + rng_below(rng, 5);
    for (uint32_t node = 0; node <= last; node++)
        host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, 0),
                       (rng_below(rng, many) == 0 ? MACHINE_VALID : 0) |
                           draw_near(rng, rng_below(rng, 2) ? last : most, most));
}

void host_runs_ranges(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t bank = machine_splits_bank(machine), words = 1u << machine->log2_splits,
                   most = (1u << machine_node_bits(machine)) - 1;
    for (uint32_t row = 0; row < words; row++)
        host_lab_write(lab, machine_table_address(machine, bank, row, 0),
                       machine_split_word(rng_below(rng, 2), draw_near(rng, row, most),
                                          draw_near(rng, 1, most)));
    write_sources(lab, rng);
    /* A small word is a header, if it arrives where a packet may begin. */
    for (uint32_t slot = 0; slot < run->packets; slot++)
        for (uint32_t flit = 0; flit < run->flits; flit++)
            host_lab_write(
                lab, MACHINE_ALL_NODES | machine_packet_address(machine, 0, slot, flit),
                draw_near(rng, MACHINE_VALID, 1) |
                    (rng_below(rng, 2) ? (uint32_t)rng_next(rng) >> 16 : rng_below(rng, 64)));
}

void host_runs_stream(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t phase = 0; phase < run->period; phase++)
            for (unsigned region = MACHINE_SEND; region <= MACHINE_RECEIVE; region++) {
                const int32_t before = (int32_t)rng_below(rng, 8),
                              offset = (int32_t)phase - (int32_t)run->first - before;
                const uint32_t word = machine_offset_word(machine, offset);
                host_lab_write(
                    lab, machine_program_address(machine, (enum machine_region)region, node, phase),
                    rng_below(rng, 4) ? word : word & ~MACHINE_VALID);
            }
}

void host_runs_registers(struct host_lab *lab, const struct run *run)
{
    uint32_t word;
    for (uint32_t which = 0; which < HOST_MAP_REGISTERS; which++)
        if (machine_run_word(&lab->map.machine, run, which, &word))
            host_lab_write(lab, which, word);
    host_lab_idle(lab, 1);
}

void host_runs_cycle(struct host_lab *lab, struct rng *rng)
{
    if (lab->map.machine.computed && rng_below(rng, 64) == 0)
        host_lab_write(lab, MACHINE_RUN_STOP, rng_below(rng, 4));
    else if (rng_below(rng, 2))
        host_lab_ask(lab, rng_below(rng, HOST_MAP_REGISTERS) |
                              (rng_below(rng, 4) ? 0 : MACHINE_ALL_NODES));
    else
        host_lab_idle(lab, 1);
}

void host_runs_finish(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    uint64_t limit = (uint64_t)run->rows * (run->row_cycles + run->reconfigure) + 8;
    for (uint64_t k = 0; k < limit && !lab->outputs.done; k++)
        host_runs_cycle(lab, rng);
    assert_true(lab->outputs.done);
}

void host_runs_again(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    host_lab_start(lab);
    host_runs_finish(lab, run, rng);
}

void host_runs_run(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    host_runs_registers(lab, run);
    host_runs_again(lab, run, rng);
}
