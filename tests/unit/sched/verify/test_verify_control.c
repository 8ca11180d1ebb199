/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify_control: the rules of control packets: the parts of a value, and the earliest time at
 * which it may be sent.
 *
 * By hand: each rule is kept and broken, by cases that differ in one round or one part, in several
 * models, with the whole message. test_control_changes changes schedules of hypercubes.
 */
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>

struct judged {
    const char *topology_model; /* both lines, with newlines */
    const char *demands;        /* from line 5 on */
    const char *rounds;
    enum err_code code; /* ERR_NONE: holds */
    uint64_t further;
    const char *text; /* the whole message */
};

#define COMPLETE "topology complete 5\nmodel send-receive\n"
#define ALONE \
    "topology complete 5\nmodel send-receive\n", "demand 1-2 1 1\ndemand 3 3 3\ndemand 4-6 4 4\n"
#define END "end 0\n"
#define PARTS(nodes, node, source)                                              \
    " of control counts nodes " nodes ", and its parts go astray at node " node \
    "; expected node " source " itself and parts for each of the others, in order"

/* Packets 1-2 start at node 1, 3 at node 3, 4-6 at node 4; a value that only its source wants
 * requires no round. */
static const struct judged values[] = {
    {ALONE "control 7 1 1 2 nodes 1\n", END, ERR_NONE, 0, ""},
    {ALONE "control 7 1 1 3 nodes 1\n", END, ERR_VALUE, 0,
     "c.sched:8: packet 7 of control carries 3; expected 2, the packets that start at nodes 1 … 1"},
    {ALONE "control 7 0 0 0 nodes 0\n", END, ERR_NONE, 0, ""},
    {ALONE "control 7 0 0 0 none\n", END, ERR_NONE, 0, ""},
    {ALONE "control 7 0 0 1 none\n", END, ERR_VALUE, 0,
     "c.sched:8: packet 7 of control carries 1; expected 0, as many packets as it counts"},
    {ALONE "control 7 4 4 2 packets 4,6\n", END, ERR_NONE, 0, ""},
    {ALONE "control 7 4 4 3 packets 4,6\n\n# a line more\ncontrol 8 4 4 9 none\n", END, ERR_VALUE,
     1, "c.sched:8: packet 7 of control carries 3; expected 2, as many packets as it counts"},
    {ALONE "control 7-8 4 4 2 packets 4,6\n\n# a line more\ncontrol 9 4 4 9 none\n", END, ERR_VALUE,
     0, "c.sched:11: packet 9 of control carries 9; expected 0, as many packets as it counts"},
    /* A part carries the count of another node; a node's own count needs no transfer. */
    {ALONE "control 7 1 1 2 nodes 0-1\n", END, ERR_PARTS, 0,
     "c.sched:8: packet 7" PARTS("0 … 1", "0", "1")},
    {ALONE "control 7 1 1 2 nodes 1-2\n", END, ERR_PARTS, 0,
     "c.sched:8: packet 7" PARTS("1 … 2", "2", "1")},
    {ALONE "control 7 3 3 1 nodes 3\ncontrol 8 3 3 1 nodes 3 from 7\n", END, ERR_PARTS, 0,
     "c.sched:9: packet 8" PARTS("3 … 3", "3", "3")},
    {ALONE "control 7 2 2 0 none\ncontrol 8 2 2 0 nodes 2 from 7\n", END, ERR_PARTS, 0,
     "c.sched:9: packet 8" PARTS("2 … 2", "3", "2")},
    /* Parts are in order, each once, and inside the range. */
    {ALONE "control 7 1 2 2 nodes 1\ncontrol 8 3 2 1 nodes 3\ncontrol 9 2 2 3 nodes 1-3 from 7,8\n",
     "round 1\n1 2 7\nround 2\n3 2 8\nend 2\n", ERR_NONE, 0, ""},
    {ALONE "control 7 1 2 2 nodes 1\ncontrol 8 3 2 1 nodes 3\ncontrol 9 2 2 3 nodes 1-3 from 8,7\n",
     "round 1\n1 2 7\nround 2\n3 2 8\nend 2\n", ERR_PARTS, 0,
     "c.sched:10: packet 9" PARTS("1 … 3", "1", "2")},
    {ALONE "control 7 1 2 2 nodes 1\ncontrol 8 3 2 1 nodes 3\ncontrol 9 2 2 2 nodes 1-2 from 7,8\n",
     "round 1\n1 2 7\nround 2\n3 2 8\nend 2\n", ERR_PARTS, 0,
     "c.sched:10: packet 9" PARTS("1 … 2", "3", "2")},
    {ALONE "control 7 1 2 2 nodes 1\ncontrol 8 3 2 1 nodes 3\ncontrol 9 4 4 3 nodes 1-3 from 7,8\n",
     "round 1\n1 2 7\nround 2\n3 2 8\nend 2\n", ERR_PARTS, 0,
     "c.sched:10: packet 9" PARTS("1 … 3", "2", "4")},
    /* A node that counts nodes before itself is not one of them, and a part outside of the range is
     * wrong. */
    {ALONE "control 7 1 2 2 nodes 1\ncontrol 8 2 2 2 nodes 1 from 7\n", "round 1\n1 2 7\nend 1\n",
     ERR_NONE, 0, ""},
    {ALONE "control 7 1 2 2 nodes 1\ncontrol 8 3 2 1 nodes 3\ncontrol 9 2 2 2 nodes 1 from 7,8\n",
     "round 1\n1 2 7\nround 2\n3 2 8\nend 2\n", ERR_PARTS, 0,
     "c.sched:10: packet 9" PARTS("1 … 1", "2", "2")},
};

