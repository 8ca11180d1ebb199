/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/host_lab.h"

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/ports_to_nodes.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"
#include "tests/support/range_lab.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Machines and what they run ---------------------------------------------------------------- */

const struct host_lab_shape host_lab_shapes[HOST_LAB_SHAPES] = {
    {"benes:2", "circulant", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 4, 3, 6},
    {"benes:8,pipe=2,pad=1", "circulant", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 4, 3, 6},
    {"benes:7", "circulant", MACHINE_MULTISTAGE, MACHINE_INDEXED, false, 16, 5, 1, 6},
    {"benes:7", "circulant", MACHINE_MULTISTAGE, MACHINE_TAGS, true, 16, 5, 1, 6},
    {"benes:8,pipe=2", "binomial", MACHINE_MULTISTAGE, MACHINE_MASKS, false, 16, 5, 1, 6},
    {"multicast:8,pipe=2", "fabric-broadcast", MACHINE_MULTISTAGE, MACHINE_INDEXED, true, 16, 5, 1,
     6},
    {"omega:8", "circulant", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 3, 1, 13},
    {"clos:5,4,3,pipe=0,pad=1", "circulant", MACHINE_MULTISTAGE, MACHINE_FULL, true, 16, 5, 1, 6},
    {"tree 3,2 1,2", "tree-broadcast", MACHINE_FAT_TREE, MACHINE_FULL, false, 31, 3, 4, 5},
    {"tree 3,2 1,2", "tree-broadcast", MACHINE_FAT_TREE_AUTO, MACHINE_FULL, false, 31, 3, 4, 6},
    {"cube 3", "cube-broadcast", MACHINE_CUBE, MACHINE_FULL, false, 16, 5, 1, 5},
    {"cube 3", "cube-broadcast", MACHINE_CUBE_AUTO, MACHINE_FULL, false, 16, 6, 2, 5},
    {"benes:4,pipe=2,pad=1", "window-all-reduce", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 3, 2,
     5, .combines = true},
    {"benes:5,pad=1", "postal-pipeline", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 3, 3, 6,
     .splits = 3},
    {"benes:8,pipe=2", "matching", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 3, 2, 5,
     .shared = 2},
    {"tree 3,2 1,2", "tree-all-reduce", MACHINE_FAT_TREE, MACHINE_FULL, false, 31, 3, 4, 5,
     .combines = true},
    {"cube 3", "cube-broadcast", MACHINE_CUBE, MACHINE_FULL, false, 16, 5, 1, 4, .combines = true},
    {"benes:3,pipe=2,pad=1", "window-all-reduce", MACHINE_MULTISTAGE, MACHINE_FULL, false, 31, 3, 2,
     5, .combines = true, .keeps_own = true},
    {"combine:4", "fabric-reduce", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 3, 2, 5,
     .combines = true, .operators = 0x4a}, /* saturating-sum, max, xor */
};

bool host_lab_wanted(size_t which)
{
    const char *only = getenv("ROUNDCAST_HOST_SHAPE");
    return only == NULL || strtoul(only, NULL, 10) == which;
}

static struct machine host_lab_cube(enum machine_kind kind)
{
    bool tables = kind == MACHINE_CUBE;
    struct machine machine = {.kind = kind, .topology = cube_lab_make(3), .reads = tables ? 2 : 1};
    machine.depth[1] = tables ? 3 : 13;
    machine.queue[1] = tables ? 0 : 1;
    return machine;
}

static struct machine host_lab_tree(enum machine_kind kind)
{
    bool tables = kind == MACHINE_FAT_TREE;
    struct machine machine = {
        .kind = kind, .topology = tree_lab_parse("3,2", "1,2"), .pad = 1, .reads = tables ? 3 : 2};
    machine.depth[1] = tables ? 3 : 20;
    machine.depth[2] = tables ? 5 : 13;
    machine.queue[1] = tables ? 0 : 31;
    machine.queue[2] = tables ? 0 : 16;
    return machine;
}

