/* test_stream: runs without barriers on csim and RTL, against a reference that knows no pipeline.
 *
 * State space. Machines: one for each latency 0, 1, 3, 4, 6 and 8 at 8 ports on both engines in lockstep; on
 * csim alone 2 … 128 ports with latencies up to 13. On each all runs of 1 … F flits with every legal length
 * of a row, and runs with barriers between them: among them 2 flits at latency 1 in rows of 1 cycle (lambda
 * 3/2, the word that is received is sent on in the next cycle), 4 at 6 in rows of 2 (5/2), 3 at 4 in rows of
 * 1 (7/3), 4 at 8 in rows of 4 (3), 1 at 3 (4). In every row idle nodes begin to send a random packet to
 * random idle nodes, so that transfers overlap and follow each other, and with two slots a node sends words
 * that are still arriving. Seldom, often and never is anything wrong: entries missing, too many, of another
 * packet, going on or not; a switch; words that are not held.
 *
 * Compared with the reference: every observation with its cycle, every lane of every pipeline register of
 * csim in every cycle, all memories and flags afterwards; and where nothing is wrong, receipts with the plan
 * and machine_arrival_cycle. A word is forwarded in runs of one flit or of rows of one cycle only.
 *
 * Counter-cases. Each bit of each entry of a run and each switch of each row that carries anything: what
 * becomes of it differs from the prediction (sending the other packet shows unless it has the same words).
 * One entry in one of two engines: E607.
 */
#include "bench.h"
#include "csim.h"
#include "dut_csim.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "stream_reference.h"
#include "support.h"

#define SEED UINT64_C(20240615)

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

/* Words that are not as predicted. */
struct watch {
    const struct stream *stream;
    struct csim *sim;
    bool planned; /* nothing is wrong: receipts are those of the plan */
    uint64_t differ, receipts, lanes;
};

/* Behind `depth` registers the lanes show what left so many cycles ago. */
static void watch_lanes(struct watch *watch, uint32_t cycle, const char *name, unsigned stages,
                        unsigned depth)
{
    const struct stream *s = watch->stream;
    const uint32_t *lanes = csim_peek(csim_find(watch->sim, name));
    uint32_t left = cycle - depth;
    for (uint32_t node = 0; node < s->nodes; node++) {
        uint32_t word = left < s->cycles ? s->sent[(size_t)left * s->nodes + node] : 0;
        uint32_t row = left < s->cycles ? left / s->run.row_cycles : 0;
        uint32_t lane = (word & ~MACHINE_VALID) | (word & MACHINE_VALID) >> (31 - s->machine.width);
        watch->differ += lanes[stream_follow(s, row, node, stages)] != lane;
        watch->lanes += lane != 0;
    }
}

static void watch_registers(struct watch *watch, uint32_t cycle)
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
        watch_lanes(watch, cycle, name, pad ? stages : column + 1, ++depth);
    }
}

static bool observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct watch *watch = self;
    const struct stream *s = watch->stream;
    if (cycle >= s->cycles || (obs != NULL) != s->strobe[cycle])
        return ++watch->differ;
    for (uint32_t node = 0; obs != NULL && node < s->nodes; node++) {
        watch->differ += obs[node] != s->obs[cycle * s->nodes + node];
        watch->receipts += obs[node] >> 31;
        if (watch->planned)
            watch->differ += (obs[node] & MACHINE_VALID ? obs[node] : 0) != s->due[cycle * s->nodes + node];
    }
    if (cycle + 1 < s->cycles && watch->sim != NULL)
        watch_registers(watch, (uint32_t)cycle + 1);
    return true;
}

/* Memories and flags, read back. */
static void watch_memories(struct watch *watch, struct bench *bench)
{
    const struct stream *s = watch->stream;
    struct err err = {0};
    uint32_t *word = stream_words(s->flits), flags;
    for (uint32_t node = 0; node < s->nodes; node++) {
        support_true(bench_read(bench, machine_flags_address(node), &flags, &err), &err);
        watch->differ += flags != s->flags[node];
        for (uint32_t packet = 0; packet < s->packets; packet++) {
            support_true(bench_read_block(bench, machine_packet_address(&s->machine, node, packet, 0),
                                          s->flits, word, &err),
                         &err);
            for (uint32_t flit = 0; flit < s->flits; flit++)
                watch->differ += word[flit] != s->memory[stream_at(s, node, packet, flit)];
        }
    }
    free(word);
}

