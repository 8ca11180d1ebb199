/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_noise: machines whose memories hold anything run, and csim and RTL show the same.
 *
 * State space. A machine of each kind (host_lab.h), but self-timed trees, where headers that no
 * schedule has mean nothing. Tables, orders, programs and packets are seeded random words, so that
 * every lane carries something, every switch changes, packets come where none is expected and are
 * missing where one is; numbers are small ones as often as any. Runs have random rows, flits,
 * periods, and cycles to spare; or no barriers, and packets of a row or more, which are sent on in
 * the cycle in which they arrive; or rows of up to 2^15 cycles. A register is read in most cycles
 * of a run. Every output is compared in every cycle, and after each run the packets, the flags and
 * what must not have changed are read. Then some words are other ones, for the next run. A run is
 * reset where it is not done in time: of random words, nodes that find by themselves when it ends
 * may wait forever.
 *
 * What a receive program says of packets that go on is right, for what it does else is nowhere
 * said (machine.h).
 *
 * Counter-case: a packet differs in one engine, and where it arrives they differ.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "testbench/unit/support/cmocka_all.h"
#include "testbench/unit/support/host_lab.h"
#include "testbench/unit/support/second_engine.h"

#include <inttypes.h>

#define RUNS 20
#define CHANGES 600
#define MOST_ROWS 32
#define MOST_CYCLES 4000

/* -- Words ------------------------------------------------------------------------------------- */

/* Mostly valid, and small as often as not; any where packets have headers. */
static uint32_t draw_word(const struct machine *machine, struct rng *rng)
{
    uint32_t any = (uint32_t)rng_next(rng);
    if (machine_is_self_timed(machine))
        return any & ~MACHINE_MORE;
    uint32_t word = rng_below(rng, 2) ? any : any & UINT32_C(0x00070003);
    return rng_below(rng, 8) ? (word & ~MACHINE_MORE) | MACHINE_VALID
                             : word & ~(MACHINE_MORE | MACHINE_VALID);
}

/* A router's output sends from a source that there is. */
static uint32_t legal(const struct machine *machine, uint32_t address, uint32_t word)
{
    const struct machine_place place = machine_place_of(machine, address);
    if (place.region != MACHINE_TABLE || !machine_hops(machine) || machine_is_self_timed(machine) ||
        place.unit >= machine_routers(machine))
        return word;
    unsigned level = wiring_level(&machine->topology, place.unit);
    uint32_t sources = wiring_ports(&machine->topology, level) * machine->reads;
    uint32_t source = (word >> 16 & 0x7fff) % sources;
    return (word & UINT32_C(0x8000ffff)) | source << 16;
}

static void write_noise(struct host_lab *lab, uint32_t address, struct rng *rng)
{
    host_lab_write(lab, address,
                   legal(&lab->map.machine, address, draw_word(&lab->map.machine, rng)));
}

static uint32_t fields_of(const struct host_lab *lab, uint32_t region)
{
    return 1u << host_map_bits(&lab->map, region);
}

/* Every word, or of a long region one in 61, so that each row is met. */
static void fill(struct host_lab *lab, struct rng *rng)
{
    for (uint32_t region = MACHINE_TABLE; region <= MACHINE_PACKET; region++) {
        uint32_t stride = fields_of(lab, region) > 16384 ? 61 : 1;
        for (uint32_t field = 0; field < fields_of(lab, region); field += stride)
            write_noise(lab, region << 28 | field, rng);
    }
}

static void change(struct host_lab *lab, struct rng *rng)
{
    for (unsigned k = 0; k < CHANGES; k++) {
        uint32_t region = MACHINE_TABLE + rng_below(rng, 4);
        write_noise(lab, region << 28 | rng_below(rng, fields_of(lab, region)), rng);
    }
}

/* Words that a run may change, and such that it must not. */
static void read_back(struct host_lab *lab, struct rng *rng)
{
    for (uint32_t region = MACHINE_PACKET; region <= MACHINE_ROUTER_FLAGS; region++)
        for (uint32_t field = 0; field < fields_of(lab, region); field++)
            host_lab_ask(lab, region << 28 | field);
    for (unsigned k = 0; k < CHANGES; k++) {
        uint32_t region = rng_below(rng, MACHINE_FLAGS);
        host_lab_ask(lab, region << 28 | rng_below(rng, fields_of(lab, region)));
    }
    host_lab_idle(lab, 3);
}

