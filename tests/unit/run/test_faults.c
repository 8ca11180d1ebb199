/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults: one fault in a working image is detected and named.
 *
 * Every test first shows that the unbroken image passes on the same engine, which is opened once
 * and loaded again for each fault (so that loading over an earlier image is tested, too).
 *
 * State space. Images of every algorithm for n = 8 and 7, m = 3 on 8 ports, on csim; of matching
 * and circulant on RTL as well. Payload bytes are pseudo-random with a printed seed, so that
 * packets differ. Exhaustive: every bit of every switch table; every send and receive entry; every
 * transfer that can be delayed by a round; every packet corrupt at the source; every packet corrupt
 * at every node after every round (the run is stopped there, the memory changed through the host
 * port, and the rest run).
 *
 * The effect of a flipped switch follows from the schedule and the circuits through the switch:
 *
 *     no circuit                    no effect: the run passes
 *     one circuit                   E601 names its round, destination and packet
 *     two of the same packet        no effect: the two are exchanged, which is not observable
 *     two of different packets      E604; the corrupt packets are exactly those two and the copies
 *                                   made by sending them on; the first of them is named
 *
 * All four classes are counted and printed, the last three must occur.
 */
#include "sched/image/unpack.h"
#include "sched/network/benes.h"
#include "sched/route/route.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/fault_lab.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum class { DEAD, ONE, SAME, DIFFERENT, CLASSES };

/* Finds the circuits through a switch of a row, from the settings; returns their number. */
static uint32_t through(struct unpacked *unpacked, uint32_t row, unsigned stage, uint32_t sw,
                        struct circuit passing[2])
{
    struct circuit circuit[FAULT_LAB_PORTS];
    unpack_row(unpacked, row);
    uint32_t count = unpack_circuits(unpacked, circuit), found = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t lane = circuit[k].source;
        for (unsigned s = 0; s < stage; s++) {
            unsigned bit = benes_bit(FAULT_LAB_LOG2_PORTS, s);
            lane ^= (unpacked->setting[s] >> benes_switch(bit, lane) & 1) << bit;
        }
        if (benes_switch(benes_bit(FAULT_LAB_LOG2_PORTS, stage), lane) == sw)
            passing[found++] = circuit[k];
    }
    return found;
}

/* Runs with one switch flipped and checks the effect that its circuits predict. */
static enum class flip(struct fault_lab *lab, struct unpacked *unpacked, uint32_t row,
                       unsigned stage, uint32_t sw) {
    struct circuit passing[2]; uint32_t count = through(unpacked, row, stage, sw, passing);
    uint32_t *word = fault_lab_word_at(&lab->job.image,
                                       machine_table_address(&lab->machine, stage, row, 0));
    enum class class = count == 0                           ? DEAD
                       : count == 1                         ? ONE
                       : passing[0].sent == passing[1].sent ? SAME
                                                            : DIFFERENT;
    *word ^= 1u << sw; bool held = fault_lab_holds(lab, &lab->job.image); *word ^= 1u << sw;
    if (class == DEAD || class == SAME){support_true(held, &lab->err); return class;}
assert_false(held);
if (class == ONE) {
    char text[80];
    snprintf(text, sizeof text,
             "round %" PRIu32 ": node %" PRIu32 " does not receive packet %" PRIu32 ";", row + 1,
             passing[0].destination, passing[0].sent);
    support_error(&lab->err, ERR_LOST, text);
    return class;
}
struct fault_lab_corrupt corrupt = {0};
corrupt.at[passing[0].destination][passing[0].sent] = true;
corrupt.at[passing[1].destination][passing[1].sent] = true;
fault_lab_spread(&lab->job.schedule, row + 1, &corrupt);
fault_lab_assert_corrupt(lab, &corrupt);
return class;
}

static void flip_every_switch(struct fault_lab *lab, const struct algorithm *algorithm,
                              unsigned count[CLASSES])
{
    for (uint32_t n = 7; n <= 8; n++) {
        struct unpacked unpacked;
        if (!fault_lab_can(algorithm, n))
            continue;
        fault_lab_fill(lab, algorithm, n);
        fault_lab_assert_holds(lab);
        support_true(unpack_image(&lab->job.image, &unpacked, &lab->err), &lab->err);
        for (uint32_t row = 0; row < unpacked.run.rows; row++)
            for (unsigned stage = 0; stage < FAULT_LAB_STAGES; stage++)
                for (uint32_t sw = 0; sw < FAULT_LAB_SWITCHES; sw++)
                    count[flip(lab, &unpacked, row, stage, sw)]++;
        fault_lab_assert_holds(lab);
        unpack_free(&unpacked);
        support_job_free(&lab->job);
    }
}

