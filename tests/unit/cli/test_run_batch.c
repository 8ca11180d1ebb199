/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_batch: the result of a line of a batch without memory.
 *
 * A batch of one line, which runs on csim, and one of one line that cannot run. Each call of the
 * program that allocates fails in turn, alone, also in the process of the line. Whichever it is,
 * the batch ends with E104, or the line does, or its process is lost, or the result is there; and
 * all memory is freed. Counter-case: without a failure the line has its result.
 *
 * tags: no-memory
 */
#include "cli/run_batch.h"
#include "sched/base/err.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory_each.h"

#include <stdlib.h>
#include <string.h>

/* A batch, and what became of it in all runs. */
struct tried {
    struct batch batch;
    int code;      /* of the line, if nothing fails */
    unsigned kept; /* refused, because its result could not be kept */
    unsigned failed, finished;
};

static bool run(void *given, struct err *err)
{
    struct tried *tried = given;
    struct roundcast_error error;
    struct batch_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return err_no_memory(err, "a result");
    const bool ran = batch_run(&tried->batch, 1, result, &error);
    if (ran) {
        const int line = result->err != NULL ? result->err->code : 0;
        assert_true(line == tried->code || line == ERR_TOO_BIG || line == ERR_BUG);
        tried->failed += line != tried->code;
        tried->finished += line == tried->code;
    } else {
        tried->kept += strstr(error.text, "a report") != NULL;
        err_set(err, (enum err_code)error.code, "%s", error.text);
    }
    batch_free_results(result, 1);
    return ran;
}

/* Runs a batch of this line, then fails each call once. Without a failure the line has `code`. */
static struct tried fail_each(const char *algorithm, int code)
{
    struct roundcast_error error;
    struct roundcast_request request;
    struct err err = {0};
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error));
    request.algorithm = algorithm;
    request.nodes = 4;
    request.packets = 2;
    request.engine = "csim";
    struct tried tried = {.batch = {.name = "a.batch", .count = 1, .request = &request},
                          .code = code};
    assert_true(run(&tried, &err));
    assert_int_equal(tried.finished, 1);
    assert_true(no_memory_each(run, &tried) > 0);
    return tried;
}

static void a_report_has_no_memory(void **state)
{
    (void)state;
    const struct tried tried = fail_each("path", ROUNDCAST_E_NONE);
    assert_true(tried.kept > 0);
    assert_true(tried.failed > 0);
}

static void an_error_has_no_memory(void **state)
{
    (void)state;
    assert_true(fail_each("no-such", ROUNDCAST_E_ALGORITHM).kept > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_has_no_memory),
        cmocka_unit_test(an_error_has_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
