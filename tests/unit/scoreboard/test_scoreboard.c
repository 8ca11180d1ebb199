/* SPDX-License-Identifier: Apache-2.0 */
/* test_scoreboard: the scoreboard detects every fault and reports the right code.
 *
 * No engine is used. The observations are constructed here: what a machine of 8 ports, 2 flits a
 * packet and latency 5 shows while it broadcasts 2 packets along the path 0 → 1 → 2 → 3. The
 * receipts and their cycles are a table written by hand (a round is 7 cycles, its packets are
 * complete in the seventh):
 *
 *     round      1          2              3              4
 *     cycle      6         13             20             27
 *     0 → 1     p1         p2
 *     1 → 2                p1             p2
 *     2 → 3                               p1             p2
 *
 * State space. Each fault changes the perfect run in one place. Exhaustive: each of the 6 receipts
 * dropped; each late by 1 … 6 cycles; each of the 8 stored packets corrupt in each of its 32 bits,
 * or not held; each of the 3 flags at each of 8 ports in each round; a receipt of each packet at
 * each port in each round that expects none; the run cut after each cycle. Each fault must give its
 * exact code and name its round, node and packet. The perfect run must pass.
 */
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/scoreboard_play.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEED UINT64_C(20240611)

enum {
    NODES = 4,
    PACKETS = 2,
    PORTS = 8,
    FLITS = 2,
    ROUNDS = 4,
    ROUND_CYCLES = 7,
    CYCLES = 40,
    RECEIPTS = 6
};

static const struct receipt {
    uint32_t round, node, packet;
} receipts[RECEIPTS] = {{1, 1, 1}, {2, 1, 2}, {2, 2, 1}, {3, 2, 2}, {3, 3, 1}, {4, 3, 2}};

static uint64_t due(uint32_t round)
{
    return (uint64_t)round * ROUND_CYCLES - 1;
}

static struct scoreboard_play *perfect(void **state)
{
    struct scoreboard_play *play = *state;
    scoreboard_play_begin(play, ROUNDS * ROUND_CYCLES);
    for (unsigned k = 0; k < RECEIPTS; k++)
        scoreboard_play_show(play, due(receipts[k].round), receipts[k].node, receipts[k].packet);
    return play;
}

/* Removes a receipt from the run. */
static void drop(struct scoreboard_play *play, const struct receipt *receipt)
{
    play->obs[due(receipt->round)][receipt->node] = 0;
}

static void the_perfect_run_holds(void **state)
{
    struct scoreboard_play *play = perfect(state);
    assert_int_equal(play->job.schedule.transfer_count, RECEIPTS);
    assert_int_equal(play->job.image.run.row_cycles, ROUND_CYCLES);
    assert_true(scoreboard_play_judge(play));
    const struct scoreboard_report *report = &play->report;
    assert_true(report->expected == RECEIPTS && report->seen == RECEIPTS && report->wrong == 0);
    assert_true(report->wanted == NODES * PACKETS && report->packets == NODES * PACKETS);
    assert_true(report->flags == 0 && report->corrupt == 0);
    assert_int_equal(report->bytes, NODES * PACKETS * payload_packet_bytes(&play->job.payload));
}

static void lost_packets(void **state)
{
    for (unsigned k = 0; k < RECEIPTS; k++) {
        struct scoreboard_play *play = perfect(state);
        const struct receipt *lost = &receipts[k];
        drop(play, lost);
        scoreboard_play_breaks(
            play, ERR_LOST, 0,
            "round %u: node %u does not receive packet %u; expected it in cycle %u", lost->round,
            lost->node, lost->packet, (unsigned)due(lost->round));
        assert_int_equal(play->report.seen, RECEIPTS - 1);
        /* nothing else arrives in that round, so there is no strobe */
        if (lost->round != 2 && lost->round != 3) {
            play->strobe[due(lost->round)] = false;
            scoreboard_play_breaks(play, ERR_LOST, 0, "round %u: node %u does not receive",
                                   lost->round, lost->node);
        }
    }
}

