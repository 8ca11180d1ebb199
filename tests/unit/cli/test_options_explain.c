/* SPDX-License-Identifier: Apache-2.0 */
/* test_options_explain: which option a message blames, when argp refuses a command line.
 *
 * argp reports that it rejects an option, but not which. Command lines with one mistake, at each
 * place: alone, before and after right options, as a letter within a word, as the value of
 * another option. Each message must name the mistake. Counter-case: command lines that are right so
 * far blame nothing.
 */
#include "cli/command.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"run circulant -v --engine csim", "-v: no such option"},
        {"run -v circulant -n 4 --engine csim", "-v: no such option"},
        {"run circulant -n 4 -m 2 -v", "-v: no such option"},
        {"run -v", "-v: no such option"},
        {"run circulant -n 4 -v --engine", "-v: no such option"},
        {"run circulant -vn 4 --engine csim", "-v: no such option"},
        {"run circulant -xh --engine csim", "-x: no such option"},
        {"run circulant -hx --engine csim", "-x: no such option"},
        {"run circulant -hxn 4 --engine csim", "-x: no such option"},
        {"run circulant -v=3 --engine csim", "-v: no such option"},
        {"run circulant --engine csim -n", "-n: no value; expected N"},
        {"run circulant --engine csim -hn", "-n: no value; expected N"},
        {"run circulant -n 4 --engine", "--engine: no value; expected ENGINE"},
        {"run circulant --json=3 -n 4", "--json=3: takes no value; expected --json alone"},
        {"run circulant -n 4 --verbose --engine csim", "--verbose: no such option"},
        {"run circulant --verbose=2 --engine csim", "--verbose=2: no such option"},
        {"run circulant -n 4 --pa -m 2", "--pa: several options begin so"},
        {"run circulant --engin csim --frob", "--frob: no such option"},
        {"run circulant --engine=csim -x", "-x: no such option"},
        {"run circulant -n4 -m2 -x", "-x: no such option"},
        /* words that look like options are values where a value is due */
        {"run circulant --engine -v -n 4", "--engine: '-v' does not exist"},
        {"run circulant -n -v -m 2", "-n: '-v' is not a number"},
        {"run circulant --payload -v -x", "-x: no such option"},
        {"run circulant -n 4 - -x", "-x: no such option"},
        {"run circulant -n 4 -- -x", "-x: one algorithm too many"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err;
        assert_false(support_run_command(&command_run, cases[k].line, &err));
        support_error(&err, ERR_OPTION, cases[k].message);
    }
}

/* What is right so far: the commands complain of what is missing, not of an option. */
static void no_mistakes(void **state)
{
    (void)state;
    static const char *const lines[] = {"run circulant", "run circulant --engin csim -m2",
                                        "run circulant -m2 --engine=csim --"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        struct err err;
        assert_false(support_run_command(&command_run, lines[k], &err));
        support_error(&err, ERR_OPTION, "-n: not given; expected the number of nodes");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes), cmocka_unit_test(no_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
