/* SPDX-License-Identifier: Apache-2.0 */
/* test_library_lists: lists of transfers, read by the rules of a request.
 *
 * A list of a ring of 4 nodes, written by hand, is a schedule of a torus, but of no mesh, and of
 * the postal model only with λ. Without rules it is one of a complete graph.
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/roundcast-list-XXXXXX";

static int write_list(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    FILE *to = file < 0 ? NULL : fdopen(file, "w");
    return to != NULL && fputs("round,src,dst,packet\n1,0,3,a\n2,0,1,a\n3,1,2,a\n", to) >= 0 &&
                   fclose(to) == 0
               ? 0
               : -1;
}

static int remove_list(void **state)
{
    (void)state;
    return unlink(path);
}

/* Returns the model of the list under the rules that are set, or the code of the error. */
static const char *model_of(const char *const set[], int *code)
{
    static char model[40];
    struct roundcast_request rules = library_ask(set);
    struct roundcast_error error = {0};
    const struct roundcast_reading reading = {.rules = &rules};
    struct roundcast_schedule *schedule = roundcast_load(path, &reading, NULL, &error);
    *code = error.code;
    if (schedule == NULL)
        return NULL;
    snprintf(model, sizeof model, "%s", roundcast_schedule_describe(schedule).model);
    roundcast_schedule_free(schedule);
    return model;
}

static void rules_apply(void **state)
{
    (void)state;
    int code = 0;
    assert_string_equal(model_of((const char *const[]){NULL}, &code), "send-receive");
    assert_string_equal(model_of((const char *const[]){"torus", "4", NULL}, &code),
                        "torus-multiport");
    assert_string_equal(
        model_of((const char *const[]){"torus", "4", "ports", "single", NULL}, &code),
        "torus-single-port");
    assert_string_equal(model_of((const char *const[]){"lambda", "3/2", NULL}, &code), "postal");
    assert_null(model_of((const char *const[]){"mesh", "4", NULL}, &code));
    assert_int_equal(code, 211);
    assert_null(model_of((const char *const[]){"model", "postal", NULL}, &code));
    assert_int_equal(code, 101);
    assert_null(model_of((const char *const[]){"torus", "4", "ports", "2", NULL}, &code));
    assert_int_equal(code, 101);
}

/* The list is a broadcast of a packet from node 0 to 4 nodes; λ is written in another way. */
static void problems_are_compared(void **state)
{
    (void)state;
    static const struct {
        const char *set[12];
        bool solved;
    } cases[] = {
        {{"nodes", "4", "packets", "1", "lambda", "1.5", NULL}, true},
        {{"nodes", "4", "packets", "1", "lambda", "6/4", NULL}, true},
        {{"nodes", "4", "packets", "1", "lambda", "1.6", NULL}, false},
        {{"nodes", "4", "packets", "1", NULL}, false},
        {{"nodes", "5", "packets", "1", "lambda", "1.5", NULL}, false},
        {{"nodes", "4", "packets", "2", "lambda", "1.5", NULL}, false},
        {{"nodes", "4", "packets", "1", "source", "1", "lambda", "1.5", NULL}, false},
        {{"nodes", "4", "packets", "1", "ports", "2", "lambda", "1.5", NULL}, false},
        {{"torus", "4", "packets", "1", "lambda", "1.5", NULL}, false},
        {{"nodes", "4", "packets", "1", "collective", "scatter", "lambda", "1.5", NULL}, false}};
    struct roundcast_request rules = library_ask((const char *const[]){"lambda", "3/2", NULL});
    struct roundcast_error error = {0};
    const struct roundcast_reading reading = {.rules = &rules};
    struct roundcast_schedule *schedule = roundcast_load(path, &reading, NULL, &error);
    assert_non_null(schedule);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct roundcast_request request = library_ask(cases[k].set);
        assert_int_equal(roundcast_solves(schedule, &request, &error), cases[k].solved);
    }
    roundcast_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_apply),
                                       cmocka_unit_test(problems_are_compared)};
    return cmocka_run_group_tests(tests, write_list, remove_list);
}
