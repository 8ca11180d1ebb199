/* SPDX-License-Identifier: Apache-2.0 */
/* scan: strict reading of line-oriented text, in large blocks, without storing lines.
 *
 * Fields are separated by blanks (spaces or tabs), `#` begins a comment, and every line ends with a
 * newline. Errors read `name:line: what; expected what`. */
#ifndef ROUNDCAST_SCAN_H
#define ROUNDCAST_SCAN_H

#include "sched/base/err.h"

#include <stdint.h>
#include <stdio.h>

#define SCAN_BLOCK (1u << 18)
#define SCAN_WORD 32 /* room for a word: 31 bytes and the 0 */

struct scan {
    FILE *from;
    const char *name;
    uint64_t line;        /* line of the next byte, from 1 */
    const char *at, *end; /* bytes of the block that are not read yet */
    char block[SCAN_BLOCK];
};

/* Returns a reader, or NULL with E104. The caller still owns the file. */
struct scan *scan_new(FILE *from, const char *name, struct err *err);
void scan_free(struct scan *scan);

/* Reads the next block. Returns false at the end of the file, or if it cannot be read. */
bool scan_refill(struct scan *scan);

/* Returns the offset of the next byte in the file; -1 if the file cannot seek. */
int64_t scan_offset(const struct scan *scan);

/* Continues at another offset, which is on line scan->line. E201. */
bool scan_seek(struct scan *scan, int64_t offset, struct err *err);

/* Returns the next byte, 0 … 255, without consuming it; EOF at the end. */
static inline int scan_peek(struct scan *scan)
{
    return scan->at < scan->end || scan_refill(scan) ? (unsigned char)*scan->at : EOF;
}

/* Skips the byte if it comes next. Returns whether it did. */
static inline bool scan_take(struct scan *scan, char byte)
{
    bool taken = scan_peek(scan) == byte;
    scan->at += taken;
    return taken;
}

/* Returns the byte after the next one, 0 … 255; EOF if there is none. */
int scan_peek_after(struct scan *scan);

#define SCAN_MARK_BYTES 3 /* bytes of a byte order mark */

/* Returns true if a byte order mark comes next, at the start of the file. */
bool scan_at_mark(struct scan *scan);

/* Skips blanks. */
static inline void scan_blanks(struct scan *scan)
{
    while (scan_peek(scan) == ' ' || scan_peek(scan) == '\t')
        scan->at++;
}

/* Advances from the start of a line to the next line that has a field. Returns false if there is
 * none. */
bool scan_next_line(struct scan *scan);

/* Checks that only blanks and a comment follow on this line. E204, E207, E201. */
bool scan_line_end(struct scan *scan, struct err *err);

/* Reads the next field, a word of lower-case letters and hyphens; messages name `expected`. A word
 * that is too long is cut. E204, E207, E201. */
bool scan_word(struct scan *scan, const char *expected, char word[SCAN_WORD], struct err *err);

/* Reads the next decimal number, in minimum … maximum, and stops at the byte after it. Messages
 * call it `what`. E204 if there is no number, E205 if it is out of range, E207, E201. */
bool scan_number(struct scan *scan, const char *what, uint64_t minimum, uint64_t maximum,
                 uint64_t *number, struct err *err);

/* Sets an error with `name:line: ` before it and returns false. */
bool scan_error(const struct scan *scan, struct err *err, enum err_code code, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* Sets the error `inner` with `name:line: ` before it and returns false. */
bool scan_error_at(const struct scan *scan, const struct err *inner, struct err *err);

/* Sets the error for an unexpected byte (or for the end of the file: E207, E201). */
bool scan_unexpected(struct scan *scan, const char *expected, struct err *err);

#endif
