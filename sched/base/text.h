/* SPDX-License-Identifier: Apache-2.0 */
/* text: lists for people, and what a slip of the keyboard meant. */
#ifndef ROUNDCAST_TEXT_H
#define ROUNDCAST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the ending of a noun after its count: "s", or "" for 1, as in `"%u packet%s"`. */
static inline const char *text_s(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Appends to a text, which is cut to size - 1 bytes. Precondition: the text ends within size bytes.
 * O(length). */
void text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "a, b or c" of item[count], `last` being " or ", cut to size - 1 bytes. What an item has from a
 * '[' on can be left out by whoever writes it, and is left out here. Returns text. */
const char *text_list(const char *const item[], size_t count, const char *last, char *text,
                      size_t size);

/* Is a word one of item[], which ends with NULL? `item` may be NULL: it is not. */
bool text_is_one_of(const char *word, const char *const item[]);

/* How many letters must be put in, left out or exchanged to make one word of another. Words of more
 * than TEXT_WORD letters are as far apart as any. O(letters²). */
unsigned text_distance(const char *word, const char *other);

#define TEXT_WORD 40
#define TEXT_HINT (TEXT_WORD + 16)

/* The nearest word so far, while names are looked at. */
struct text_nearest {
    const char *name;
    unsigned distance;
};

/* Look at a name. */
void text_look(struct text_nearest *nearest, const char *word, const char *name);

/* ", but 'NAME' does" of a nearest name that somebody may have meant, else "". Returns text. */
const char *text_hint(const struct text_nearest *nearest, char text[TEXT_HINT]);

#endif
