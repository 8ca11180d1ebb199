/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 19 /* any number with this many digits fits in 64 bits */

struct scan *scan_new(FILE *from, const char *name, struct err *err)
{
    struct scan *scan = malloc(sizeof *scan);
    if (scan == NULL) {
        err_set(err, ERR_TOO_BIG, "%s: no memory to read it", name);
        return NULL;
    }
    scan->from = from;
    scan->name = name;
    scan->line = 1;
    scan->at = scan->end = scan->block;
    return scan;
}

void scan_free(struct scan *scan)
{
    free(scan);
}

bool scan_refill(struct scan *scan)
{
    size_t got = fread(scan->block, 1, sizeof scan->block, scan->from);
    scan->at = scan->block;
    scan->end = scan->block + got;
    return got > 0;
}

int scan_peek_after(struct scan *scan)
{
    if (scan_peek(scan) != EOF && scan->end - scan->at == 1) {
        scan->block[0] = *scan->at;
        scan->at = scan->block;
        scan->end = scan->block + 1 + fread(scan->block + 1, 1, SCAN_BLOCK - 1, scan->from);
    }
    return scan->end - scan->at > 1 ? (unsigned char)scan->at[1] : EOF;
}

bool scan_at_mark(struct scan *scan)
{
    static const char mark[SCAN_MARK_BYTES] = {'\xef', '\xbb', '\xbf'};
    return scan_peek(scan) == 0xef && scan->line == 1 && scan->at == scan->block &&
           scan->end - scan->at >= (ptrdiff_t)sizeof mark &&
           memcmp(scan->at, mark, sizeof mark) == 0;
}

int64_t scan_offset(const struct scan *scan)
{
    off_t read = ftello(scan->from);
    return read < 0 ? -1 : read - (scan->end - scan->at);
}

bool scan_seek(struct scan *scan, int64_t offset, struct err *err)
{
    scan->at = scan->end = scan->block;
    return fseeko(scan->from, offset, SEEK_SET) == 0 ||
           scan_error(scan, err, ERR_READ, "cannot read: %s; expected a file", strerror(errno));
}

bool scan_error(const struct scan *scan, struct err *err, enum err_code code, const char *format,
                ...)
{
    struct err inner;
    va_list arguments;
    va_start(arguments, format);
    err_vset(&inner, code, format, arguments);
    va_end(arguments);
    return scan_error_at(scan, &inner, err);
}

bool scan_error_at(const struct scan *scan, const struct err *inner, struct err *err)
{
    return err_at(err, inner, "%.150s:%" PRIu64, scan->name, scan->line);
}

bool scan_unexpected(struct scan *scan, const char *expected, struct err *err)
{
    int byte = scan_peek(scan);
    if (byte == EOF && ferror(scan->from))
        return scan_error(scan, err, ERR_READ, "cannot read: %s; expected %s", strerror(errno),
                          expected);
    if (byte == EOF)
        return scan_error(scan, err, ERR_CUT, "the file is cut off here; expected %s", expected);
    if (byte == '\r')
        return scan_error(scan, err, ERR_SYNTAX,
                          "a carriage return (CRLF, as Windows ends lines); expected lines that "
                          "end with LF alone");
    if (scan_at_mark(scan))
        return scan_error(scan, err, ERR_SYNTAX,
                          "a byte order mark (BOM) before the text; expected %s", expected);
    if (byte == '\n')
        return scan_error(scan, err, ERR_SYNTAX, "the line ends; expected %s", expected);
    if (byte > ' ' && byte < 0x7f)
        return scan_error(scan, err, ERR_SYNTAX, "unexpected '%c'; expected %s", byte, expected);
    return scan_error(scan, err, ERR_SYNTAX, "unexpected byte 0x%02x; expected %s", (unsigned)byte,
                      expected);
}

static void skip_comment(struct scan *scan)
{
    if (scan_peek(scan) == '#')
        while (scan_peek(scan) != '\n' && scan_peek(scan) != EOF)
            scan->at++;
}

bool scan_next_line(struct scan *scan)
{
    for (;;) {
        scan_blanks(scan);
        skip_comment(scan);
        if (scan_peek(scan) != '\n')
            return scan_peek(scan) != EOF;
        scan->at++;
        scan->line++;
    }
}

bool scan_line_end(struct scan *scan, struct err *err)
{
    scan_blanks(scan);
    skip_comment(scan);
    if (scan_peek(scan) != '\n')
        return scan_unexpected(scan, "the end of the line", err);
    scan->at++;
    scan->line++;
    return true;
}

bool scan_word(struct scan *scan, const char *expected, char word[SCAN_WORD], struct err *err)
{
    scan_blanks(scan);
    size_t length = 0;
    for (int byte; byte = scan_peek(scan), (byte >= 'a' && byte <= 'z') || byte == '-'; scan->at++)
        if (length < SCAN_WORD - 1)
            word[length++] = (char)byte;
    word[length] = '\0';
    return length > 0 || scan_unexpected(scan, expected, err);
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

bool scan_number(struct scan *scan, const char *what, uint64_t minimum, uint64_t maximum,
                 uint64_t *number, struct err *err)
{
    scan_blanks(scan);
    if (!is_digit(scan_peek(scan)))
        return scan_unexpected(scan, what, err);
    uint64_t value = 0;
    size_t digits = 0;
    do {
        const char *at = scan->at;
        for (; at < scan->end && is_digit(*at); at++)
            value = value * 10 + (uint64_t)(*at - '0');
        digits += (size_t)(at - scan->at);
        scan->at = at;
    } while (scan->at == scan->end && is_digit(scan_peek(scan)));
    /* A number at the end of the file may be cut. */
    if (scan_peek(scan) == EOF)
        return scan_unexpected(scan, "the rest of the line", err);
    if (digits > MAX_DIGITS)
        return scan_error(scan, err, ERR_FIELD_RANGE,
                          "%s has too many digits; expected %" PRIu64 " … %" PRIu64, what, minimum,
                          maximum);
    if (value < minimum || value > maximum)
        return scan_error(scan, err, ERR_FIELD_RANGE,
                          "%s %" PRIu64 " is out of range; expected %" PRIu64 " … %" PRIu64, what,
                          value, minimum, maximum);
    *number = value;
    return true;
}
