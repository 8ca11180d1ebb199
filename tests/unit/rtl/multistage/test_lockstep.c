/* SPDX-License-Identifier: Apache-2.0 */
/* test_lockstep: csim and RTL, two independent descriptions, run the same images cycle by cycle.
 *
 * State space. Shapes: 2 ports; 8 ports with a register after every stage; 8 with one after every
 * second stage and a pad; 32 with one after every stage; 32 with none (only these, because each is
 * Verilated once and kept). Each shape runs a sample, drawn with a printed seed, of algorithm,
 * model, n, m, source, flits and payload, which always includes n = 1 and the full machine.
 * `simulate` compares every output of both engines in every cycle and every packet in memory with
 * the payload; a run in which nothing was compared fails. Every broadcast in the postal model, such
 * as postal-block and postal-swarm, for 2 … 8 nodes and up to 16 packets, without barriers.
 *
 * Counter-cases. One engine has one switch flipped: E607 must name the cycle in which the misrouted
 * packet is due and the lowest node that it concerns; if two packets are exchanged, which no
 * observation shows, the memories read back must differ. Every bit of one image's tables.
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/fault_lab.h"
#include "tests/support/second_engine.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEED UINT64_C(20240613)
#define RUNS_OF_A_SHAPE 24

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

/* A broadcast that fits the machine's memories; `which` counts the runs of a shape. */
static const struct algorithm *draw(struct rng *rng, const struct machine *machine, unsigned which,
                                    struct collective *asked)
{
    unsigned algorithms = 0;
    while (support_routable()[algorithms] != NULL)
        algorithms++;
    for (;;) {
        const struct algorithm *algorithm = support_routable()[rng_below(rng, algorithms)];
        uint32_t ports = machine_ports(machine);
        *asked = (struct collective){.n = which == 0   ? 1
                                          : which <= 5 ? ports
                                                       : 1 + rng_below(rng, ports),
                                     .m = 1 + rng_below(rng, 16),
                                     .model = (enum model)rng_below(rng, MODEL_POSTAL)};
        asked->source = rng_below(rng, asked->n);
        if (algorithm->kind == COLLECTIVE_BROADCAST && algorithm_check(algorithm, asked, NULL) &&
            algorithm_end(algorithm, asked) <= 64)
            return algorithm;
    }
}

static void lockstep(const struct machine *machine)
{
    const struct simulate_options options = {.engine_count = 2, .engine = {both[0], both[1]}};
    const uint64_t seed =
        SEED + 100 * machine_node_bits(machine) + 10 * machine->pipe + machine->pad;
    struct rng rng = {seed};
    uint64_t receipts = 0, packets = 0, cycles = 0;
    for (unsigned which = 0; which < RUNS_OF_A_SHAPE; which++) {
        struct collective asked;
        struct support_job job;
        struct simulate_report report;
        struct err err = {0};
        const struct algorithm *algorithm = draw(&rng, machine, which, &asked);
        uint32_t flits = which % 3 == 0 ? 1 : 1 + rng_below(&rng, 8);
        support_job(algorithm, &asked, machine, flits, rng_next(&rng), &job);
        bool holds = simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err);
        if (!holds)
            print_error("%s n=%u m=%u source=%u flits=%u\n", algorithm->name, asked.n, asked.m,
                        asked.source, flits);
        support_true(holds, &err);
        assert_int_equal(report.checks.seen, (uint64_t)(asked.n - 1) * asked.m);
        assert_int_equal(report.checks.packets, (uint64_t)asked.n * asked.m);
        receipts += report.checks.seen;
        packets += report.checks.packets;
        cycles += report.run_cycles;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u runs, %" PRIu64 " cycles, %" PRIu64 " receipts, %" PRIu64
                  " packets in memory\n",
                  seed, RUNS_OF_A_SHAPE, cycles, receipts, packets);
    assert_true(receipts > 0 && packets > receipts);
}

static void lockstep_2(void **state)
{
    (void)state;
    lockstep(&(struct machine)MULTISTAGE(1, 1, 0, 16, 4, 3, 6));
}

static void lockstep_8(void **state)
{
    (void)state;
    lockstep(&(struct machine)MULTISTAGE(3, 1, 0, 16, 4, 3, 6));
}

