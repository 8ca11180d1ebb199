/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: runs with their reports, pages of runs, many runs side by side, and the lines of a
 * batch.
 *
 * Numbers of a report follow from the collective: a broadcast of m packets to n nodes has
 * (n - 1) · m receipts, and n · m packets in memory, in m - 1 + ⌈log2 n⌉ rounds. Reports as JSON
 * are parsed and compared with the struct. Each of many requests has exactly one outcome, an
 * invalid request its error. Counter-cases: requests that no run may have, a visitor that stops, a
 * file that is not a page, a quote that is not closed.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 8
#define M 3

static struct roundcast_request ask(const char *algorithm)
{
    struct roundcast_request request;
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, NULL));
    request.algorithm = algorithm;
    request.nodes = N;
    request.packets = M;
    request.engine = "csim";
    return request;
}

static char *contents(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &room, EOF, file) > 0);
    fclose(file);
    return text;
}

/* --- reports --------------------------------------------------------------------------------- */

static json_int_t number(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return json_integer_value(json_object_get(object, key));
}

static void a_report_is_a_struct_and_json(void **unused)
{
    (void)unused;
    struct roundcast_request request = ask("circulant");
    struct roundcast_report report;
    struct roundcast_error error = {0};
    char path[100];
    request.seed = 77;
    struct roundcast_image *image = library_compile(&request);
    assert_true(roundcast_simulate(image, &request, NULL, &report, &error));
    assert_true(report.holds);
    assert_int_equal(report.breach.code, 0);
    assert_string_equal(report.engine, "csim");
    assert_int_equal(report.expected, (N - 1) * M);
    assert_int_equal(report.packets_wanted, N * M);
    assert_false(report.reconfigures);
    assert_true(report.megabytes > 0);

    json_t *json = roundcast_json_report(image, &report);
    assert_true(json_is_true(json_object_get(json, "holds")));
    assert_true(json_is_null(json_object_get(json, "error")));
    assert_int_equal(number(json, "nodes"), N);
    assert_int_equal(number(json, "rounds"), M - 1 + 3);
    assert_int_equal(number(json, "bound"), M - 1 + 3);
    assert_int_equal(number(json, "seed"), 77);
    assert_int_equal(number(json, "seen"), (N - 1) * M);
    assert_int_equal(number(json, "run_cycles"), (json_int_t)report.run_cycles);
    json_decref(json);

    /* an image's folder does not record the seed */
    assert_true(roundcast_image_write(image, library_path("b", path), &error));
    roundcast_image_free(image);
    image = roundcast_image_read(path, &error);
    assert_non_null(image);
    json = roundcast_json_report(image, &report);
    assert_true(json_is_null(json_object_get(json, "seed")));
    json_decref(json);
    roundcast_image_free(image);
}

static void rejects(bool accepted, const struct roundcast_error *error, int code, const char *field)
{
    assert_false(accepted);
    assert_int_equal(error->code, code);
    assert_string_equal(error->field, field);
}

static void requests_are_checked_before_they_run(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request = ask("circulant");
    assert_true(roundcast_check(&request, &error));
    assert_true(roundcast_check_run(&request, &error));
    assert_true(roundcast_check_machine(&request, &error));
    assert_true(roundcast_check_algorithm("circulant", &error));
    assert_false(roundcast_check_algorithm("circulan", &error));
    assert_int_equal(error.code, 103);
    assert_non_null(strstr(error.text, "circulant"));
    request.waves_from = 2;
    rejects(roundcast_check_run(&request, &error), &error, 101, "waves-from");
    rejects(roundcast_check(&request, &error), &error, 101, "waves-from");
    request = ask("circulant");
    request.reconfigure = "20us"; /* a time, but no clock is given */
    rejects(roundcast_check_machine(&request, &error), &error, 101, "clock");
    request = ask("circulant");
    request.network = "benes:4"; /* for 8 nodes */
    assert_false(roundcast_check(&request, &error));
    assert_int_equal(error.code, 402);
    request = ask("circulant");
    request.nodes = 0;
    rejects(roundcast_check(&request, &error), &error, 101, "nodes");
}

/* --- pages ----------------------------------------------------------------------------------- */

static void pages_show_runs(void **unused)
{
    (void)unused;
    const struct roundcast_request request = ask("circulant");
    struct roundcast_report report;
    struct roundcast_error error = {0};
    char one[100], two[100], index[100];
    struct roundcast_image *image = library_compile(&request);
    struct roundcast_schedule *schedule = roundcast_image_schedule(image, NULL);
    assert_true(roundcast_simulate(image, &request, NULL, &report, &error));
    const struct roundcast_page run = {.image = image, .report = &report},
                                alone = {.schedule = schedule};
    assert_true(roundcast_page_write(library_path("run.html", one), &run, &error));
    assert_true(roundcast_page_write(library_path("alone.html", two), &alone, &error));
    char *text = contents(one);
    assert_non_null(strstr(text, "\"packets_wanted\":24"));
    assert_non_null(strstr(text, "\"stages\":5"));
    free(text);
    text = contents(two);
    assert_null(strstr(text, "\"packets_wanted\":"));
    assert_non_null(strstr(text, "\"legal\":null"));
    free(text);

    const char *const pages[] = {one, two};
    assert_true(roundcast_page_index(library_path("index.html", index), pages, 2, &error));
    text = contents(index);
    assert_non_null(strstr(text, "run.html"));
    assert_non_null(strstr(text, "alone.html"));
    free(text);
    const char *const wrong[] = {one, "README.md"};
    assert_false(roundcast_page_index(library_path("none.html", index), wrong, 2, &error));
    assert_int_equal(error.code, 204);
    assert_int_not_equal(access(index, F_OK), 0);
    roundcast_schedule_free(schedule);
    roundcast_image_free(image);
}

