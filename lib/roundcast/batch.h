/* SPDX-License-Identifier: Apache-2.0 */
/* batch: the lines of a file, each split into words as a shell splits a command.
 *
 *     circulant -n 8 -m 3               # a comment
 *     path -n 4 -m 1 --payload 'a file'
 *
 * docs/cli.md describes the syntax. Nothing is expanded.
 */
#ifndef ROUNDCAST_LIB_BATCH_H
#define ROUNDCAST_LIB_BATCH_H

#include "roundcast/error.h"

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_lines; /* the lines of a file that contain a word */

struct roundcast_line {
    uint64_t number; /* line number in the file, from 1 */
    size_t count;
    char *const *word; /* word[count], and NULL; valid as long as the lines */
};

/* Reads the lines of a file (`-`: standard input). NULL with E201; E204 for an unterminated quote,
 * or a byte that is not text; E207 for a file that has no word or does not end with a line feed;
 * E104. Free it with roundcast_lines_free. O(bytes). */
struct roundcast_lines *roundcast_lines_read(const char *path, struct roundcast_error *error);

/* Returns the number of lines. */
size_t roundcast_lines_count(const struct roundcast_lines *lines);

/* Returns line `index`, from 0. Precondition: it is less than the number of lines. */
struct roundcast_line roundcast_lines_at(const struct roundcast_lines *lines, size_t index);

/* Frees the lines; NULL is allowed. */
void roundcast_lines_free(struct roundcast_lines *lines);

/* Prints a word, quoted if a shell or a line of a batch requires it. */
void roundcast_print_quoted(FILE *to, const char *word);

#ifdef __cplusplus
}
#endif

#endif
