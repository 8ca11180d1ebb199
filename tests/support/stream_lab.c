/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/stream_lab.h"

#include "csim/kernel/csim.h"
#include "sched/machine/machine_address.h"
#include "testbench/engine/dut_csim.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>

const enum engine_kind stream_lab_engines[2] = {ENGINE_CSIM, ENGINE_RTL};

struct machine stream_lab_machine(unsigned pipe, unsigned pad)
{
    return (struct machine)MULTISTAGE(3, pipe, pad, 13, 1, 2, 6);
}

/* After `depth` registers the lanes show what left so many cycles ago. */
static void stream_watch_lanes(struct stream_lab_watch *watch, uint32_t cycle, const char *name,
                               unsigned stages, unsigned depth)
{
    const struct stream_reference *s = watch->stream;
    const uint32_t *lanes = csim_peek(csim_find(watch->sim, name));
    uint32_t left = cycle - depth;
    for (uint32_t node = 0; node < s->nodes; node++) {
        uint32_t word = left < s->cycles ? s->sent[(size_t)left * s->nodes + node] : 0;
        uint32_t row = left < s->cycles ? left / s->run.row_cycles : 0;
        uint32_t lane = (word & ~MACHINE_VALID) | (word & MACHINE_VALID) >> (31 - s->machine.width);
        watch->differ += lanes[stream_reference_follow(s, row, node, stages)] != lane;
        watch->lanes += lane != 0;
    }
}

static void stream_watch_registers(struct stream_lab_watch *watch, uint32_t cycle)
{
    const struct machine *machine = &watch->stream->machine;
    unsigned stages = machine_stages(machine), depth = 0;
    char name[64];
    for (unsigned column = 0; column < stages + machine->pad; column++) {
        bool pad = column >= stages;
        if (!pad && (machine->pipe == 0 || (column + 1) % machine->pipe != 0))
            continue;
        snprintf(name, sizeof name, "machine.network.%s%u.lanes_o", pad ? "pad" : "stage",
                 pad ? column - stages : column);
        stream_watch_lanes(watch, cycle, name, pad ? stages : column + 1, ++depth);
    }
}

bool stream_lab_watch_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct stream_lab_watch *watch = self;
    const struct stream_reference *s = watch->stream;
    if (cycle >= s->cycles || (obs != NULL) != s->strobe[cycle])
        return ++watch->differ;
    for (uint32_t node = 0; obs != NULL && node < s->nodes; node++) {
        watch->differ += obs[node] != s->obs[cycle * s->nodes + node];
        watch->receipts += obs[node] >> 31;
        if (watch->planned)
            watch->differ +=
                (obs[node] & MACHINE_VALID ? obs[node] : 0) != s->due[cycle * s->nodes + node];
    }
    if (cycle + 1 < s->cycles && watch->sim != NULL)
        stream_watch_registers(watch, (uint32_t)cycle + 1);
    return true;
}

/* Reads and compares memories and flags. */
static void stream_watch_memories(struct stream_lab_watch *watch, struct testbench *testbench)
{
    const struct stream_reference *s = watch->stream;
    struct err err = {0};
    uint32_t *word = room_words(s->flits), flags;
    for (uint32_t node = 0; node < s->nodes; node++) {
        support_true(testbench_read(testbench, machine_flags_address(node), &flags, &err), &err);
        watch->differ += flags != s->flags[node];
        for (uint32_t packet = 0; packet < s->packets; packet++) {
            support_true(testbench_read_block(testbench,
                                              machine_packet_address(&s->machine, node, packet, 0),
                                              s->flits, word, &err),
                         &err);
            for (uint32_t flit = 0; flit < s->flits; flit++)
                watch->differ +=
                    word[flit] != s->memory[stream_reference_at(s, node, packet, flit)];
        }
    }
    free(word);
}

struct stream_lab_watch stream_lab_run(struct testbench *testbench,
                                       const struct stream_reference *s, const struct image *image,
                                       bool planned)
{
    struct stream_lab_watch watch = {
        .stream = s, .sim = dut_csim_simulator(testbench->engine[0].self), .planned = planned};
    const struct testbench_observer observer = {&watch, stream_lab_watch_observe};
    struct err err = {0};
    uint64_t cycles;
    support_true(testbench_load(testbench, image, &err), &err);
    support_true(testbench_run(testbench, &s->run, &observer, &cycles, &err), &err);
    watch.differ += cycles != s->cycles;
    stream_watch_memories(&watch, testbench);
    return watch;
}

void stream_lab_step(struct testbench *testbench, bool rst, bool start, unsigned cycles)
{
    struct dut_outputs outputs[2];
    for (unsigned k = 0; k < cycles; k++) {
        for (unsigned engine = 0; engine < 2; engine++)
            testbench->engine[engine].ops->step(testbench->engine[engine].self,
                                                &(struct dut_inputs){.rst = rst, .start = start},
                                                &outputs[engine]);
        assert_true(outputs[0].run == outputs[1].run && outputs[0].done == outputs[1].done &&
                    outputs[0].obs_strobe == outputs[1].obs_strobe &&
                    outputs[0].busy == outputs[1].busy);
        assert_false(rst && (outputs[0].run || outputs[0].done));
    }
}
