/* SPDX-License-Identifier: Apache-2.0 */
/* lines: the lines of a file, each split into words as a shell splits a command.
 *
 *     circulant -n 8 -m 3               # a comment
 *     path -n 4 -m 1 --payload 'a file'
 *
 * Blanks separate words. '…' keeps every byte, "…" every byte except a \ before ", \, $ or `;
 * elsewhere a \ keeps the byte after it. Text next to a quote belongs to the same word. Nothing is
 * expanded. A word that begins with # begins a comment.
 */
#ifndef ROUNDCAST_SWEEP_LINES_H
#define ROUNDCAST_SWEEP_LINES_H

#include "sched/base/err.h"

#include <stddef.h>

struct lines_line {
    uint64_t number; /* in the file, from 1 */
    size_t count;
    char **word; /* word[count], and NULL */
};

struct lines {
    size_t count, room;
    struct lines_line *line; /* those that have a word */
};

/* Reads all lines; `lines` must be zero. E204 for a quote without its end, or a byte that is not
 * text; E207 without a line feed at the end, or without a word; E104, E201. Free it, also after an
 * error. */
bool lines_read(FILE *from, const char *name, struct lines *lines, struct err *err);
void lines_free(struct lines *lines);

#endif
