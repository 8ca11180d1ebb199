/* SPDX-License-Identifier: Apache-2.0 */
/* test_csim_leap: a machine that leaps from row to row has, after every leap, the state of a
 * machine that is stepped for the same number of cycles.
 *
 * Twins are loaded alike; one is stepped, the other leaps when it can. Every output is compared in
 * every cycle, every signal after leaps, views included, and all memories at the end.
 * test_csim_machine.c checks that the stepped machine is correct.
 *
 * State space. Networks of all shapes, pipe 0 … 2 and pad 0 and 2, packets of 3 … 17 flits, of
 * which memories hold 16, rows without and with a gap between them; circuits and programs are
 * random, with a printed seed: some runs have no fault, in others nodes send packets that they do
 * not hold, expect packets that do not come, or receive a packet into the place from which they
 * send. The number of rows that leap is known for runs without a fault: all but the last, if
 * latency and flits suffice and the memories hold the flits. Images of schedules with every kind of
 * settings and programs, as they are and with one word replaced by another. A machine does not leap
 * while a trace is open or enabled, while the host is not done or asks for packets that no memory
 * holds, or if its settings are reconfigured.
 *
 * Through the testbench: an observer sees the same cycles and receipts from an engine that leaps as
 * from an engine that cannot.
 *
 * Counter-cases: twins that differ in one switch, or one word of a memory, are distinguished.
 */
#include "csim/kernel/csim.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "testbench/engine/dut_csim.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/machine_reference.h"
#include "tests/support/setting_period_lab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED UINT64_C(20261123)
enum { LOG2_ROWS = 3, ROWS = 1 << LOG2_ROWS };

static struct machine machine_of(const char *network, unsigned pipe, unsigned pad)
{
    struct machine machine = {0};
    struct err err = {0};
    if (!machine_parse_network(network, &machine, &err))
        fail_msg("%s", err.text);
    machine.pipe = pipe, machine.pad = pad, machine.width = 11;
    machine.log2_packets = 2, machine.log2_flits = 4, machine.log2_rows = LOG2_ROWS;
    return machine;
}

/* -- Twins ------------------------------------------------------------------------------------- */

/* Probabilities in percent: packets with wrong receive entries, words that are not held, packets
 * that are sent on from the place where they are received. */
struct faults {
    uint32_t wrong, bare, clash;
};

static bool chance(struct machine_reference *b, uint32_t percent)
{
    return machine_reference_draw(b) % 100 < percent;
}

/* Rows alternate between the packets of even and odd number: each row sends from one pair and
 * receives into the other. */
static void load_programs(struct machine_reference *b, const struct faults *faults)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        bool sends[256];
        for (uint32_t node = 0; node < b->nodes; node++) {
            sends[node] = chance(b, 80);
            uint32_t packet =
                (machine_reference_draw(b) & 2) | ((row + chance(b, faults->clash)) & 1);
            machine_reference_write(b,
                                    machine_program_address(&b->machine, MACHINE_SEND, node, row),
                                    (sends[node] ? MACHINE_VALID : 0) | packet);
        }
        for (uint32_t node = 0; node < b->nodes; node++) {
            uint32_t source =
                multistage_source(&b->machine.network, machine_reference_row_of(b, row, 0), node,
                                  machine_stages(&b->machine));
            bool comes = source != MULTISTAGE_NOWHERE && sends[source];
            uint32_t packet = (machine_reference_draw(b) & 2) | (~row & 1);
            machine_reference_write(
                b, machine_program_address(&b->machine, MACHINE_RECEIVE, node, row),
                (comes != chance(b, faults->wrong) ? MACHINE_VALID : 0) |
                    (chance(b, 10) ? MACHINE_MORE : 0) | packet);
        }
    }
}

struct twins {
    struct machine_reference stepped, leaping;
    uint64_t leaps, leapt, compared;
};

static void twins_open(struct twins *twins, const struct machine *machine, uint64_t seed)
{
    *twins = (struct twins){0};
    machine_reference_open(&twins->stepped, *machine, seed);
    machine_reference_open(&twins->leaping, *machine, seed);
}

static void twins_close(struct twins *twins)
{
    machine_reference_close(&twins->stepped);
    machine_reference_close(&twins->leaping);
}

static void twins_load(struct twins *twins, const struct faults *faults)
{
    struct machine_reference *both[] = {&twins->stepped, &twins->leaping};
    for (unsigned k = 0; k < 2; k++) {
        machine_reference_load_tables(both[k]);
        load_programs(both[k], faults);
        machine_reference_load_memories(both[k], faults->bare);
    }
}

