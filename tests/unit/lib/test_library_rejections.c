/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: what its functions reject, and what a visitor that stops leaves out.
 *
 * State space: every function that reads a request, with a request of another version; every kind
 * of name, number and file, one value beyond the valid ones. Each is rejected with the code of its
 * header file, and the message names the value. Counter-case: the same call without the fault
 * succeeds. test_library_supported has schedules and images that a function does not support.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- requests -------------------------------------------------------------------------------- */

static bool stop_row(void *with, const struct roundcast_plan_row *row)
{
    (void)row;
    ++*(unsigned *)with;
    return false;
}

static bool keep_code(void *with, size_t which, const struct roundcast_outcome *outcome)
{
    ((int *)with)[which] = outcome->error.code;
    return true;
}

static bool stop_outcome(void *with, size_t which, const struct roundcast_outcome *outcome)
{
    (void)which, (void)outcome;
    ++*(unsigned *)with;
    return false;
}

static void other_versions_are_rejected(void **unused)
{
    (void)unused;
    struct roundcast_request request = ASK("n", "8", "m", "2", "algorithm", "circulant");
    struct roundcast_schedule *schedule = library_build(request);
    struct roundcast_error error = {0};
    struct roundcast_bound_table bounds;
    struct roundcast_plan_table plan;
    struct roundcast_tune_table tuning;
    const struct roundcast_plot plot = {.version = ROUNDCAST_PLOT_VERSION, .name = "plan"};
    const struct roundcast_time time = {7, 1};
    const struct roundcast_reading reading = {.rules = &request};
    uint64_t end;
    unsigned outcomes = 0;
    int code[4] = {0};
    static const char message[] = "version: 99; expected ";
    assert_true(roundcast_solves(schedule, &request, &error));
    request.version = 99;
    assert_false(roundcast_solves(schedule, &request, &error));
    library_rejects(roundcast_build(&request, &error) != NULL, &error, 102, message);
    library_rejects(roundcast_compile(&request, &error) != NULL, &error, 102, message);
    library_rejects(roundcast_route(schedule, &request, &error) != NULL, &error, 102, message);
    library_rejects(roundcast_unrun(&request, &error) != NULL, &error, 102, message);
    library_rejects(roundcast_check(&request, &error), &error, 102, message);
    library_rejects(roundcast_check_run(&request, &error), &error, 102, message);
    library_rejects(roundcast_check_machine(&request, &error), &error, 102, message);
    library_rejects(roundcast_bound(&request, &end, &error), &error, 102, message);
    library_rejects(roundcast_bounds(&request, NULL, &bounds, &error), &error, 102, message);
    library_rejects(roundcast_plan_all(&request, &plan, &error), &error, 102, message);
    library_rejects(roundcast_plan_for(schedule, &request, &plan, &error), &error, 102, message);
    library_rejects(roundcast_tune_all(&request, 100, &tuning, &error), &error, 102, message);
    library_rejects(roundcast_chart_new(&request, &plot, &error) != NULL, &error, 102, message);
    library_rejects(roundcast_load("-", &reading, NULL, &error) != NULL, &error, 102, message);
    request.nodes = request.packets = 0;
    library_rejects(roundcast_bounds(&request, &time, &bounds, &error), &error, 102, message);
    const struct roundcast_request several[] = {request, request, request, request};
    assert_true(roundcast_run_each(several, 4, 1, keep_code, code, &error));
    for (unsigned which = 0; which < 4; which++)
        assert_int_equal(code[which], 102);
    assert_true(roundcast_run_each(several, 4, 1, stop_outcome, &outcomes, &error));
    assert_int_equal(outcomes, 1);
    roundcast_schedule_free(schedule);
}

