/* SPDX-License-Identifier: Apache-2.0 */
/* test_err: codes, what the program exits with for them, and how they are printed.
 *
 * Exhaustive: all numbers of three digits. The exit status is worked out from the first digit as
 * docs/cli.md has it. Counter-cases: numbers that are no code, texts that are too long, no error to
 * fill.
 */
#include "sched/base/err.h"
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

static const int known[] = {
#define NUMBER(number, name, text) number,
    ERR_TABLE(NUMBER)
#undef NUMBER
};

static bool is_known(int number)
{
    bool found = false;
    for (size_t which = 0; which < sizeof known / sizeof *known; which++)
        found = found || known[which] == number;
    return found;
}

static void every_number(void **state)
{
    (void)state;
    static const int of_family[] = {0, 2, 2, 1, 2, 2, 1, 3, 2, 3};
    for (int number = 0; number < 1000; number++) {
        enum err_code code = (enum err_code)number;
        assert_int_equal(err_exit_status(code), of_family[number / 100]);
        assert_int_equal(strcmp(err_name(code), "?") != 0, is_known(number));
    }
}

static void print(const struct err *err, const char *expected)
{
    char text[700] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    err_print(to, err);
    fclose(to);
    assert_string_equal(text, expected);
}

static void as_they_are_printed(void **state)
{
    (void)state;
    struct err err = {.further = 3};
    assert_false(err_set(&err, ERR_ONE_PORT, "%s:%d: two", "b.sched", 14));
    print(&err, "roundcast: b.sched:14: two [E301 one-port]\n");
    err.further = 2;
    print(&err, "roundcast: b.sched:14: two [E301 one-port] (and 2 more)\n");
    assert_false(err_no_memory(&err, "%d nodes", 5));
    print(&err, "roundcast: no memory for 5 nodes; expected less of it, or a machine with more "
                "[E104 too-big]\n");
    assert_false(err_set(NULL, ERR_BUG, "nobody asks"));
    assert_false(err_no_memory(NULL, "nobody"));
}

static void cut_to_its_room(void **state)
{
    (void)state;
    char large[1000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    struct err err;
    assert_false(err_set(&err, ERR_BUG, "%s", large));
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(err.code, ERR_BUG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_number),
                                       cmocka_unit_test(as_they_are_printed),
                                       cmocka_unit_test(cut_to_its_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
