/* SPDX-License-Identifier: Apache-2.0 */
/* lines: the lines of a file, each split into words as a shell splits a command.
 *
 *     circulant -n 8 -m 3               # a comment
 *     path -n 4 -m 1 --payload 'a file'
 *
 * Blanks separate words. In '…' every byte is literal; in "…" every byte except a \ before ", \, $
 * or `; elsewhere a \ makes the next byte literal. Text next to a quote belongs to the same word.
 * Nothing is expanded. A word that begins with # begins a comment.
 */
#ifndef ROUNDCAST_SWEEP_LINES_H
#define ROUNDCAST_SWEEP_LINES_H

#include "sched/base/err.h"

#include <stddef.h>

struct lines_line {
    uint64_t number; /* line number in the file, from 1 */
    size_t count;
    char **word; /* word[count], followed by NULL */
};

struct lines {
    size_t count, room;
    struct lines_line *line; /* the lines that contain a word */
};

/* Reads all lines; `lines` must be zero. E204 for an unterminated quote, or a byte that is not
 * text; E207 for a file that has no word or does not end with a line feed; E104, E201. Free it,
 * also after an error. */
bool lines_read(FILE *from, const char *name, struct lines *lines, struct err *err);
void lines_free(struct lines *lines);

/* -- Words and command lines of a shell -------------------------------------------------------- */

/* Quotes words for a shell, and runs external programs. */

/* Writes a word, quoted for a shell if necessary. */
void shell_quote(FILE *to, const char *word);

/* Checks that the program is on PATH. E501 names its package. */
bool shell_has(const char *program, const char *package, struct err *err);

/* Runs a command line in a shell and stores its output, including standard error, cut to size - 1
 * bytes. Returns its exit status; -1 if it cannot be run. */
int shell_run(const char *line, char *printed, size_t size);

#endif
