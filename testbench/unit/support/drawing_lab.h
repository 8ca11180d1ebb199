/* drawing_lab: drawings in unit tests: their text, their nodes, and what is refused. Include it after <cmocka.h>'s four
 * headers.
 */
#ifndef ROUNDCAST_DRAWING_LAB_H
#define ROUNDCAST_DRAWING_LAB_H

#include "sched/draw/drawing.h"
#include "testbench/unit/support/support.h"

#define HEAD                                                                                         \
    "digraph roundcast {\n"                                                                          \
    "  graph [ordering=out, ranksep=\"0.2 equally\", nodesep=0.15, labelloc=b, fontname=Helvetica, " \
    "fontsize=11];\n"                                                                                \
    "  node [shape=ellipse, width=0.45, height=0.45, margin=\"0.03,0.02\", fontname=Helvetica, "     \
    "fontsize=10];\n"                                                                                \
    "  edge [arrowsize=0.5, fontname=Helvetica, fontsize=9, labeldistance=1.6, labelangle=40];\n"

static inline void expect_text(const struct drawing *drawing, const char *expected)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    drawing_write(to, drawing);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, expected);
    free(text);
}

/* The schedule of a text. */
static inline void read_schedule(const char *text, struct schedule *schedule)
{
    struct err err = {0};
    FILE *from = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(from);
    *schedule = (struct schedule){0};
    support_true(schedule_read(from, "text", schedule, &err), &err);
    fclose(from);
}

/* The drawing of a schedule has these nodes: {number, parent's number, time, kind}. */
struct expected {
    uint32_t number, parent;
    uint64_t time;
    enum drawing_kind kind;
};

static inline void expect_nodes(const struct schedule *schedule, uint32_t packet, uint64_t last,
                                const struct expected expected[], size_t count)
{
    struct drawing drawing;
    struct err err = {0};
    support_true(drawing_broadcast("text", schedule, packet, last, &drawing, &err), &err);
    assert_int_equal(drawing.count, count);
    for (size_t at = 0; at < count; at++) {
        const struct drawing_node *node = &drawing.node[at];
        assert_int_equal(node->number, expected[at].number);
        assert_int_equal(drawing.node[node->parent].number, expected[at].parent);
        assert_int_equal(node->time, expected[at].time);
        assert_int_equal(node->kind, expected[at].kind);
    }
    drawing_free(&drawing);
}

static inline void refuse(const char *text, uint32_t packet, uint64_t last, enum err_code code,
                          const char *part)
{
    struct schedule schedule;
    struct drawing drawing;
    struct err err = {0};
    read_schedule(text, &schedule);
    assert_false(drawing_broadcast("text", &schedule, packet, last, &drawing, &err));
    support_error(&err, code, part);
    assert_null(drawing.node);
    schedule_free(&schedule);
}

#endif