/* -- Runs -------------------------------------------------------------------------------------- */

static struct run draw_run(const struct machine *machine, struct rng *rng)
{
    uint32_t least = machine_header_flits(machine) + 1;
    struct run run;
    do {
        run = (struct run){.rows = 1 + rng_below(rng, MOST_ROWS),
                           .flits = least + rng_below(rng, 1u << machine->log2_flits),
                           .single_port = machine_hops(machine) && rng_below(rng, 4) == 0};
        run.row_cycles = machine_row_cycles(machine, run.flits) + rng_below(rng, 4);
        if (!machine->computed && rng_below(rng, 3) == 0)
            run.row_cycles = rng_below(rng, 2) ? 1 : 1 + rng_below(rng, run.flits);
        if (machine_has_beats(machine)) {
            run.period = 1 + rng_below(rng, 1u << machine->log2_period);
            run.first = rng_below(rng, run.period);
            run.packets = 1 + rng_below(rng, 1u << machine->log2_packets);
        }
    } while (!machine_check_run(machine, &run, "drawn", NULL));
    return run;
}

/* A run without barriers: packets go on in as many rows as they take, and the last rows send
 * nothing. They are those of the first slots. */
static void draw_stream(struct host_lab *lab, const struct run *run, uint32_t slots,
                        struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    uint32_t rows = run->flits / run->row_cycles, last = machine_latency(machine) / run->row_cycles;
    for (uint32_t node = 0; node < lab->map.nodes; node++) {
        uint32_t left = 0, packet = 0;
        for (uint32_t row = 0; row < run->rows; row++) {
            if (left == 0 && row + rows <= run->rows && rng_below(rng, 8)) {
                left = rows;
                packet = rng_below(rng, slots) | MACHINE_VALID;
            }
            uint32_t word = left == 0 ? 0 : left == 1 ? packet : packet | MACHINE_MORE;
            host_lab_write(lab, machine_program_address(machine, MACHINE_RECEIVE, node, row), word);
            if (row + last >= run->rows)
                host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row), 0);
            left -= left > 0;
        }
    }
}

/* Where no packet goes on again. */
static void end_stream(struct host_lab *lab)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t row = 0; row < MOST_ROWS; row++)
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_RECEIVE, 0, row),
            row | MACHINE_VALID);
}

static void write_run(struct host_lab *lab, const struct run *run)
{
    uint32_t word;
    for (uint32_t which = 0; which < HOST_MAP_REGISTERS; which++)
        if (machine_run_word(&lab->map.machine, run, which, &word))
            host_lab_write(lab, which, word);
    host_lab_idle(lab, 1);
}

static void start(struct host_lab *lab, const struct run *run)
{
    write_run(lab, run);
    host_lab_step(lab, &(struct dut_inputs){.start = true});
}

/* True if it is done in time. */
static bool finish(struct host_lab *lab, struct rng *rng)
{
    for (unsigned k = 0; k < MOST_CYCLES && !lab->outputs.done; k++)
        if (rng_below(rng, 4))
            host_lab_ask(lab, rng_below(rng, HOST_MAP_REGISTERS));
        else
            host_lab_idle(lab, 1);
    bool done = lab->outputs.done;
    host_lab_idle(lab, 3 + machine_latency(&lab->map.machine));
    if (!done)
        host_lab_reset(lab);
    return done;
}

static void run_noise(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    unsigned done = 0;
    for (unsigned k = 0; k < RUNS; k++) {
        const struct run run = draw_run(machine, rng);
        const bool streams = machine_streams(machine, &run);
        if (streams)
            draw_stream(lab, &run, 1u << machine->log2_packets, rng);
        start(lab, &run);
        done += finish(lab, rng);
        read_back(lab, rng);
        if (streams)
            end_stream(lab);
        if (rng_below(rng, 2) || machine_is_self_timed(machine))
            host_lab_reset(lab);
        change(lab, rng);
    }
    print_message("%u of %u runs end; %" PRIu64 " words compared, %" PRIu64 " of them not 0\n",
                  done, RUNS, lab->compared, lab->not_zero);
    assert_true(done > 0 && lab->not_zero > 1000);
}

