/* SPDX-License-Identifier: Apache-2.0 */
/* test_scan: the bytes that a reader of text sees next.
 *
 * State space. Files of 0 … 3 bytes, and files that end up to 3 bytes before and after the end of a
 * block and of two blocks, read from the start to the end: before each byte is consumed, the reader
 * sees it and the byte after it, or the end of the file, and knows its offset. It continues
 * at the last byte, in the middle and at the start.
 *
 * Counter-case: a pipe, which has no offsets.
 */
#include "sched/base/scan.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <unistd.h>

/* Returns the byte at an offset of each file. It is at most 112, and its period is prime, so that
 * blocks differ. */
static int byte_at(size_t offset)
{
    return (int)(offset % 113);
}

static FILE *file_of(size_t bytes)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    for (size_t at = 0; at < bytes; at++)
        putc(byte_at(at), file);
    rewind(file);
    return file;
}

/* Reads a file of so many bytes, and peeks after the next byte from offset `first` on. */
static void read_file(size_t bytes, size_t first)
{
    FILE *file = file_of(bytes);
    struct err err = {0};
    struct scan *scan = scan_new(file, "f", &err);
    assert_non_null(scan);
    for (size_t at = 0; at < bytes; at++) {
        if (at >= first)
            assert_int_equal(scan_peek_after(scan), at + 1 < bytes ? byte_at(at + 1) : EOF);
        assert_int_equal(scan_peek(scan), byte_at(at));
        assert_int_equal(scan_offset(scan), at);
        assert_true(scan_take(scan, (char)byte_at(at)));
    }
    assert_int_equal(scan_peek_after(scan), EOF);
    assert_int_equal(scan_peek(scan), EOF);
    assert_int_equal(scan_peek_after(scan), EOF);
    for (size_t half = 3; bytes > 0 && half-- > 0;) {
        const size_t at = (bytes - 1) * half / 2;
        support_true(scan_seek(scan, (int64_t)at, &err), &err);
        assert_int_equal(scan_offset(scan), at);
        assert_int_equal(scan_peek(scan), byte_at(at));
    }
    scan_free(scan);
    fclose(file);
}

static void two_bytes_ahead(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes <= 3; bytes++)
        read_file(bytes, 0);
    for (size_t blocks = 1; blocks <= 2; blocks++)
        for (size_t bytes = blocks * SCAN_BLOCK - 3; bytes <= blocks * SCAN_BLOCK + 3; bytes++) {
            read_file(bytes, 0);
            read_file(bytes, bytes - 2);
        }
}

static void a_pipe_has_no_offsets(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "round 1\n", 8), 8);
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    struct err err = {0};
    struct scan *scan = scan_new(file, "p", &err);
    assert_non_null(scan);
    assert_int_equal(scan_peek(scan), 'r');
    assert_int_equal(scan_offset(scan), -1);
    assert_false(scan_seek(scan, 0, &err));
    support_error(&err, ERR_READ, "p:1: cannot read: Illegal seek; expected a file");
    scan_free(scan);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_bytes_ahead),
                                       cmocka_unit_test(a_pipe_has_no_offsets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
