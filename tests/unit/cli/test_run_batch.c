/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_batch: the result of a line of a batch without memory.
 *
 * A batch of one line, which runs on csim, and one of one line that cannot run. Each call that
 * allocates fails in turn, alone, in the program or in the process of the line. Whichever it is,
 * the batch ends with E104, or the line does, or the result is there; and all memory is freed.
 * Counter-case: the call after the last one fails nothing.
 *
 * tags: no-memory
 */
#include "cli/run_batch.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define LOST 901 /* a process ended without a report */

struct seen {
    unsigned refused, reports, failed;
    unsigned kept; /* refused, because a result could not be kept */
};

/* Fails each call once in a batch of this line. Without a failure the line ends with `code`. */
static struct seen fail_each(const char *algorithm, int code)
{
    struct seen seen = {0};
    struct roundcast_error error;
    struct roundcast_request request;
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error));
    request.algorithm = algorithm;
    request.nodes = 4;
    request.packets = 2;
    request.engine = "csim";
    const struct batch batch = {.name = "a.batch", .count = 1, .request = &request};
    for (uint64_t number = 1;; number++) {
        int64_t left;
        running("%s, call %u", algorithm, (unsigned)number);
        error = (struct roundcast_error){0};
        no_memory_begin(number, false);
        struct batch_result *result = calloc(1, sizeof *result); /* the first call */
        const bool ran = result != NULL && batch_run(&batch, 1, result, &error);
        const int line = ran && result->err != NULL ? result->err->code : 0;
        const bool reported = ran && result->report != NULL;
        if (result != NULL)
            batch_free_results(result, 1);
        const uint64_t calls = no_memory_end(&left);
        assert_int_equal(left, 0);
        if (!ran && number > 1) {
            assert_int_equal(error.code, ROUNDCAST_E_TOO_BIG);
            seen.refused++;
            seen.kept += strstr(error.text, "a report") != NULL;
        } else if (ran) {
            assert_true(line == code || line == ROUNDCAST_E_TOO_BIG || line == LOST);
            seen.reports += reported;
            seen.failed += line != code;
        }
        /* The process of the line counts on from the calls before its start. */
        if (calls < number && line == code) {
            assert_true(ran);
            return seen;
        }
    }
}

static void a_report_has_no_memory(void **state)
{
    (void)state;
    const struct seen seen = fail_each("path", ROUNDCAST_E_NONE);
    assert_true(seen.kept > 0);
    assert_true(seen.failed > 0);
    assert_true(seen.reports > 0);
}

static void an_error_has_no_memory(void **state)
{
    (void)state;
    const struct seen seen = fail_each("no-such", ROUNDCAST_E_ALGORITHM);
    assert_true(seen.kept > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_has_no_memory),
        cmocka_unit_test(an_error_has_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
