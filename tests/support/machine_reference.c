/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/machine_reference.h"

#include "csim/kernel/csim.h"
#include "sched/machine/machine_address.h"
#include "testbench/engine/dut_csim.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- The testbench ----------------------------------------------------------------------------- */

uint32_t machine_reference_draw(struct machine_reference *b)
{
    b->seed = b->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(b->seed >> 32);
}

static void poke(struct machine_reference *b, const char *name, uint32_t value)
{
    *csim_poke(csim_find(b->sim, name)) = value;
}

struct dut_outputs machine_reference_step(struct machine_reference *b, struct dut_inputs inputs)
{
    struct dut_outputs outputs;
    if (b->audited) {
        struct err err = {0};
        poke(b, "rst_i", inputs.rst);
        poke(b, "start_i", inputs.start);
        poke(b, "host_we_i", inputs.host_we);
        poke(b, "host_re_i", inputs.host_re);
        poke(b, "host_addr_i", inputs.host_addr);
        poke(b, "host_wdata_i", inputs.host_wdata);
        if (!csim_audit(b->sim, &err))
            fail_msg("%s", err.text);
        return (struct dut_outputs){.busy = *csim_peek(csim_find(b->sim, "busy_o")),
                                    .run = *csim_peek(csim_find(b->sim, "run_o")),
                                    .done = *csim_peek(csim_find(b->sim, "done_o")),
                                    .obs_strobe = *csim_peek(csim_find(b->sim, "obs_strobe_o")),
                                    .host_error = *csim_peek(csim_find(b->sim, "host_error_o")),
                                    .error = *csim_peek(csim_find(b->sim, "error_o")),
                                    .irq = *csim_peek(csim_find(b->sim, "irq_o")),
                                    .host_rdata = *csim_peek(csim_find(b->sim, "host_rdata_o")),
                                    .obs = csim_peek(csim_find(b->sim, "obs_o"))};
    }
    dut_csim_ops.step(b->dut, &inputs, &outputs);
    return outputs;
}

struct dut_outputs machine_reference_idle(struct machine_reference *b, unsigned cycles)
{
    struct dut_outputs outputs = {0};
    while (cycles-- > 0)
        outputs = machine_reference_step(b, (struct dut_inputs){0});
    return outputs;
}

void machine_reference_write(struct machine_reference *b, uint32_t address, uint32_t word)
{
    machine_reference_step(
        b, (struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word});
}

uint32_t machine_reference_read(struct machine_reference *b, uint32_t address)
{
    machine_reference_step(b, (struct dut_inputs){.host_re = true, .host_addr = address});
    return machine_reference_idle(b, 2).host_rdata;
}

void machine_reference_open(struct machine_reference *b, struct machine machine, uint64_t seed)
{
    *b = (struct machine_reference){.machine = machine,
                                    .nodes = machine_ports(&machine),
                                    .rows = 1u << machine.log2_rows,
                                    .packets = 1u << machine.log2_packets,
                                    .flits = 1u << machine.log2_flits,
                                    .words = multistage_row_words(&machine.network),
                                    .seed = seed};
    struct err err = {0};
    b->dut = dut_csim_create(&machine, &err);
    if (b->dut == NULL)
        fail_msg("%s", err.text);
    b->sim = dut_csim_simulator(b->dut);
    b->table = room_words((size_t)b->rows * machine_stages(&machine) * b->words);
    b->send = room_words((size_t)b->nodes * b->rows);
    b->receive = room_words((size_t)b->nodes * b->rows);
    b->memory = room_words((size_t)b->nodes * b->packets * b->flits);
    b->received_in = room_words((size_t)b->nodes * b->packets);
    b->flags = room_words(b->nodes);
    b->obs = room_words(b->nodes);
    machine_reference_reset(b);
}

void machine_reference_reset(struct machine_reference *b)
{
    struct dut_outputs outputs = machine_reference_step(b, (struct dut_inputs){.rst = true});
    for (unsigned cycle = 0; cycle < machine_latency(&b->machine) + 2; cycle++) {
        assert_true(outputs.busy && !outputs.run && !outputs.done);
        outputs = machine_reference_idle(b, 1);
    }
    assert_true(!outputs.busy && !outputs.run && !outputs.done);
}

void machine_reference_close(struct machine_reference *b)
{
    dut_csim_ops.destroy(b->dut);
    free(b->table);
    free(b->send);
    free(b->receive);
    free(b->memory);
    free(b->received_in);
    free(b->flags);
    free(b->obs);
}

/* -- The reference ----------------------------------------------------------------------------- */

uint32_t *machine_reference_row_of(struct machine_reference *b, uint32_t row, unsigned stage)
{
    return b->table + ((size_t)row * machine_stages(&b->machine) + stage) * b->words;
}

uint32_t *machine_reference_packet_of(struct machine_reference *b, uint32_t node, uint32_t packet)
{
    return b->memory + ((size_t)node * b->packets + packet) * b->flits;
}

/* Returns the port whose word is on a lane after `stages` stages. */
static uint32_t source_of(struct machine_reference *b, uint32_t row, uint32_t lane, unsigned stages)
{
    return multistage_source(&b->machine.network, machine_reference_row_of(b, row, 0), lane,
                             stages);
}

