/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define REPLACEMENT_BYTES (sizeof REPLACEMENT - 1)

/* Returns the number of bytes of a sequence that begins with this byte; 0 if no sequence does. */
static size_t length_of(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Returns true if `second` may follow `first`. The second byte decides whether a sequence is
 * overlong, a surrogate or beyond U+10FFFF. */
static bool is_second(unsigned char first, unsigned char second)
{
    unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
}

/* Returns the number of bytes at `at` that are kept or replaced together. Precondition: `left` >
 * 0. */
static size_t part_of(const unsigned char *at, size_t left, bool *whole)
{
    size_t length = length_of(at[0]), seen = 1;
    if (length > 1 && left > 1 && is_second(at[0], at[1]))
        for (seen = 2; seen < length && seen < left && at[seen] >= 0x80 && at[seen] <= 0xbf;)
            seen++;
    *whole = seen == length;
    return seen;
}

char *utf8_repair(const char *bytes, size_t count, size_t *length)
{
    char *text = malloc(count * REPLACEMENT_BYTES + 1), *to = text;
    if (text == NULL)
        return NULL;
    bool whole;
    for (size_t at = 0, part; at < count; at += part) {
        part = part_of((const unsigned char *)bytes + at, count - at, &whole);
        size_t put = whole ? part : REPLACEMENT_BYTES;
        memcpy(to, whole ? bytes + at : REPLACEMENT, put);
        to += put;
    }
    *to = '\0';
    *length = (size_t)(to - text);
    return text;
}

size_t utf8_columns(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t which = 0; which < bytes; which++) {
        unsigned char byte = (unsigned char)text[which];
        unsigned char next = which + 1 < bytes ? (unsigned char)text[which + 1] : 0;
        bool combining = byte == 0xcc || (byte == 0xcd && next < 0xb0);
        columns += (byte & 0xc0) != 0x80 && !combining;
    }
    return columns;
}
