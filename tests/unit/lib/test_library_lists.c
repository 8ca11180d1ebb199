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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_apply)};
    return cmocka_run_group_tests(tests, write_list, remove_list);
}