/* Load and run; how many words are not as the stream predicts? */
static struct watch run(struct bench *bench, const struct stream *s, const struct image *image, bool planned)
{
    struct watch watch = {.stream = s, .sim = dut_csim_simulator(bench->engine[0].self), .planned = planned};
    const struct bench_observer observer = {&watch, observe};
    struct err err = {0};
    uint64_t cycles;
    support_true(bench_load(bench, image, &err), &err);
    support_true(bench_run(bench, &s->run, &observer, &cycles, &err), &err);
    watch.differ += cycles != s->cycles;
    watch_memories(&watch, bench);
    return watch;
}

/* -- Runs of all lengths ---------------------------------------------------------------------------- */

struct sum {
    uint64_t runs, transfers, receipts, forwarded, lanes, raised[3];
};

static void add(struct sum *sum, const struct stream *s, const struct watch *watch)
{
    sum->runs++;
    sum->transfers += s->transfers;
    sum->receipts += watch->receipts;
    sum->forwarded += s->forwarded;
    sum->lanes += watch->lanes;
    for (unsigned flag = 0; flag < 3; flag++)
        sum->raised[flag] += s->raised[flag];
}

static void run_rates(struct bench *bench, const struct run *clocking, struct sum *sum)
{
    static const struct stream_rates rates[] = {{80, 0, 0}, {100, 0, 3}, {60, 4, 4}, {80, 25, 20}};
    for (unsigned which = 0; which < sizeof rates / sizeof *rates; which++) {
        struct stream s;
        struct image image;
        uint64_t seed = SEED + clocking->flits * 1000 + clocking->row_cycles * 10 + which;
        stream_draw(&bench->machine, clocking, &rates[which], seed, &s, &image);
        struct watch watch = run(bench, &s, &image, which == 0);
        if (watch.differ != 0)
            fail_msg("%" PRIu64 " words differ: flits %u, row cycles %u, latency %u, rates %u", watch.differ,
                     clocking->flits, clocking->row_cycles, s.latency, which);
        assert_int_equal(watch.receipts, s.receipts);
        if (which == 0)
            assert_int_equal(s.receipts, s.transfers);
        assert_int_equal(s.transfers > 0, machine_packet_rows(clocking) <= stream_senders(&s));
        if (clocking->flits > 1 && clocking->row_cycles > 1)
            assert_int_equal(s.forwarded, 0);
        add(sum, &s, &watch);
        image_free(&image);
        stream_free(&s);
    }
}

/* Every legal length of a row, the longest first: barriers, and a cycle more. */
static void run_lengths(struct bench *bench, uint32_t flits, uint32_t rows, struct sum *sum)
{
    uint32_t latency = machine_latency(&bench->machine);
    for (uint32_t row_cycles = flits + latency + 1; row_cycles > 0; row_cycles--) {
        const struct run clocking = {.rows = rows, .flits = flits, .row_cycles = row_cycles};
        struct err err = {0};
        if (machine_check_run(&bench->machine, &clocking, "test", &err))
            run_rates(bench, &clocking, sum);
    }
}

static void tell(const struct sum *sum)
{
    print_message("seed %" PRIu64 ": %" PRIu64 " runs, %" PRIu64 " transfers, %" PRIu64 " receipts, %" PRIu64
                  " words forwarded, %" PRIu64 " on lanes, flags %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                  SEED, sum->runs, sum->transfers, sum->receipts, sum->forwarded, sum->lanes, sum->raised[0],
                  sum->raised[1], sum->raised[2]);
    assert_true(sum->receipts > 1000 && sum->raised[0] > 20 && sum->raised[1] > 20 && sum->raised[2] > 20);
}