/* What arrives is sent on in the same cycle: flit f of a packet is read when flit f is written,
 * where rows have one cycle and the flits divide latency + 1. Two packets, so that it happens. */
static void forward(struct host_lab *lab, uint32_t flits, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {
        .rows = MOST_ROWS, .flits = flits, .row_cycles = 1, .period = machine_has_beats(machine)};
    change(lab, rng);
    draw_stream(lab, &run, 2, rng);
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t row = 0; row + machine_latency(machine) < run.rows; row++)
            host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                           MACHINE_VALID | rng_below(rng, 2));
    start(lab, &run);
    assert_true(finish(lab, rng));
    read_back(lab, rng);
}

static void run_forwards(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t flits = 1; flits <= 1u << machine->log2_flits; flits++)
        for (unsigned k = 0; (machine_latency(machine) + 1) % flits == 0 && k < 12; k++)
            forward(lab, flits, rng);
}

/* No rows at all, and such of any number of cycles, of which all 16 bits count. A small machine
 * will do: all have the same counters. */
static void run_no_rows_and_long_ones(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t flits = 1u << machine->log2_flits;
    const uint32_t beats = machine_has_beats(machine);
    for (unsigned bit = 5; bit < 16; bit++) {
        const struct run run = {.rows = bit == 5 ? 0 : 1,
                                .flits = flits,
                                .row_cycles = 1u << bit | machine_row_cycles(machine, flits),
                                .period = beats,
                                .packets = beats};
        start(lab, &run);
        for (uint32_t k = 0; k < run.rows * run.row_cycles + 8; k++)
            host_lab_idle(lab, 1);
        assert_true(lab->outputs.done);
        read_back(lab, rng);
    }
}

/* One test, so that a mutant ends with the first difference. */
static void anything_runs(void **state)
{
    (void)state;
    bool first = true;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        const struct machine *machine = &lab.map.machine;
        print_message("seed %" PRIu64 "\n", rng.state);
        fill(&lab, &rng);
        if (machine->kind != MACHINE_FAT_TREE_AUTO)
            run_noise(&lab, &rng);
        if (machine->kind == MACHINE_MULTISTAGE && !machine->computed)
            run_forwards(&lab, &rng);
        if (first)
            run_no_rows_and_long_ones(&lab, &rng);
        first = false;
        host_lab_close(&lab);
    }
}

static bool see_nothing(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

static void a_packet_that_differs_is_seen(void **state)
{
    (void)state;
    if (!host_lab_wanted(0))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[0]);
    const struct machine *machine = &lab.map.machine;
    const struct run run = {.rows = 1, .flits = 1, .row_cycles = machine_row_cycles(machine, 1)};
    const struct bench_observer observer = {.observe = see_nothing};
    struct err err = {0};
    uint64_t cycles;
    bool same = true;
    for (uint32_t node = 0; node < 2; node++) {
        host_lab_write(&lab, machine_program_address(machine, MACHINE_SEND, node, 0),
                       MACHINE_VALID);
        host_lab_write(&lab, machine_program_address(machine, MACHINE_RECEIVE, node, 0),
                       MACHINE_VALID | 1);
        host_lab_write(&lab, machine_packet_address(machine, node, 0, 0), MACHINE_VALID | 5);
    }
    write_run(&lab, &run);
    second_engine_write(&lab.bench, machine_packet_address(machine, 0, 0, 0), MACHINE_VALID | 4);
    support_true(bench_run(&lab.bench, &run, &observer, &cycles, &err), &err);
    for (uint32_t node = 0; node < 2; node++) {
        uint32_t word;
        same &= bench_read(&lab.bench, machine_packet_address(machine, node, 1, 0), &word, &err);
    }
    assert_false(same);
    support_error(&err, ERR_DIVERGED, "csim and rtl differ in host_rdata");
    host_lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(anything_runs),
                                       cmocka_unit_test(a_packet_that_differs_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
