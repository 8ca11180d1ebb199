/* SPDX-License-Identifier: Apache-2.0 */
/* test_given_schedule: the name of a schedule that is given in place of an algorithm.
 *
 * State space: names with the patterns of each field, by name and by letter, with defaults and with
 * texts in braces that are no field. No file exists, so the message names the file that was looked
 * for. Counter-cases: a field that the name contains and the request does not give; a name that is
 * too long for its room, next to the longest one; demands that cannot be read.
 */
#include "sched/request/given_schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

#define ROOM 1024 /* of a name, with its 0 */

static void read_fails(struct request *request, const char *algorithm, enum err_code code,
                       const char *text)
{
    struct schedule schedule = {0};
    struct err err = {0};
    request->problem.algorithm = algorithm;
    assert_false(given_schedule_read(request, &schedule, &err));
    support_error(&err, code, text);
}

static void names_are_expanded(void **state)
{
    (void)state;
    struct request request = request_default();
    struct err err = {0};
    read_fails(&request, "./none-{n}", ERR_OPTION,
               "nodes is required, because ./none-{n} contains it");
    /* the source and the seed have the defaults 0 and 1 */
    read_fails(&request, "./none-{s}-{seed}-{source}.x", ERR_READ, "./none-0-1-0.x");
    support_true(field_set(&request, "nodes", "12", &err), &err);
    support_true(field_set(&request, "packets", "34", &err), &err);
    support_true(field_set(&request, "seed", "7", &err), &err);
    read_fails(&request, "./none-{n}-{nodes}-{m}-{packets}-{seed}.x", ERR_READ,
               "./none-12-12-34-34-7.x");
    /* names of the same length as a field's, and a brace that is not closed */
    read_fails(&request, "./none-{notes}-{k}-{}-{n", ERR_READ, "./none-{notes}-{k}-{}-{n");
}

static void long_names(void **state)
{
    (void)state;
    struct request request = request_default();
    char name[ROOM];
    memset(name, 'x', sizeof name - 1);
    memcpy(name, "./", 2);
    name[ROOM - 1] = '\0';
    read_fails(&request, name, ERR_RANGE, "is too long; expected at most 1022 bytes");
    name[ROOM - 2] = '\0';
    read_fails(&request, name, ERR_READ, "./xxx");
}

static void other_fields(void **state)
{
    (void)state;
    struct request request = request_default();
    struct err err = {0};
    support_true(field_set(&request, "demands", "./none.sched", &err), &err);
    read_fails(&request, "./other", ERR_READ, "none.sched");
    request = request_default();
    support_true(field_set(&request, "collective", "gather", &err), &err);
    read_fails(&request, "./other", ERR_OPTION,
               "collective cannot be used together with a schedule, ./other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_expanded),
                                       cmocka_unit_test(long_names),
                                       cmocka_unit_test(other_fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
