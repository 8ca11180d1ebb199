/* SPDX-License-Identifier: Apache-2.0 */
/* words: the words of a study, line by line, and where each stands. */
#ifndef ROUNDCAST_SWEEP_WORDS_H
#define ROUNDCAST_SWEEP_WORDS_H

#include "sched/base/scan.h"

#define WORDS_ROOM 256 /* room for a word: 255 bytes and the 0 */

struct words {
    struct scan *scan;
    uint64_t column, next; /* of the last word, and of the next byte; bytes from 1 */
    char word[WORDS_ROOM];
};

/* Go to the next line that has a word, and read that; false at the end of the file, and with err.
 * E204, E205, E207, E201. */
bool words_line(struct words *words, struct err *err);

/* Read the next word of the line; false at its end, and with err. E204, E205, E207, E201. */
bool words_next(struct words *words, struct err *err);

/* Set an error with `name:line:column: ` of the last word before it and return false. */
bool words_error(const struct words *words, struct err *err, enum err_code code, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* Sets an error to `inner`, found at the last word: `name:line:column: ` before its text. Returns
 * false. */
bool words_error_at(const struct words *words, const struct err *inner, struct err *err);

#endif
