/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast without memory: each call that allocates fails once alone, and once together with
 * all calls after it.
 *
 * One program plans, compiles, unpacks and simulates on csim, one reads an image and judges its
 * schedule, one draws and certifies, one compares problems, and one plans broadcasts and follows
 * packets. Whichever allocation fails, the function that needs it returns NULL or false with E104
 * and its name, and all memory is freed; or the function does not need it, and the result is the
 * same. Exhaustive in the failing call.
 *
 * Counter-case: memory that is not freed is counted.
 *
 * tags: no-memory
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"

#include <omp.h>
#include <stdlib.h>

static bool see_row(void *with, const struct roundcast_plan_row *row)
{
    *(uint64_t *)with += row->end;
    return true;
}

static bool see_circuit(void *with, const struct roundcast_circuit *circuit)
{
    *(uint64_t *)with += circuit->sent;
    return true;
}

static bool see_setting(void *with, const struct roundcast_setting *setting)
{
    *(uint64_t *)with += setting->value;
    return true;
}

/* Computes one number from all results of a program; returns false if memory runs out. */
static bool simulate(uint64_t *sum, struct roundcast_error *error)
{
    struct roundcast_request request;
    struct roundcast_report report;
    struct roundcast_schedule *unpacked = NULL;
    *sum = 0;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, error);
    request.algorithm = "circulant";
    request.nodes = 5;
    request.packets = 2;
    request.engine = "csim";
    struct roundcast_image *image = roundcast_compile(&request, error);
    bool done = image != NULL && roundcast_plan(&request, see_row, sum, error) &&
                roundcast_each_circuit(image, see_circuit, sum, error) &&
                (unpacked = roundcast_unpack(image, error)) != NULL &&
                roundcast_simulate(image, &request, NULL, &report, error);
    if (done)
        *sum += report.run_cycles + roundcast_schedule_describe(unpacked).transfers;
    roundcast_schedule_free(unpacked);
    roundcast_image_free(image);
    return done;
}

/* The same of a program that reads an image and its schedule. */
static bool inspect(uint64_t *sum, struct roundcast_error *error)
{
    struct roundcast_request request;
    struct roundcast_plan_table plan = {0};
    struct roundcast_bound_table bounds = {0};
    struct roundcast_judgement judgement;
    struct roundcast_schedule *schedule = NULL;
    char *text = NULL;
    size_t size;
    *sum = 0;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, error);
    request.algorithm = "circulant";
    request.nodes = 5;
    request.packets = 2;
    struct roundcast_image *image = roundcast_compile(&request, error);
    bool done = image != NULL && roundcast_each_setting(image, see_setting, sum, error) &&
                roundcast_round_circuits(image, 2, see_circuit, sum, error) &&
                (schedule = roundcast_image_schedule(image, error)) != NULL &&
                (text = roundcast_write_text(schedule, &size, error)) != NULL &&
                roundcast_judge(schedule, &judgement, error) &&
                roundcast_plan_for(schedule, &request, &plan, error) &&
                roundcast_plan_add(schedule, "mine", &plan, error) &&
                roundcast_bounds(&request, NULL, &bounds, error);
    if (done)
        *sum += size + judgement.best_end + plan.count + bounds.count;
    roundcast_bound_table_free(&bounds);
    roundcast_plan_table_free(&plan);
    free(text);
    roundcast_schedule_free(schedule);
    roundcast_image_free(image);
    return done;
}

/* The same of a program that draws, and combines packets. */
static bool draw(uint64_t *sum, struct roundcast_error *error)
{
    static const struct roundcast_tree full = {
        "full", ROUNDCAST_TREE_NOT_GIVEN, 2, 4, ROUNDCAST_TREE_NOT_GIVEN, ROUNDCAST_TREE_NOT_GIVEN,
    };
    struct roundcast_request request;
    struct roundcast_combination combination;
    struct roundcast_drawing *tree = NULL, *packet = NULL, *meeting = NULL;
    *sum = 0;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, error);
    request.algorithm = "reduce";
    request.nodes = 5;
    request.packets = 2;
    struct roundcast_schedule *schedule = roundcast_build(&request, error), *met = NULL;
    request.algorithm = "torus-reduce"; /* on a ring the source receives two packets at once */
    request.nodes = 0;
    request.packets = 0;
    request.torus = "3";
    request.ports = "multi";
    bool done = schedule != NULL && roundcast_certify(schedule, &combination, error) &&
                (packet = roundcast_draw_packet(schedule, 1, 0, error)) != NULL &&
                (tree = roundcast_draw_tree(&full, error)) != NULL &&
                (met = roundcast_build(&request, error)) != NULL &&
                (meeting = roundcast_draw_packet(met, 1, 0, error)) != NULL;
    if (done)
        *sum = roundcast_drawing_describe(packet).nodes * UINT64_C(100) +
               roundcast_drawing_describe(tree).nodes * UINT64_C(10) +
               roundcast_drawing_describe(meeting).nodes;
    roundcast_drawing_free(meeting);
    roundcast_schedule_free(met);
    roundcast_drawing_free(packet);
    roundcast_drawing_free(tree);
    roundcast_schedule_free(schedule);
    return done;
}