static void lockstep_8_pipe_2_pad_1(void **state)
{
    (void)state;
    lockstep(&(struct machine)MULTISTAGE(3, 2, 1, 16, 4, 3, 6));
}

static void lockstep_32(void **state)
{
    (void)state;
    lockstep(&(struct machine)MULTISTAGE(5, 1, 0, 16, 4, 3, 6));
}

static void lockstep_32_pipe_0(void **state)
{
    (void)state;
    /* the shape that test_every_algorithm uses */
    lockstep(&(struct machine)MULTISTAGE(5, 0, 0, 16, 5, 5, 9));
}

/* Runs every postal broadcast that fits the memories, with 1, 2 and 5 flits, whose λ are 6, 7/2 and
 * 2. Returns the number of runs of the algorithm. */
static unsigned every_postal(const struct algorithm *algorithm, const struct machine *machine)
{
    const struct simulate_options options = {.engine_count = 2, .engine = {both[0], both[1]}};
    static const uint32_t flits[] = {1, 2, 5};
    unsigned runs = 0;
    for (uint32_t n = 2; n <= machine_ports(machine); n++)
        for (uint32_t m = 1; m <= 16; m += 3)
            for (unsigned which = 0; which < 3; which++) {
                const struct collective asked = {.n = n,
                                                 .m = m,
                                                 .source = m % n,
                                                 .model = MODEL_POSTAL,
                                                 .lambda = machine_lambda(machine, flits[which])};
                struct support_job job;
                struct simulate_report report;
                struct err err = {0};
                if (!algorithm_check(algorithm, &asked, NULL) ||
                    algorithm_end(algorithm, &asked) > 64)
                    continue;
                support_job(algorithm, &asked, machine, flits[which], SEED, &job);
                if (!simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err))
                    fail_msg("%s n=%u m=%u flits=%u: %s", algorithm->name, n, m, flits[which],
                             err.text);
                assert_int_equal(report.checks.seen, (uint64_t)(n - 1) * m);
                runs++;
                support_job_free(&job);
            }
    return runs;
}

/* The shape of lockstep_8, whose latency is 5. */
static void postal_broadcasts(void **state)
{
    (void)state;
    const struct machine machine = MULTISTAGE(3, 1, 0, 16, 4, 3, 6);
    unsigned algorithms = 0;
    for (size_t k = 0; support_routable()[k] != NULL; k++) {
        const struct algorithm *algorithm = support_routable()[k];
        if (algorithm->kind != COLLECTIVE_BROADCAST || !(algorithm->models & 1u << MODEL_POSTAL))
            continue;
        unsigned runs = every_postal(algorithm, &machine);
        print_message("%s: %u runs\n", algorithm->name, runs);
        assert_true(runs > 20);
        algorithms++;
    }
    assert_true(algorithms >= 6);
}

static bool count_cycles(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)obs;
    (void)err;
    *(uint64_t *)self = cycle + 1;
    return true;
}

/* Finds the packet that each port receives in the row, as sent; 0: none. */
static void arriving(const struct unpacked *unpacked, uint32_t packet[FAULT_LAB_PORTS])
{
    struct circuit circuit[FAULT_LAB_PORTS];
    uint32_t count = unpack_circuits(unpacked, circuit);
    memset(packet, 0, FAULT_LAB_PORTS * sizeof *packet);
    for (uint32_t k = 0; k < count; k++)
        packet[circuit[k].destination] = circuit[k].sent;
}

/* The effects of a flipped switch. */
struct effect {
    uint32_t node;  /* the lowest whose observation changes; PORTS: none */
    bool exchanged; /* some node silently receives another packet */
};

static struct effect effect_of(const struct unpacked *unpacked, unsigned stage, uint32_t sw)
{
    struct effect effect = {.node = FAULT_LAB_PORTS};
    uint32_t before[FAULT_LAB_PORTS], after[FAULT_LAB_PORTS], *setting = &unpacked->setting[stage];
    arriving(unpacked, before);
    *setting ^= 1u << sw;
    arriving(unpacked, after);
    *setting ^= 1u << sw;
    for (uint32_t port = FAULT_LAB_PORTS; port-- > 0;) {
        if ((before[port] == 0) != (after[port] == 0))
            effect.node = port;
        else if (before[port] != after[port])
            effect.exchanged = true;
    }
    return effect;
}