/* A machine of 8 ports, two packets of up to 4 flits. */
static struct machine small(unsigned pipe, unsigned pad)
{
    return (struct machine){3, pipe, pad, 13, 1, 2, 6};
}

static void lockstep(unsigned pipe, unsigned pad, unsigned latency, bool forwards)
{
    const struct machine machine = small(pipe, pad);
    struct bench bench;
    struct err err = {0};
    struct sum sum = {0};
    assert_int_equal(machine_latency(&machine), latency);
    support_true(bench_open(both, 2, &machine, false, &bench, &err), &err);
    for (uint32_t flits = 1; flits <= 4; flits++)
        run_lengths(&bench, flits, 64, &sum);
    tell(&sum);
    assert_int_equal(sum.forwarded > 0, forwards);
    bench_close(&bench);
}

/* Every machine forwards words in runs of one flit. */
static void lockstep_latency_0(void **state)
{
    (void)state;
    lockstep(0, 0, 0, true);
}

static void lockstep_latency_1(void **state)
{
    (void)state;
    lockstep(5, 0, 1, true);
}

static void lockstep_latency_3(void **state)
{
    (void)state;
    lockstep(2, 1, 3, true);
}

static void lockstep_latency_4(void **state)
{
    (void)state;
    lockstep(2, 2, 4, true);
}

static void lockstep_latency_6(void **state)
{
    (void)state;
    lockstep(1, 1, 6, true);
}

static void lockstep_latency_8(void **state)
{
    (void)state;
    lockstep(1, 3, 8, true);
}

/* Bits of a lane, tables of several words, packets of several blocks. */
static void csim_of_other_shapes(void **state)
{
    (void)state;
    static const struct machine machines[] = {
        {1, 1, 0, 31, 1, 4, 5}, {1, 0, 0, 1, 2, 4, 5},  {2, 1, 3, 16, 1, 4, 5}, {4, 2, 4, 16, 2, 4, 5},
        {5, 1, 2, 16, 1, 4, 5}, {6, 1, 0, 16, 1, 4, 5}, {7, 1, 0, 13, 1, 4, 4}, {7, 5, 6, 16, 3, 4, 4},
    };
    struct sum sum = {0};
    for (size_t which = 0; which < sizeof machines / sizeof *machines; which++) {
        struct bench bench;
        struct err err = {0};
        support_true(bench_open(both, 1, &machines[which], false, &bench, &err), &err);
        for (uint32_t flits = 1; flits <= 16; flits++)
            run_lengths(&bench, flits, 1u << machines[which].log2_rows, &sum);
        bench_close(&bench);
    }
    tell(&sum);
    assert_true(sum.forwarded > 1000);
}

/* -- Programs ---------------------------------------------------------------------------------------- */

/* Only the receive program knows that a packet goes on. */
static void programs_read_back(void **state)
{
    (void)state;
    const struct machine machine = small(1, 1);
    const uint32_t bits = MACHINE_VALID | MACHINE_MORE | 1;
    struct bench bench;
    struct err err = {0};
    support_true(bench_open(both, 2, &machine, false, &bench, &err), &err);
    for (uint32_t node = 0; node < 8; node++)
        for (uint32_t which = 0; which < 8; which++) {
            uint32_t send = machine_program_address(&machine, MACHINE_SEND, node, which), word;
            uint32_t receive = machine_program_address(&machine, MACHINE_RECEIVE, node, which);
            uint32_t written = which << 30 | which >> 2 | UINT32_C(0x3ffffffe);
            support_true(bench_write(&bench, send, written, &err), &err);
            support_true(bench_write(&bench, receive, written, &err), &err);
            support_true(bench_write(&bench, send + 8, 0, &err), &err);
            support_true(bench_read(&bench, send, &word, &err), &err);
            assert_int_equal(word, written & bits & ~MACHINE_MORE);
            support_true(bench_read(&bench, receive, &word, &err), &err);
            assert_int_equal(word, written & bits);
        }
    bench_close(&bench);
}

/* -- What csim_cycle trusts ------------------------------------------------------------------------- */

