/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/fault_lab.h"

#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>

static struct collective fault_lab_asked(uint32_t n)
{
    return (struct collective){
        .n = n, .m = FAULT_LAB_PACKETS, .source = n / 3, .model = MODEL_SEND_RECEIVE};
}

bool fault_lab_can(const struct algorithm *algorithm, uint32_t n)
{
    const struct collective asked = fault_lab_asked(n);
    return algorithm->kind == asked.kind && algorithm_check(algorithm, &asked, NULL);
}

void fault_lab_fill(struct fault_lab *lab, const struct algorithm *algorithm, uint32_t n)
{
    const struct collective asked = fault_lab_asked(n);
    support_job(algorithm, &asked, &lab->machine, FAULT_LAB_FLITS, FAULT_LAB_SEED + n, &lab->job);
}

struct fault_lab_watch {
    struct scoreboard *board;
    uint64_t first; /* the cycle of the whole run in which this part began */
};

static bool fault_lab_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct fault_lab_watch *watch = self;
    scoreboard_observe(watch->board, watch->first + cycle, obs);
    return true;
}

/* Loads, runs and observes the part of a run that begins with round `first_row` + 1. */
static void fault_lab_run_part(struct fault_lab *lab, const struct image *image,
                               struct scoreboard *board, uint32_t first_row)
{
    uint64_t cycles;
    struct fault_lab_watch watch = {board, (uint64_t)first_row * image->run.row_cycles};
    const struct testbench_observer observer = {&watch, fault_lab_observe};
    support_true(testbench_load(&lab->testbench, image, &lab->err), &lab->err);
    if (!testbench_run(&lab->testbench, &image->run, &observer, &cycles, &lab->err))
        scoreboard_stop(board, &lab->err);
}

/* Reads all memories and flags, and judges them. */
static bool fault_lab_verdict(struct fault_lab *lab, struct scoreboard *board)
{
    const struct schedule *schedule = &lab->job.schedule;
    uint32_t word[FAULT_LAB_FLITS], flags;
    for (uint32_t node = 0; node < FAULT_LAB_PORTS; node++) {
        support_true(
            testbench_read(&lab->testbench, machine_flags_address(node), &flags, &lab->err),
            &lab->err);
        scoreboard_flags(board, node, flags);
    }
    for (uint32_t node = 0; node < schedule->nodes; node++)
        for (uint32_t packet = 1; packet <= FAULT_LAB_PACKETS; packet++) {
            uint32_t address = machine_packet_address(&lab->machine, node, packet - 1, 0);
            support_true(
                testbench_read_block(&lab->testbench, address, FAULT_LAB_FLITS, word, &lab->err),
                &lab->err);
            scoreboard_memory(board, node, packet, word);
        }
    lab->err = (struct err){0};
    bool holds = scoreboard_verdict(board, &lab->report, &lab->err);
    scoreboard_free(board);
    return holds;
}

bool fault_lab_holds(struct fault_lab *lab, const struct image *image)
{
    struct scoreboard *board = scoreboard_new(&lab->job.schedule, &lab->job.payload, &lab->machine,
                                              &image->run, &lab->err);
    assert_non_null(board);
    fault_lab_run_part(lab, image, board, 0);
    return fault_lab_verdict(lab, board);
}

void fault_lab_assert_holds(struct fault_lab *lab)
{
    bool held = fault_lab_holds(lab, &lab->job.image);
    support_true(held, &lab->err);
}

uint32_t *fault_lab_word_at(struct image *image, uint32_t address)
{
    for (size_t k = image->count; k-- > 0;)
        if (image->word[k].address == address)
            return &image->word[k].word;
    fail_msg("no word at %08" PRIx32, address);
    return NULL;
}

uint32_t *fault_lab_entry_at(struct image *image, enum machine_region program, uint32_t node,
                             uint64_t round)
{
    return fault_lab_word_at(
        image, machine_program_address(&image->machine, program, node, (uint32_t)round - 1));
}