static void packets_late_by_cycles(void **state)
{
    for (unsigned k = 0; k < RECEIPTS; k++)
        for (uint64_t late = 1; late < ROUND_CYCLES; late++) {
            struct scoreboard_play *play = perfect(state);
            const struct receipt *receipt = &receipts[k];
            uint64_t cycle = due(receipt->round) + late;
            drop(play, receipt);
            scoreboard_play_show(play, cycle, receipt->node, receipt->packet);
            play->cycles = CYCLES;
            scoreboard_play_breaks(
                play, ERR_LATE, 0,
                "round %u, cycle %u: node %u receives packet %u; expected it in round %u, cycle %u",
                receipt->round + 1, (unsigned)cycle, receipt->node, receipt->packet, receipt->round,
                (unsigned)due(receipt->round));
            assert_int_equal(play->report.wrong, 1);
        }
}

static void packets_in_another_round(void **state)
{
    struct scoreboard_play *play = perfect(state);
    drop(play, &receipts[1]);
    scoreboard_play_show(play, due(3), 1, 2);
    scoreboard_play_breaks(
        play, ERR_LATE, 0,
        "round 3, cycle 20: node 1 receives packet 2; expected it in round 2, cycle 13");
    play = perfect(state);
    drop(play, &receipts[4]);
    scoreboard_play_show(play, due(2), 3, 1);
    scoreboard_play_breaks(
        play, ERR_LATE, 0,
        "round 2, cycle 13: node 3 receives packet 1; expected it in round 3, cycle 20");
    play = perfect(state); /* all receipts from round 2 on, as if a round were one cycle longer */
    for (unsigned k = 1; k < RECEIPTS; k++) {
        drop(play, &receipts[k]);
        scoreboard_play_show(play, due(receipts[k].round) + receipts[k].round - 1, receipts[k].node,
                             receipts[k].packet);
    }
    play->cycles = CYCLES;
    scoreboard_play_breaks(play, ERR_LATE, RECEIPTS - 2,
                           "round 3, cycle 14: node 1 receives packet 2; expected it in round 2");
}

static void receipts_of_what_was_not_predicted(void **state)
{
    for (uint32_t port = 0; port < PORTS; port++)
        for (uint32_t packet = 1; packet <= 5; packet++)
            for (uint32_t round = 1; round <= ROUNDS; round++) {
                struct scoreboard_play *play = perfect(state);
                if (play->obs[due(round)][port] != 0)
                    continue;
                scoreboard_play_show(play, due(round), port, packet);
                bool early = false;
                for (unsigned k = 0; k < RECEIPTS; k++)
                    early = early || (receipts[k].node == port && receipts[k].packet == packet &&
                                      receipts[k].round > round);
                scoreboard_play_breaks(play, early ? ERR_LATE : ERR_UNEXPECTED, 0,
                                       "round %u, cycle %u: node %u receives packet %u", round,
                                       (unsigned)due(round), port, packet);
            }
    struct scoreboard_play *play = perfect(state);
    scoreboard_play_show(play, 9, 0, 1); /* between rounds */
    scoreboard_play_breaks(
        play, ERR_UNEXPECTED, 0,
        "round 2, cycle 9: node 0 receives packet 1; expected nothing of the kind");
}

static void wrong_packets(void **state)
{
    struct scoreboard_play *play = perfect(state);
    scoreboard_play_show(play, due(2), 1, 1); /* again, in place of packet 2 */
    scoreboard_play_breaks(
        play, ERR_UNEXPECTED, 1,
        "round 2, cycle 13: node 1 receives packet 1; expected nothing of the kind any");
    play = perfect(state);
    scoreboard_play_show(play, due(4), 3, 3); /* packet 3 does not exist */
    scoreboard_play_breaks(
        play, ERR_UNEXPECTED, 1,
        "round 4, cycle 27: node 3 receives packet 3; expected nothing of the kind");
}

