/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: the parts that the command line is made of: errors, fields, texts, files, bounds,
 * formats and drawings.
 *
 * Expected numbers follow from recurrences that are computed here, or from formulas of the papers:
 * F_d(t) = 1 + F_d(t-1) + … + F_d(t-d), F_λ(t) = F_λ(t-1) + F_λ(t-λ), m - 1 + ⌈log2 n⌉. A schedule
 * that is exported and imported has the same transfers. A file appears when it is committed and not
 * before. Every check has its counter-case: an unknown format, a broken schedule, numbers that a
 * tree does not have, a value that is given but not used.
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-parts-XXXXXX";

static struct roundcast_request ask(const char *algorithm, uint32_t nodes, uint32_t packets)
{
    struct roundcast_request request;
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, NULL));
    request.algorithm = algorithm;
    request.nodes = nodes;
    request.packets = packets;
    return request;
}

/* --- errors, fields and texts ---------------------------------------------------------------- */

static const char *shout(const void *with, const char *field, char name[ROUNDCAST_ERROR_OPTION])
{
    (void)with;
    snprintf(name, ROUNDCAST_ERROR_OPTION, "<%s>", field);
    return name;
}

static const struct roundcast_naming shouting = {shout, NULL};

static void errors_name_fields(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    char text[ROUNDCAST_ERROR_RENDERED];
    assert_false(roundcast_error_set(&error, 101, "{tree}: '%s' and {dim}", "{nodes}"));
    assert_string_equal(error.text, "tree: '{nodes}' and dim");
    assert_string_equal(error.field, "tree");
    assert_string_equal(roundcast_error_text(&error, &shouting, text),
                        "<tree>: '{nodes}' and <dim>");
    assert_string_equal(roundcast_error_text(&error, NULL, text), error.text);
    assert_false(roundcast_error_out_of_range(&error, "jobs", 9, 1, 8));
    assert_string_equal(error.text, "jobs: 9 is out of range; expected 1 … 8");
    assert_true(error.limited && error.value == 9 && error.minimum == 1 && error.maximum == 8);
    assert_int_equal(error.code, ROUNDCAST_E_RANGE);
    assert_false(roundcast_error_field(&error, 103, "by", " %d", 7));
    assert_string_equal(roundcast_error_text(&error, &shouting, text), "<by> 7");
    assert_false(roundcast_error_conflict(&error, "a", "b"));
    assert_string_equal(error.text, "a cannot be used together with b");
    assert_false(roundcast_error_requires(&error, "a", "b"));
    assert_string_equal(error.text, "a requires b");
    assert_false(roundcast_error_missing(&error, "a", "one"));
    assert_string_equal(error.text, "a is required; expected one");
    assert_false(roundcast_error_no_memory(&error, "%d rows", 3));
    assert_int_equal(error.code, 104);
    assert_non_null(strstr(error.text, "no memory for 3 rows"));
    assert_false(roundcast_error_set(NULL, 101, "nothing to fill"));
}

static void codes_have_an_exit_status(void **unused)
{
    (void)unused;
    static const struct {
        int code, status;
    } expected[] = {{0, 0}, {101, 2}, {204, 2}, {301, 1}, {402, 2}, {501, 2}, {604, 1}, {901, 3}};
    for (size_t which = 0; which < sizeof expected / sizeof *expected; which++)
        assert_int_equal(roundcast_error_status(expected[which].code), expected[which].status);
}

static const char *colour(unsigned which)
{
    static const char *const names[] = {"red", "green", NULL};
    return names[which];
}

