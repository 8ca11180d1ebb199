/* SPDX-License-Identifier: Apache-2.0 */
/* test_drawing: broadcast trees as text for Graphviz.
 *
 * The text is compared byte by byte, for one small tree of each form of times and for each kind of
 * node, and for titles with every character that is special in Graphviz. The spread of a packet is
 * compared with trees written by hand, also if a packet arrives twice, starts late or starts
 * elsewhere. A sender that does not hold its packet, or does not hold it yet, is rejected with its
 * line, and so is a packet that no node receives. test_drawing_tree covers trees with routers.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/drawing_lab.h"
#include "tests/support/support.h"

static void append(struct drawing *drawing, struct drawing_node node)
{
    struct err err = {0};
    support_true(drawing_append(drawing, node, &err), &err);
}

static void test_text(void **state)
{
    (void)state;
    struct drawing drawing;
    struct err err = {0};
    support_true(drawing_init(&drawing, "three", 1, &err), &err);
    drawing.shows_numbers = true;
    append(&drawing, (struct drawing_node){.number = 7, .kind = DRAWING_SOURCE, .time = 2});
    append(&drawing, (struct drawing_node){.number = 1, .time = 3});
    append(&drawing, (struct drawing_node){.number = 4, .time = 20, .kind = DRAWING_INSERTED});
    append(&drawing, (struct drawing_node){.parent = 1, .kind = DRAWING_VIRTUAL, .time = 20});
    append(&drawing,
           (struct drawing_node){.parent = 3, .number = 12, .kind = DRAWING_ARRAY, .time = 22});
    assert_int_equal(drawing_depth(&drawing), 3);
    drawing_lab_expect_text(
        &drawing, DRAWING_LAB_HEAD
        "  label=\"three\\ndouble circle: the source\\ndashed: v, the virtual processor\\n"
        "grey square: an inserted processor\\nblue square: a processor of the array at v\";\n"
        "  { rank=same; t0 [shape=plaintext, label=\"2\"];\n"
        "    n0 [label=\"7\", peripheries=2];\n"
        "  }\n"
        "  { rank=same; t1 [shape=plaintext, label=\"3\"];\n"
        "    n1 [label=\"1\\n3\"];\n"
        "  }\n"
        "  t0 -> t1 [style=invis, minlen=1];\n"
        "  { rank=same; t2 [shape=plaintext, label=\"20\"];\n"
        "    n2 [label=\"4\\n20\", shape=box, style=filled, fillcolor=lightgrey];\n"
        "    n3 [label=\"v\\n20\", style=dashed];\n"
        "  }\n"
        "  t1 -> t2 [style=invis, minlen=8];\n"
        "  { rank=same; t3 [shape=plaintext, label=\"22\"];\n"
        "    n4 [label=\"12\\n22\", shape=box, style=filled, fillcolor=lightblue];\n"
        "  }\n"
        "  t2 -> t3 [style=invis, minlen=2];\n"
        "  n0 -> n1;\n"
        "  n0 -> n2;\n"
        "  n1 -> n3;\n"
        "  n3 -> n4;\n"
        "}\n");
    drawing_free(&drawing);
}

static void test_escaping(void **state)
{
    (void)state;
    struct drawing drawing;
    struct err err = {0};
    support_true(drawing_init(&drawing, "a \"b\" \\N \\\nc &lt; <λ> {|}", 1, &err), &err);
    append(&drawing, (struct drawing_node){.time = 0});
    drawing_lab_expect_text(&drawing, DRAWING_LAB_HEAD
                            "  label=\"a \\\"b\\\" \\\\N \\\\\\nc &amp;lt; <λ> {|}\";\n"
                            "  { rank=same; t0 [shape=plaintext, label=\"0\"];\n"
                            "    n0 [label=\"0\"];\n"
                            "  }\n"
                            "}\n");
    drawing_free(&drawing);
}

#define POSTAL                                                                      \
    "roundcast-schedule 1\nalgorithm hand\ntopology complete 4\nmodel postal 3/2\n" \
    "demand 1 0 *\ndemand 2 3 0\n"                                                  \
    "time 0\n0 1 1\n3 0 2\ntime 1\n0 2 1\ntime 3/2\n1 3 1\ntime 5/2\n2 3 1\nend 4\n"

static void test_postal(void **state)
{
    (void)state;
    struct schedule schedule;
    struct drawing drawing;
    struct err err = {0};
    drawing_lab_read(POSTAL, &schedule);
    support_true(drawing_broadcast("text", &schedule, 1, UINT64_MAX, &drawing, &err), &err);
    drawing_lab_expect_text(
        &drawing, DRAWING_LAB_HEAD
        "  label=\"hand\\nn = 4, m = 2, postal λ = 3/2, time 4\\npacket 1: nodes over "
        "the times of their receipts; at the arrows, when it is sent\\n"
        "double circle: the source\";\n"
        "  { rank=same; t0 [shape=plaintext, label=\"0\"];\n"
        "    n0 [label=\"0\", peripheries=2];\n"
        "  }\n"
        "  { rank=same; t1 [shape=plaintext, label=\"3/2\"];\n"
        "    n1 [label=\"1\\n3/2\"];\n"
        "  }\n"
        "  t0 -> t1 [style=invis, minlen=3];\n"
        "  { rank=same; t2 [shape=plaintext, label=\"5/2\"];\n"
        "    n2 [label=\"2\\n5/2\"];\n"
        "  }\n"
        "  t1 -> t2 [style=invis, minlen=2];\n"
        "  { rank=same; t3 [shape=plaintext, label=\"3\"];\n"
        "    n3 [label=\"3\\n3\"];\n"
        "  }\n"
        "  t2 -> t3 [style=invis, minlen=1];\n"
        "  n0 -> n1 [headlabel=\"0\"];\n"
        "  n0 -> n2 [headlabel=\"1\"];\n"
        "  n1 -> n3 [headlabel=\"3/2\"];\n"
        "}\n");
    drawing_free(&drawing);
    schedule_free(&schedule);
}

#define HEADING(topology) \
    "roundcast-schedule 1\nalgorithm hand\ntopology complete " topology "\nmodel send-receive\n"

#define S DRAWING_SOURCE
#define P DRAWING_PLAIN

static void test_receipts(void **state)
{
    (void)state;
    struct schedule schedule;
    /* Packet 2 starts at node 4 in round 3; node 1 gets it from 4 and again from 3, node 4 gets it
     * back. */
    drawing_lab_read(HEADING("5") "demand 1 0 *\ndemand 2 4 1,3\n"
                                  "round 1\n0 1 1\nround 2\n1 2 1\n0 3 1\nround 3\n4 3 2\n0 4 1\n"
                                  "round 4\n4 1 2\nround 5\n3 1 2\n1 4 2\nend 5\n",
                     &schedule);
    drawing_lab_expect_nodes(
        &schedule, 1, UINT64_MAX,
        (const struct drawing_lab_node[]){
            {0, 0, 0, S}, {1, 0, 1, P}, {2, 1, 2, P}, {3, 0, 2, P}, {4, 0, 3, P}},
        5);
    drawing_lab_expect_nodes(
        &schedule, 1, 2,
        (const struct drawing_lab_node[]){{0, 0, 0, S}, {1, 0, 1, P}, {2, 1, 2, P}, {3, 0, 2, P}},
        4);
    drawing_lab_expect_nodes(
        &schedule, 2, UINT64_MAX,
        (const struct drawing_lab_node[]){{4, 4, 2, S}, {3, 4, 3, P}, {1, 4, 4, P}}, 3);
    schedule_free(&schedule);
}

