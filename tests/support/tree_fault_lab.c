/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tree_fault_lab.h"

#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

#define TREE_FAULT_LAB_MOST 2 /* words that are changed at once */

void tree_fault_lab_load(struct tree_fault_lab *lab, const struct schedule *schedule,
                         const struct image *image)
{
    struct err err = {0};
    lab->rest = (struct image){.machine = lab->machine, .run = image->run};
    for (size_t k = 0; k < image->count; k++) {
        enum machine_region region = machine_region_of(image->word[k].address);
        if (region == MACHINE_REGISTER || region == MACHINE_PACKET)
            support_true(
                image_append(&lab->rest, image->word[k].address, image->word[k].word, &err), &err);
    }
    lab->replay = tree_replay_open(schedule, image, &lab->machine);
    struct image loaded = *image;
    loaded.machine = lab->machine;
    support_true(testbench_load(&lab->testbench, &loaded, &err), &err);
}

void tree_fault_lab_unload(struct tree_fault_lab *lab)
{
    tree_replay_close(&lab->replay);
    image_free(&lab->rest);
}

void tree_fault_lab_write(struct tree_fault_lab *lab, uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(testbench_write(&lab->testbench, address, word, &err), &err);
}

static bool tree_fault_lab_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    scoreboard_observe(self, cycle, obs);
    return true;
}

/* Flags and steps. */
static void tree_fault_lab_read_flags(struct tree_fault_lab *lab, struct scoreboard *board)
{
    struct err err = {0};
    uint32_t word;
    for (uint32_t leaf = 0; leaf < machine_ports(&lab->machine); leaf++) {
        support_true(testbench_read(&lab->testbench, machine_flags_address(leaf), &word, &err),
                     &err);
        scoreboard_flags(board, leaf, word);
    }
    for (uint32_t router = 0; router < machine_routers(&lab->machine); router++) {
        uint32_t *flags = &lab->router_flags[router];
        support_true(
            testbench_read(&lab->testbench, machine_router_flags_address(router), flags, &err),
            &err);
        scoreboard_router_flags(board, router, *flags);
    }
    support_true(testbench_read(&lab->testbench, MACHINE_STEPS, &word, &err), &err);
    scoreboard_steps(board, word);
}

static void tree_fault_lab_read_packets(struct tree_fault_lab *lab, struct scoreboard *board)
{
    struct err err = {0};
    uint32_t word[1 << 6];
    const struct tree_replay *replay = &lab->replay;
    for (uint32_t leaf = 0; leaf < replay->schedule->nodes; leaf++)
        for (uint32_t packet = 1; packet <= replay->schedule->packets; packet++) {
            if (!replay->wanted[leaf * (replay->schedule->packets + 1) + packet])
                continue;
            uint32_t address = machine_packet_address(&lab->machine, leaf, packet - 1, 0);
            support_true(
                testbench_read_block(&lab->testbench, address, lab->job.payload.flits, word, &err),
                &err);
            scoreboard_memory(board, leaf, packet, word);
        }
}

bool tree_fault_lab_holds(struct tree_fault_lab *lab, uint32_t spoil, uint32_t bit, bool after)
{
    struct err err = {0};
    struct scoreboard *board = scoreboard_new(lab->replay.schedule, &lab->job.payload,
                                              &lab->machine, &lab->replay.run, &err);
    const struct testbench_observer observer = {board, tree_fault_lab_observe};
    uint64_t cycles;
    uint32_t word;
    assert_non_null(board);
    support_true(testbench_load(&lab->testbench, &lab->rest, &err), &err);
    for (unsigned trial = 0; trial < 2; trial++) {
        if (spoil != 0 && after == trial) {
            support_true(testbench_read(&lab->testbench, spoil, &word, &err), &err);
            tree_fault_lab_write(lab, spoil, word ^ 1u << bit);
        }
        if (trial == 0)
            support_true(testbench_run(&lab->testbench, &lab->replay.run, &observer, &cycles, &err),
                         &err);
    }
    tree_fault_lab_read_flags(lab, board);
    tree_fault_lab_read_packets(lab, board);
    lab->err = (struct err){0};
    bool holds = scoreboard_verdict(board, &lab->report, &lab->err);
    scoreboard_free(board);
    return holds;
}

struct tree_replay_reported tree_fault_lab_judge(struct tree_fault_lab *lab)
{
    struct tree_replay_reported reported = tree_replay_run(&lab->replay);
    bool held = tree_fault_lab_holds(lab, 0, 0, false);
    if (held != (reported.count == 0))
        fail_msg("expected '%s', got '%s'", reported.text, lab->err.text);
    if (!held) {
        if (strncmp(lab->err.text, reported.text, strlen(reported.text)) != 0)
            fail_msg("expected '%s', got '%s'", reported.text, lab->err.text);
        assert_int_equal(lab->err.code, reported.code);
        assert_int_equal(lab->err.further, reported.count - 1);
    }
    return reported;
}

struct tree_replay_reported tree_fault_lab_change(struct tree_fault_lab *lab,
                                                  const struct image_word change[], size_t count)
{
    uint32_t before[TREE_FAULT_LAB_MOST];
    assert_true(count <= TREE_FAULT_LAB_MOST);
    for (size_t k = 0; k < count; k++) {
        uint32_t *word = tree_replay_word(&lab->replay, change[k].address);
        before[k] = *word;
        *word = change[k].word;
        tree_fault_lab_write(lab, change[k].address, change[k].word);
    }
    struct tree_replay_reported reported = tree_fault_lab_judge(lab);
    for (size_t k = count; k-- > 0;) {
        *tree_replay_word(&lab->replay, change[k].address) = before[k];
        tree_fault_lab_write(lab, change[k].address, before[k]);
    }
    return reported;
}

void tree_fault_lab_open(struct tree_fault_lab *lab, const enum engine_kind kinds[], unsigned count,
                         const struct machine *machine)
{
    struct err err = {0};
    *lab = (struct tree_fault_lab){.machine = *machine};
    lab->router_flags = room_words(machine_routers(machine));
    support_true(testbench_open(kinds, count, machine, false, &lab->testbench, &err), &err);
}

void tree_fault_lab_close(struct tree_fault_lab *lab)
{
    testbench_close(&lab->testbench);
    free(lab->router_flags);
}
