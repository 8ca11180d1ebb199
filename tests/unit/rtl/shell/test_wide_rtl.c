/* SPDX-License-Identifier: Apache-2.0 */
/* test_wide_rtl: flits of any width, on csim and RTL in lockstep, observation for observation.
 *
 * Widths 1, 8, 31, 32, 33, 64, 127 and 512: flits of one word, and of 2 to 17 parts, with and
 * without bits in the last one; networks of 4 ports, endpoints that share memories, split ranges or
 * combine packets, switches and routers that combine packets, a tree and a hypercube. Each width
 * runs broadcasts with and without barriers. Random words (seed printed) in all parts of all
 * packets must read back as an array of this test has them, with the bits that the width leaves;
 * parts that a flit does not have read as 0. Then random words in all tables and programs: runs of
 * 1 … 4 flits, after which all words are read back from both engines.
 *
 * Counter-case. If one bit of the last part of a flit differs in the second engine, the engines
 * differ when the part is read.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/route/route.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/second_engine.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <inttypes.h>
#include <stdlib.h>

#define SEED UINT64_C(20261127)
#define LOG2_PACKETS 2
#define LOG2_FLITS 2
#define LOG2_ROWS 5

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};
static const unsigned widths[] = {1, 8, 31, 32, 33, 64, 127, 512};
#define WIDTHS (sizeof widths / sizeof *widths)

static struct machine sized(struct machine machine, unsigned width)
{
    machine.width = width;
    machine.log2_packets = LOG2_PACKETS, machine.log2_flits = LOG2_FLITS;
    machine.log2_rows = LOG2_ROWS;
    return machine;
}

static struct machine of_network(const char *network, unsigned width)
{
    struct machine machine = {0};
    struct err err = {0};
    support_true(machine_parse_network(network, &machine, &err), &err);
    return sized(machine, width);
}

static struct machine of_tree(unsigned width)
{
    struct machine machine = {
        .kind = MACHINE_FAT_TREE, .topology = tree_lab_parse("2,2", "1,2"), .reads = 1};
    machine.depth[1] = machine.depth[2] = 3;
    return sized(machine, width);
}

static struct machine of_cube(unsigned width)
{
    struct machine machine = {.kind = MACHINE_CUBE, .topology = cube_lab_make(2), .reads = 1};
    machine.depth[1] = 3;
    return sized(machine, width);
}

/* Number of words of 32 bits of a flit, and the bits of one of them, by docs/machine.md. */
static uint32_t words_of(unsigned width)
{
    uint32_t words = 1;
    for (unsigned bits = 32; bits <= width; bits += 32)
        words++;
    return words;
}
static uint32_t mask_of(unsigned width, uint32_t part)
{
    uint32_t mask = part + 1 == words_of(width) ? MACHINE_VALID : 0;
    for (unsigned bit = 0; bit < 32; bit++)
        if (32 * part + bit < width)
            mask |= UINT32_C(1) << bit;
    return mask;
}

/* -- Schedules --------------------------------------------------------------------------------- */

static void run_schedule(const struct machine *machine, const char *name, uint32_t flits,
                         enum model model)
{
    const struct simulate_options options = {.engine_count = 2, .engine = {both[0], both[1]}};
    const struct collective asked = {
        .n = 4, .m = 3, .lambda = machine_lambda(machine, flits), .model = model};
    struct support_job job;
    struct simulate_report report;
    struct err err = {0};
    support_job(support_algorithm(name), &asked, machine, flits, SEED, &job);
    if (!simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err))
        fail_msg("%s, %u bits, %" PRIu32 " flits: %s", name, machine->width, flits, err.text);
    assert_int_equal(report.checks.seen, 9);
    assert_int_equal(report.checks.packets, 12);
    support_job_free(&job);
}

