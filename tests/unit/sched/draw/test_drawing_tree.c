/* SPDX-License-Identifier: Apache-2.0 */
/* test_drawing_tree: drawings of the spread of packets through leaves and routers.
 *
 * A schedule of the tree 2,2 (leaves 0 … 3; routers 1:0, 1:1 and 2:0 are 4, 5 and 6) is written by
 * hand, and so are the nodes of its packets: a broadcast, a packet for one leaf, and one that a
 * router receives twice, from different neighbours; its first receipt is drawn. One text is
 * compared byte by byte. Routers and leaves that send packets that they do not hold, or do not hold
 * yet, are rejected by name. tests/cli/draw.sh checks the drawings of the papers' algorithms.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/drawing_lab.h"
#include "tests/support/support.h"

#define HEADING \
    "roundcast-schedule 1\nalgorithm hand\ntopology tree 2 2 capacity 1 1\nmodel multiport\n"
#define S DRAWING_SOURCE
#define L DRAWING_PLAIN /* a leaf */
#define R DRAWING_ROUTER

static void test_text(void **state)
{
    (void)state;
    struct schedule schedule;
    struct drawing drawing;
    struct err err = {0};
    drawing_lab_read(
        HEADING "demand 1 1 2\nround 2\n1 1:0 1\nround 3\n1:0 2:0 1\nround 5\n2:0 1:1 1\nround 6\n"
                "1:1 2 1\nend 6\n",
        &schedule);
    support_true(drawing_broadcast("text", &schedule, 1, 5, &drawing, &err), &err);
    schedule_free(&schedule); /* the drawing has names of its own */
    drawing_lab_expect_text(
        &drawing, DRAWING_LAB_HEAD
        "  label=\"hand\\nn = 4, m = 1, multiport, rounds 6\\npacket 1: nodes over the "
        "rounds of their receipts\\ndouble circle: the source\\nsquare: a router\";\n"
        "  { rank=same; t0 [shape=plaintext, label=\"1\"];\n"
        "    n0 [label=\"1\", peripheries=2];\n"
        "  }\n"
        "  { rank=same; t1 [shape=plaintext, label=\"2\"];\n"
        "    n1 [label=\"1:0\\n2\", shape=box];\n"
        "  }\n"
        "  t0 -> t1 [style=invis, minlen=1];\n"
        "  { rank=same; t2 [shape=plaintext, label=\"3\"];\n"
        "    n2 [label=\"2:0\\n3\", shape=box];\n"
        "  }\n"
        "  t1 -> t2 [style=invis, minlen=1];\n"
        "  { rank=same; t3 [shape=plaintext, label=\"5\"];\n"
        "    n3 [label=\"1:1\\n5\", shape=box];\n"
        "  }\n"
        "  t2 -> t3 [style=invis, minlen=2];\n"
        "  n0 -> n1;\n"
        "  n1 -> n2;\n"
        "  n2 -> n3;\n"
        "}\n");
    drawing_free(&drawing);
}

static void test_receipts(void **state)
{
    (void)state;
    struct schedule schedule;
    /* Packet 2 goes from 3 to 0 only, and its source receives it again. Packet 1: 1:1 receives it
     * from 2:0 and again from leaf 2, 1:0 twice from 0, 2:0 twice from 1:0, and source 0 from
     * 1:0. */
    drawing_lab_read(HEADING "demand 1 0 *\ndemand 2 3 0\n"
                             "round 1\n0 1:0 1\n3 1:1 2\n"
                             "round 2\n1:0 2:0 1\n1:0 1 1\n1:0 0 1\n1:1 2:0 2\n1:1 3 2\n"
                             "round 3\n0 1:0 1\n2:0 1:1 1\n2:0 1:0 2\n"
                             "round 4\n1:0 2:0 1\n1:0 0 2\n1:1 2 1\n"
                             "round 5\n2 1:1 1\nround 6\n1:1 3 1\nend 6\n",
                     &schedule);
    static const struct drawing_lab_node first[] = {{0, 0, 0, S}, {4, 0, 1, R}, {6, 4, 2, R},
                                                    {1, 4, 2, L}, {5, 6, 3, R}, {2, 5, 4, L},
                                                    {3, 5, 6, L}};
    drawing_lab_expect_nodes(&schedule, 1, UINT64_MAX, first, 7);
    drawing_lab_expect_nodes(&schedule, 1, 5, first, 6);
    drawing_lab_expect_nodes(&schedule, 1, 1, first, 2);
    drawing_lab_expect_nodes(
        &schedule, 2, UINT64_MAX,
        (const struct drawing_lab_node[]){
            {3, 3, 0, S}, {5, 3, 1, R}, {6, 5, 2, R}, {4, 6, 3, R}, {0, 4, 4, L}},
        5);
    schedule_free(&schedule);
}

static void test_refused(void **state)
{
    (void)state;
    drawing_lab_refuse(HEADING "demand 1 0 *\nround 1\n0 1:0 1\n1:1 2 1\nend 1\n", 1, UINT64_MAX,
                       ERR_NOT_HELD,
                       "text:8: round 1: node 1:1 sends packet 1, which it does not hold; expected "
                       "it to arrive before");
    drawing_lab_refuse(HEADING "demand 1 0 *\nround 1\n0 1:0 1\n1:0 2:0 1\nend 1\n", 1, UINT64_MAX,
                       ERR_NOT_HELD, "text:8: round 1: node 1:0 sends packet 1");
    drawing_lab_refuse(HEADING "demand 1 0 *\nround 1\n0 1:0 1\nround 2\n2:0 1:1 1\nend 2\n", 1,
                       UINT64_MAX, ERR_NOT_HELD, "text:9: round 2: node 2:0 sends packet 1");
    drawing_lab_refuse(HEADING "demand 1 0 *\nround 1\n0 1:0 1\nround 2\n3 1:1 1\nend 2\n", 1,
                       UINT64_MAX, ERR_NOT_HELD, "text:9: round 2: node 3 sends packet 1");
    drawing_lab_refuse(HEADING "demand 1-2 0 *\nround 1\n0 1:0 1\nend 1\n", 2, UINT64_MAX,
                       ERR_RANGE,
                       "text: no node receives packet 2; expected a packet that is sent");
    drawing_lab_refuse(HEADING "demand 1 0 *\nround 3\n0 1:0 1\nend 3\n", 1, 2, ERR_RANGE,
                       "text: no node receives packet 1 up to round 2; expected at least 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_receipts),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