static void test_refused(void **state)
{
    (void)state;
    drawing_lab_refuse(HEADING("4") "demand 1 0 *\nround 1\n0 1 1\n2 3 1\nend 1\n", 1, UINT64_MAX,
                       ERR_NOT_HELD,
                       "text:8: round 1: node 2 sends packet 1, which it does not hold");
    drawing_lab_refuse(HEADING("3") "demand 1 0 *\nround 1\n0 1 1\n1 2 1\nend 1\n", 1, UINT64_MAX,
                       ERR_NOT_HELD, "text:8: round 1: node 1 sends packet 1");
    drawing_lab_refuse("roundcast-schedule 1\nalgorithm hand\ntopology complete 3\nmodel postal "
                       "5/2\ndemand 1 0 *\n"
                       "time 0\n0 1 1\ntime 2\n1 2 1\nend 9/2\n",
                       1, UINT64_MAX, ERR_NOT_HELD, "text:9: time 2: node 1 sends packet 1");
    drawing_lab_refuse(HEADING("3") "demand 1-2 0 *\nround 1\n0 1 1\nend 1\n", 2, UINT64_MAX,
                       ERR_RANGE,
                       "text: no node receives packet 2; expected a packet that is sent");
    drawing_lab_refuse(HEADING("3") "demand 1-2 0 *\nround 3\n0 1 1\nend 3\n", 1, 2, ERR_RANGE,
                       "text: no node receives packet 1 up to round 2; expected at least 3");
    drawing_lab_refuse(POSTAL, 1, 2, ERR_RANGE,
                       "text: no node receives packet 1 up to time 1; expected at least 3/2");
    drawing_lab_refuse(HEADING("1") "demand 1 0 *\nend 0\n", 1, UINT64_MAX, ERR_RANGE,
                       "no node receives packet 1");
}