static void schedules(void **state)
{
    (void)state;
    for (size_t which = 0; which < WIDTHS; which++) {
        const struct machine machine = of_network("benes:4", widths[which]);
        for (uint32_t flits = 1; flits <= 4; flits++)
            if (flits * machine.width >= 8)
                run_schedule(&machine, "binomial", flits, MODEL_SEND_RECEIVE);
        if (2 * machine.width >= 8)
            run_schedule(&machine, "postal-pipeline", 2, MODEL_POSTAL);
    }
}

/* -- Random words ------------------------------------------------------------------------------ */

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* The packet memories as this test knows them, by the field of their addresses. */
struct shadow {
    const struct machine *machine;
    struct testbench *testbench;
    struct rng *rng;
    uint32_t *word; /* word[fields] */
    uint32_t fields, in_node;
    unsigned part_bits;
};

static void write_shadow(struct shadow *s)
{
    const uint32_t field = rng_below(s->rng, s->fields), part = field % (1u << s->part_bits),
                   word = (uint32_t)rng_next(s->rng) | (rng_below(s->rng, 2) ? MACHINE_VALID : 0);
    const bool all = rng_below(s->rng, 4) == 0;
    struct err err = {0};
    support_true(testbench_write(s->testbench,
                                 (all ? MACHINE_ALL_NODES : 0) |
                                     machine_region_address(MACHINE_PACKET) | field,
                                 word, &err),
                 &err);
    for (uint32_t at = 0; at < s->fields; at++)
        if (part < words_of(s->machine->width) &&
            (at == field || (all && at % s->in_node == field % s->in_node)))
            s->word[at] = word & mask_of(s->machine->width, part);
}

static void read_shadow(const struct shadow *s, uint32_t field)
{
    uint32_t word, all = 0;
    struct err err = {0};
    const uint32_t address = machine_region_address(MACHINE_PACKET) | field;
    support_true(testbench_read(s->testbench, address, &word, &err), &err);
    if (word != s->word[field])
        fail_msg("%u bits, field %" PRIx32 ": %08" PRIx32 ", not %08" PRIx32, s->machine->width,
                 field, word, s->word[field]);
    for (uint32_t at = field % s->in_node; at < s->fields; at += s->in_node)
        all |= s->word[at];
    support_true(testbench_read(s->testbench, MACHINE_ALL_NODES | address, &word, &err), &err);
    assert_int_equal(word, all);
}

static void memories(const struct machine *machine)
{
    struct testbench testbench = {0};
    struct rng rng = {SEED};
    struct shadow s = {.machine = machine, .testbench = &testbench, .rng = &rng};
    struct err err = {0};
    while ((1u << s.part_bits) < words_of(machine->width))
        s.part_bits++;
    s.in_node = 1u << (LOG2_PACKETS + LOG2_FLITS + s.part_bits);
    s.fields = 4 * s.in_node;
    s.word = calloc(s.fields, sizeof *s.word);
    assert_non_null(s.word);
    support_true(testbench_open(both, 2, machine, false, &testbench, &err), &err);
    for (uint32_t flit = 0; flit < s.in_node; flit++) /* memories have no reset */
        support_true(
            testbench_write(&testbench,
                            MACHINE_ALL_NODES | machine_region_address(MACHINE_PACKET) | flit, 0,
                            &err),
            &err);
    for (unsigned k = 0; k < 3000; k++) {
        write_shadow(&s);
        read_shadow(&s, rng_below(&rng, s.fields));
    }
    for (uint32_t field = 0; field < s.fields; field++)
        read_shadow(&s, field);
    testbench_close(&testbench);
    free(s.word);
}

static void parts_are_words_of_their_own(void **state)
{
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED);
    for (size_t which = 0; which < WIDTHS; which++) {
        const struct machine machine = of_network("benes:4", widths[which]);
        memories(&machine);
    }
}

/* Writes random words to all tables, programs and packets, or reads them; the testbench compares
 * what is read. Most entries and flits are valid. */