static uint32_t word_mask(const struct machine_reference *b)
{
    return (UINT32_C(1) << b->machine.width) - 1;
}

/* Returns the sender whose circuit ends at a node in a row; `nodes` if there is none. */
static uint32_t sender_to(struct machine_reference *b, uint32_t row, uint32_t node)
{
    uint32_t source = source_of(b, row, node, machine_stages(&b->machine));
    bool sends =
        source != MULTISTAGE_NOWHERE && b->send[(size_t)source * b->rows + row] & MACHINE_VALID;
    return sends ? source : b->nodes;
}

/* Computes the words that the senders of a row put on the lanes, with the valid bit in place of the
 * held bit of the memory, and the senders' flags. */
static void reference_send(struct machine_reference *b, uint32_t row, uint32_t flits,
                           uint32_t *flight)
{
    for (uint32_t node = 0; node < b->nodes; node++) {
        uint32_t program = b->send[(size_t)node * b->rows + row];
        uint32_t packet = program & (b->packets - 1);
        if (!(program & MACHINE_VALID))
            continue;
        b->forwarded += row > 0 && b->received_in[(size_t)node * b->packets + packet] == row;
        for (uint32_t flit = 0; flit < flits; flit++) {
            uint32_t word = machine_reference_packet_of(b, node, packet)[flit];
            flight[(size_t)node * b->flits + flit] = word;
            if (!(word & MACHINE_VALID))
                b->flags[node] |= MACHINE_NOT_HELD;
        }
    }
}

/* Updates a node at which `words` arrive; NULL: no words arrive. */
static void reference_receive(struct machine_reference *b, uint32_t row, uint32_t flits,
                              uint32_t node, const uint32_t *words)
{
    uint32_t program = b->receive[(size_t)node * b->rows + row];
    uint32_t packet = program & (b->packets - 1);
    bool expected = program & MACHINE_VALID, complete = expected;
    for (uint32_t flit = 0; flit < flits; flit++) {
        uint32_t word = words == NULL ? 0 : words[flit];
        bool arrived = word & MACHINE_VALID;
        if (expected)
            machine_reference_packet_of(b, node, packet)[flit] = word;
        if (expected != arrived)
            b->flags[node] |= expected ? MACHINE_MISSING : MACHINE_UNEXPECTED;
        complete = complete && arrived;
    }
    if (complete)
        b->received_in[(size_t)node * b->packets + packet] = row + 1;
    b->valid += complete;
    b->obs[node] = (complete ? MACHINE_VALID : 0) | b->flags[node] << MACHINE_OBS_FLAGS | packet;
}

void machine_reference_row(struct machine_reference *b, uint32_t row, uint32_t flits,
                           uint32_t *flight)
{
    uint32_t *before = room_words(b->nodes);
    memcpy(before, b->flags, b->nodes * sizeof *before);
    reference_send(b, row, flits, flight);
    for (uint32_t node = 0; node < b->nodes; node++) {
        uint32_t sender = sender_to(b, row, node);
        reference_receive(b, row, flits, node,
                          sender == b->nodes ? NULL : flight + (size_t)sender * b->flits);
        for (unsigned flag = 0; flag < 3; flag++)
            b->seen[flag] += (b->flags[node] & ~before[node]) >> flag & 1;
    }
    free(before);
}

/* -- Images and runs --------------------------------------------------------------------------- */

uint32_t machine_reference_word_of_ones(const struct multistage *net, unsigned stage,
                                        uint32_t column)
{
    unsigned bits = multistage_field_bits(net, stage);
    uint32_t left = multistage_fields(net, stage) - column * (32 / bits);
    return (uint32_t)((UINT64_C(1) << bits * (left < 32 / bits ? left : 32 / bits)) - 1);
}

void machine_reference_load_tables(struct machine_reference *b)
{
    const struct multistage *net = &b->machine.network;
    for (uint32_t row = 0; row < b->rows; row++)
        for (unsigned stage = 0; stage < multistage_stages(net); stage++)
            for (uint32_t column = 0; column < multistage_columns(net, stage); column++) {
                uint32_t word = machine_reference_draw(b);
                machine_reference_write(b, machine_table_address(&b->machine, stage, row, column),
                                        word);
                machine_reference_row_of(b, row, stage)[column] =
                    word & machine_reference_word_of_ones(net, stage, column);
            }
}

void machine_reference_load_programs(struct machine_reference *b, uint32_t busy, uint32_t wrong)
{
    for (uint32_t row = 0; row < b->rows; row++) {
        for (uint32_t node = 0; node < b->nodes; node++) {
            b->receive[(size_t)node * b->rows + row] = machine_reference_draw(b) & (b->packets - 1);
            b->send[(size_t)node * b->rows + row] =
                (machine_reference_draw(b) % 100 < busy ? MACHINE_VALID : 0) |
                (machine_reference_draw(b) & (b->packets - 1));
        }
        for (uint32_t node = 0; node < b->nodes; node++) {
            bool sent = sender_to(b, row, node) < b->nodes;
            if (sent != (machine_reference_draw(b) % 100 < wrong))
                b->receive[(size_t)node * b->rows + row] |= MACHINE_VALID;
        }
        for (uint32_t node = 0; node < b->nodes; node++) {
            size_t at = (size_t)node * b->rows + row;
            machine_reference_write(
                b, machine_program_address(&b->machine, MACHINE_SEND, node, row), b->send[at]);
            machine_reference_write(
                b, machine_program_address(&b->machine, MACHINE_RECEIVE, node, row),
                b->receive[at]);
        }
    }
}