static void flags(void **state)
{
    static const char *const texts[] = {"sending what it does not hold",
                                        "receiving what it does not expect",
                                        "missing what it expects"};
    for (uint32_t port = 0; port < PORTS; port++)
        for (unsigned flag = 0; flag < 3; flag++)
            for (uint32_t round = 1; round <= ROUNDS; round++) {
                struct scoreboard_play *play = perfect(state);
                for (uint32_t from = round; from <= ROUNDS; from++) /* a flag stays set */
                    play->obs[due(from)][port] |= 1u << flag << MACHINE_OBS_FLAGS;
                play->flags[port] = 1u << flag;
                scoreboard_play_breaks(play, ERR_FLAG, 0,
                                       "round %u, cycle %u: node %u flags %s; expected no flag, ",
                                       round, (unsigned)due(round), port, texts[flag]);
                assert_int_equal(play->report.flags, 1);
            }
    struct scoreboard_play *play = perfect(state);
    play->obs[due(2)][1] |= 1u << MACHINE_OBS_FLAGS;
    scoreboard_play_breaks(play, ERR_FLAG, 0,
                           "expected no flag, packet 1 to be sent and packet 2 to be received");
    /* causes come before effects: not held and therefore not sent, not received, missed */
    play = perfect(state);
    play->obs[due(2)][3] |= MACHINE_NOT_HELD << MACHINE_OBS_FLAGS;
    play->obs[due(2)][2] = MACHINE_MISSING << MACHINE_OBS_FLAGS;
    scoreboard_play_breaks(play, ERR_FLAG, 2,
                           "round 2, cycle 13: node 3 flags sending what it does not hold");
    play->obs[due(2)][3] = 0;
    scoreboard_play_breaks(play, ERR_LOST, 1, "round 2: node 2 does not receive packet 1");
    play = perfect(state);
    play->flags[6] = MACHINE_MISSING; /* no observation shows it */
    scoreboard_play_breaks(play, ERR_FLAG, 0,
                           "after the run: node 6 has flags 4; expected no flag");
}

static void corrupt_words(void **state)
{
    for (uint32_t node = 0; node < NODES; node++)
        for (uint32_t packet = 1; packet <= PACKETS; packet++)
            for (unsigned bit = 0; bit < 32; bit++) { /* bit 31: not held */
                struct scoreboard_play *play = perfect(state);
                uint32_t flit = bit % FLITS, round = 0;
                uint32_t *word = &play->memory[node][packet - 1][flit], expected = *word;
                *word ^= 1u << bit;
                for (unsigned k = 0; k < RECEIPTS; k++)
                    if (receipts[k].node == node && receipts[k].packet == packet)
                        round = receipts[k].round;
                scoreboard_play_breaks(
                    play, ERR_CORRUPT, 0,
                    "round %u: node %u holds packet %u with flit %u = %08x; expected %08x", round,
                    node, packet, flit, *word, expected);
                assert_int_equal(play->report.corrupt, 1);
            }
}

/* Returns the scoreboard after the perfect run, before anything is read back. */
static struct scoreboard *board_after(const struct scoreboard_play *play)
{
    const struct support_job *job = &play->job;
    struct err err = {0};
    struct scoreboard *board =
        scoreboard_new(&job->schedule, &job->payload, &job->image.machine, &job->image.run, &err);
    assert_non_null(board);
    for (uint64_t cycle = 0; cycle < play->cycles; cycle++)
        scoreboard_observe(board, cycle, play->strobe[cycle] ? play->obs[cycle] : NULL);
    return board;
}

/* The first corrupt packet of a node is reported, in whatever order packets are checked. */
static void corrupt_words_in_any_order(void **state)
{
    struct scoreboard_play *play = perfect(state);
    for (unsigned order = 0; order < 2; order++) {
        struct err err = {0};
        struct scoreboard_report report;
        struct scoreboard *board = board_after(play);
        for (uint32_t k = 1; k <= PACKETS; k++) {
            uint32_t packet = order == 0 ? k : PACKETS + 1 - k;
            uint32_t *word = play->memory[1][packet - 1];
            word[0] ^= 1;
            scoreboard_memory(board, 1, packet, word);
            word[0] ^= 1;
        }
        assert_false(scoreboard_verdict(board, &report, &err));
        support_error(&err, ERR_CORRUPT, "round 1: node 1 holds packet 1 with flit 0 = ");
        assert_int_equal(report.corrupt, PACKETS);
        scoreboard_free(board);
    }
}

/* Words of several nodes at once, which are the same at all nodes or, in flit 0, of each node: one
 * that is wrong is one corrupt packet, except at node 2, which need not have it. */