static void visit_all(struct testbench *testbench, struct rng *rng)
{
    const uint32_t most = UINT32_C(1) << machine_field_bits(&testbench->machine);
    struct err err = {0};
    for (enum machine_region region = MACHINE_TABLE; region <= MACHINE_PACKET; region++)
        for (uint32_t field = 0; field < most; field++) {
            uint32_t address = machine_region_address(region) | field, word;
            if (!machine_has_address(&testbench->machine, address))
                continue;
            word = rng != NULL ? (uint32_t)rng_next(rng) : 0;
            if (word % 8 != 0)
                word |= MACHINE_VALID;
            support_true(rng != NULL ? testbench_write(testbench, address, word, &err)
                                     : testbench_read(testbench, address, &word, &err),
                         &err);
        }
}

static void run_any(const struct machine *machine)
{
    static const uint32_t flits[] = {1, 2, 3, 4};
    const struct testbench_observer observer = {NULL, look_away};
    const uint32_t latency = machine_latency(machine);
    struct rng rng = {SEED};
    for (unsigned which = 0; which < 8; which++) {
        const uint32_t f = flits[which % 4];
        const struct run run = {.rows = 30, .flits = f, .row_cycles = f + latency + which / 4};
        struct testbench testbench = {0};
        struct err err = {0};
        uint64_t cycles;
        support_true(testbench_open(both, 2, machine, false, &testbench, &err), &err);
        visit_all(&testbench, &rng);
        const uint32_t registers[] = {run.rows, run.flits, run.row_cycles};
        for (uint32_t k = 0; k < 3; k++)
            support_true(testbench_write(&testbench, MACHINE_RUN_ROWS + k, registers[k], &err),
                         &err);
        support_true(!machine->combines ||
                         testbench_write(&testbench, MACHINE_RUN_OPERATOR, which % 7, &err),
                     &err);
        support_true(!machine->ranges ||
                         testbench_write(&testbench, MACHINE_RUN_PACKETS, 1 + which % 4, &err),
                     &err);
        support_true(testbench_run(&testbench, &run, &observer, &cycles, &err), &err);
        visit_all(&testbench, NULL);
        testbench_close(&testbench);
    }
}

static void random_words(void **state)
{
    (void)state;
    const struct machine benes = of_network("benes:4", 64);
    const struct machine tree = of_tree(40), cube = of_cube(100);
    struct machine routers = of_tree(70);
    routers.combines = true;
    struct machine shared = of_network("benes:4", 33), ranges = of_network("benes:4", 64);
    shared.shared = 2;
    ranges.ranges = true, ranges.log2_splits = 2;
    struct machine combines[] = {of_network("benes:4", 33), of_network("benes:4", 100),
                                 of_network("combine:4", 33), of_network("all-reduce:4", 64)};
    run_any(&benes);
    run_any(&shared);
    run_any(&ranges);
    for (size_t k = 0; k < sizeof combines / sizeof *combines; k++) {
        combines[k].combines = true;
        run_any(&combines[k]);
    }
    struct machine apart = combines[1];
    apart.keeps_own = true;
    run_any(&apart);
    run_any(&routers);
    run_any(&tree);
    run_any(&cube);
}

static void another_bit_is_noticed(void **state)
{
    (void)state;
    const struct machine machine = of_network("benes:4", 33);
    struct testbench testbench = {0};
    struct err err = {0};
    uint32_t word;
    support_true(testbench_open(both, 2, &machine, false, &testbench, &err), &err);
    const uint32_t address = machine_packet_address(&machine, 2, 1, 3) + 1;
    support_true(testbench_write(&testbench, address, MACHINE_VALID | 1, &err), &err);
    support_true(testbench_read(&testbench, address, &word, &err), &err);
    assert_int_equal(word, MACHINE_VALID | 1);
    second_engine_write(&testbench, address, MACHINE_VALID);
    assert_false(testbench_read(&testbench, address, &word, &err));
    assert_int_equal(err.code, ERR_DIVERGED);
    testbench_close(&testbench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules), cmocka_unit_test(parts_are_words_of_their_own),
        cmocka_unit_test(random_words), cmocka_unit_test(another_bit_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
