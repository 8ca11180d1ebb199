/* SPDX-License-Identifier: Apache-2.0 */
/* test_scoreboard_postal: the scoreboard without barriers, where packets overlap.
 *
 * No engine is used. λ = 5/2 with 4 flits and 6 registers: a row is 2 cycles, a packet occupies 2
 * rows and is complete in cycle 2·row + 9. The receipts, and the packets under way in each row, are
 * tables written by hand:
 *
 *     row            0    1    2    3    4    5    6         complete in cycle
 *     0 → 1         p1   p1                                   9
 *     0 → 2                   p1   p1                        13
 *     0 → 1                             p2   p2              17
 *     1 → 3                                  p1   p1         19
 *
 * Observations occur at the end of each row at the receivers: in the cycles 7, 9, …, 19.
 *
 * State space, exhaustive, each case with one change of the perfect run: each receipt dropped, or
 * moved to each other of these cycles; a receipt of each packet at each port and cycle that expects
 * none; each flag at each port in each of them; the run cut after each cycle.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/scoreboard_play.h"

#include <inttypes.h>
#include <stdio.h>

#define SEED UINT64_C(20240702)

enum { PORTS = 4, PACKETS = 2, FLITS = 4, CYCLES = 20, RECEIPTS = 4, STROBES = 7, ROWS = 10 };

static const char text[] =
    "roundcast-schedule 1\nalgorithm by hand\ntopology complete 4\nmodel postal 5/2\n"
    "demand 1 0 *\ndemand 2 0 1\n"
    "time 0\n0 1 1\ntime 1\n0 2 1\ntime 2\n0 1 2\ntime 5/2\n1 3 1\nend 5\n";

static const struct receipt {
    uint32_t cycle, node, packet;
    const char *time;
} receipts[RECEIPTS] = {
    {9, 1, 1, "time 0"}, {13, 2, 1, "time 1"}, {17, 1, 2, "time 2"}, {19, 3, 1, "time 5/2"}};

/* [row][node]; 0: no packet */
static const uint32_t sends[ROWS][PORTS] = {{1}, {1}, {1}, {1}, {2}, {2, 1}, {0, 1}};
static const uint32_t receives[ROWS][PORTS] = {{0, 1}, {0, 1},       {0, 0, 1},   {0, 0, 1},
                                               {0, 2}, {0, 2, 0, 1}, {0, 0, 0, 1}};

static struct scoreboard_play *perfect(void **state)
{
    struct scoreboard_play *play = *state;
    scoreboard_play_begin(play, CYCLES);
    for (uint32_t cycle = 7; cycle < CYCLES; cycle += 2)
        play->strobe[cycle] = true;
    for (unsigned k = 0; k < RECEIPTS; k++)
        scoreboard_play_show(play, receipts[k].cycle, receipts[k].node, receipts[k].packet);
    return play;
}

static const struct receipt *receipt_at(uint64_t cycle, uint32_t node)
{
    for (unsigned k = 0; k < RECEIPTS; k++)
        if (receipts[k].cycle == cycle && receipts[k].node == node)
            return &receipts[k];
    return NULL;
}

static void the_perfect_run_holds(void **state)
{
    struct scoreboard_play *play = perfect(state);
    const struct image *image = &play->job.image;
    assert_true(image->run.rows == ROWS && image->run.row_cycles == 2 && image->run.flits == FLITS);
    for (unsigned k = 0; k < RECEIPTS; k++)
        assert_int_equal(machine_arrival_cycle(&image->machine, &image->run,
                                               schedule_row(&play->job.schedule, k), 0),
                         receipts[k].cycle);
    assert_true(scoreboard_play_judge(play));
    assert_true(play->report.expected == RECEIPTS && play->report.seen == RECEIPTS);
    assert_int_equal(play->report.packets, 6); /* packet 1 at four nodes, packet 2 at two */
}

static void lost_packets(void **state)
{
    for (unsigned k = 0; k < RECEIPTS; k++) {
        struct scoreboard_play *play = perfect(state);
        play->obs[receipts[k].cycle][receipts[k].node] = 0;
        scoreboard_play_breaks(play, ERR_LOST, 0,
                               "%s: node %" PRIu32 " does not receive packet %" PRIu32
                               "; expected it in cycle %" PRIu32,
                               receipts[k].time, receipts[k].node, receipts[k].packet,
                               receipts[k].cycle);
    }
}