static void report_flips(const struct fault_lab *lab, const unsigned count[CLASSES])
{
    print_message("%s: flipped bits: %u that a circuit passes and are caught (%u by one circuit, "
                  "%u by two of "
                  "different packets); not observable: %u by two of the same packet, %u by none\n",
                  engine_name(lab->testbench.engine[0].kind), count[ONE] + count[DIFFERENT],
                  count[ONE], count[DIFFERENT], count[SAME], count[DEAD]);
    assert_true(count[ONE] > 0 && count[SAME] > 0 && count[DIFFERENT] > 0);
}

static void flipped_switches(void **state)
{
    struct fault_lab *lab = *state;
    unsigned count[CLASSES] = {0};
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm; algorithm++)
        if (lab->testbench.engine[0].kind == ENGINE_CSIM ||
            strcmp((*algorithm)->name, "matching") == 0 ||
            strcmp((*algorithm)->name, "circulant") == 0)
            flip_every_switch(lab, *algorithm, count);
    report_flips(lab, count);
}

static void expect_lost(const struct fault_lab *lab, const struct transfer *transfer,
                        uint64_t round)
{
    char text[80];
    snprintf(text, sizeof text,
             "round %" PRIu64 ": node %" PRIu32 " does not receive packet %" PRIu32 ";", round,
             transfer->destination, transfer->packet);
    support_error(&lab->err, ERR_LOST, text);
}

static void dropped_entries(void **state)
{
    struct fault_lab *lab = *state;
    fault_lab_fill(lab, support_algorithm("circulant"), 8);
    const struct schedule *schedule = &lab->job.schedule;
    fault_lab_assert_holds(lab);
    for (size_t t = 0; t < schedule->transfer_count; t++)
        for (int program = MACHINE_SEND; program <= MACHINE_RECEIVE; program++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint64_t round = schedule->step[schedule_step_of(schedule, t)].time;
            uint32_t *entry = fault_lab_entry_at(
                &lab->job.image, (enum machine_region)program,
                program == MACHINE_SEND ? transfer->source : transfer->destination, round);
            uint32_t before = *entry;
            *entry = 0;
            assert_false(fault_lab_holds(lab, &lab->job.image));
            expect_lost(lab, transfer, round);
            /* the endpoint raised a flag as well */
            assert_true(lab->report.flags > 0 && lab->err.further > 0);
            *entry = before;
        }
    fault_lab_assert_holds(lab);
    support_job_free(&lab->job);
}

/* Sends that differ from the schedule's packet: E605 if the packet is not held, E604 if it is. */
static void exchanged_packets(void **state)
{
    struct fault_lab *lab = *state;
    unsigned not_held = 0, held = 0;
    fault_lab_fill(lab, support_algorithm("matching"), 7);
    const struct schedule *schedule = &lab->job.schedule;
    fault_lab_assert_holds(lab);
    for (size_t t = 0; t < schedule->transfer_count; t++)
        for (uint32_t other = 1; other <= FAULT_LAB_PACKETS; other++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint64_t round = schedule->step[schedule_step_of(schedule, t)].time;
            uint32_t *entry =
                fault_lab_entry_at(&lab->job.image, MACHINE_SEND, transfer->source, round);
            if (other == transfer->packet)
                continue;
            *entry = MACHINE_VALID | (other - 1);
            assert_false(fault_lab_holds(lab, &lab->job.image));
            if (fault_lab_round_of(schedule, transfer->source, other) >= round) {
                char text[160];
                snprintf(text, sizeof text,
                         ": node %" PRIu32
                         " flags sending what it does not hold; expected no flag, packet %" PRIu32
                         " to be sent",
                         transfer->source, transfer->packet);
                char when[40];
                snprintf(when, sizeof when, "round %" PRIu64 ", cycle ", round);
                support_error(&lab->err, ERR_FLAG, when, text);
                not_held++;
            } else {
                struct fault_lab_corrupt corrupt = {0};
                corrupt.at[transfer->destination][transfer->packet] = true;
                fault_lab_spread(schedule, round, &corrupt);
                fault_lab_assert_corrupt(lab, &corrupt);
                held++;
            }
            *entry = MACHINE_VALID | (transfer->packet - 1);
        }
    print_message("%u sends of what is not held, %u of another packet\n", not_held, held);
    assert_true(not_held > 0 && held > 0);
    support_job_free(&lab->job);
}