static void fields_read_texts(void **unused)
{
    (void)unused;
    struct own {
        uint32_t jobs;
        uint64_t bytes;
        bool again;
        const char *file;
        unsigned colour;
    } own = {0};
    static const struct roundcast_field rows[] = {
        {.name = "jobs",
         .type = ROUNDCAST_FIELD_NUMBER,
         .offset = offsetof(struct own, jobs),
         .minimum = 1,
         .maximum = 64},
        {.name = "bytes",
         .type = ROUNDCAST_FIELD_BYTES,
         .offset = offsetof(struct own, bytes),
         .minimum = 1,
         .maximum = 1u << 30},
        {.name = "again", .type = ROUNDCAST_FIELD_FLAG, .offset = offsetof(struct own, again)},
        {.name = "file", .type = ROUNDCAST_FIELD_FILE, .offset = offsetof(struct own, file)},
        {.name = "colour",
         .type = ROUNDCAST_FIELD_CHOICE,
         .choice = colour,
         .offset = offsetof(struct own, colour)}};
    static const char *const values[] = {"64", "4Ki", NULL, "f", "green"};
    struct roundcast_error error = {0};
    for (size_t which = 0; which < 5; which++)
        assert_true(roundcast_field_parse(&rows[which], &own, values[which], &error));
    assert_true(own.jobs == 64 && own.bytes == 4096 && own.again && own.colour == 1);
    assert_string_equal(own.file, "f");
    assert_ptr_equal(roundcast_field_find(rows, 5, "again"), &rows[2]);
    assert_null(roundcast_field_find(rows, 5, "agains"));
    assert_false(roundcast_field_parse(&rows[0], &own, "65", &error));
    assert_int_equal(error.code, 102);
    assert_false(roundcast_field_parse(&rows[0], &own, "six", &error));
    assert_int_equal(error.code, 101);
    assert_false(roundcast_field_parse(&rows[4], &own, "gren", &error));
    assert_string_equal(error.text,
                        "colour: 'gren' does not exist, but 'green' does; expected red or green");
    assert_true(own.jobs == 64 && own.colour == 1);
}

static void texts_are_written(void **unused)
{
    (void)unused;
    char text[ROUNDCAST_TIME_TEXT], hint[ROUNDCAST_HINT];
    struct roundcast_nearest nearest = {0};
    struct roundcast_time time;
    assert_string_equal(roundcast_time_text(15, 2, text), "15/2");
    assert_string_equal(roundcast_time_text(14, 4, text), "7/2");
    assert_string_equal(roundcast_time_text(14, 2, text), "7");
    assert_true(roundcast_time_parse("5/2", &time) && time.numerator == 5 && time.denominator == 2);
    assert_false(roundcast_time_parse("5/", &time));
    assert_int_equal(roundcast_text_columns("T\u0302λ…", strlen("T\u0302λ…")), 3);
    roundcast_nearest_look(&nearest, "circulnt", "matching");
    assert_string_equal(roundcast_nearest_hint(&nearest, hint), "");
    roundcast_nearest_look(&nearest, "circulnt", "circulant");
    assert_string_equal(roundcast_nearest_hint(&nearest, hint), ", but 'circulant' does");
}

/* --- files ----------------------------------------------------------------------------------- */

static void files_appear_at_their_commit(void **unused)
{
    (void)unused;
    char path[80], line[20];
    struct roundcast_error error = {0};
    snprintf(path, sizeof path, "%s/file", folder);
    struct roundcast_output *output = roundcast_output_open(path, &error);
    assert_non_null(output);
    fputs("first", roundcast_output_file(output));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(roundcast_output_commit(output, &error));
    output = roundcast_output_open(path, &error);
    assert_non_null(output);
    fputs("second", roundcast_output_file(output));
    roundcast_output_discard(output);
    FILE *file = roundcast_input_open(path, &error);
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "first");
    roundcast_input_close(file);
    assert_int_equal(unlink(path), 0);
    assert_null(roundcast_input_open(path, &error));
    assert_int_equal(error.code, 201);
    assert_null(roundcast_output_open("/nowhere/at all", &error));
    assert_int_equal(error.code, 202);
    assert_string_equal(roundcast_input_name("-"), "standard input");
    roundcast_output_discard(NULL);
}

/* --- requests -------------------------------------------------------------------------------- */

/* A strict request rejects a seed if nothing is drawn, even if it is the default seed. */
static void strict_requests_reject_what_is_not_used(void **unused)
{
    (void)unused;
    struct roundcast_request request = ask("circulant", 8, 2);
    struct roundcast_error error = {0};
    assert_true(roundcast_set(&request, "seed", "1", &error));
    roundcast_schedule_free(library_build(request));
    request.strict = true;
    assert_null(roundcast_build(&request, &error));
    assert_string_equal(error.field, "seed");
}

/* Rows of the same name have separate ranges. */
static void rows_have_their_own_range(void **unused)
{
    (void)unused;
    struct roundcast_request request = ask(NULL, 0, 0);
    struct roundcast_field field;
    struct roundcast_error error = {0};
    unsigned rows = 0;
    for (size_t row = 0; roundcast_field_at(row, &field); row++) {
        if (strcmp(field.name, "nodes") != 0)
            continue;
        rows++;
        assert_true(roundcast_set_row(&request, row, "1", &error) == (field.minimum == 1));
    }
    assert_int_equal(rows, 2);
    assert_int_equal(error.minimum, 2);
}

