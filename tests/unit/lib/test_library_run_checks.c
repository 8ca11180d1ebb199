/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: requests that no run may have, and runs without an engine.
 *
 * State space: requests for an algorithm, a file and the output of a command, with and without an
 * engine; one fault in each. Every fault is found by roundcast_check, before anything is built, and
 * again by the function that would build, with the same code. Counter-cases: the request without
 * the fault, and requests in a batch, whose reports as JSON say what held.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-checks-XXXXXX";
static char good[60], broken[60], command[80];

static void write_file(char path[60], const char *name, const char *text)
{
    snprintf(path, 60, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A broadcast of a packet to 4 nodes in 2 rounds; with a fault node 1 sends what it lacks. */
#define SCHEDULE(first)                                                               \
    "roundcast-schedule 1\nalgorithm hand\ntopology complete 4\nmodel send-receive\n" \
    "demand 1 0 *\nround 1\n" first "\nround 2\n0 1 1\n2 3 1\nend 2\n"

static int begin(void **unused)
{
    (void)unused;
    if (mkdtemp(folder) == NULL)
        return 1;
    write_file(good, "good.sched", SCHEDULE("0 2 1"));
    write_file(broken, "broken.sched", SCHEDULE("1 2 1"));
    snprintf(command, sizeof command, "|cat %s", good);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    char line[100];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

/* A request that must be rejected; `algorithm` NULL: the file. */
static const struct wrong {
    const char *algorithm, *set[12];
    int code;
    const char *part;
} wrong[] = {
    {"circulant", {"m", "2", "engine", "none"}, 101, "nodes is required"},
    {"hypercube-trees",
     {"n", "7", "m", "2", "engine", "none"},
     103,
     "hypercube-trees on 7 nodes; expected a power of two"},
    {"hypercube-trees",
     {"n", "7", "m", "2", "engine", "csim"},
     103,
     "hypercube-trees on 7 nodes; expected a power of two"},
    {"circulant", {"n", "4", "m", "2", "engine", "none", "waves-from", "3"}, 101, "waves-from"},
    {NULL, {"engine", "none", "waves-from", "3"}, 101, "waves-from"},
    {NULL, {"engine", "csim", "waves-from", "3"}, 101, "waves-from requires waves"},
    {NULL, {"engine", "none", "method", "tree"}, 101, "method cannot be used together"},
    {NULL, {"engine", "csim", "method", "tree"}, 101, "method cannot be used together"},
    {"/nowhere/at.all", {"engine", "none"}, 201, "/nowhere/at.all: cannot open"},
    {"/nowhere/at.all", {"engine", "csim"}, 201, "/nowhere/at.all: cannot open"},
    {NULL,
     {"engine", "csim", "network", "benes:2"},
     402,
     "network: 2 ports for 4 nodes; expected benes:4 or larger"},
};

static struct roundcast_request ask(const char *algorithm, const char *const set[])
{
    struct roundcast_request request = library_ask(set);
    request.algorithm = algorithm != NULL ? algorithm : good;
    request.strict = true;
    return request;
}

static void expect(const struct roundcast_error *error, int code, const char *part)
{
    if (error->code != code || strstr(error->text, part) == NULL)
        fail_msg("E%d %s; expected E%d with '%s'", error->code, error->text, code, part);
}

static void faults_are_found_before_a_run(void **unused)
{
    (void)unused;
    for (size_t which = 0; which < sizeof wrong / sizeof *wrong; which++) {
        struct roundcast_error error = {0};
        const struct roundcast_request request = ask(wrong[which].algorithm, wrong[which].set);
        const bool runs = strcmp(request.engine, "none") != 0;
        assert_false(roundcast_check(&request, &error));
        expect(&error, wrong[which].code, wrong[which].part);
        error = (struct roundcast_error){0};
        if (runs)
            assert_null(roundcast_compile(&request, &error));
        else
            assert_null(roundcast_unrun(&request, &error));
        expect(&error, wrong[which].code, wrong[which].part);
    }
}

/* Requests without a fault; a command is not run until its schedule is needed. */
static void requests_without_a_fault_are_accepted(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    for (unsigned which = 0; which < 6; which++) {
        struct roundcast_request request = ASK("engine", which % 2 == 0 ? "none" : "csim");
        request.algorithm = which < 2 ? "circulant" : which < 4 ? good : "|false";
        request.nodes = 4;
        request.packets = 1;
        if (!roundcast_check(&request, &error))
            fail_msg("request %u: %s", which, error.text);
    }
    struct roundcast_request request = ASK("engine", "none");
    request.algorithm = "|false";
    assert_null(roundcast_unrun(&request, &error));
    expect(&error, 501, "'false' failed; expected it to print a schedule");
    request.algorithm = command;
    struct roundcast_schedule *schedule = roundcast_unrun(&request, &error);
    assert_non_null(schedule);
    assert_int_equal(roundcast_schedule_describe(schedule).transfers, 3);
    roundcast_schedule_free(schedule);
    request.algorithm = broken;
    assert_null(roundcast_unrun(&request, &error));
    expect(&error, 302, "node 1");
    request.algorithm = good;
    request.strict = true; /* else the engine is not read */
    assert_null(roundcast_compile(&request, &error));
    expect(&error, 101, "engine: none runs nothing; expected an engine");
}

/* The outcomes of a batch, in the order of its requests. */
enum { RUNS = 4 };
struct outcomes {
    json_t *report[RUNS];
    int code[RUNS];
};

static bool keep(void *with, size_t which, const struct roundcast_outcome *outcome)
{
    struct outcomes *outcomes = with;
    assert_null(outcomes->report[which]);
    outcomes->code[which] = outcome->error.code;
    outcomes->report[which] = json_loadb(outcome->json, outcome->size, 0, NULL);
    assert_non_null(outcomes->report[which]);
    return true;
}

static json_int_t error_of(const json_t *report)
{
    return json_integer_value(json_object_get(json_object_get(report, "error"), "code"));
}

static void batches_have_runs_without_an_engine(void **unused)
{
    (void)unused;
    struct roundcast_request request[RUNS] = {
        ASK("engine", "none", "seed", "9"), ASK("engine", "none"), ASK("engine", "csim"),
        ASK("engine", "csim", "view", "/nowhere/at all.html")};
    struct roundcast_error error = {0};
    struct outcomes outcomes = {.code = {0}};
    request[0].algorithm = request[2].algorithm = request[3].algorithm = good;
    request[1].algorithm = broken;
    assert_true(roundcast_run_each(request, RUNS, 1, keep, &outcomes, &error));
    const json_t *report = outcomes.report[0];
    assert_int_equal(outcomes.code[0], 0);
    assert_true(json_is_true(json_object_get(report, "holds")));
    assert_string_equal(json_string_value(json_object_get(report, "engine")), "none");
    assert_int_equal(json_integer_value(json_object_get(report, "seed")), 9);
    assert_int_equal(json_integer_value(json_object_get(report, "rounds")), 2);
    assert_int_equal(json_integer_value(json_object_get(report, "bound")), 2);
    assert_true(json_is_null(json_object_get(report, "run_cycles")));
    assert_true(json_is_null(json_object_get(report, "error")));
    assert_int_equal(outcomes.code[1], 302);
    assert_int_equal(error_of(outcomes.report[1]), 302);
    assert_int_equal(outcomes.code[2], 0);
    assert_string_equal(json_string_value(json_object_get(outcomes.report[2], "engine")), "csim");
    assert_int_equal(outcomes.code[3], 202);
    assert_int_equal(error_of(outcomes.report[3]), 202);
    for (unsigned which = 0; which < RUNS; which++)
        json_decref(outcomes.report[which]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_found_before_a_run),
        cmocka_unit_test(requests_without_a_fault_are_accepted),
        cmocka_unit_test(batches_have_runs_without_an_engine),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
