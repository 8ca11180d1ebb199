/* SPDX-License-Identifier: Apache-2.0 */
/* test_stream_programs: the programs and the settings of streams that are made by hand.
 *
 * State space: streams that are too short, whose packets are sent early or late, in which no packet
 * begins or ends in a round, and in which a node sends two packets in a round; a stream of 5 nodes
 * that repeats every 2 rounds, on a network that connects ports, that copies and that combines, and
 * streams with an idle round and with a packet that is sent twice. Periods, offsets and settings
 * are computed by hand.
 *
 * Counter-cases. The stream with the missing packet has a period. The receivers of two copies of a
 * packet are exchanged: the programs stay the same, but not the settings.
 */
#include "sched/machine/machine.h"
#include "sched/route/setting_period.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

#include <stdio.h>

#define TWO "demand 1-2 0 *\n"

/* Reads a stream of 5 nodes in the model send-receive from its text after the head. */
static void read_stream(const char *body, struct schedule *schedule)
{
    char text[1000];
    struct err err = {0};
    assert_true(snprintf(text, sizeof text,
                         "roundcast-schedule 1\nalgorithm x\ntopology complete 5\n"
                         "model send-receive\n%s",
                         body) < (int)sizeof text);
    support_true(support_read(text, "x.sched", schedule, &err), &err);
    schedule->stream = true;
}

static void streams_that_cannot_stop(void **state)
{
    (void)state;
    static const struct {
        const char *body, *text; /* NULL: accepted */
    } cases[] = {
        {TWO "round 1\n0 1 1\nend 1\n",
         "stream: 1 round for 2 packets; expected a round for each packet"},
        {TWO "round 1\n0 1 2\nround 2\n0 1 2\nround 3\n1 2 2\nend 3\n",
         "stream: packet 2 is sent in round 1; expected rounds 2 to 3"},
        {TWO "round 1\n0 1 1\nround 2\n0 1 2\n1 2 1\nround 3\n0 2 1\nend 3\n",
         "stream: packet 1 is sent in round 3; expected rounds 1 to 2, so that the host can stop"},
        /* packet p is sent in the rounds p and p + 2 */
        {TWO "round 1\n0 1 1\nround 2\n0 1 2\nround 3\n1 2 1\nround 4\n1 2 2\nend 4\n", NULL},
        {TWO "round 2\n0 1 2\nround 3\n0 1 1\nround 4\n1 2 2\nend 4\n",
         "stream: a packet begins or ends in no round; expected one that begins in each round, and "
         "ends 2 rounds later"},
        {TWO "round 1\n0 1 1\nround 2\n0 1 2\nround 4\n1 2 2\nend 4\n",
         "stream: a packet begins or ends in no round; expected one that begins in each round, and "
         "ends 2 rounds later"},
        /* node 0 sends both packets in round 2 */
        {TWO "round 1\n0 1 1\nround 2\n0 1 2\n0 2 1\nround 3\n0 2 2\nend 3\n",
         "programs: the stream does not repeat after 3 rounds; expected at most 65535"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule;
        struct periodic_programs programs;
        struct err err = {0};
        read_stream(cases[k].body, &schedule);
        const bool found = periodic_programs_find(&schedule, &programs, &err);
        if (found != (cases[k].text == NULL))
            fail_msg("case %zu: %s", k, err.text);
        if (!found)
            support_error(&err, ERR_IRREGULAR, cases[k].text);
        else {
            /* Node 0 sends packet r in round r, node 1 packet r - 2. */
            assert_int_equal(programs.period, 1);
            assert_int_equal(programs.offset[0][0], 0);
            assert_int_equal(programs.offset[1][1], 0);
            assert_int_equal(programs.offset[0][1], -2);
            assert_int_equal(programs.offset[1][2], -2);
            assert_int_equal(programs.offset[1][0], PERIODIC_PROGRAMS_NONE);
            periodic_programs_free(&programs);
        }
        schedule_free(&schedule);
    }
}

static void a_schedule_without_packets(void **state)
{
    (void)state;
    const struct schedule schedule = {
        .nodes = 4, .topology = topology_complete(4), .model = MODEL_SEND_RECEIVE};
    struct periodic_programs programs;
    struct err err = {0};
    assert_false(periodic_programs_find(&schedule, &programs, &err));
    support_error(&err, ERR_IRREGULAR, "programs: the schedule has no rounds; expected one of");
}

static bool find_settings(const char *network, const struct schedule *schedule,
                          struct setting_period *setting_period, struct err *err)
{
    struct machine machine =
        setting_period_lab_machine(network, (struct setting_period_lab_how){MACHINE_INDEXED, true});
    machine.log2_packets = machine.log2_rows = 4;
    return setting_period_find(schedule, &machine, setting_period, err);
}

/* A packet with an odd number p goes from node 0 to 1 in round p, from there to 2, and in round
 * p + 2 from both to the rest; one with an even number takes another tree. All nodes but 4 send in
 * each round, and all but 0 receive. */
#define ODD_AND_EVEN(third, fourth)                                                                \
    "demand 1-4 0 *\nround 1\n0 1 1\nround 2\n0 3 2\n1 2 1\nround 3\n0 1 3\n1 3 1\n2 4 1\n3 2 2\n" \
    "round 4\n0 3 4\n1 2 3\n3 1 2\n2 4 2\nround 5\n1 " third " 3\n2 " fourth                       \
    " 3\n3 2 4\nround 6\n3 1 4\n2 4 4\nend 6\n"

static const char *const networks[] = {"benes:8", "multicast:8", "combine:8"};

/* The error names the first round of the setting phase, which begins its setting. */
static void settings_repeat_with_the_programs(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        struct schedule schedule;
        struct setting_period setting_period;
        struct err err = {0};
        read_stream(ODD_AND_EVEN("3", "4"), &schedule);
        support_true(find_settings(networks[k], &schedule, &setting_period, &err), &err);
        assert_int_equal(setting_period.period, 2);
        assert_int_equal(setting_period.distinct, 2);
        assert_int_equal(setting_period.setting_index[0], 0);
        assert_int_equal(setting_period.setting_index[1], 1);
        setting_period_free(&setting_period);
        schedule_free(&schedule);
        read_stream(ODD_AND_EVEN("4", "3"), &schedule);
        assert_false(find_settings(networks[k], &schedule, &setting_period, &err));
        support_error(&err, ERR_IRREGULAR,
                      "programs: round 5 has other settings than round 1; expected the same "
                      "settings in every period of 2 rounds");
        schedule_free(&schedule);
    }
}