static void names_are_known_or_rejected(void **unused)
{
    (void)unused;
    struct roundcast_request request = ASK("n", "8");
    struct roundcast_error error = {0};
    struct roundcast_plan_table plan;
    struct roundcast_tune_table tuning;
    library_rejects(roundcast_set(&request, "", "1", &error), &error, 101, "");
    library_rejects(roundcast_set(&request, "node", "1", &error), &error, 101, "node");
    library_rejects(
        roundcast_load("-", &(struct roundcast_reading){.model = "postcard"}, NULL, &error) != NULL,
        &error, 103, "model: 'postcard' does not exist");
    request = ASK("sources", "1");
    library_rejects(
        roundcast_load("-", &(struct roundcast_reading){.rules = &request}, NULL, &error) != NULL,
        &error, 101, "sources requires dim");
    request = ASK("n", "8");
    library_rejects(roundcast_load("-", &(struct roundcast_reading){.collective = "cast"}, NULL,
                                   &error) != NULL,
                    &error, 103, "collective: 'cast' does not exist");
    library_rejects(
        roundcast_load("-", &(struct roundcast_reading){.format = "mscl"}, NULL, &error) != NULL,
        &error, 101, "mscl: no such format");

    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "circulant", "n", "8", "m", "2"));
    request = ASK("model", "all-port");
    library_rejects(roundcast_plan_for(schedule, &request, &plan, &error), &error, 103, "all-port");
    request = ASK("degree", "2", "model", "telephone");
    library_rejects(roundcast_plan_for(schedule, &request, &plan, &error), &error, 101,
                    "degree: no algorithm that applies has a degree");
    const struct roundcast_export how = {"mscl", 1, 0};
    library_rejects(roundcast_export(schedule, &how, "-", &error), &error, 101,
                    "mscl: no such format");
    roundcast_schedule_free(schedule);

    request = ASK("n", "16777216", "ports", "2");
    library_rejects(roundcast_tune_all(&request, 100, &tuning, &error), &error, 102,
                    "ports: 33554432 in all; expected at most 16777216");
    request = ASK("n", "4", "pattern", "uniform:9", "ports", "2");
    library_rejects(roundcast_tune_all(&request, 0, &tuning, &error), &error, 101,
                    "ports: tune measures traffic over one port of a node");
}

/* The ports single and multi name models, too, so that only the last of both fields is kept. */
static void the_last_model_is_kept(void **unused)
{
    (void)unused;
    struct roundcast_request request = ASK("torus", "4", "model", "torus-multiport");
    struct roundcast_error error = {0};
    assert_true(roundcast_set(&request, "ports", "single", &error));
    assert_null(request.model);
    assert_string_equal(request.ports, "single");
    assert_true(roundcast_set(&request, "model", "torus-multiport", &error));
    assert_null(request.ports);
    assert_string_equal(request.model, "torus-multiport");
    assert_true(roundcast_set(&request, "ports", "multi", &error));
    assert_null(request.model);
    assert_true(roundcast_set(&request, "model", "torus-single-port", &error));
    assert_null(request.ports);
    request = ASK("n", "4", "ports", "2");
    assert_true(roundcast_set(&request, "model", "telephone", &error));
    assert_string_equal(request.ports, "2"); /* a number names no model */

    /* wrong texts that were stored in the member name none either, and are rejected later */
    static const char *const wrong[][2] = {{"-2", "ports: '-2' does not exist"},
                                           {"many", "ports: 'many' does not exist"}};
    for (unsigned which = 0; which < 2; which++) {
        request = ASK("algorithm", "path", "n", "4", "m", "1");
        request.ports = wrong[which][0];
        assert_true(roundcast_set(&request, "model", "telephone", &error));
        library_rejects(roundcast_build(&request, &error) != NULL, &error, 101, wrong[which][1]);
    }
}

/* --- visitors -------------------------------------------------------------------------------- */

static bool stop_tune(void *with, const struct roundcast_tune_row *row)
{
    (void)row;
    ++*(unsigned *)with;
    return false;
}

static bool stop_table(void *with, const struct roundcast_table *table)
{
    (void)table;
    ++*(unsigned *)with;
    return false;
}

static bool stop_level(void *with, const struct roundcast_level *level)
{
    assert_int_equal(level->level, 1);
    ++*(unsigned *)with;
    return false;
}

static bool stop_queue(void *with, const struct roundcast_queue *queue)
{
    assert_int_equal(queue->level, 1);
    ++*(unsigned *)with;
    return false;
}

static bool stop_engine(void *with, const struct roundcast_engine *engine)
{
    assert_string_equal(engine->state, "unfinished");
    ++*(unsigned *)with;
    return false;
}

/* Creates a folder of the cache of engines, which has no engine yet. */
static void make_engine(const char *name)
{
    char path[100], whole[120];
    mkdir(library_path("roundcast", path), 0777);
    mkdir(library_path("roundcast/0123456789abcdef", path), 0777);
    snprintf(whole, sizeof whole, "%s/%s", path, name);
    assert_int_equal(mkdir(whole, 0777), 0);
}

