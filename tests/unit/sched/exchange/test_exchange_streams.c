/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_streams: files that cannot be written or read.
 *
 * Every writer of a text that is listed here writes to a stream without a buffer. If the stream
 * accepts nothing, writing reports E202, and a writer stops at the unit of its format in which the
 * stream failed: it makes fewer than half the writes that the whole file takes, because each
 * schedule has more than four such units. A stream that accepts any smaller number of writes than
 * the whole file takes is reported, too. Counter-case: a stream that accepts all bytes has no
 * error. A reader of SCCL reports a stream that cannot be read. A schedule without rounds, which
 * has one node, is written to traces as their head alone.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A stream: the number of writes that it accepts, and that of writes to it. */
struct stream {
    unsigned accepts, writes;
};

static ssize_t write_bytes(void *with, const char *bytes, size_t size)
{
    struct stream *stream = with;
    (void)bytes;
    if (stream->writes++ < stream->accepts)
        return (ssize_t)size;
    errno = ENOSPC;
    return 0;
}

/* Writes a schedule to a stream. Returns whether it was written. */
static bool write_to(struct stream *stream, const char *name, const struct schedule *schedule,
                     struct err *err)
{
    const struct exchange_options options = {.bytes = 1};
    const struct exchange_format *format = exchange_find(name, true, err);
    FILE *to = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes});
    assert_true(format != NULL && to != NULL);
    assert_int_equal(setvbuf(to, NULL, _IONBF, 0), 0);
    bool written = exchange_write(format, to, "file", schedule, &options, err);
    fclose(to);
    return written;
}

static void test_full(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        struct exchange_lab_asked asked;
    } cases[] = {
        {"booksim-anynet", {"matching", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"booksim-trace", {"matching", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"ion", {"matching", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"mpi-c", {"reduce", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"noxim", {"matching", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"sonic-ocs", {"matching", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"taprio", {"matching", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        struct stream whole = {.accepts = UINT_MAX}, full = {.accepts = 0};
        struct err err = {0};
        running("%s", cases[which].format);
        exchange_lab_build(&cases[which].asked, &schedule);
        support_true(write_to(&whole, cases[which].format, &schedule, &err), &err);
        assert_false(write_to(&full, cases[which].format, &schedule, &err));
        support_error(&err, ERR_WRITE, "file: cannot write: ");
        print_message("%u of %u writes\n", full.writes, whole.writes);
        assert_true(full.writes >= 1);
        assert_true(2 * full.writes < whole.writes);
        for (unsigned accepted = 1; accepted < whole.writes; accepted++) {
            struct stream fills = {.accepts = accepted};
            assert_false(write_to(&fills, cases[which].format, &schedule, &err));
            support_error(&err, ERR_WRITE, "file: cannot write: ");
            assert_true(fills.writes > accepted && fills.writes <= whole.writes);
        }
        schedule_free(&schedule);
    }
}

/* A folder opens as a file, but its bytes cannot be read. */
static void test_unreadable(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    FILE *from = fopen("/", "r");
    assert_non_null(from);
    assert_false(exchange_read(&exchange_sccl, from, "file", MODEL_SEND_RECEIVE, &schedule, &err));
    support_error(&err, ERR_READ, "file: cannot read: Is a directory");
    fclose(from);
}

/* A packet of 8 bytes is 2 flits of 4 bytes in Noxim. */
static void test_no_rounds(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text;
    } cases[] = {
        {"noxim", "% -traffic hardcoded FILE -size 2 2\n"},
        {"booksim-trace", ""},
    };
    struct schedule schedule;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 1\n"
                          "model send-receive\nend 0\n",
                          &schedule);
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("%s", cases[which].format);
        char *text = exchange_lab_write(cases[which].format, &schedule,
                                        &(struct exchange_options){.bytes = 8});
        assert_string_equal(text, cases[which].text);
        free(text);
    }
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_no_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
