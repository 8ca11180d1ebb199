/* SPDX-License-Identifier: Apache-2.0 */
/* test_standard_output: a command succeeds only if its whole output was written.
 *
 * The program prints its help, which fills the buffer of standard output several times. One of the
 * writes fails, or all of them from one on: the command ends with E202, also if the writes after
 * the failure succeed, so that the last bytes are flushed and the cause is lost. Exhaustive in the
 * write that fails. Counter-case: no write fails.
 */
#define main program
#include "cli/main.c"
#undef main

#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#define BUFFER 256

/* Where standard output writes. */
struct sink {
    unsigned writes, first, last; /* writes first … last fail, from 1 */
};

static ssize_t write_sink(void *with, const char *bytes, size_t size)
{
    struct sink *sink = with;
    (void)bytes;
    sink->writes++;
    if (sink->writes < sink->first || sink->writes > sink->last)
        return (ssize_t)size;
    errno = ENOSPC;
    return 0;
}

/* Runs `roundcast help` with these failures. Returns its exit status; *error is what it prints on
 * standard error, which the caller frees. */
static int print(struct sink *sink, char **error)
{
    static char name[] = "roundcast", help[] = "help";
    char buffer[BUFFER], *words[] = {name, help, NULL};
    FILE *const out = stdout, *const err = stderr;
    size_t size;
    *error = NULL;
    stdout = fopencookie(sink, "w", (cookie_io_functions_t){.write = write_sink});
    stderr = open_memstream(error, &size);
    const bool opened = stdout != NULL && stderr != NULL;
    if (opened)
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    const int status = opened ? program(2, words) : -1;
    if (opened) {
        fclose(stdout);
        fclose(stderr);
    }
    stdout = out;
    stderr = err;
    assert_true(opened);
    return status;
}

static void test_each_write(void **state)
{
    (void)state;
    struct sink whole = {.first = 1, .last = 0};
    char *error;
    assert_int_equal(print(&whole, &error), 0);
    assert_string_equal(error, "");
    free(error);
    const unsigned writes = whole.writes;
    assert_true(writes > 3);
    for (unsigned first = 1; first <= writes; first++)
        for (unsigned all = 0; all < 2; all++) {
            struct sink sink = {.first = first, .last = all ? UINT_MAX : first};
            const int status = print(&sink, &error);
            /* if the last flush succeeds, the number of the failure is lost */
            static const char *const causes[] = {"No space left on device", "Input/output error"};
            bool expected = false;
            for (unsigned cause = 0; cause < 2; cause++) {
                char text[160];
                snprintf(text, sizeof text,
                         "roundcast: standard output: cannot write: %s; expected a file that can "
                         "be written [E202 write]\n",
                         causes[cause]);
                expected = expected || strcmp(error, text) == 0;
            }
            if (status != 2 || !expected)
                fail_msg("write %u of %u%s: exit %d, %s", first, writes, all ? " and later" : "",
                         status, error);
            free(error);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