/* Each of these has more than one item to visit. */
static void visitors_stop(void **unused)
{
    (void)unused;
    struct roundcast_request request = ASK("n", "8", "m", "2", "algorithm", "circulant");
    struct roundcast_error error = {0};
    unsigned seen = 0;
    struct roundcast_image *image = library_compile(&request);
    assert_true(roundcast_plan(&request, stop_row, &seen, &error));
    assert_true(roundcast_each_table(image, stop_table, &seen, &error));
    roundcast_image_free(image);
    request = ASK("n", "8");
    assert_true(roundcast_tune(&request, 100, stop_tune, &seen, &error));
    assert_int_equal(seen, 3);

    request = ASK("algorithm", "tree-broadcast", "tree", "2,2", "ports", "multi");
    struct roundcast_schedule *schedule = library_build(request);
    image = library_compile(&request);
    assert_true(roundcast_each_level(image, stop_level, &seen, &error));
    assert_true(roundcast_each_queue(schedule, stop_queue, &seen, &error));
    assert_int_equal(seen, 5);
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);

    setenv("XDG_CACHE_HOME", library_folder, 1);
    make_engine("rtl-one");
    make_engine("rtl-two");
    assert_true(roundcast_engine_each(stop_engine, &seen, &error));
    assert_int_equal(seen, 6);
}

/* --- drawings and engines --------------------------------------------------------------------- */

static void drawings_need_a_tree_and_a_packet(void **unused)
{
    (void)unused;
    const uint32_t none = ROUNDCAST_TREE_NOT_GIVEN;
    const struct roundcast_tree unknown = {"fuller", none, 2, 4, none, none},
                                nothing = {NULL, none, none, none, none, none};
    struct roundcast_error error = {0};
    library_rejects(roundcast_tree_check(&unknown, &error), &error, 101,
                    "tree: 'fuller' does not exist");
    library_rejects(roundcast_draw_tree(&unknown, &error) != NULL, &error, 101,
                    "tree: 'fuller' does not exist");
    library_rejects(roundcast_draw_tree(&nothing, &error) != NULL, &error, 101,
                    "tree is required; expected the kind of tree");
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "binomial", "n", "4", "m", "2"));
    library_rejects(roundcast_draw_packet(schedule, 0, 0, &error) != NULL, &error, 102,
                    "packet: 0 is out of range; expected 1 … 2");
    struct roundcast_drawing *drawing = roundcast_draw_packet(schedule, 1, 0, &error);
    assert_non_null(drawing);
    library_rejects(roundcast_drawing_write(drawing, "dot", "/nowhere/at all", &error), &error, 202,
                    "/nowhere/at all");
    roundcast_drawing_free(drawing);
    roundcast_schedule_free(schedule);
    schedule = library_read("roundcast-schedule 1\nalgorithm hand\ntopology complete 4\n"
                            "model send-receive\nend 0\n");
    library_rejects(roundcast_draw_packet(schedule, 1, 0, &error) != NULL, &error, 102,
                    "hand: has no packet; expected one to draw");
    roundcast_schedule_free(schedule);
}

/* Without a program of their own, the ranks run one that is found like mpirun. */
static void mpi_needs_mpirun(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_mpi_options options;
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "binomial", "n", "2", "m", "1"));
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("PATH", library_folder, 1); /* it has no mpirun */
    roundcast_mpi_init(&options);
    assert_null(options.program);
    library_rejects(roundcast_json_mpi(schedule, &options, &error) != NULL, &error, 501,
                    "expected Open MPI (the package openmpi-bin)");
    options.program = "/nowhere/at all";
    library_rejects(roundcast_json_mpi(schedule, &options, &error) != NULL, &error, 501,
                    "no /nowhere/at all; expected the program of the ranks");
    roundcast_schedule_free(schedule);
}

static void engines_have_options(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    char name[ROUNDCAST_ENGINE_NAME];
    const char *const none[] = {"no such folder"};
    struct roundcast_engine_options options = {.version = ROUNDCAST_ENGINE_VERSION + 1};
    library_rejects(roundcast_engine_build(none, 1, &options, &error), &error, 102, "version: 2");
    library_rejects(roundcast_engine_name(none[0], &options, name, &error), &error, 102,
                    "version: 2");
    options = (struct roundcast_engine_options){.version = ROUNDCAST_ENGINE_VERSION,
                                                .jobs = ROUNDCAST_ENGINE_MAX_JOBS + 1};
    library_rejects(roundcast_engine_build(none, 1, &options, &error), &error, 102,
                    "jobs: 257 is out of range; expected 1 … 256");
    options.jobs = ROUNDCAST_ENGINE_MAX_JOBS;
    assert_true(roundcast_engine_build(NULL, 0, &options, &error)); /* nothing to build */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_versions_are_rejected),
        cmocka_unit_test(names_are_known_or_rejected),
        cmocka_unit_test(the_last_model_is_kept),
        cmocka_unit_test(visitors_stop),
        cmocka_unit_test(drawings_need_a_tree_and_a_packet),
        cmocka_unit_test(engines_have_options),
        cmocka_unit_test(mpi_needs_mpirun), /* last, because no tool is found after it */
    };
    return cmocka_run_group_tests(tests, library_folder_make, library_folder_remove);
}
