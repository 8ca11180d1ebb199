/* SPDX-License-Identifier: Apache-2.0 */
/* test_scoreboard_shapes: the scoreboard's expectations for a tree, a hypercube and two nodes;
 * test_scoreboard covers a complete graph.
 *
 * No engine is used. Schedules are written by hand, with a packet or two each: a packet that a
 * router forwards is expected at no node, in particular not at the leaf with the next number; a
 * packet that arrives over several dimensions is stored where it arrived first, or over the lowest
 * of these dimensions; with two nodes, one must receive a packet; a wide flit is compared part by
 * part; reports name the lane of a leaf that has several; a packet that is late twice. The
 * expectations are the tables below.
 *
 * Counter-cases: the same runs pass without the fault.
 */
#include "sched/machine/machine_address.h"
#include "testbench/scoreboard/scoreboard.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"
#include "tests/support/tree_machine.h"

#include <stdlib.h>

#define SEED UINT64_C(20261123)
#define PORTS 16

struct play {
    struct schedule schedule;
    struct machine machine;
    struct run run;
    struct payload payload;
    struct scoreboard *board;
};

static struct play play_of(const char *text, enum machine_kind kind)
{
    struct play play = {0};
    struct err err = {0};
    support_true(support_read(text, "by-hand.sched", &play.schedule, &err), &err);
    play.machine = kind == MACHINE_MULTISTAGE ? support_machine(1, 1, 0)
                                              : tree_machine_of(kind, &play.schedule.topology, 0);
    play.run = (struct run){.rows = (uint32_t)play.schedule.end,
                            .flits = 1,
                            .row_cycles = machine_row_cycles(&play.machine, 1)};
    support_payload(&play.schedule, &play.machine, 1, SEED, &play.payload);
    return play;
}

static void begin(struct play *play)
{
    struct err err = {0};
    play->board = scoreboard_new(&play->schedule, &play->payload, &play->machine, &play->run, &err);
    support_true(play->board != NULL, &err);
}

/* Observes each cycle of a row; the ports show `obs` in the last cycle. */
static void observe_row(struct play *play, uint64_t row, const uint32_t obs[])
{
    for (uint64_t cycle = row * play->run.row_cycles; cycle < (row + 1) * play->run.row_cycles;
         cycle++)
        scoreboard_observe(play->board, cycle,
                           cycle + 1 == (row + 1) * play->run.row_cycles ? obs : NULL);
}

/* Reads back a packet of a node with its correct content. */
static void read_back(struct play *play, uint32_t node, uint32_t packet)
{
    const uint32_t word = MACHINE_VALID | payload_word(&play->payload, packet, 0);
    scoreboard_memory(play->board, node, packet, &word);
}

/* Expects this error, or a run that passes if the text is empty. */
static void assert_verdict(struct play *play, enum err_code code, const char *text)
{
    struct err err = {0};
    struct scoreboard_report report;
    bool holds = scoreboard_verdict(play->board, &report, &err);
    if (*text == '\0')
        support_true(holds, &err);
    else
        support_error(&err, code, text);
    scoreboard_free(play->board);
}

static void play_free(struct play *play)
{
    schedule_free(&play->schedule);
    payload_free(&play->payload);
}

/* Leaf 0 sends its packet in the first step, and the first router, whose number follows the 16
 * leaves, forwards it in the second: only the packet of leaf 0 is reported. */
static void what_a_router_sends_is_no_leaf_s(void **state)
{
    static const char text[] = "roundcast-schedule 1\nalgorithm by hand\n"
                               "topology tree 4 4 capacity 1 1\nmodel single-port\ndemand 1 0 1\n"
                               "round 1\n0 1:0 1\nround 2\n1:0 1 1\nend 2\n";
    static const struct {
        uint32_t row;
        const char *text;
    } flags[] = {{2, ""},
                 {0, "node 0 flags sending what it does not hold; expected no flag, packet 1 to be "
                     "sent and nothing to be received"},
                 {1, "node 0 flags sending what it does not hold; expected no flag, nothing to be "
                     "sent and nothing to be received"}};
    (void)state;
    struct play play = play_of(text, MACHINE_FAT_TREE);
    assert_int_equal(machine_ports(&play.machine), PORTS);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        begin(&play);
        for (uint32_t row = 0; row < 2; row++) {
            uint32_t obs[PORTS] = {0};
            obs[1] = row == 1 ? MACHINE_VALID | machine_slot(&play.machine, 1, 1) : 0;
            obs[0] = row == flags[k].row ? MACHINE_NOT_HELD << MACHINE_OBS_FLAGS : 0;
            observe_row(&play, row, obs);
        }
        read_back(&play, 0, 1);
        read_back(&play, 1, 1);
        assert_verdict(&play, ERR_FLAG, flags[k].text);
    }
    play_free(&play);
}

/* Node 3 receives the packet over dimension 1 or 2 first, or over both at once. An endpoint is
 * node · 2 + dimension - 1. */
static void packets_are_where_they_came_first(void **state)
{
    static const struct {
        const char *rounds;
        bool wanted[2];
    } cases[] = {
        {"round 2\n2 3 1\nround 3\n1 3 1\nend 3\n", {true, false}},
        {"round 2\n1 3 1\nround 3\n2 3 1\nend 3\n", {false, true}},
        {"round 2\n1 3 1\n2 3 1\nend 2\n", {true, false}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm by hand\ntopology hypercube 2\nmodel all-port\n"
                 "demand 1 0 3\nround 1\n0 1 1\n0 2 1\n%s",
                 cases[k].rounds);
        struct play play = play_of(text, MACHINE_CUBE);
        begin(&play);
        for (uint32_t dimension = 0; dimension < 2; dimension++)
            assert_int_equal(scoreboard_wants(play.board, 3 * 2 + dimension, 1),
                             cases[k].wanted[dimension]);
        assert_int_equal(scoreboard_wanters(play.board, 1), 2);
        scoreboard_free(play.board);
        play_free(&play);
    }
}