/* --- many runs ------------------------------------------------------------------------------- */

#define RUNS 5

struct outcomes {
    unsigned calls[RUNS], all, most;
    int code[RUNS];
    json_int_t nodes[RUNS];
};

static bool see_outcome(void *with, size_t which, const struct roundcast_outcome *outcome)
{
    struct outcomes *outcomes = with;
    assert_in_range(which, 0, RUNS - 1);
    outcomes->calls[which]++;
    outcomes->code[which] = outcome->error.code;
    json_t *json = json_loadb(outcome->json, outcome->size, 0, NULL);
    assert_non_null(json);
    outcomes->nodes[which] = json_integer_value(json_object_get(json, "nodes"));
    if (outcome->error.code != 0)
        assert_int_equal(number(json_object_get(json, "error"), "code"), outcome->error.code);
    json_decref(json);
    return ++outcomes->all < outcomes->most;
}

static void each_request_has_an_outcome(void **unused)
{
    (void)unused;
    struct roundcast_request request[RUNS];
    struct roundcast_error error = {0};
    for (unsigned which = 0; which < RUNS; which++) {
        request[which] = ask("circulant");
        request[which].nodes = 3 + which;
    }
    request[3].network = "benes:2"; /* too small */
    roundcast_threads(1);
    for (unsigned jobs = 0; jobs < 3; jobs++) {
        struct outcomes outcomes = {.most = RUNS + 1};
        assert_true(roundcast_run_each(request, RUNS, jobs, see_outcome, &outcomes, &error));
        for (unsigned which = 0; which < RUNS; which++) {
            assert_int_equal(outcomes.calls[which], 1);
            assert_int_equal(outcomes.code[which], which == 3 ? 402 : 0);
            assert_int_equal(outcomes.nodes[which], which == 3 ? 0 : 3 + which);
        }
    }
    struct outcomes some = {.most = 2};
    assert_true(roundcast_run_each(request, RUNS, 1, see_outcome, &some, &error));
    assert_int_equal(some.all, 2);
    rejects(roundcast_run_each(request, RUNS, 257, see_outcome, &some, &error), &error, 102,
            "jobs");
}

static void lines_are_words(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    char path[100], *quoted = NULL;
    size_t size;
    FILE *file = fopen(library_path("lines", path), "w");
    fputs("# only a comment\ncirculant -n 8   # eight\n\n'a b' \"c'd\" e\\ f\n", file);
    fclose(file);
    struct roundcast_lines *lines = roundcast_lines_read(path, &error);
    assert_non_null(lines);
    assert_int_equal(roundcast_lines_count(lines), 2);
    struct roundcast_line line = roundcast_lines_at(lines, 0);
    assert_int_equal(line.number, 2);
    assert_int_equal(line.count, 3);
    assert_string_equal(line.word[1], "-n");
    line = roundcast_lines_at(lines, 1);
    assert_int_equal(line.number, 4);
    assert_int_equal(line.count, 3);
    assert_string_equal(line.word[0], "a b");
    assert_string_equal(line.word[1], "c'd");
    assert_string_equal(line.word[2], "e f");
    assert_null(line.word[3]);

    file = fopen(path, "w"); /* words that are quoted are read back */
    for (size_t word = 0; word < 3; word++) {
        roundcast_print_quoted(file, line.word[word]);
        putc(word == 2 ? '\n' : ' ', file);
    }
    fclose(file);
    struct roundcast_lines *again = roundcast_lines_read(path, &error);
    assert_non_null(again);
    for (size_t word = 0; word < 3; word++)
        assert_string_equal(roundcast_lines_at(again, 0).word[word], line.word[word]);
    roundcast_lines_free(again);
    roundcast_lines_free(lines);
    FILE *to = open_memstream(&quoted, &size);
    roundcast_print_quoted(to, "plain");
    fclose(to);
    assert_string_equal(quoted, "plain");
    free(quoted);

    file = fopen(path, "w");
    fputs("circulant 'no end\n", file);
    fclose(file);
    assert_null(roundcast_lines_read(path, &error));
    assert_int_equal(error.code, 204);
    roundcast_lines_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_a_struct_and_json),
        cmocka_unit_test(requests_are_checked_before_they_run),
        cmocka_unit_test(pages_show_runs),
        cmocka_unit_test(each_request_has_an_outcome),
        cmocka_unit_test(lines_are_words),
    };
    return cmocka_run_group_tests(tests, library_folder_make, library_folder_remove);
}