static void audited_step(void *self, const struct dut_inputs *inputs, struct dut_outputs *outputs)
{
    struct csim *sim = dut_csim_simulator(self);
    struct err err = {0};
    *csim_poke(csim_find(sim, "rst_i")) = inputs->rst;
    *csim_poke(csim_find(sim, "start_i")) = inputs->start;
    *csim_poke(csim_find(sim, "host_we_i")) = inputs->host_we;
    *csim_poke(csim_find(sim, "host_re_i")) = inputs->host_re;
    *csim_poke(csim_find(sim, "host_addr_i")) = inputs->host_addr;
    *csim_poke(csim_find(sim, "host_wdata_i")) = inputs->host_wdata;
    support_true(csim_audit(sim, &err), &err);
    *outputs = (struct dut_outputs){.run = *csim_peek(csim_find(sim, "run_o")),
                                    .done = *csim_peek(csim_find(sim, "done_o")),
                                    .obs_strobe = *csim_peek(csim_find(sim, "obs_strobe_o")),
                                    .host_rdata = *csim_peek(csim_find(sim, "host_rdata_o")),
                                    .obs = csim_peek(csim_find(sim, "obs_o"))};
}

/* A register is written whole or not at all, and values fit their width. */
static void audited_runs(void **state)
{
    (void)state;
    struct dut_ops ops = dut_csim_ops;
    ops.step = audited_step;
    const struct machine machines[] = {small(0, 0), small(5, 0), small(1, 1)};
    for (unsigned which = 0; which < 3; which++) {
        struct bench bench;
        struct err err = {0};
        struct sum sum = {0};
        support_true(bench_open(both, 1, &machines[which], false, &bench, &err), &err);
        bench.engine[0].ops = &ops;
        for (uint32_t flits = 1; flits <= 4; flits++)
            run_lengths(&bench, flits, 16, &sum);
        assert_true(sum.receipts > 0);
        bench.engine[0].ops = &dut_csim_ops;
        bench_close(&bench);
    }
}

/* -- A reset in the middle -------------------------------------------------------------------------- */

static void step(struct bench *bench, bool rst, bool start, unsigned cycles)
{
    struct dut_outputs outputs[2];
    for (unsigned k = 0; k < cycles; k++) {
        for (unsigned engine = 0; engine < 2; engine++)
            bench->engine[engine].ops->step(bench->engine[engine].self,
                                            &(struct dut_inputs){.rst = rst, .start = start},
                                            &outputs[engine]);
        assert_true(outputs[0].run == outputs[1].run && outputs[0].done == outputs[1].done &&
                    outputs[0].obs_strobe == outputs[1].obs_strobe);
        assert_false(rst && (outputs[0].run || outputs[0].done));
    }
}

/* At every cycle of a run; then the next one, of either kind, is as ever. */
static void reset_ends_a_run(void **state)
{
    (void)state;
    const struct machine machine = small(1, 1);
    const struct run runs[] = {{8, 4, 2}, {3, 4, 10}};
    struct bench bench;
    struct err err = {0};
    support_true(bench_open(both, 2, &machine, false, &bench, &err), &err);
    for (unsigned cut = 0; cut < 2 * (30 + 4); cut++) {
        struct stream s;
        struct image image;
        stream_draw(&machine, &runs[cut % 2], &(struct stream_rates){100, 5, 5}, SEED + cut, &s, &image);
        support_true(bench_load(&bench, &image, &err), &err);
        step(&bench, false, true, 1);
        step(&bench, false, false, cut / 2);
        step(&bench, true, false, machine_latency(&machine) + 3);
        image_free(&image);
        stream_free(&s);
        stream_draw(&machine, &runs[cut / 2 % 2], &(struct stream_rates){80, 5, 5}, ~cut, &s, &image);
        assert_int_equal(run(&bench, &s, &image, false).differ, 0);
        image_free(&image);
        stream_free(&s);
    }
    bench_close(&bench);
}

/* -- Counter-cases ---------------------------------------------------------------------------------- */