static bool same_outputs(const struct machine_reference *b, const struct dut_outputs *x,
                         const struct dut_outputs *y)
{
    return x->run == y->run && x->done == y->done && x->obs_strobe == y->obs_strobe &&
           x->host_rdata == y->host_rdata &&
           (!x->obs_strobe || memcmp(x->obs, y->obs, b->nodes * sizeof *x->obs) == 0);
}

/* Returns the first signal that differs, or NULL. */
static const char *differing_signal(struct twins *twins)
{
    struct csim *x = twins->stepped.sim, *y = twins->leaping.sim;
    csim_settle(x);
    csim_settle(y);
    for (size_t k = 0; k < csim_net_count(x); k++) {
        struct csim_net *net = csim_net_at(x, k);
        if (memcmp(csim_peek(net), csim_peek(csim_net_at(y, k)),
                   csim_elements(net) * sizeof(uint32_t)) != 0)
            return csim_path(net);
        twins->compared++;
    }
    return NULL;
}

/* Advances both twins by the same number of cycles; returns whether all observable signals are
 * equal. */
static bool advance(struct twins *twins, struct dut_inputs inputs, uint64_t most,
                    struct dut_outputs *outputs)
{
    struct machine_reference *leaping = &twins->leaping;
    struct dut_outputs seen;
    uint64_t leapt = inputs.start ? 0 : dut_csim_leap(leaping->dut, most, &seen);
    twins->leaps += leapt != 0;
    twins->leapt += leapt;
    if (leapt == 0)
        seen = machine_reference_step(leaping, inputs);
    for (uint64_t k = 1; k < leapt; k++) {
        *outputs = machine_reference_step(&twins->stepped, inputs);
        if (outputs->obs_strobe || outputs->run != seen.run || outputs->done != seen.done)
            return false;
    }
    *outputs = machine_reference_step(&twins->stepped, inputs);
    return same_outputs(leaping, outputs, &seen) &&
           csim_cycles(twins->stepped.sim) == csim_cycles(leaping->sim);
}

static bool twins_run(struct twins *twins, const struct run *run, bool looked_at)
{
    machine_reference_load_run(&twins->stepped, run);
    machine_reference_load_run(&twins->leaping, run);
    struct dut_outputs outputs;
    bool same = advance(twins, (struct dut_inputs){.start = true}, 1, &outputs);
    while (same && !outputs.done) {
        uint64_t before = twins->leaps;
        same = advance(twins, (struct dut_inputs){0}, UINT64_MAX, &outputs);
        if (same && looked_at && twins->leaps != before)
            same = differing_signal(twins) == NULL;
    }
    return same && differing_signal(twins) == NULL;
}

static bool same_memories(struct twins *twins)
{
    struct machine_reference *x = &twins->stepped, *y = &twins->leaping;
    bool same = true;
    for (uint32_t node = 0; node < x->nodes; node++) {
        uint32_t flags = machine_flags_address(node);
        same = same && machine_reference_read(x, flags) == machine_reference_read(y, flags);
        for (uint32_t word = 0; same && word < x->packets * x->flits; word++) {
            uint32_t address =
                machine_packet_address(&x->machine, node, word / x->flits, word % x->flits);
            same = machine_reference_read(x, address) == machine_reference_read(y, address);
        }
    }
    return same;
}

/* -- Machines ---------------------------------------------------------------------------------- */

static const char *const networks[] = {"benes:4",          "benes:8",   "benes:32",   "benes:64",
                                       "benes:6",          "benes:22",  "omega:8",    "clos:3,2,4",
                                       "benes:27,radix=3", "waksman:8", "waksman:11", "multicast:8",
                                       "multicast:16"};

static void run_all(struct twins *twins, const struct faults *faults, bool looked_at)
{
    static const uint32_t flits[] = {3, 4, 5, 8, 11, 16, 17};
    const uint32_t latency = machine_latency(&twins->stepped.machine);
    for (unsigned k = 0; k < sizeof flits / sizeof *flits; k++)
        for (uint32_t gap = 0; gap < 2; gap++) {
            const struct run run = {
                .rows = ROWS - k % 2, .flits = flits[k], .row_cycles = flits[k] + latency + gap};
            twins_load(twins, faults);
            const uint64_t before = twins->leaps;
            assert_true(twins_run(twins, &run, looked_at));
            const bool can = gap == 0 && flits[k] >= 4 && flits[k] <= 16 && latency >= 2;
            const bool clean = faults->wrong + faults->bare + faults->clash == 0;
            if (clean || !can)
                assert_int_equal(twins->leaps - before, can ? run.rows - 1 : 0);
            assert_true(same_memories(twins));
        }
}