/* --- bounds ---------------------------------------------------------------------------------- */

static void check_function(const struct roundcast_function *function, char name, uint64_t argument,
                           uint64_t value)
{
    assert_int_equal(function->name, name);
    assert_int_equal(function->argument, argument);
    assert_int_equal(function->value, value);
    assert_false(function->large);
}

static void functions_are_those_of_the_papers(void **unused)
{
    (void)unused;
    uint64_t trees[8] = {1, 1}, postal[12] = {1, 1};
    for (unsigned t = 2; t < 8; t++)
        trees[t] = 1 + trees[t - 1] + trees[t - 2];
    for (unsigned t = 2; t < 12; t++)
        postal[t] = postal[t - 1] + postal[t - 2]; /* λ = 2 */
    struct roundcast_request request = ask(NULL, 22, 8);
    struct roundcast_error error = {0};
    const struct roundcast_time seven = {7, 1}, half = {7, 2};
    struct roundcast_bound_table table;
    request.degree = 2;
    request.lambda = "2";
    assert_true(roundcast_bounds(&request, &seven, &table, &error));
    assert_int_equal(table.function_count, 4);
    check_function(&table.function[0], 'F', 7, trees[7]);
    check_function(&table.function[1], 'f', 22, 6);
    assert_true(trees[5] < 22 && trees[6] >= 22);
    check_function(&table.function[2], 'F', 7, postal[7]);
    check_function(&table.function[3], 'f', 22, 8);
    assert_true(postal[7] < 22 && postal[8] >= 22);
    roundcast_bound_table_free(&table);
    assert_false(roundcast_bounds(&request, &half, &table, &error));
    assert_int_equal(error.code, 102);
    request.nodes = request.packets = 0;
    assert_true(roundcast_bounds(&request, &seven, &table, &error));
    assert_true(table.functions_only && table.count == 0 && table.function_count == 2);
    roundcast_bound_table_free(&table);
}

static void the_tightest_bound_is_marked(void **unused)
{
    (void)unused;
    struct roundcast_request request = ask(NULL, 22, 8);
    struct roundcast_bound_table table;
    struct roundcast_error error = {0};
    request.model = "send-receive";
    assert_true(roundcast_bounds(&request, NULL, &table, &error));
    uint64_t most = 0, marked = 0;
    for (size_t which = 0; which < table.count; which++) {
        most = table.row[which].end > most ? table.row[which].end : most;
        if (table.row[which].tightest)
            marked = table.row[which].end;
        assert_string_equal(table.row[which].collective, "broadcast");
    }
    assert_int_equal(most, 8 - 1 + 5); /* m - 1 + ⌈log2 n⌉ */
    assert_int_equal(marked, most);
    assert_false(table.several || table.priced || table.functions_only);
    roundcast_bound_table_free(&table);
}

/* --- formats --------------------------------------------------------------------------------- */

static void exports_come_back(void **unused)
{
    (void)unused;
    char path[80];
    struct roundcast_error error = {0};
    struct roundcast_request request = ask("all-gather", 4, 1);
    struct roundcast_schedule *schedule = library_build(request);
    const struct roundcast_export how = {"msccl", 1, 0}, unknown = {"mscl", 1, 0};
    snprintf(path, sizeof path, "%s/x.xml", folder);
    assert_true(roundcast_export(schedule, &how, path, &error));
    struct roundcast_schedule *again = roundcast_import(path, "msccl", NULL, &error);
    if (again == NULL)
        fail_msg("%s", error.text);
    assert_int_equal(roundcast_schedule_describe(again).transfers, 4 * 3);
    assert_int_equal(roundcast_schedule_describe(again).end, 3);
    assert_int_equal(roundcast_schedule_demands(again).count, 4);
    assert_false(roundcast_export_check(&unknown, &error));
    assert_int_equal(error.code, 101);
    assert_null(roundcast_import(path, "ion", NULL, &error)); /* it is only written */
    assert_null(roundcast_import(path, "msccl", "postal", &error)); /* without λ */
    assert_int_equal(error.code, 101);
    assert_null(roundcast_import(path, "msccl", "all-port", &error)); /* of a hypercube */
    assert_int_equal(error.code, 103);
    assert_int_equal(unlink(path), 0);
    roundcast_schedule_free(again);
    roundcast_schedule_free(schedule);
}