/* The same of a program that compares problems: broadcasts in a hypercube, which have sources. */
static bool compare(uint64_t *sum, struct roundcast_error *error)
{
    struct roundcast_request request;
    struct roundcast_plan_table plan = {0};
    struct roundcast_judgement judgement;
    *sum = 0;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, error);
    request.algorithm = "cube-ranked";
    request.dim = 2;
    request.sources = "0,3";
    struct roundcast_schedule *schedule = roundcast_build(&request, error);
    request.algorithm = NULL;
    bool done = schedule != NULL && roundcast_solves(schedule, &request, error) &&
                roundcast_solves_as(schedule, schedule, error) &&
                roundcast_judge(schedule, &judgement, error) &&
                roundcast_plan_for(schedule, &request, &plan, error) &&
                roundcast_plan_add(schedule, "mine", &plan, error);
    if (done)
        *sum = judgement.best_end * UINT64_C(100) + plan.count;
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(schedule);
    return done;
}

/* The same of a program that plans broadcasts from given sources, and follows the packets in
 * memories that endpoints share. */
static bool follow(uint64_t *sum, struct roundcast_error *error)
{
    static const char sources[] = "roundcast-schedule 1\nalgorithm by hand\n"
                                  "topology hypercube 2\nmodel all-port\ndemand 1 0 *\n"
                                  "demand 2 3 *\nround 1\n0 1 1\n0 2 1\n3 1 2\n3 2 2\n"
                                  "round 2\n1 3 1\n1 0 2\nend 2\n";
    /* node 0 shares its memory with node 1, and node 2 with node 3 */
    static const char shared[] = "roundcast-schedule 1\nalgorithm by hand\n"
                                 "topology complete 4 shared 2\nmodel send-receive\n"
                                 "demand 1 0 0,2\nround 1\n1 3 1\nend 1\n";
    struct roundcast_request request;
    struct roundcast_plan_table plan = {0};
    struct roundcast_schedule *schedule = NULL, *sharing = NULL;
    struct roundcast_image *image = NULL;
    *sum = 0;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, error);
    bool done =
        (sharing = roundcast_read_text("shared", shared, sizeof shared - 1, error)) != NULL &&
        (image = roundcast_route(sharing, &request, error)) != NULL &&
        roundcast_round_circuits(image, 1, see_circuit, sum, error) &&
        (schedule = roundcast_read_text("sources", sources, sizeof sources - 1, error)) != NULL &&
        roundcast_plan_for(schedule, &request, &plan, error) &&
        roundcast_plan_add(schedule, "mine", &plan, error);
    if (done)
        *sum += plan.count * UINT64_C(100);
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(schedule);
    roundcast_image_free(image);
    roundcast_schedule_free(sharing);
    return done;
}

/* Fails each allocation of a program in turn. */
static void fail_each(bool (*use)(uint64_t *sum, struct roundcast_error *error))
{
    struct roundcast_error error = {0};
    uint64_t whole, sum, failed = 0;
    int64_t left;
    omp_set_num_threads(1);
    assert_true(use(&whole, &error)); /* allocates what the C library keeps for itself */
    no_memory_begin(0, false);
    assert_true(use(&sum, &error));
    const uint64_t calls = no_memory_end(&left);
    assert_int_equal(sum, whole);
    assert_int_equal(left, 0);
    assert_true(calls > 50);
    for (uint64_t call = 1; call <= calls; call++)
        for (int on = 0; on < 2; on++) {
            error = (struct roundcast_error){0};
            no_memory_begin(call, on);
            bool done = use(&sum, &error);
            no_memory_end(&left);
            if (left != 0 || (done ? sum != whole : error.code != 104))
                fail_msg("call %lu: %ld pieces left, E%d %s", (unsigned long)call, (long)left,
                         error.code, error.text);
            failed += !done;
        }
    assert_true(failed > calls);
}

static void each_allocation_may_fail(void **unused)
{
    (void)unused;
    fail_each(simulate);
    fail_each(inspect);
    fail_each(draw);
    fail_each(compare);
    fail_each(follow);
}

/* Without memory a schedule solves no problem of traffic. */
static void problems_are_not_solved(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request;
    int64_t left;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error);
    request.algorithm = "traffic";
    request.nodes = 4;
    request.pattern = "uniform:5";
    struct roundcast_schedule *schedule = roundcast_build(&request, &error);
    assert_non_null(schedule);
    no_memory_begin(0, false);
    assert_true(roundcast_solves(schedule, &request, &error));
    const uint64_t calls = no_memory_end(&left);
    assert_int_equal(left, 0);
    assert_true(calls > 3);
    for (uint64_t call = 1; call <= calls; call++) {
        no_memory_begin(call, true);
        const bool solves = roundcast_solves(schedule, &request, &error);
        no_memory_end(&left);
        assert_false(solves);
        assert_int_equal(error.code, 104);
        assert_int_equal(left, 0);
    }
    roundcast_schedule_free(schedule);
}

static void what_is_kept_is_counted(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request;
    int64_t left;
    roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error);
    request.algorithm = "path";
    request.nodes = 3;
    request.packets = 1;
    no_memory_begin(0, false);
    struct roundcast_schedule *schedule = roundcast_build(&request, &error);
    no_memory_end(&left);
    assert_non_null(schedule);
    assert_true(left > 0);
    roundcast_schedule_free(schedule);
}

int main(void)
{
    no_memory_prepare();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(problems_are_not_solved),
        cmocka_unit_test(what_is_kept_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