static void leaps_are_as_steps(void **unused)
{
    (void)unused;
    static const struct faults faults[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 3}, {10, 3, 50}};
    uint64_t leaps = 0, leapt = 0, compared = 0;
    for (unsigned which = 0; which < sizeof networks / sizeof *networks; which++)
        for (unsigned pipe = 0; pipe <= 2; pipe++)
            for (unsigned pad = 0; pad <= 2; pad += 2) {
                struct twins twins;
                const struct machine machine = machine_of(networks[which], pipe, pad);
                twins_open(&twins, &machine, SEED + which * 100 + pipe * 10 + pad);
                for (unsigned k = 0; k < sizeof faults / sizeof *faults; k++)
                    run_all(&twins, &faults[k], (k + pipe) % 2);
                leaps += twins.leaps, leapt += twins.leapt, compared += twins.compared;
                twins_close(&twins);
            }
    print_message("seed %" PRIu64 ": %" PRIu64 " leaps over %" PRIu64 " cycles, %" PRIu64
                  " signals compared\n",
                  SEED, leaps, leapt, compared);
    assert_true(leaps > 5000 && compared > 100000);
}

/* -- Machines with a setting period ------------------------------------------------------------ */

/* Loads the image of a schedule into both twins; if spoilt, with a word of another schedule's. */
static void load_image(struct twins *twins, const struct image *image, bool spoilt)
{
    struct machine_reference *both[] = {&twins->stepped, &twins->leaping};
    for (unsigned k = 0; k < 2; k++) {
        for (size_t w = 0; w < image->count; w++)
            machine_reference_write(both[k], image->word[w].address, image->word[w].word);
        size_t from = machine_reference_draw(both[k]) % image->count;
        size_t to = machine_reference_draw(both[k]) % image->count;
        if (spoilt)
            machine_reference_write(both[k], image->word[to].address, image->word[from].word);
    }
}

/* Returns how many rows of a schedule leap with these settings and programs; 0 if there is no
 * image. */
static uint64_t leap_through(const char *algorithm, const char *network,
                             struct setting_period_lab_how how, uint32_t m, uint32_t flits)
{
    struct schedule schedule;
    struct support_job job;
    struct err err = {0};
    uint64_t leaps = 0;
    setting_period_lab_schedule(algorithm, 16, m, &schedule);
    if (!setting_period_lab_job(&schedule, setting_period_lab_machine(network, how), 0, flits, &job,
                                &err)) {
        schedule_free(&schedule);
        return 0;
    }
    for (unsigned spoilt = 0; spoilt < 20; spoilt++) {
        struct twins twins;
        twins_open(&twins, &job.image.machine, SEED + spoilt);
        load_image(&twins, &job.image, spoilt != 0);
        assert_true(twins_run(&twins, &job.image.run, spoilt % 2));
        assert_true(same_memories(&twins));
        if (spoilt == 0)
            assert_int_equal(twins.leaps, job.image.run.rows - 1);
        leaps += twins.leaps;
        twins_close(&twins);
    }
    support_job_free(&job);
    return leaps;
}

static void rows_with_setting_period_leap(void **unused)
{
    (void)unused;
    static const char *const algorithms[] = {"circulant", "binomial", "hypercube-trees"};
    for (int settings = MACHINE_FULL; settings <= MACHINE_MASKS; settings++)
        for (unsigned computed = 0; computed < 2; computed++) {
            const struct setting_period_lab_how how = {(enum machine_settings)settings, computed};
            uint64_t leaps = 0;
            for (unsigned k = 0; k < sizeof algorithms / sizeof *algorithms; k++)
                for (uint32_t m = 1; m <= 9; m += 4) {
                    leaps += leap_through(algorithms[k], "benes:16", how, m, 4 + m);
                    leaps += leap_through(algorithms[k], "benes:20,pad=1", how, m, 4 + m);
                }
            print_message("settings %d%s: %" PRIu64 " leaps\n", settings,
                          computed ? ", computed programs" : "", leaps);
            assert_true(leaps > 0 || computed);
        }
}

