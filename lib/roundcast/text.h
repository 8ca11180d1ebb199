/* SPDX-License-Identifier: Apache-2.0 */
/* text: parts of messages and reports: lists, the nearest known name, times, and columns. */
#ifndef ROUNDCAST_LIB_TEXT_H
#define ROUNDCAST_LIB_TEXT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Appends to a text, which is cut to size - 1 bytes. Precondition: the text ends within size bytes.
 * O(length). */
void roundcast_text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes item[count] as "a, b or c", where `last` is " or ", cut to size - 1 bytes. The part of an
 * item from a '[' on is omitted. Returns text. */
const char *roundcast_text_list(const char *const item[], size_t count, const char *last,
                                char *text, size_t size);

/* Returns the number of terminal columns of text[bytes]: one for each UTF-8 character, except
 * characters that combine with the preceding one. O(bytes). */
size_t roundcast_text_columns(const char *text, size_t bytes);

#define ROUNDCAST_TIME_TEXT 44

/* Writes value/unit in lowest terms, such as "15/2" or "7". Returns text. */
const char *roundcast_time_text(uint64_t value, uint32_t unit, char text[ROUNDCAST_TIME_TEXT]);

#define ROUNDCAST_WORD 40
#define ROUNDCAST_HINT (ROUNDCAST_WORD + 16)

/* The nearest name so far, while names are compared with a misspelt word. Initialise it with {0}.
 */
struct roundcast_nearest {
    const char *name; /* NULL: no name is similar to the word */
    unsigned distance;
};

/* Compares a name with the word and keeps it if it is nearer. O(letters²). */
void roundcast_nearest_look(struct roundcast_nearest *nearest, const char *word, const char *name);

/* Writes ", but 'NAME' does" for the nearest name, "" without one. Returns text. */
const char *roundcast_nearest_hint(const struct roundcast_nearest *nearest,
                                   char text[ROUNDCAST_HINT]);

#ifdef __cplusplus
}
#endif

#endif