void fault_lab_spread(const struct schedule *schedule, uint64_t round,
                      struct fault_lab_corrupt *corrupt)
{
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            if (schedule->step[k].time > round)
                corrupt->at[transfer->destination][transfer->packet] =
                    corrupt->at[transfer->source][transfer->packet];
        }
}

uint64_t fault_lab_round_of(const struct schedule *schedule, uint32_t node, uint32_t packet)
{
    for (size_t t = 0; t < schedule->transfer_count; t++)
        if (schedule->transfer[t].destination == node && schedule->transfer[t].packet == packet)
            return schedule->step[schedule_step_of(schedule, t)].time;
    return 0;
}

void fault_lab_assert_corrupt(const struct fault_lab *lab, const struct fault_lab_corrupt *corrupt)
{
    uint64_t count = 0;
    for (uint32_t node = 0; node < lab->job.schedule.nodes; node++)
        for (uint32_t packet = 1; packet <= FAULT_LAB_PACKETS; packet++) {
            if (!corrupt->at[node][packet])
                continue;
            char text[80];
            snprintf(text, sizeof text,
                     "round %" PRIu64 ": node %" PRIu32 " holds packet %" PRIu32 " with flit ",
                     fault_lab_round_of(&lab->job.schedule, node, packet), node, packet);
            if (count++ == 0)
                support_error(&lab->err, ERR_CORRUPT, text);
        }
    assert_true(count > 0);
    assert_int_equal(lab->report.corrupt, count);
    assert_int_equal(lab->err.further, count - 1);
    assert_int_equal(lab->report.seen, lab->report.expected);
}

/* Returns rounds from+1 … to of an image as a separate image, with or without the packet
 * memories. */
static struct image fault_lab_part(const struct image *image, uint32_t from, uint32_t to,
                                   bool packets)
{
    struct image part = {.machine = image->machine, .run = image->run};
    struct err err = {0};
    part.run.rows = to - from;
    for (size_t k = 0; k < image->count; k++) {
        uint32_t address = image->word[k].address, word = image->word[k].word;
        const struct machine_place at = machine_place_of(&image->machine, address);
        bool has_row =
            at.region == MACHINE_TABLE || at.region == MACHINE_SEND || at.region == MACHINE_RECEIVE;
        if (has_row ? at.row < from || at.row >= to : at.region == MACHINE_PACKET && !packets)
            continue;
        assert_true(image_append(&part, has_row ? address - from : address,
                                 address == MACHINE_RUN_ROWS ? part.run.rows : word, &err));
    }
    return part;
}

/* Flips a bit of a stored packet between two rounds. */
static void fault_lab_corrupt_memory(struct fault_lab *lab, uint32_t node, uint32_t packet,
                                     uint32_t flit, unsigned bit)
{
    uint32_t word, address = machine_packet_address(&lab->machine, node, packet - 1, flit);
    support_true(testbench_read(&lab->testbench, address, &word, &lab->err), &lab->err);
    support_true(testbench_write(&lab->testbench, address, word ^ 1u << bit, &lab->err), &lab->err);
}

bool fault_lab_holds_with(struct fault_lab *lab, uint32_t rows, uint32_t node, uint32_t packet)
{
    const struct image *image = &lab->job.image;
    struct image first = fault_lab_part(image, 0, rows, true),
                 rest = fault_lab_part(image, rows, image->run.rows, false);
    struct scoreboard *board = scoreboard_new(&lab->job.schedule, &lab->job.payload, &lab->machine,
                                              &image->run, &lab->err);
    assert_non_null(board);
    fault_lab_run_part(lab, &first, board, 0);
    if (packet > 0)
        fault_lab_corrupt_memory(lab, node, packet, node % FAULT_LAB_FLITS,
                                 (3 * packet + node) % 16);
    fault_lab_run_part(lab, &rest, board, rows);
    image_free(&first);
    image_free(&rest);
    return fault_lab_verdict(lab, board);
}