/* -- What keeps a machine from leaping --------------------------------------------------------- */

/* Starts the run and steps until a leap is possible, with the host's inputs in these cycles. */
static void step_to_a_leap(struct machine_reference *b, const struct run *run,
                           const struct dut_inputs host[3])
{
    machine_reference_load_run(b, run);
    machine_reference_step(b, (struct dut_inputs){.start = true});
    for (unsigned step = 0; step < 3; step++)
        machine_reference_step(b, host[step]);
}

static const struct dut_inputs nothing[3];

static struct dut_inputs write_of(uint32_t address, uint32_t word)
{
    return (struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word};
}

static void nothing_is_passed_over(void **unused)
{
    (void)unused;
    const struct machine machine = machine_of("benes:8", 1, 0);
    const struct run run = {.rows = ROWS, .flits = 8, .row_cycles = 8 + 5};
    char file[] = "/tmp/test_csim_leap-XXXXXX.fst", error[100];
    close(mkstemps(file, 4));
    const struct dut_inputs read = {.host_re = true, .host_addr = MACHINE_STATUS};
    const struct dut_inputs reads[3] = {{0}, {0}, read}, has_read[3] = {{0}, read};
    /* packets that are longer than any memory holds */
    const struct dut_inputs longer[3] = {write_of(MACHINE_RUN_FLITS, 17),
                                         write_of(MACHINE_RUN_ROW_CYCLES, 17 + 5)};
    const struct dut_inputs *const host[] = {nothing, reads,    nothing, nothing,
                                             nothing, has_read, longer};
    for (unsigned how = 0; how < sizeof host / sizeof *host; how++) {
        struct twins twins;
        twins_open(&twins, &machine, SEED);
        twins_load(&twins, &(struct faults){0});
        struct machine_reference *b = &twins.leaping;
        struct dut_outputs outputs;
        step_to_a_leap(b, &run, host[how]);
        if (how == 2 || how == 3) {
            assert_true(dut_csim_ops.trace_open(b->dut, file, error, sizeof error));
            dut_csim_ops.trace_enable(b->dut, how == 3);
        }
        uint64_t leapt = dut_csim_leap(b->dut, how == 4 ? 11 : how == 6 ? 99 : 12, &outputs);
        assert_int_equal(leapt, how == 0 ? 12 : 0);
        if (how == 3)
            assert_int_equal(csim_leap(b->sim, 12), 0);
        if (how == 2 || how == 3)
            assert_true(dut_csim_ops.trace_close(b->dut, error, sizeof error));
        twins_close(&twins);
    }
    unlink(file);
}

/* A model whose inputs are not driven by the testbench does not leap either. */
static void what_is_driven_is_heeded(void **unused)
{
    (void)unused;
    static const char *const inputs[] = {"rst_i", "start_i", "host_we_i", "host_re_i"};
    const struct machine machine = machine_of("benes:8", 1, 0);
    const struct run run = {.rows = ROWS, .flits = 8, .row_cycles = 8 + 5};
    struct twins twins;
    twins_open(&twins, &machine, SEED);
    twins_load(&twins, &(struct faults){0});
    struct machine_reference *b = &twins.leaping;
    step_to_a_leap(b, &run, nothing);
    for (unsigned k = 0; k < sizeof inputs / sizeof *inputs; k++) {
        *csim_poke(csim_find(b->sim, inputs[k])) = 1;
        assert_int_equal(csim_leap(b->sim, UINT64_MAX), 0);
        *csim_poke(csim_find(b->sim, inputs[k])) = 0;
    }
    assert_int_equal(csim_leap(b->sim, UINT64_MAX), 12);
    twins_close(&twins);
}

static void machines_that_hold_settings_are_stepped(void **unused)
{
    (void)unused;
    struct machine machine = machine_of("benes:8", 1, 0);
    machine.settings = MACHINE_INDEXED, machine.reconfigures = true;
    machine.log2_settings = machine.log2_period = 3;
    struct machine_reference b;
    struct dut_outputs outputs;
    machine_reference_open(&b, machine, SEED);
    step_to_a_leap(&b, &(struct run){.rows = ROWS, .flits = 8, .row_cycles = 8 + 5}, nothing);
    assert_int_equal(dut_csim_leap(b.dut, UINT64_MAX, &outputs), 0);
    machine_reference_close(&b);
}

/* -- Through the testbench --------------------------------------------------------------------- */