static struct machine host_lab_machine(const struct host_lab_shape *shape)
{
    const struct setting_period_lab_how how = {shape->settings, shape->computed};
    bool cube = shape->kind == MACHINE_CUBE || shape->kind == MACHINE_CUBE_AUTO;
    struct machine machine = shape->kind == MACHINE_MULTISTAGE
                                 ? setting_period_lab_machine(shape->name, how)
                             : cube ? host_lab_cube(shape->kind)
                                    : host_lab_tree(shape->kind);
    machine.width = shape->width;
    machine.log2_packets = shape->log2_packets;
    machine.log2_flits = shape->log2_flits;
    machine.log2_rows = shape->log2_rows;
    machine.reconfigures = shape->reconfigures;
    machine.combines = shape->combines;
    machine.keeps_own = shape->keeps_own;
    machine.operators = shape->operators;
    if (machine_has_node_memories(&machine)) {
        topology_remove_routers(&machine.topology);
        machine.reads = 1;
        machine.depth[1] = 0;
    }
    machine.ranges = shape->splits > 0;
    machine.log2_splits = shape->splits;
    machine.shared = shape->shared;
    machine.log2_period = machine_has_setting_period(&machine) ? 6 : 0;
    machine.log2_settings = machine_is_indexed(&machine) ? 3 : 0;
    return machine;
}

/* Builds the schedule of the endpoints that belong to nodes of two ports. */
static void host_lab_shared(const struct host_lab_shape *shape, const struct machine *machine,
                            uint32_t packets, struct schedule *schedule)
{
    const struct algorithm *algorithm = support_algorithm(shape->algorithm);
    const struct collective asked = {.kind = algorithm->kind,
                                     .n = machine->network.ports / shape->shared,
                                     .m = packets,
                                     .ports = shape->shared,
                                     .model = MODEL_SEND_RECEIVE};
    struct schedule several = {0};
    struct err err = {0};
    support_true(algorithm_build(algorithm, &asked, &several, &err) &&
                     ports_to_nodes(&several, schedule, &err),
                 &err);
    schedule_free(&several);
}

void host_lab_job(const struct host_lab_shape *shape, const struct machine *machine, unsigned which,
                  struct support_job *job)
{
    struct err err = {0};
    /* Two of a header, if there is one, and a word. */
    const uint32_t flits = machine->log2_flits == 1 ? 2 : 3 + which % 2;
    if (machine->ranges) {
        range_lab_job(machine, machine->network.ports - which % 2, 1 + which, flits, job);
    } else if (shape->kind == MACHINE_MULTISTAGE) {
        if (shape->shared > 1)
            host_lab_shared(shape, machine, 1 + which % 5, &job->schedule);
        else
            setting_period_lab_schedule(shape->algorithm, machine->network.ports, 1 + which % 5,
                                        &job->schedule);
        support_payload(&job->schedule, machine, flits, HOST_LAB_SEED + which, &job->payload);
        support_true(route_schedule(&job->schedule, machine, &job->payload, &job->image, &err),
                     &err);
    } else if (machine->topology.kind == TOPOLOGY_HYPERCUBE) {
        const struct cube_runs_set set =
            cube_runs_set_of(machine->topology.nodes, 1u << which % 3 | 1);
        cube_auto_lab_job(machine, &set, flits, job);
    } else {
        const struct tree_machine_case asked = {shape->algorithm, NULL,
                                                which % 2 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT,
                                                shape->combines ? 0 : which % 3};
        struct schedule schedule;
        tree_machine_schedule(&asked, &machine->topology, &schedule);
        tree_machine_job(&schedule, machine, flits, job);
    }
}

/* -- Cycles ------------------------------------------------------------------------------------ */

/* Reports whether the inputs stop a stream, which is the only write of the run's registers that a
 * machine accepts in a run. */
static bool host_lab_stops(const struct host_lab *lab, const struct dut_inputs *inputs)
{
    return inputs->host_we && !inputs->rst && lab->active && lab->map.machine.computed &&
           lab->map.reg[MACHINE_RUN_PACKETS] >> 31 &&
           machine_region_of(inputs->host_addr) == MACHINE_REGISTER &&
           inputs->host_addr % HOST_MAP_REGISTERS == MACHINE_RUN_STOP;
}

/* Returns the expected word of a read in this cycle. Status is read after the step, which does not
 * change it. */