/* Copies the schedule with one transfer a round later; returns false if its nodes are busy then. */
static bool put_off(const struct schedule *schedule, size_t which, struct schedule *later)
{
    struct err err = {0};
    const struct transfer moved = schedule->transfer[which];
    uint64_t round = schedule->step[schedule_step_of(schedule, which)].time + 1;
    *later = (struct schedule){0};
    support_true(support_broadcast(later, "late",
                                   &(struct collective){.n = schedule->nodes,
                                                        .m = schedule->packets,
                                                        .source = schedule->demand[0].source,
                                                        .model = schedule->model},
                                   &err),
                 &err);
    for (uint64_t time = 1; time <= schedule->end + 1; time++) {
        struct transfer *room = schedule_open_step(later, time, FAULT_LAB_PORTS + 1, &err);
        size_t count = 0;
        assert_non_null(room);
        for (size_t t = 0; t < schedule->transfer_count; t++)
            if (time == (t == which ? round : schedule->step[schedule_step_of(schedule, t)].time))
                room[count++] = schedule->transfer[t];
        bool busy = false;
        for (size_t k = 0; time == round && k < count; k++)
            busy = busy ||
                   (room[k].packet != moved.packet &&
                    (room[k].source == moved.source || room[k].destination == moved.destination)) ||
                   (room[k].packet == moved.packet &&
                    (room[k].source == moved.source) != (room[k].destination == moved.destination));
        schedule_close_step(later, count);
        if (!busy)
            continue;
        schedule_free(later);
        return false;
    }
    return true;
}

static void delayed_transfers(void **state)
{
    struct fault_lab *lab = *state;
    unsigned delayed = 0;
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm; algorithm++) {
        if (!fault_lab_can(*algorithm, 8))
            continue;
        fault_lab_fill(lab, *algorithm, 8);
        fault_lab_assert_holds(lab);
        const struct schedule *schedule = &lab->job.schedule;
        for (size_t t = 0; t < schedule->transfer_count; t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint64_t round = schedule->step[schedule_step_of(schedule, t)].time;
            struct schedule later;
            struct image image;
            char when[40], text[100];
            if (!put_off(schedule, t, &later))
                continue;
            support_true(
                route_schedule(&later, &lab->machine, &lab->job.payload, &image, &lab->err),
                &lab->err);
            assert_false(fault_lab_holds(lab, &image));
            snprintf(when, sizeof when, "round %" PRIu64 ", cycle ", round + 1);
            snprintf(text, sizeof text,
                     ": node %" PRIu32 " receives packet %" PRIu32
                     "; expected it in round %" PRIu64,
                     transfer->destination, transfer->packet, round);
            support_error(&lab->err, ERR_LATE, when, text);
            image_free(&image);
            schedule_free(&later);
            delayed++;
        }
        support_job_free(&lab->job);
    }
    print_message("%u transfers delayed by a round\n", delayed);
    assert_true(delayed > 30);
}

static void corrupt_packets(void **state)
{
    struct fault_lab *lab = *state;
    unsigned caught = 0, overwritten = 0;
    fault_lab_fill(lab, support_algorithm("circulant"), 8);
    const struct schedule *schedule = &lab->job.schedule;
    for (uint32_t rows = 0; rows <= lab->job.image.run.rows; rows++) {
        bool held = fault_lab_holds_with(lab, rows, 0, 0);
        support_true(held, &lab->err);
        for (uint32_t node = 0; node < schedule->nodes; node++)
            for (uint32_t packet = 1; packet <= FAULT_LAB_PACKETS; packet++) {
                struct fault_lab_corrupt corrupt = {0};
                held = fault_lab_holds_with(lab, rows, node, packet);
                if (fault_lab_round_of(schedule, node, packet) > rows) { /* not received yet */
                    support_true(held, &lab->err);
                    overwritten++;
                    continue;
                }
                assert_false(held);
                corrupt.at[node][packet] = true;
                fault_lab_spread(schedule, rows, &corrupt);
                fault_lab_assert_corrupt(lab, &corrupt);
                caught++;
            }
    }
    print_message(
        "%u corrupt packets caught, at the source and at relays; %u overwritten by what arrived\n",
        caught, overwritten);
    assert_true(caught > 0 && overwritten > 0);
    support_job_free(&lab->job);
}