static void packets_in_another_cycle(void **state)
{
    unsigned moved = 0;
    for (unsigned k = 0; k < RECEIPTS; k++)
        for (uint32_t cycle = 7; cycle < CYCLES; cycle += 2) {
            struct scoreboard_play *play = perfect(state);
            if (receipt_at(cycle, receipts[k].node) != NULL)
                continue;
            play->obs[receipts[k].cycle][receipts[k].node] = 0;
            scoreboard_play_show(play, cycle, receipts[k].node, receipts[k].packet);
            scoreboard_play_breaks(play, ERR_LATE, 0,
                                   "cycle %" PRIu32 ": node %" PRIu32 " receives packet %" PRIu32
                                   "; expected it in %s, cycle %" PRIu32,
                                   cycle, receipts[k].node, receipts[k].packet, receipts[k].time,
                                   receipts[k].cycle);
            moved++;
        }
    assert_int_equal(moved, RECEIPTS * STROBES - 6); /* node 1 has two receipts, the others one */
}

static void receipts_of_what_was_not_predicted(void **state)
{
    unsigned shown = 0;
    for (uint32_t cycle = 7; cycle < CYCLES; cycle += 2)
        for (uint32_t node = 0; node < PORTS; node += 3)
            for (uint32_t packet = 1; packet <= PACKETS; packet++) {
                struct scoreboard_play *play = perfect(state);
                if (node == 3 && packet == 1)
                    continue; /* expected in cycle 19 */
                scoreboard_play_show(play, cycle, node, packet);
                assert_false(scoreboard_play_judge(play));
                char part[100];
                snprintf(part, sizeof part,
                         "cycle %" PRIu32 ": node %" PRIu32 " receives packet %" PRIu32
                         "; expected nothing",
                         cycle, node, packet);
                support_error(&play->err, ERR_UNEXPECTED, part);
                shown++;
            }
    assert_int_equal(shown, STROBES * 3);
}

static const char *named(uint32_t packet, char name[16])
{
    snprintf(name, 16, "packet %" PRIu32, packet);
    return packet ? name : "nothing";
}

static void flags(void **state)
{
    for (uint32_t cycle = 7; cycle < CYCLES; cycle += 2)
        for (uint32_t node = 0; node < PORTS; node++)
            for (uint32_t flag = 1; flag < 8; flag *= 2) {
                struct scoreboard_play *play = perfect(state);
                for (uint32_t later = cycle; later < CYCLES; later += 2)
                    play->obs[later][node] |= flag << MACHINE_OBS_FLAGS;
                char sent[16], received[16];
                scoreboard_play_breaks(
                    play, ERR_FLAG, 0,
                    "cycle %" PRIu32 ": node %" PRIu32
                    " flags%s; expected no flag, %s to be sent and %s to be received",
                    cycle, node,
                    flag == MACHINE_NOT_HELD     ? " sending what it does not hold"
                    : flag == MACHINE_UNEXPECTED ? " receiving what it does not expect"
                                                 : " missing what it expects",
                    named(sends[cycle / 2][node], sent),
                    named(receives[(cycle - 6) / 2][node], received));
            }
}

static void runs_that_end_early(void **state)
{
    for (uint64_t cycles = 0; cycles < CYCLES; cycles++) {
        struct scoreboard_play *play = perfect(state);
        play->cycles = cycles;
        const struct receipt *first = receipts;
        while (first->cycle < cycles)
            first++;
        scoreboard_play_breaks(play, ERR_LOST, (uint64_t)(receipts + RECEIPTS - first) - 1,
                               "%s: node %" PRIu32 " does not receive packet %" PRIu32
                               "; expected it before the run ends",
                               first->time, first->node, first->packet);
    }
}

static int set_up(void **state)
{
    struct scoreboard_play *play = scoreboard_play_new();
    struct err err = {0};
    const struct machine machine = support_machine(2, 1, 3);
    support_true(support_read(text, "by-hand.sched", &play->job.schedule, &err), &err);
    support_payload(&play->job.schedule, &machine, FLITS, SEED, &play->job.payload);
    support_true(
        route_schedule(&play->job.schedule, &machine, &play->job.payload, &play->job.image, &err),
        &err);
    *state = play;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_perfect_run_holds),
        cmocka_unit_test(lost_packets),
        cmocka_unit_test(packets_in_another_cycle),
        cmocka_unit_test(receipts_of_what_was_not_predicted),
        cmocka_unit_test(flags),
        cmocka_unit_test(runs_that_end_early),
    };
    return cmocka_run_group_tests(tests, set_up, scoreboard_play_tear_down);
}