static void words_of_several_nodes(void **state)
{
    uint32_t wants[] = {1, 3}, of_node[] = {100, 101, 102, 103};
    struct demand demand = {
        .first_packet = 1, .last_packet = PACKETS, .wanted_count = 2, .wanted = wants};
    for (unsigned own = 0; own < 2; own++)
        for (uint32_t wrong = 0; wrong < NODES; wrong++) {
            struct scoreboard_play *play = perfect(state);
            struct demand *all = play->job.schedule.demand;
            struct err err = {0};
            struct scoreboard_report report;
            char text[80];
            play->job.payload.of_node = own ? of_node : NULL;
            play->job.schedule.demand = &demand;
            struct scoreboard *board = board_after(play);
            for (uint32_t packet = 1; packet <= PACKETS; packet++)
                for (uint32_t flit = 0; flit < FLITS; flit++) {
                    uint32_t word[NODES];
                    for (uint32_t node = 0; node < NODES; node++)
                        word[node] = node == 2          ? 7
                                     : own && flit == 0 ? MACHINE_VALID | of_node[node]
                                                        : play->memory[node][packet - 1][flit];
                    word[wrong] ^= packet == 1 && flit == 0;
                    scoreboard_word(board, packet, flit, 0, NODES, word);
                }
            snprintf(text, sizeof text, "node %u holds packet 1 with flit 0 = ", wrong);
            assert_int_equal(scoreboard_verdict(board, &report, &err), wrong == 2);
            if (wrong != 2)
                support_error(&err, ERR_CORRUPT, text);
            assert_int_equal(report.corrupt, wrong != 2);
            assert_int_equal(report.packets, (NODES - 1) * PACKETS);
            scoreboard_free(board);
            play->job.payload.of_node = NULL;
            play->job.schedule.demand = all;
        }
}

/* Each flag of a router has its own message. */
static void flags_of_routers(void **state)
{
    static const struct {
        uint32_t flags;
        const char *text;
    } reported[] = {
        {MACHINE_ROUTER_NOT_HELD, " flags sending what it does not hold; expected no flag"},
        {MACHINE_ROUTER_TWICE, " flags sending twice on its single port; expected no flag"},
        {MACHINE_ROUTER_OVERFLOW, " flags a buffer that overflows; expected no flag"},
        {MACHINE_ROUTER_NOT_HELD | MACHINE_ROUTER_OVERFLOW,
         " flags sending what it does not hold a buffer that overflows; expected no flag"},
    };
    struct scoreboard_play *play = perfect(state);
    for (size_t k = 0; k < sizeof reported / sizeof *reported; k++) {
        struct err err = {0};
        struct scoreboard_report report;
        struct scoreboard *board = board_after(play);
        scoreboard_router_flags(board, 0, 0);
        scoreboard_router_flags(board, 0, reported[k].flags);
        assert_false(scoreboard_verdict(board, &report, &err));
        support_error(&err, ERR_FLAG, reported[k].text);
        assert_int_equal(report.flags, 1);
        scoreboard_free(board);
    }
}

/* Missing packets at the end of the run are reported first. */
static void flags_of_routers_after_a_short_run(void **state)
{
    struct scoreboard_play *play = perfect(state);
    struct err err = {0};
    struct scoreboard_report report;
    play->cycles = 0;
    struct scoreboard *board = board_after(play);
    scoreboard_router_flags(board, 0, MACHINE_ROUTER_TWICE);
    assert_false(scoreboard_verdict(board, &report, &err));
    support_error(&err, ERR_LOST, "round 1: ", "expected it before the run ends");
    assert_int_equal(report.flags, 1);
    scoreboard_free(board);
}

static void what_is_not_checked(void **state)
{
    for (unsigned which = 0; which < NODES * PACKETS; which++) {
        struct scoreboard_play *play = perfect(state);
        play->read[which / PACKETS][which % PACKETS] = false;
        scoreboard_play_breaks(play, ERR_NOTHING_CHECKED, 0,
                               "run: 7 packets in memory were checked; expected 8");
    }
    struct scoreboard_play *play = perfect(state);
    memset(play->read, 0, sizeof play->read);
    scoreboard_play_breaks(play, ERR_NOTHING_CHECKED, 0,
                           "run: 0 packets in memory were checked; expected 8");
    play = perfect(state); /* a demand that the source alone meets */
    uint32_t source = 0;
    struct schedule all = play->job.schedule;
    struct demand demand = {
        .first_packet = 1, .last_packet = PACKETS, .wanted_count = 1, .wanted = &source};
    play->job.schedule.demand = &demand;
    play->job.schedule.step_count = play->job.schedule.transfer_count = 0;
    play->cycles = 0;
    scoreboard_play_breaks(play, ERR_NOTHING_CHECKED, 0,
                           "run: no receipt was checked; expected at least one receipt");
    assert_true(play->report.wanted == PACKETS && play->report.packets == PACKETS);
    play->job.schedule = all;
}