#define NEVER UINT64_MAX

struct seen {
    uint64_t cycles, hash, receipts;
    uint32_t ports;
    uint64_t refused; /* the cycle in which the observer stops the run, or NEVER */
};

static bool watch_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct seen *watch = self;
    assert_int_equal(cycle, watch->cycles++);
    for (uint32_t node = 0; obs != NULL && node < watch->ports; node++) {
        watch->hash = (watch->hash ^ obs[node] ^ cycle << 32) * UINT64_C(0x100000001b3);
        watch->receipts += obs[node] >> 31;
    }
    return cycle != watch->refused;
}

static struct seen watch_run(const struct dut_ops *ops, const struct run *run, uint64_t refused)
{
    const struct machine machine = machine_of("benes:22", 1, 0);
    struct seen watch = {.ports = machine_ports(&machine), .refused = refused};
    struct machine_reference b;
    struct err err = {0};
    machine_reference_open(&b, machine, SEED);
    machine_reference_load_tables(&b);
    load_programs(&b, &(struct faults){.wrong = 1});
    machine_reference_load_memories(&b, 0);
    machine_reference_load_run(&b, run);
    struct testbench testbench = {.machine = machine,
                                  .engine_count = 1,
                                  .engine = {{.kind = ENGINE_CSIM, .self = b.dut, .ops = ops}}};
    uint64_t cycles;
    bool ran = testbench_run(&testbench, run, &(struct testbench_observer){&watch, watch_observe},
                             &cycles, &err);
    assert_int_equal(ran, refused == NEVER);
    assert_int_equal(watch.cycles, ran ? cycles : cycles + 1);
    assert_int_equal(cycles, ran ? (uint64_t)run->rows * run->row_cycles : refused);
    watch.hash ^= testbench.cycle;
    machine_reference_close(&b);
    return watch;
}

static void observers_see_every_cycle(void **unused)
{
    (void)unused;
    const struct run run = {.rows = ROWS, .flits = 9, .row_cycles = 9 + 9};
    const struct dut_ops steps = dut_csim_ops;
    struct seen leapt = watch_run(&dut_csim_ops, &run, NEVER),
                stepped = watch_run(&steps, &run, NEVER);
    assert_int_equal(leapt.cycles, stepped.cycles);
    assert_int_equal(leapt.receipts, stepped.receipts);
    assert_true(leapt.hash == stepped.hash && leapt.receipts > 0);
}

/* The run ends in each cycle of two rows in turn; most cycles are leapt over. */
static void a_refusal_ends_the_run_in_its_cycle(void **unused)
{
    (void)unused;
    const struct run run = {.rows = ROWS, .flits = 9, .row_cycles = 9 + 9};
    for (uint64_t cycle = 0; cycle < 2 * run.row_cycles; cycle++)
        watch_run(&dut_csim_ops, &run, cycle);
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

static void a_difference_is_reported(void **unused)
{
    (void)unused;
    const struct machine machine = machine_of("benes:8", 1, 0);
    const struct run run = {.rows = ROWS, .flits = 8, .row_cycles = 8 + 5};
    for (unsigned how = 0; how < 3; how++) {
        struct twins twins;
        twins_open(&twins, &machine, SEED);
        twins_load(&twins, &(struct faults){0});
        struct machine_reference *b = &twins.leaping;
        uint32_t setting = machine_reference_row_of(b, 3, 2)[0] ^ (how == 1);
        machine_reference_write(b, machine_table_address(&machine, 2, 3, 0), setting);
        machine_reference_write(&twins.stepped, MACHINE_ID, 0); /* the write takes a cycle too */
        bool same = twins_run(&twins, &run, true);
        if (how == 2) {
            machine_reference_write(b, machine_packet_address(&machine, 3, 1, 7), 5);
            machine_reference_write(&twins.stepped, MACHINE_ID, 0);
        }
        assert_int_equal(same && same_memories(&twins), how == 0);
        twins_close(&twins);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaps_are_as_steps),
        cmocka_unit_test(nothing_is_passed_over),
        cmocka_unit_test(what_is_driven_is_heeded),
        cmocka_unit_test(rows_with_setting_period_leap),
        cmocka_unit_test(machines_that_hold_settings_are_stepped),
        cmocka_unit_test(observers_see_every_cycle),
        cmocka_unit_test(a_refusal_ends_the_run_in_its_cycle),
        cmocka_unit_test(a_difference_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
