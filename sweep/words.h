/* SPDX-License-Identifier: Apache-2.0 */
/* words: the words of a study, line by line, with their positions. */
#ifndef ROUNDCAST_SWEEP_WORDS_H
#define ROUNDCAST_SWEEP_WORDS_H

#include "sched/base/scan.h"

#define WORDS_ROOM 256 /* room for a word: 255 bytes and the terminating 0 */

struct words {
    struct scan *scan;
    uint64_t column, next; /* of the last word, and of the next byte; counted in bytes from 1 */
    char word[WORDS_ROOM];
};

/* Advances to the next line that contains a word, and reads the word. Returns false at the end of
 * the file, or with err. E204, E205, E207, E201. */
bool words_line(struct words *words, struct err *err);

/* Reads the next word of the line. Returns false at the end of the line, or with err. E204, E205,
 * E207, E201. */
bool words_next(struct words *words, struct err *err);

/* Appends the rest of the line to the last word, up to a comment, without blanks at the end. E204,
 * E205, E207, E201. */
bool words_rest(struct words *words, struct err *err);

/* Sets an error that begins with the `name:line:column: ` of the last word. Returns false. */
bool words_error(const struct words *words, struct err *err, enum err_code code, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* Sets an error to `inner`, found at the last word: `name:line:column: ` before its text. Returns
 * false. */
bool words_error_at(const struct words *words, const struct err *inner, struct err *err);

#endif
