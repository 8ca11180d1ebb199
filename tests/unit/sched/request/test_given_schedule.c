/* SPDX-License-Identifier: Apache-2.0 */
/* test_given_schedule: the name of a schedule that is given in place of an algorithm.
 *
 * State space: names with the patterns of each field, by name and by letter, with defaults and with
 * texts in braces that are no field. No file exists, so the message names the file that was looked
 * for. Counter-cases: a field that the name contains and the request does not give; a name that is
 * too long for its room, next to the longest one; demands that cannot be read; rules of reading
 * that contradict each other, next to those that are accepted; a command that cannot be started.
 */
#include "sched/request/given_schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* Sets the fields of words[], name, value, name, …, which ends with NULL. */
static struct request ask(const char *const words[])
{
    struct request request = request_default();
    struct err err = {0};
    for (; *words != NULL; words += 2)
        support_true(field_set(&request, words[0], words[1], &err), &err);
    return request;
}

/* Rules by which the schedule is read are checked before its file is opened. */
static void rules(void **state)
{
    (void)state;
    static const struct {
        const char *set[5];
        enum err_code code;
        const char *message;
    } cases[] = {
        {{"torus", "4,4", "tree", "2,2"}, ERR_OPTION, "torus cannot be used together with tree"},
        {{"capacity", "1,2"}, ERR_OPTION, "capacity requires tree"},
        {{"torus", "4,1"}, ERR_RANGE, "torus: 1 nodes along dimension 2"},
        {{"model", "telephone", "lambda", "2"}, ERR_OPTION, "lambda: the model telephone has no λ"},
        {{"model", "telegraph", "ports", "2"}, ERR_OPTION, "ports: a number is for the models"},
        {{"tree", "2,2", "capacity", "1,2"}, ERR_READ, "./none"},
        {{"torus", "4,2"}, ERR_READ, "./none"},
        {{"model", "postal", "lambda", "2"}, ERR_READ, "./none"},
        {{"model", "telephone", "ports", "2"}, ERR_READ, "./none"},
        {{"dim", "2"}, ERR_READ, "./none"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct request request = ask(cases[k].set);
        read_fails(&request, "./none", cases[k].code, cases[k].message);
    }
}

/* The machine is checked before the schedule is read. */
static void machine(void **state)
{
    (void)state;
    static const struct {
        const char *set[5];
        enum err_code code;
        const char *message;
    } cases[] = {
        {{"reconfigure", "5us"}, ERR_OPTION, "clock is required with reconfigure"},
        {{"reconfigure", "5us", "clock", "100"}, ERR_READ, "./none"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct request request = ask(cases[k].set);
        struct compile_request compile;
        struct schedule schedule = {0};
        struct machine built;
        struct payload payload = {0};
        struct err err = {0};
        request.problem.algorithm = "./none";
        assert_false(given_schedule_machine(&request, &schedule, &compile, &built, &payload, &err));
        support_error(&err, cases[k].code, cases[k].message);
    }
}

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is, is_file;
    } cases[] = {{"path", false, true}, {"./path", true, true}, {"path.sched", true, true},
                 {"-", true, false},    {"|path", true, false}, {"--", false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(given_schedule_is(cases[k].name), cases[k].is);
        assert_int_equal(given_schedule_is_file(cases[k].name), cases[k].is_file);
    }
}

/* A command needs a pipe, and so two descriptors. */
static void commands(void **state)
{
    (void)state;
    struct rlimit before, none;
    struct request request = request_default();
    read_fails(&request, "|exit 3", ERR_TOOL, "'exit 3' failed; expected it to print a schedule");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = open("/dev/null", O_RDONLY);
    assert_true(next >= 0 && close(next) == 0);
    none = (struct rlimit){(rlim_t)next, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct schedule schedule = {0};
    struct err err = {0};
    request.problem.algorithm = "|true";
    const bool read = given_schedule_read(&request, &schedule, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(read);
    support_error(&err, ERR_TOOL, "algorithm: cannot run 'true': Too many open files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_expanded),
                                       cmocka_unit_test(long_names),
                                       cmocka_unit_test(other_fields),
                                       cmocka_unit_test(rules),
                                       cmocka_unit_test(machine),
                                       cmocka_unit_test(names),
                                       cmocka_unit_test(commands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