#define EARLY(node, packet, part, there)                                           \
    ": node " node " sends packet " packet ", whose value is made of packet " part \
    "; expected that one to have " there
#define TWO "demand 1-2 1 1\n"
#define SUM "control 3 1 0 2 nodes 1\ncontrol 4 0 2 2 nodes 0-1 from 3\n"
#define AGAIN SUM "control 5 0 1 2 nodes 0-1 from 4\n"
#define CUBE "topology hypercube 2\nmodel all-port\n"
#define POSTAL "topology complete 5\nmodel postal 5/2\n"
#define TREE "topology tree 4 capacity 1\nmodel multiport\n"

static const struct judged times[] = {
    {COMPLETE, TWO SUM, "round 1\n1 0 3\nround 2\n0 2 4\nend 2\n", ERR_NONE, 0, ""},
    {COMPLETE, TWO SUM, "round 1\n1 0 3\n0 2 4\nend 1\n", ERR_EARLY, 0,
     "c.sched:10: round 1" EARLY("0", "4", "3", "reached it in an earlier round")},
    {COMPLETE, TWO SUM, "round 1\n0 2 4\nround 3\n1 0 3\nend 3\n", ERR_EARLY, 0,
     "c.sched:9: round 1" EARLY("0", "4", "3", "reached it in an earlier round")},
    /* An early value is reported once, and a node that holds it may forward it. */
    {COMPLETE, TWO SUM, "round 1\n1 0 3\n0 2 4\nround 2\n2 1 4\n0 3 4\nend 2\n", ERR_EARLY, 0,
     "c.sched:10: round 1" EARLY("0", "4", "3", "reached it in an earlier round")},
    /* A node that sends a packet that it does not hold breaks that rule; the receiver of the packet
     * breaks none. */
    {COMPLETE, TWO SUM, "round 1\n3 4 4\nround 2\n4 2 4\nround 3\n1 0 3\nend 3\n", ERR_NOT_HELD, 0,
     "c.sched:9: round 1: node 3 sends packet 4, which it does not hold; expected it to arrive in "
     "an earlier "
     "round"},
    /* A part that the node computed itself is available after it has been sent. */
    {COMPLETE, TWO AGAIN, "round 1\n1 0 3\nround 2\n0 2 4\nround 3\n0 1 5\nend 3\n", ERR_NONE, 0,
     ""},
    {COMPLETE, TWO AGAIN, "round 1\n1 0 3\nround 2\n0 1 5\nround 3\n0 2 4\nend 3\n", ERR_EARLY, 0,
     "c.sched:12: round 2" EARLY("0", "5", "4", "left it in an earlier round")},
    {CUBE, TWO AGAIN, "round 7\n1 0 3\nround 8\n0 2 4\n0 1 5\nend 8\n", ERR_EARLY, 0,
     "c.sched:13: round 8" EARLY("0", "5", "4", "left it in an earlier round")},
    {CUBE, TWO AGAIN, "round 7\n1 0 3\nround 8\n0 2 4\nround 9\n0 1 5\nend 9\n", ERR_NONE, 0, ""},
    /* Data packets as parts: packets that start at the node are available, others after they have
     * arrived. */
    {COMPLETE, "demand 1-2 1 0\ncontrol 3 1 2 2 packets 1,2\n",
     "round 1\n1 2 3\nround 2\n1 0 1\nround 3\n1 0 2\nend 3\n", ERR_NONE, 0, ""},
    {COMPLETE, "demand 1-2 1 0\ncontrol 3 0 2 2 packets 1,2\n",
     "round 2\n1 0 1\nround 3\n1 0 2\nround 4\n0 2 3\nend 4\n", ERR_NONE, 0, ""},
    {COMPLETE, "demand 1-2 1 0\ncontrol 3 0 2 2 packets 1,2\n",
     "round 2\n1 0 1\nround 3\n1 0 2\n0 2 3\nend 3\n", ERR_EARLY, 0,
     "c.sched:11: round 3" EARLY("0", "3", "2", "reached it in an earlier round")},
    /* Times: at the tick of the arrival, and half a unit before. */
    {POSTAL, TWO SUM, "time 0\n1 0 3\ntime 5/2\n0 2 4\nend 5\n", ERR_NONE, 0, ""},
    {POSTAL, TWO SUM, "time 0\n1 0 3\ntime 2\n0 2 4\nend 9/2\n", ERR_EARLY, 0,
     "c.sched:11: time 2" EARLY("0", "4", "3", "reached it by then")},
    /* A network that copies, and the telephone model. */
    {"topology complete 5\nmodel fabric-multicast\n",
     TWO "control 3 1 0 2 nodes 1\ncontrol 4 0 2,3 2 nodes 0-1 from 3\n",
     "round 1\n1 0 3\n0 2 4\n0 3 4\nend 1\n", ERR_EARLY, 0,
     "c.sched:10: round 1" EARLY("0", "4", "3", "reached it in an earlier round")},
    {"topology complete 5\nmodel telephone\n",
     TWO "control 3 1 0 2 nodes 1\ncontrol 4 0 1 2 nodes 0-1 from 3\n",
     "round 1\n1 0 3\n0 1 4\nend 1\n", ERR_EARLY, 0,
     "c.sched:10: round 1" EARLY("0", "4", "3", "reached it in an earlier round")},
    /* Trees: through a router. */
    {TREE, TWO SUM,
     "round 1\n1 1:0 3\nround 2\n1:0 0 3\nround 3\n0 1:0 4\nround 4\n1:0 2 4\nend 4\n", ERR_NONE, 0,
     ""},
    {TREE, TWO SUM, "round 1\n1 1:0 3\nround 2\n1:0 0 3\n0 1:0 4\nround 4\n1:0 2 4\nend 4\n",
     ERR_EARLY, 0, "c.sched:12: round 2" EARLY("0", "4", "3", "reached it in an earlier round")},
};

static void judge_all(const struct judged all[], size_t count)
{
    for (size_t which = 0; which < count; which++) {
        const struct judged *judged = &all[which];
        char text[700];
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm none\n%s%s%s",
                 judged->topology_model, judged->demands, judged->rounds);
        support_true(support_read(text, "c.sched", &schedule, &err), &err);
        bool holds = verify_schedule("c.sched", &schedule, &report, &err);
        support_verdict(which, holds, &err, judged->code, judged->further, judged->text);
        schedule_free(&schedule);
    }
}

static void test_by_hand(void **state)
{
    (void)state;
    judge_all(values, sizeof values / sizeof *values);
    judge_all(times, sizeof times / sizeof *times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