/* An image whose word at an address has other bits. */
static void flip(struct image *image, uint32_t address, uint32_t bits)
{
    for (size_t k = 0; k < image->count; k++)
        if (image->word[k].address == address)
            image->word[k].word ^= bits;
}

/* What a flipped bit changes on csim. */
static uint64_t effect(struct bench *bench, const struct stream *s, struct image *image, uint32_t address,
                       uint32_t bits)
{
    flip(image, address, bits);
    uint64_t differ = run(bench, s, image, true).differ;
    flip(image, address, bits);
    return differ;
}

static void every_flipped_bit_shows(void **state)
{
    (void)state;
    const struct machine machine = small(1, 1);
    const struct run clocking = {16, 4, 2};
    struct bench bench;
    struct stream s;
    struct image image;
    struct err err = {0};
    unsigned other = 0, same = 0;
    stream_draw(&machine, &clocking, &(struct stream_rates){70, 0, 0}, SEED, &s, &image);
    support_true(bench_open(both, 1, &machine, false, &bench, &err), &err);
    assert_int_equal(run(&bench, &s, &image, true).differ, 0);
    for (uint32_t row = 0; row < clocking.rows; row++)
        for (uint32_t node = 0; node < s.nodes; node++) {
            uint32_t receive = machine_program_address(&machine, MACHINE_RECEIVE, node, row);
            uint32_t send = machine_program_address(&machine, MACHINE_SEND, node, row);
            bool arrives = row < stream_senders(&s);
            bool expected = s.receive[row * s.nodes + node] & MACHINE_VALID;
            bool sends = s.send[row * s.nodes + node] & MACHINE_VALID;
            assert_int_equal(effect(&bench, &s, &image, receive, MACHINE_VALID) > 0, arrives);
            assert_int_equal(effect(&bench, &s, &image, receive, MACHINE_MORE) > 0, expected);
            assert_int_equal(effect(&bench, &s, &image, receive, 1) > 0, arrives);
            assert_true(!arrives || effect(&bench, &s, &image, send, MACHINE_VALID) > 0);
            if (effect(&bench, &s, &image, send, 1) > 0)
                other++;
            else
                same += sends;
            assert_int_equal(effect(&bench, &s, &image, send, MACHINE_MORE), 0);
        }
    print_message("sending the other packet: %u show, %u have the same words\n", other, same);
    assert_true(other > 10 * same);
    assert_int_equal(run(&bench, &s, &image, true).differ, 0);
    bench_close(&bench);
    image_free(&image);
    stream_free(&s);
}

/* Does anything that is sent in a row pass the switch? */
static bool carries(const struct stream *s, uint32_t row, unsigned stage, uint32_t sw)
{
    bool passes = false;
    for (uint32_t node = 0; node < s->nodes; node++)
        passes |=
            (s->send[row * s->nodes + node] & MACHINE_VALID) &&
            benes_switch(benes_bit(s->machine.log2_ports, stage), stream_follow(s, row, node, stage)) == sw;
    return passes;
}

static void every_flipped_switch_shows(void **state)
{
    (void)state;
    const struct machine machine = small(1, 1);
    const struct run clocking = {16, 4, 2};
    struct bench bench;
    struct stream s;
    struct image image;
    struct err err = {0};
    unsigned idle = 0;
    stream_draw(&machine, &clocking, &(struct stream_rates){70, 0, 0}, SEED, &s, &image);
    support_true(bench_open(both, 1, &machine, false, &bench, &err), &err);
    for (uint32_t row = 0; row < clocking.rows; row++)
        for (unsigned stage = 0; stage < machine_stages(&machine); stage++)
            for (uint32_t sw = 0; sw < s.nodes / 2; sw++) {
                uint32_t address = machine_table_address(&machine, stage, row, 0);
                bool passed = carries(&s, row, stage, sw);
                assert_int_equal(effect(&bench, &s, &image, address, 1u << sw) > 0, passed);
                idle += !passed;
            }
    assert_in_range(idle, 1, clocking.rows * machine_stages(&machine) * s.nodes / 4);
    bench_close(&bench);
    image_free(&image);
    stream_free(&s);
}