/* Wrong registers of the run, in a call of simulate. */
static void wrong_registers(void **state)
{
    struct fault_lab *lab = *state;
    static const struct {
        uint32_t rows, flits, row_cycles; /* added to the registers */
        enum err_code code;
        const char *text;
    } cases[] = {
        {0, 0, 0, ERR_NONE, ""},
        {0, 0, 1, ERR_LATE, "; expected it in round 2, cycle 17"},
        {0, 0, 15, ERR_LATE, "; expected it in round 2, cycle 17"}, /* and never finishes */
        {UINT32_MAX, 0, 0, ERR_LOST, "; expected it before the run ends"},
        {(uint32_t)-5, 0, 0, ERR_LOST, "round 1: node "},
        {1, 0, 0, ERR_TIME_OUT, "the machine is not done; expected it after 45"},
        {0, UINT32_MAX, 0, ERR_LATE, "round 1, cycle 7: node "},
        {0, 1, 1, ERR_LOST, "; expected it in cycle 8"}, /* one flit more than is held */
    };
    const struct simulate_options options = {.engine_count = 1,
                                             .engine = {lab->testbench.engine[0].kind}};
    fault_lab_fill(lab, support_algorithm("circulant"), 8);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct image *image = &lab->job.image;
        struct simulate_report report;
        struct err err = {0};
        *fault_lab_word_at(image, MACHINE_RUN_ROWS) = image->run.rows + cases[k].rows;
        *fault_lab_word_at(image, MACHINE_RUN_FLITS) = image->run.flits + cases[k].flits;
        *fault_lab_word_at(image, MACHINE_RUN_ROW_CYCLES) =
            image->run.row_cycles + cases[k].row_cycles;
        bool held = simulate(image, &lab->job.schedule, &lab->job.payload, &options, &report, &err);
        if (held != (cases[k].code == ERR_NONE))
            fail_msg("case %zu: %s", k, err.text);
        if (!held)
            support_error(&err, cases[k].code, cases[k].text);
        assert_int_equal(report.checks.expected, lab->job.schedule.transfer_count);
    }
    support_job_free(&lab->job);
}

/* A superfluous row, shorter than the time for which the testbench waits. */
static void a_run_that_is_too_long(void **state)
{
    struct fault_lab *lab = *state;
    const struct collective asked = {.n = 8, .m = FAULT_LAB_PACKETS, .model = MODEL_SEND_RECEIVE};
    const struct machine machine = support_machine(FAULT_LAB_LOG2_PORTS, 0, 0);
    const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    support_job(support_algorithm("path"), &asked, &machine, 1, FAULT_LAB_SEED, &lab->job);
    ++*fault_lab_word_at(&lab->job.image, MACHINE_RUN_ROWS);
    assert_false(
        simulate(&lab->job.image, &lab->job.schedule, &lab->job.payload, &options, &report, &err));
    support_error(&err, ERR_TIME_OUT, "cycle 10: the machine is done; expected it after 9");
    support_job_free(&lab->job);
}

static int set_up(enum engine_kind kind, void **state)
{
    struct fault_lab *lab = calloc(1, sizeof *lab);
    assert_non_null(lab);
    lab->machine = support_machine(FAULT_LAB_LOG2_PORTS, 1, 0);
    support_true(testbench_open(&kind, 1, &lab->machine, false, &lab->testbench, &lab->err),
                 &lab->err);
    print_message("engine %s, seed %llu\n", engine_name(kind), (unsigned long long)FAULT_LAB_SEED);
    *state = lab;
    return 0;
}

static int set_up_csim(void **state)
{
    return set_up(ENGINE_CSIM, state);
}

static int set_up_rtl(void **state)
{
    return set_up(ENGINE_RTL, state);
}

static int tear_down(void **state)
{
    struct fault_lab *lab = *state;
    testbench_close(&lab->testbench);
    free(lab);
    return 0;
}

int main(void)
{
#define ON(engine, test)                                             \
    {                                                                \
#test " on " #engine, test, set_up_##engine, tear_down, NULL \
    }
    const struct CMUnitTest tests[] = {
        ON(csim, flipped_switches),       ON(csim, dropped_entries),  ON(csim, exchanged_packets),
        ON(csim, delayed_transfers),      ON(csim, corrupt_packets),  ON(csim, wrong_registers),
        ON(csim, a_run_that_is_too_long), ON(rtl, flipped_switches),  ON(rtl, dropped_entries),
        ON(rtl, exchanged_packets),       ON(rtl, delayed_transfers), ON(rtl, corrupt_packets),
        ON(rtl, wrong_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
