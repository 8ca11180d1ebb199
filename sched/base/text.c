/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/text.h"

#include "sched/base/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

const char *text_list(const char *const item[], size_t count, const char *last, char *text,
                      size_t size)
{
    text[0] = '\0';
    for (size_t k = 0; k < count; k++) {
        const char *before = k == 0 ? "" : k + 1 < count ? ", " : last;
        text_append(text, size, "%s%.*s", before, (int)strcspn(item[k], "["), item[k]);
    }
    return text;
}

/* Levenshtein's algorithm, row by row; swapping adjacent letters counts as two edits. */
bool text_is_one_of(const char *word, const char *const item[])
{
    for (; item != NULL && *item != NULL; item++)
        if (strcmp(word, *item) == 0)
            return true;
    return false;
}

bool text_number(const char **at, const char *end, uint64_t *number)
{
    const char *start = *at;
    *number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(**at - '0'), number))
            return false;
    return *at > start;
}

unsigned text_distance(const char *word, const char *other)
{
    size_t length = strlen(word), width = strlen(other);
    unsigned row[TEXT_WORD + 1];
    if (length > TEXT_WORD || width > TEXT_WORD)
        return TEXT_WORD;
    for (unsigned column = 0; column <= width; column++)
        row[column] = column;
    for (size_t line = 0; line < length; line++) {
        unsigned corner = row[0]++; /* the entry to the left in the row before */
        for (size_t column = 0; column < width; column++) {
            unsigned exchanged = corner + (word[line] != other[column]);
            unsigned left_out = row[column + 1] + 1, put_in = row[column] + 1;
            corner = row[column + 1];
            unsigned least = MIN(left_out, put_in);
            row[column + 1] = MIN(exchanged, least);
        }
    }
    return row[width];
}

void text_look(struct text_nearest *nearest, const char *word, const char *name)
{
    unsigned distance = text_distance(word, name);
    size_t letters = strlen(name);
    if (distance <= 2 && distance < (letters + 1) / 2 &&
        (nearest->name == NULL || distance < nearest->distance))
        *nearest = (struct text_nearest){name, distance};
}

const char *text_hint(const struct text_nearest *nearest, char text[TEXT_HINT])
{
    text[0] = '\0';
    if (nearest->name != NULL)
        snprintf(text, TEXT_HINT, ", but '%s' does", nearest->name);
    return text;
}