/* Reads back all packets; returns false if the engines differ. */
static bool read_all(struct testbench *testbench, const struct support_job *job, struct err *err)
{
    uint32_t word[FAULT_LAB_FLITS];
    for (uint32_t node = 0; node < job->schedule.nodes; node++)
        for (uint32_t packet = 1; packet <= job->schedule.packets; packet++)
            if (!testbench_read_block(
                    testbench, machine_packet_address(&testbench->machine, node, packet - 1, 0),
                    FAULT_LAB_FLITS, word, err))
                return false;
    return true;
}

/* Runs with the engines differing in one switch, and counts the outcome. */
static void differ(const struct support_job *job, struct unpacked *unpacked, uint32_t row,
                   unsigned stage, uint32_t sw, unsigned count[3])
{
    struct testbench testbench;
    struct err err = {0};
    const struct run *run = &job->image.run;
    uint64_t cycles, shown = 0;
    const struct testbench_observer observer = {&shown, count_cycles};
    unpack_row(unpacked, row);
    struct effect effect = effect_of(unpacked, stage, sw);
    uint32_t word = unpacked->setting[stage] ^ 1u << sw;
    support_true(testbench_open(both, 2, &job->image.machine, false, &testbench, &err), &err);
    support_true(testbench_load(&testbench, &job->image, &err), &err);
    second_engine_write(&testbench, machine_table_address(&testbench.machine, stage, row, 0), word);
    bool ran = testbench_run(&testbench, run, &observer, &cycles, &err);
    char when[60], where[60];
    snprintf(when, sizeof when, "cycle %" PRIu64 ": csim and rtl differ in ", testbench.cycle);
    snprintf(where, sizeof where, "differ in obs of node %" PRIu32 " (", effect.node);
    assert_int_equal(ran, effect.node == FAULT_LAB_PORTS);
    if (!ran) {
        support_error(&err, ERR_DIVERGED, when, where, "expected equal outputs");
        assert_int_equal(shown, row * run->row_cycles + run->flits - 1 +
                                    machine_latency(&testbench.machine));
        count[0]++;
    } else {
        bool equal = read_all(&testbench, job, &err);
        assert_int_equal(equal, !effect.exchanged);
        if (!equal)
            support_error(&err, ERR_DIVERGED, "cycle ", "csim and rtl differ in host_rdata");
        count[equal ? 2 : 1]++;
    }
    testbench_close(&testbench);
}

static void engines_that_differ_are_reported(void **state)
{
    (void)state;
    const struct collective asked = {.n = 8, .m = FAULT_LAB_PACKETS, .model = MODEL_SEND_RECEIVE};
    const struct machine machine = support_machine(FAULT_LAB_LOG2_PORTS, 1, 0);
    struct support_job job;
    struct unpacked unpacked;
    struct err err = {0};
    unsigned count[3] = {0};
    support_job(support_algorithm("circulant"), &asked, &machine, FAULT_LAB_FLITS, SEED, &job);
    support_true(unpack_image(&job.image, &unpacked, &err), &err);
    for (uint32_t row = 0; row < unpacked.run.rows; row++)
        for (unsigned stage = 0; stage < FAULT_LAB_STAGES; stage++)
            for (uint32_t sw = 0; sw < FAULT_LAB_SWITCHES; sw++)
                differ(&job, &unpacked, row, stage, sw, count);
    print_message("one switch of one engine flipped: %u seen in an observation, %u in memory, %u "
                  "without effect\n",
                  count[0], count[1], count[2]);
    assert_true(count[0] > 0 && count[1] > 0);
    unpack_free(&unpacked);
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lockstep_2),
        cmocka_unit_test(lockstep_8),
        cmocka_unit_test(lockstep_8_pipe_2_pad_1),
        cmocka_unit_test(lockstep_32),
        cmocka_unit_test(lockstep_32_pipe_0),
        cmocka_unit_test(postal_broadcasts),
        cmocka_unit_test(engines_that_differ_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