static void runs_that_end_early(void **state)
{
    for (uint64_t cycles = 0; cycles <= due(ROUNDS); cycles++) {
        struct scoreboard_play *play = perfect(state);
        unsigned seen = 0;
        while (due(receipts[seen].round) < cycles)
            seen++;
        play->cycles = cycles;
        /* found after the run, so it is reported after the missing packets */
        play->memory[0][0][0] ^= 1;
        scoreboard_play_breaks(
            play, ERR_LOST, RECEIPTS - seen,
            "round %u: node %u does not receive packet %u; expected it before the run ends",
            receipts[seen].round, receipts[seen].node, receipts[seen].packet);
        assert_int_equal(play->report.seen, seen);
    }
}

static void runs_that_the_testbench_stops(void **state)
{
    struct scoreboard_play *play = perfect(state);
    err_set(&play->stopped, ERR_TIME_OUT, "cycle 15: the machine is not done");
    play->cycles = 15;
    scoreboard_play_breaks(play, ERR_TIME_OUT, 0, "cycle 15: the machine is not done");
    drop(play, &receipts[0]);
    scoreboard_play_breaks(play, ERR_LOST, 1,
                           "round 1: node 1 does not receive packet 1; expected it in cycle 6");
    /* what was read back before is reported first */
    play = perfect(state);
    struct err reason = {0}, err = {0};
    struct scoreboard_report report;
    struct scoreboard *board = board_after(play);
    err_set(&reason, ERR_TIME_OUT, "cycle 15: the machine is not done");
    play->memory[1][0][0] ^= 1;
    scoreboard_memory(board, 1, 1, play->memory[1][0]);
    scoreboard_stop(board, &reason);
    assert_false(scoreboard_verdict(board, &report, &err));
    support_error(&err, ERR_CORRUPT, "round 1: node 1 holds packet 1 with flit 0 = ");
    assert_int_equal(err.further, 1);
    scoreboard_free(board);
}

static void later_breaches_are_counted(void **state)
{
    struct scoreboard_play *play = perfect(state);
    play->obs[due(4)][3] = 0;
    play->memory[2][0][0] ^= 1;
    play->flags[7] = MACHINE_UNEXPECTED;
    scoreboard_play_show(play, due(2), 0, 2);
    scoreboard_play_show(play, due(3), 5, 1);
    scoreboard_play_breaks(play, ERR_UNEXPECTED, 4, "round 2, cycle 13: node 0 receives packet 2");
    assert_true(play->report.wrong == 2 && play->report.corrupt == 1 && play->report.flags == 1);
}

static int set_up(void **state)
{
    struct scoreboard_play *play = scoreboard_play_new();
    const struct collective asked = {.n = NODES, .m = PACKETS, .model = MODEL_SEND_RECEIVE};
    const struct machine machine = support_machine(3, 1, 0);
    support_job(support_algorithm("path"), &asked, &machine, FLITS, SEED, &play->job);
    *state = play;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_perfect_run_holds),
        cmocka_unit_test(lost_packets),
        cmocka_unit_test(packets_late_by_cycles),
        cmocka_unit_test(packets_in_another_round),
        cmocka_unit_test(receipts_of_what_was_not_predicted),
        cmocka_unit_test(wrong_packets),
        cmocka_unit_test(flags),
        cmocka_unit_test(corrupt_words),
        cmocka_unit_test(corrupt_words_in_any_order),
        cmocka_unit_test(words_of_several_nodes),
        cmocka_unit_test(flags_of_routers),
        cmocka_unit_test(flags_of_routers_after_a_short_run),
        cmocka_unit_test(what_is_not_checked),
        cmocka_unit_test(runs_that_end_early),
        cmocka_unit_test(runs_that_the_testbench_stops),
        cmocka_unit_test(later_breaches_are_counted),
    };
    return cmocka_run_group_tests(tests, set_up, scoreboard_play_tear_down);
}