/* Registers of the run that are those of another one. */
static void another_clocking_shows(void **state)
{
    (void)state;
    const struct machine machine = small(1, 1);
    const struct run clocking = {16, 4, 2};
    static const struct {
        uint32_t address, bits;
    } cases[] = {{MACHINE_RUN_FLITS, 4 ^ 2}, {MACHINE_RUN_ROW_CYCLES, 2 ^ 1}};
    struct bench bench;
    struct stream s;
    struct image image;
    struct err err = {0};
    stream_draw(&machine, &clocking, &(struct stream_rates){70, 0, 0}, SEED, &s, &image);
    support_true(bench_open(both, 1, &machine, false, &bench, &err), &err);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++)
        assert_true(effect(&bench, &s, &image, cases[which].address, cases[which].bits) > 0);
    assert_int_equal(run(&bench, &s, &image, true).differ, 0);
    bench_close(&bench);
    image_free(&image);
    stream_free(&s);
}

/* Write a word into the second engine only, while the first one idles. */
static void write_second(struct bench *bench, uint32_t address, uint32_t word)
{
    struct dut_outputs outputs;
    const struct dut_inputs inputs[] = {{.host_we = true, .host_addr = address, .host_wdata = word}, {0}};
    for (unsigned k = 0; k < 2; k++) {
        bench->engine[0].ops->step(bench->engine[0].self, &inputs[1], &bench->outputs);
        bench->engine[1].ops->step(bench->engine[1].self, &inputs[k], &outputs);
    }
}

/* The row of one engine ends its packets early, or late: told in the cycle of that row's observation. */
static void engines_that_differ_are_told(void **state)
{
    (void)state;
    const struct machine machine = small(1, 1);
    const struct run clocking = {16, 4, 2};
    struct bench bench;
    struct stream s;
    struct image image;
    struct err err = {0};
    unsigned told = 0;
    stream_draw(&machine, &clocking, &(struct stream_rates){70, 0, 0}, SEED, &s, &image);
    support_true(bench_open(both, 2, &machine, false, &bench, &err), &err);
    for (uint32_t row = 0; row < stream_senders(&s); row++)
        for (uint32_t node = 0; node < s.nodes; node++) {
            uint32_t entry = s.receive[row * s.nodes + node], address, packet;
            struct watch watch = {.stream = &s};
            const struct bench_observer observer = {&watch, observe};
            uint64_t cycles;
            char text[80];
            if (!(entry & MACHINE_VALID))
                continue;
            address = machine_program_address(&machine, MACHINE_RECEIVE, node, row);
            packet = entry & 1;
            support_true(bench_load(&bench, &image, &err), &err);
            write_second(&bench, address, entry ^ MACHINE_MORE);
            assert_false(bench_run(&bench, &clocking, &observer, &cycles, &err));
            snprintf(text, sizeof text, "csim and rtl differ in obs of node %" PRIu32 " (%08" PRIx32, node,
                     packet | (entry & MACHINE_MORE ? 0 : MACHINE_VALID));
            support_error(&err, ERR_DIVERGED, text);
            assert_int_equal(cycles, (row + 1) * clocking.row_cycles - 1 + s.latency);
            step(&bench, true, false, s.latency + 3);
            told++;
        }
    assert_true(told > 20);
    bench_close(&bench);
    image_free(&image);
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lockstep_latency_0),
        cmocka_unit_test(lockstep_latency_1),
        cmocka_unit_test(lockstep_latency_3),
        cmocka_unit_test(lockstep_latency_4),
        cmocka_unit_test(lockstep_latency_6),
        cmocka_unit_test(lockstep_latency_8),
        cmocka_unit_test(csim_of_other_shapes),
        cmocka_unit_test(programs_read_back),
        cmocka_unit_test(audited_runs),
        cmocka_unit_test(reset_ends_a_run),
        cmocka_unit_test(every_flipped_bit_shows),
        cmocka_unit_test(every_flipped_switch_shows),
        cmocka_unit_test(another_clocking_shows),
        cmocka_unit_test(engines_that_differ_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