static struct host_lab_due host_lab_expect(const struct host_lab *lab,
                                           const struct dut_inputs *inputs)
{
    enum machine_region region = machine_region_of(inputs->host_addr);
    uint32_t reg = inputs->host_addr % HOST_MAP_REGISTERS;
    bool reads_register = inputs->host_re && region == MACHINE_REGISTER;
    bool closed = lab->busy || inputs->rst || inputs->start;
    /* In a run, the registers of events may be written. */
    bool resets = inputs->rst || (lab->busy && !lab->active);
    bool stops = host_lab_stops(lab, inputs);
    bool writes =
        inputs->host_we &&
        (!closed || stops || (!resets && region == MACHINE_REGISTER && reg >= HOST_MAP_EVENTS));
    struct host_lab_due due = {.read = inputs->host_re && (!closed || reads_register),
                               .writes = writes,
                               .rejected = (inputs->host_we && !writes) ||
                                           (writes && host_map_rejects(&lab->map, inputs->host_addr,
                                                                       inputs->host_wdata)) ||
                                           (inputs->host_re && closed && !reads_register),
                               .known = true,
                               .address = inputs->host_addr};
    due.word = host_map_read(&lab->map, inputs->host_addr);
    if (region == MACHINE_REGISTER && reg == MACHINE_STATUS)
        due.word = (uint32_t)lab->outputs.done << 1 | lab->outputs.busy;
    else if (region == MACHINE_PACKET)
        due.known = !lab->ran;
    else if (region == MACHINE_FLAGS || region == MACHINE_ROUTER_FLAGS ||
             (region == MACHINE_REGISTER && (reg == MACHINE_STEPS || host_map_is_counted(reg))))
        due.known = !lab->started;
    else if (region == MACHINE_REGISTER && reg == MACHINE_RUN_PACKETS)
        due.known = !lab->stopped;
    due.shows = due.read && inputs->host_addr & MACHINE_ALL_NODES && region >= MACHINE_SEND &&
                region <= MACHINE_FLAGS;
    for (uint32_t node = 0; due.shows && node < lab->map.nodes; node++)
        due.shown[node] = host_map_shown(&lab->map, inputs->host_addr, node);
    return due;
}

/* Reports whether the inputs replace the number of packets. */
static bool host_lab_sets(const struct dut_inputs *inputs, const struct host_lab_due *due)
{
    return due->writes && machine_region_of(inputs->host_addr) == MACHINE_REGISTER &&
           inputs->host_addr % HOST_MAP_REGISTERS == MACHINE_RUN_PACKETS;
}

/* Checks the observation port. Of its words only flags can be predicted. */
static void host_lab_look(struct host_lab *lab, const struct host_lab_due *due,
                          const struct dut_outputs *seen)
{
    uint32_t mask = machine_region_of(due->address) == MACHINE_FLAGS ? 7u << 28 : UINT32_MAX;
    assert_true(seen->obs_strobe || !due->shows);
    assert_true(due->shows || !seen->obs_strobe || lab->started || lab->ran);
    for (uint32_t node = 0; due->shows && due->known && node < lab->map.nodes; node++) {
        if ((seen->obs[node] ^ due->shown[node]) & mask)
            fail_msg("%08" PRIx32 ": node %" PRIu32 " shows %08" PRIx32 "; expected %08" PRIx32,
                     due->address, node, seen->obs[node], due->shown[node]);
        lab->shown++;
        lab->not_zero_shown += due->shown[node] != 0;
    }
}

