/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/drawing_lab.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>

void drawing_lab_expect_text(const struct drawing *drawing, const char *expected)
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

void drawing_lab_read(const char *text, struct schedule *schedule)
{
    struct err err = {0};
    support_true(support_read(text, "text", schedule, &err), &err);
}

void drawing_lab_expect_nodes(const struct schedule *schedule, uint32_t packet, uint64_t last,
                              const struct drawing_lab_node expected[], size_t count)
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

void drawing_lab_refuse(const char *text, uint32_t packet, uint64_t last, enum err_code code,
                        const char *part)
{
    struct schedule schedule;
    struct drawing drawing;
    struct err err = {0};
    drawing_lab_read(text, &schedule);
    assert_false(drawing_broadcast("text", &schedule, packet, last, &drawing, &err));
    support_error(&err, code, part);
    assert_null(drawing.node);
    schedule_free(&schedule);
}
