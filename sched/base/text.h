/* SPDX-License-Identifier: Apache-2.0 */
/* text: lists in messages, and the nearest known name to a misspelt one. */
#ifndef ROUNDCAST_TEXT_H
#define ROUNDCAST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the ending of a noun after its count, as in `"%u packet%s"`: "s", or "" for 1. */
static inline const char *text_s(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Appends to a text, which is cut to size - 1 bytes. Precondition: the text ends within size bytes.
 * O(length). */
void text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes item[count] as "a, b or c", where `last` is " or ", cut to size - 1 bytes. The part of an
 * item from a '[' on is optional in input and is omitted here. Returns text. */
const char *text_list(const char *const item[], size_t count, const char *last, char *text,
                      size_t size);

/* Returns true if a word is in item[], which ends with NULL; false if `item` is NULL. */
bool text_is_one_of(const char *word, const char *const item[]);

/* Reads the decimal digits from *at on, up to `end`, and moves *at to after them. Returns false for
 * none, or for a number of 2^64 or more. */
bool text_number(const char **at, const char *end, uint64_t *number);

/* Returns the edit distance of two words: the least number of letters to insert, remove or replace.
 * Words of more than TEXT_WORD letters have the maximum distance. O(letters²). */
unsigned text_distance(const char *word, const char *other);

#define TEXT_WORD 40
#define TEXT_HINT (TEXT_WORD + 16)

/* The nearest name so far, while names are compared. */
struct text_nearest {
    const char *name;
    unsigned distance;
};

/* Compares a name and keeps it if it is nearer. */
void text_look(struct text_nearest *nearest, const char *word, const char *name);

/* Writes ", but 'NAME' does" if the nearest name is a plausible misspelling, else "". Returns
 * text. */
const char *text_hint(const struct text_nearest *nearest, char text[TEXT_HINT]);

#endif
