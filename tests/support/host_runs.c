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
    if (rng_below(rng, 2))
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