/* FT_2(3), by Definition 3.4: the root has the children FT_2(2) and FT_2(1), which is a single
 * node. Children are drawn by label, whatever the order of creation. */
static void test_fibonacci(void **state)
{
    (void)state;
    struct fibonacci_node node[] = {{0, 0, FIBONACCI_VIRTUAL},
                                    {0, 2, FIBONACCI_VIRTUAL},
                                    {0, 1, FIBONACCI_VIRTUAL},
                                    {2, 3, FIBONACCI_VIRTUAL},
                                    {2, 2, FIBONACCI_VIRTUAL}};
    const struct fibonacci_tree tree = {.d = 2, .count = 5, .node = node};
    struct drawing drawing;
    struct err err = {0};
    support_true(drawing_fibonacci(&tree, NULL, "FT", &drawing, &err), &err);
    drawing_lab_expect_text(&drawing,
                            DRAWING_LAB_HEAD "  label=\"FT\";\n"
                                             "  { rank=same; t0 [shape=plaintext, label=\"0\"];\n"
                                             "    n0 [label=\"0\"];\n"
                                             "  }\n"
                                             "  { rank=same; t1 [shape=plaintext, label=\"1\"];\n"
                                             "    n1 [label=\"1\"];\n"
                                             "  }\n"
                                             "  t0 -> t1 [style=invis, minlen=1];\n"
                                             "  { rank=same; t2 [shape=plaintext, label=\"2\"];\n"
                                             "    n2 [label=\"2\"];\n"
                                             "    n3 [label=\"2\"];\n"
                                             "  }\n"
                                             "  t1 -> t2 [style=invis, minlen=1];\n"
                                             "  { rank=same; t3 [shape=plaintext, label=\"3\"];\n"
                                             "    n4 [label=\"3\"];\n"
                                             "  }\n"
                                             "  t2 -> t3 [style=invis, minlen=1];\n"
                                             "  n0 -> n1;\n"
                                             "  n0 -> n2;\n"
                                             "  n1 -> n3;\n"
                                             "  n1 -> n4;\n"
                                             "}\n");
    drawing_free(&drawing);

    /* s = 1, β = 1, d = 3: processors 1 … 3 belong to the trees, 4 … 6 were inserted, those from 7
     * on are in the array. */
    static const uint32_t processor[] = {1, 3, 4, FIBONACCI_VIRTUAL, 7};
    static const enum drawing_kind kind[] = {DRAWING_PLAIN, DRAWING_PLAIN, DRAWING_INSERTED,
                                             DRAWING_VIRTUAL, DRAWING_ARRAY};
    const struct fibonacci_shape shape = {.d = 3, .s = 1, .beta = 1, .alpha = 1};
    for (uint32_t which = 0; which < 5; which++)
        node[which] = (struct fibonacci_node){which > 0 ? which - 1 : 0, which, processor[which]};
    support_true(drawing_fibonacci(&tree, &shape, "hat", &drawing, &err), &err);
    assert_true(drawing.shows_numbers);
    for (uint32_t at = 0; at < 5; at++) {
        assert_int_equal(drawing.node[at].kind, kind[at]);
        assert_int_equal(drawing.node[at].depth, at);
    }
    drawing_free(&drawing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),    cmocka_unit_test(test_escaping),
        cmocka_unit_test(test_postal),  cmocka_unit_test(test_receipts),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_fibonacci),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