/* With two nodes something can be received; with one node nothing can. */
static void two_nodes_receive_something(void **state)
{
    static const struct {
        const char *text, *breach;
    } cases[] = {{"roundcast-schedule 1\nalgorithm by hand\ntopology complete 2\n"
                  "model send-receive\ndemand 1 0 *\nend 0\n",
                  "run: no receipt was checked; expected at least one"},
                 {"roundcast-schedule 1\nalgorithm by hand\ntopology complete 1\n"
                  "model send-receive\ndemand 1 0 *\nend 0\n",
                  ""}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct play play = play_of(cases[k].text, MACHINE_MULTISTAGE);
        uint32_t source = 0;
        struct demand demand = {
            .first_packet = 1, .last_packet = 1, .wanted_count = 1, .wanted = &source};
        struct demand *all = play.schedule.demand;
        play.schedule.demand = &demand; /* the source alone meets this demand */
        begin(&play);
        read_back(&play, 0, 1);
        assert_verdict(&play, ERR_NOTHING_CHECKED, cases[k].breach);
        play.schedule.demand = all;
        play_free(&play);
    }
}

/* Flits of 70 bits are compared part by part: bits 0 to 31, 32 to 63, and 64 to 69 with the held
 * bit. The report names the first part that differs. */
static void parts_of_flits_are_compared(void **state)
{
    static const char schedule[] = "roundcast-schedule 1\nalgorithm by hand\ntopology complete 2\n"
                                   "model send-receive\ndemand 1 0 *\nround 1\n0 1 1\nend 1\n";
    static const char *const texts[] = {"node 1 holds packet 1 with flit 0, bits 0 to 31, = ",
                                        "node 1 holds packet 1 with flit 0, bits 32 to 63, = ",
                                        "node 1 holds packet 1 with flit 0, bits 64 to 69, = ", ""};
    (void)state;
    for (uint32_t wrong = 0; wrong < 4; wrong++) {
        struct play play = play_of(schedule, MACHINE_MULTISTAGE);
        uint32_t word[3] = {0}, obs[2] = {0, MACHINE_VALID};
        payload_free(&play.payload);
        play.machine.width = 70;
        support_payload(&play.schedule, &play.machine, 1, SEED, &play.payload);
        assert_in_range(play.payload.size, 5, 8);
        for (unsigned byte = 0; byte < play.payload.size; byte++)
            word[byte / 4] |= (uint32_t)play.payload.bytes[byte] << 8 * (byte % 4);
        word[2] = MACHINE_VALID;
        begin(&play);
        observe_row(&play, 0, obs);
        scoreboard_memory(play.board, 0, 1, word);
        if (wrong < 3)
            word[wrong] ^= 1u << 5;
        scoreboard_memory(play.board, 1, 1, word);
        assert_verdict(&play, ERR_CORRUPT, texts[wrong]);
        play_free(&play);
    }
}

/* A processor of two endpoints has a number for each. */
static void endpoints_are_named(void **state)
{
    static const char *const cases[][2] = {
        {"tree 2 capacity 1\nmodel single-port", "node 1 does not receive packet 1; expected"},
        {"tree 2 capacity 2\nmodel single-port", "node 1, lane 0 does not receive packet 1"},
        {"tree 2 capacity 3\nmodel single-port", "node 1, lane 0 does not receive packet 1"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm by hand\ntopology %s\ndemand 1 0 1\n"
                 "round 1\n0 1:0 1\nround 2\n1:0 1 1\nend 2\n",
                 cases[k][0]);
        struct play play = play_of(text, MACHINE_FAT_TREE);
        begin(&play);
        observe_row(&play, 0, NULL);
        observe_row(&play, 1, NULL);
        assert_verdict(&play, ERR_LOST, cases[k][1]);
        play_free(&play);
    }
}

/* A packet that is sent twice to a node is late twice: the report is that of the first time. */
static void late_twice(void **state)
{
    (void)state;
    struct play play = play_of("roundcast-schedule 1\nalgorithm by hand\ntopology complete 2\n"
                               "model send-receive\ndemand 1 0 *\nround 1\n0 1 1\nround 3\n"
                               "0 1 1\nround 4\n1 0 1\nend 4\n",
                               MACHINE_MULTISTAGE);
    begin(&play);
    for (uint64_t row = 0; row < 4; row++) {
        const uint32_t obs[2] = {row == 3 ? MACHINE_VALID : 0, row % 2 ? MACHINE_VALID : 0};
        observe_row(&play, row, obs);
    }
    read_back(&play, 0, 1);
    read_back(&play, 1, 1);
    assert_verdict(&play, ERR_LATE, "round 2, cycle ");
    play_free(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_router_sends_is_no_leaf_s),
        cmocka_unit_test(packets_are_where_they_came_first),
        cmocka_unit_test(two_nodes_receive_something),
        cmocka_unit_test(parts_of_flits_are_compared),
        cmocka_unit_test(endpoints_are_named),
        cmocka_unit_test(late_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
