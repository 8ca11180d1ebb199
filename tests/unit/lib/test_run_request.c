/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_request: the report of a request that runs in a process of its own (run_json.h).
 *
 * Requests with and without an engine, whose report goes to a file. Counter-cases: a file that
 * accepts no bytes, in which the run has held but its report is missing, so that the request fails;
 * a schedule that breaks a rule, whose error is the report.
 */
#include "lib/report/run_json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static struct request ask(enum run_engine engine)
{
    struct request request = request_default();
    struct err err = {0};
    request.problem.algorithm = "path";
    support_true(field_set(&request, "nodes", "3", &err), &err);
    support_true(field_set(&request, "packets", "2", &err), &err);
    request.run.engine = engine;
    return request;
}

static const enum run_engine engines[] = {RUN_NONE, RUN_CSIM};

static void reports_are_written(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        const struct request request = ask(engines[which]);
        struct err err = {0};
        char *text = NULL;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        assert_non_null(to);
        support_true(run_request(&request, NULL, to, &err), &err);
        assert_int_equal(fclose(to), 0);
        assert_non_null(strstr(text, "\"holds\": true"));
        assert_non_null(strstr(text, which == 0 ? "\"engine\": \"none\"" : "\"engine\": \"csim\""));
        /* 2 - 1 + 2 rounds: the second packet follows the first over two links */
        assert_non_null(strstr(text, "\"rounds\": 3,"));
        free(text);
    }
}

static void a_full_file_is_an_error(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        const struct request request = ask(engines[which]);
        struct err err = {0};
        FILE *full = fopen("/dev/full", "w");
        assert_non_null(full);
        setbuf(full, NULL);
        assert_false(run_request(&request, NULL, full, &err));
        support_error(&err, ERR_WRITE, "report: cannot write: No space left on device");
        fclose(full);
    }
}

static void an_error_is_the_report(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        struct request request = ask(engines[which]);
        struct err err = {0};
        char *text = NULL;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        assert_non_null(to);
        request.problem.source = 3;
        assert_false(run_request(&request, NULL, to, &err));
        assert_int_equal(fclose(to), 0);
        support_error(&err, ERR_RANGE, "source: 3 is out of range; expected 0 … 2");
        assert_non_null(strstr(text, "\"code\": 102"));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_are_written),
                                       cmocka_unit_test(a_full_file_is_an_error),
                                       cmocka_unit_test(an_error_is_the_report)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