void host_lab_step(struct host_lab *lab, const struct dut_inputs *inputs)
{
    struct dut_outputs seen, *outputs = &lab->outputs;
    struct testbench *testbench = &lab->testbench;
    testbench->engine[0].ops->step(testbench->engine[0].self, inputs, outputs);
    testbench->engine[1].ops->step(testbench->engine[1].self, inputs, &seen);
    bool starts = inputs->start && !inputs->rst && !lab->busy;
    lab->started = !inputs->rst && (lab->started || starts);
    lab->ran |= starts;
    memmove(lab->due + 1, lab->due, 2 * sizeof *lab->due);
    lab->due[0] = host_lab_expect(lab, inputs);
    if (lab->due[0].writes)
        host_map_write(&lab->map, inputs->host_addr, inputs->host_wdata);
    if (outputs->host_rdata != seen.host_rdata)
        fail_msg("%08" PRIx32 ": csim reads %08" PRIx32 ", rtl %08" PRIx32, lab->due[2].address,
                 outputs->host_rdata, seen.host_rdata);
    assert_true(outputs->busy == seen.busy && outputs->run == seen.run &&
                outputs->done == seen.done && outputs->obs_strobe == seen.obs_strobe &&
                outputs->host_error == seen.host_error && outputs->error == seen.error &&
                outputs->irq == seen.irq);
    assert_int_equal(seen.host_error, lab->due[2].rejected);
    lab->rejected += seen.host_error;
    lab->busy = seen.busy;
    if (host_lab_stops(lab, inputs))
        lab->stopped = true;
    else if (inputs->rst || host_lab_sets(inputs, &lab->due[0]))
        lab->stopped = false;
    lab->active = !inputs->rst && (starts || (lab->active && !seen.done));
    if (outputs->obs_strobe)
        assert_memory_equal(outputs->obs, seen.obs, lab->map.nodes * sizeof *seen.obs);
    host_lab_look(lab, &lab->due[1], &seen);
    const struct host_lab_due *due = &lab->due[2];
    uint32_t expected = !due->read ? lab->rdata : due->known ? due->word : seen.host_rdata;
    if (seen.host_rdata != expected)
        fail_msg("%08" PRIx32 ": read as %08" PRIx32 "; expected %08" PRIx32, due->address,
                 seen.host_rdata, expected);
    lab->compared += due->read && due->known;
    lab->not_zero += due->read && due->known && due->word != 0;
    lab->rdata = seen.host_rdata;
}

void host_lab_idle(struct host_lab *lab, unsigned cycles)
{
    for (unsigned k = 0; k < cycles; k++)
        host_lab_step(lab, &(struct dut_inputs){0});
}

void host_lab_write(struct host_lab *lab, uint32_t address, uint32_t word)
{
    host_lab_step(lab,
                  &(struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word});
}

void host_lab_ask(struct host_lab *lab, uint32_t address)
{
    host_lab_step(lab, &(struct dut_inputs){.host_re = true, .host_addr = address});
}

void host_lab_start(struct host_lab *lab)
{
    host_lab_step(lab, &(struct dut_inputs){.start = true});
}

uint32_t host_lab_read(struct host_lab *lab, uint32_t address)
{
    host_lab_ask(lab, address);
    host_lab_idle(lab, 2);
    return lab->rdata;
}

void host_lab_reset(struct host_lab *lab)
{
    host_map_reset(&lab->map);
    host_lab_step(lab, &(struct dut_inputs){.rst = true});
    for (unsigned k = 0; k < machine_latency(&lab->map.machine) + 2; k++) {
        assert_true(lab->outputs.busy && !lab->outputs.run && !lab->outputs.done);
        host_lab_idle(lab, 1);
    }
    assert_false(lab->outputs.busy);
}

struct host_lab host_lab_open(const struct host_lab_shape *shape)
{
    static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};
    const struct machine machine = host_lab_machine(shape);
    struct host_lab lab = {.map = host_map_open(&machine)};
    assert_true(lab.map.nodes <= HOST_LAB_NODES);
    assert_int_equal(machine_field_bits(&machine), lab.map.reg[MACHINE_FIELD_BITS]);
    struct err err = {0};
    print_message("%s, %s\n", shape->name, shape->algorithm);
    support_true(testbench_open(both, 2, &machine, false, &lab.testbench, &err), &err);
    lab.rdata = lab.testbench.outputs.host_rdata;
    host_lab_idle(&lab, 3);
    return lab;
}

void host_lab_close(struct host_lab *lab)
{
    testbench_close(&lab->testbench);
    host_map_close(&lab->map);
}

void host_lab_each(bool (*suitable)(const struct host_lab_shape *shape),
                   void (*test)(struct host_lab *lab, struct rng *rng))
{
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which) || !suitable(&host_lab_shapes[which]))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        test(&lab, &rng);
        host_lab_close(&lab);
    }
}