static void broken_schedules_are_not_exported(void **unused)
{
    (void)unused;
    static const char text[] = "roundcast-schedule 1\nalgorithm any\ntopology complete 3\n"
                               "model send-receive\ndemand 1 0 *\nround 1\n0 1 1\n0 2 1\n"
                               "end 1\n";
    char path[80];
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule =
        roundcast_read_text("broken", text, sizeof text - 1, &error);
    if (schedule == NULL)
        fail_msg("%s", error.text);
    const struct roundcast_export how = {"goal", 1, 0};
    snprintf(path, sizeof path, "%s/x.goal", folder);
    assert_false(roundcast_export(schedule, &how, path, &error));
    assert_int_equal(error.code, 301);
    assert_int_not_equal(access(path, F_OK), 0);
    roundcast_schedule_free(schedule);
}

/* --- drawings and queues --------------------------------------------------------------------- */

static void drawings_have_the_nodes_of_their_trees(void **unused)
{
    (void)unused;
    const uint32_t none = ROUNDCAST_TREE_NOT_GIVEN;
    const struct roundcast_tree full = {"full", none, 2, 4, none, none},
                                short_of = {"full", none, 2, none, none, none},
                                without = {NULL, 8, none, none, none, none};
    struct roundcast_error error = {0};
    struct roundcast_drawing *drawing = roundcast_draw_tree(&full, &error);
    assert_non_null(drawing);
    assert_int_equal(roundcast_drawing_describe(drawing).nodes, 9); /* 1, 1, 3, 5, 9 */
    roundcast_drawing_free(drawing);
    assert_false(roundcast_tree_check(&short_of, &error));
    assert_string_equal(error.field, "order");
    assert_false(roundcast_tree_check(&without, &error));
    assert_string_equal(error.text, "nodes requires tree");

    struct roundcast_request request = ask("binomial", 8, 1);
    struct roundcast_schedule *schedule = library_build(request);
    drawing = roundcast_draw_packet(schedule, 1, 0, &error);
    assert_non_null(drawing);
    struct roundcast_drawing_info info = roundcast_drawing_describe(drawing);
    assert_true(info.nodes == 8 && info.depth == 3 && info.last == 3 && info.ticks == 1);
    roundcast_drawing_free(drawing);
    drawing = roundcast_draw_packet(schedule, 1, 2, &error);
    assert_non_null(drawing);
    assert_int_equal(roundcast_drawing_describe(drawing).nodes, 4);
    roundcast_drawing_free(drawing);
    assert_null(roundcast_draw_packet(schedule, 2, 0, &error));
    assert_int_equal(error.code, 102);
    roundcast_schedule_free(schedule);
}

static bool add_routers(void *with, const struct roundcast_queue *queue)
{
    uint32_t *routers = with;
    routers[queue->level] += queue->routers;
    assert_true(queue->one_branch <= queue->wait && queue->wait <= queue->stored);
    return true;
}

static void queues_have_a_row_for_each_level(void **unused)
{
    (void)unused;
    struct roundcast_request request = ask("tree-scatter", 0, 1);
    struct roundcast_error error = {0};
    uint32_t routers[4] = {0};
    request.tree = "3,2"; /* 3 leaves below each of 2 routers, below a root */
    request.ports = "multi";
    struct roundcast_schedule *schedule = library_build(request);
    assert_true(roundcast_each_queue(schedule, add_routers, routers, &error));
    assert_true(routers[1] == 2 && routers[2] == 1 && routers[3] == 0);
    roundcast_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_fields),
        cmocka_unit_test(codes_have_an_exit_status),
        cmocka_unit_test(fields_read_texts),
        cmocka_unit_test(texts_are_written),
        cmocka_unit_test(files_appear_at_their_commit),
        cmocka_unit_test(strict_requests_reject_what_is_not_used),
        cmocka_unit_test(rows_have_their_own_range),
        cmocka_unit_test(functions_are_those_of_the_papers),
        cmocka_unit_test(the_tightest_bound_is_marked),
        cmocka_unit_test(exports_come_back),
        cmocka_unit_test(broken_schedules_are_not_exported),
        cmocka_unit_test(drawings_have_the_nodes_of_their_trees),
        cmocka_unit_test(queues_have_a_row_for_each_level),
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) != 0 || failed;
}