/* Nothing is sent in round 2, so that the only setting joins the circuits of the rounds 1 and 3. */
static void an_idle_round(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        struct schedule schedule;
        struct setting_period setting_period;
        struct err err = {0};
        read_stream("demand 1 0 *\nround 1\n0 1 1\nround 3\n1 2 1\nend 3\n", &schedule);
        support_true(find_settings(networks[k], &schedule, &setting_period, &err), &err);
        assert_int_equal(setting_period.period, 1);
        assert_int_equal(setting_period.distinct, 1);
        const uint32_t *circuit = setting_period.settings.circuit;
        const bool by_output = setting_period.settings.copies;
        assert_int_equal(circuit[by_output ? 1 : 0], by_output ? 0 : 1);
        assert_int_equal(circuit[by_output ? 2 : 1], by_output ? 1 : 2);
        setting_period_free(&setting_period);
        schedule_free(&schedule);
    }
}

/* A packet leaves for two nodes at once, which only a network that copies can do. */
static void a_packet_that_is_sent_twice(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        struct schedule schedule;
        struct setting_period setting_period;
        struct err err = {0};
        read_stream("demand 1 0 1,2\nround 1\n0 1 1\n0 2 1\nend 1\n", &schedule);
        const bool found = find_settings(networks[k], &schedule, &setting_period, &err);
        assert_int_equal(found, k == 1);
        if (found)
            setting_period_free(&setting_period);
        else
            support_error(&err, ERR_NOT_PERMUTATION,
                          "round 1: node 0 sends twice; expected a partial permutation");
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_that_cannot_stop),
        cmocka_unit_test(a_schedule_without_packets),
        cmocka_unit_test(settings_repeat_with_the_programs),
        cmocka_unit_test(an_idle_round),
        cmocka_unit_test(a_packet_that_is_sent_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