void machine_reference_load_memories(struct machine_reference *b, uint32_t bare)
{
    for (uint32_t node = 0; node < b->nodes; node++)
        for (uint32_t packet = 0; packet < b->packets; packet++)
            for (uint32_t flit = 0; flit < b->flits; flit++) {
                uint32_t word = (machine_reference_draw(b) & word_mask(b)) |
                                (machine_reference_draw(b) % 100 < bare ? 0 : MACHINE_VALID);
                machine_reference_packet_of(b, node, packet)[flit] = word;
                machine_reference_write(b, machine_packet_address(&b->machine, node, packet, flit),
                                        word);
            }
}

void machine_reference_load_run(struct machine_reference *b, const struct run *run)
{
    machine_reference_write(b, MACHINE_RUN_ROWS, run->rows);
    machine_reference_write(b, MACHINE_RUN_FLITS, run->flits);
    machine_reference_write(b, MACHINE_RUN_ROW_CYCLES, run->row_cycles);
    machine_reference_idle(b, 1);
}

/* In cycle `cycle` of the machine, the register after stage s shows the flit that left `depth`
 * cycles ago. */
static void check_stages(struct machine_reference *b, const struct run *run, uint32_t row,
                         const uint32_t *flight, uint64_t cycle)
{
    unsigned depth = 0;
    for (unsigned stage = 0; stage < machine_stages(&b->machine); stage++) {
        if (b->machine.pipe == 0 || (stage + 1) % b->machine.pipe != 0)
            continue;
        depth++;
        char name[64];
        snprintf(name, sizeof name, "machine.network.stage%u.lanes_o", stage);
        const uint32_t *lanes = csim_peek(csim_find(b->sim, name));
        uint64_t flit = cycle - (uint64_t)row * run->row_cycles - depth;
        for (uint32_t lane = 0; lane < multistage_lanes(&b->machine.network, stage + 1); lane++) {
            uint32_t node = source_of(b, row, lane, stage + 1);
            bool flown = node != MULTISTAGE_NOWHERE && flit < run->flits;
            uint32_t word = flown ? flight[(size_t)node * b->flits + flit] : 0;
            uint32_t bits = (word & MACHINE_VALID ? word_mask(b) + 1 : 0) | (word & word_mask(b));
            assert_int_equal(lanes[lane], bits);
        }
    }
}

void machine_reference_run(struct machine_reference *b, const struct run *run)
{
    machine_reference_load_run(b, run);
    memset(b->flags, 0, b->nodes * sizeof *b->flags);
    memset(b->received_in, 0, (size_t)b->nodes * b->packets * sizeof *b->received_in);
    uint32_t *flight = room_words((size_t)b->nodes * b->flits);
    struct dut_outputs outputs = machine_reference_step(b, (struct dut_inputs){.start = true});
    unsigned wait = 0;
    for (; !outputs.run && !outputs.done && wait < 10; wait++)
        outputs = machine_reference_idle(b, 1);
    for (uint32_t row = 0; row < run->rows; row++) {
        memset(flight, 0, (size_t)b->nodes * b->flits * sizeof *flight);
        machine_reference_row(b, row, run->flits, flight);
        uint64_t begin = (uint64_t)row * run->row_cycles;
        uint64_t arrival = machine_arrival_cycle(&b->machine, run, row, 0);
        for (uint64_t k = begin; k < begin + run->row_cycles; k++) {
            assert_true(outputs.run && !outputs.done);
            assert_int_equal(outputs.obs_strobe, k == arrival);
            if (outputs.obs_strobe)
                assert_memory_equal(outputs.obs, b->obs, b->nodes * sizeof *b->obs);
            if (b->nodes <= 8 && k + 1 < begin + run->row_cycles)
                check_stages(b, run, row, flight, k + 1);
            outputs = machine_reference_idle(b, 1);
        }
    }
    for (; !outputs.done && wait < 10; wait++)
        outputs = machine_reference_idle(b, 1);
    assert_true(outputs.done && !outputs.run && !outputs.obs_strobe);
    free(flight);
}

void machine_reference_check_memories(struct machine_reference *b)
{
    for (uint32_t node = 0; node < b->nodes; node++) {
        assert_int_equal(machine_reference_read(b, machine_flags_address(node)), b->flags[node]);
        for (uint32_t packet = 0; packet < b->packets; packet++)
            for (uint32_t flit = 0; flit < b->flits; flit++)
                assert_int_equal(machine_reference_read(
                                     b, machine_packet_address(&b->machine, node, packet, flit)),
                                 machine_reference_packet_of(b, node, packet)[flit]);
    }
}
