/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/rational.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t rational_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct rational rational_make(uint32_t numerator, uint32_t denominator)
{
    uint32_t divisor = (uint32_t)rational_divisor(numerator, denominator);
    return (struct rational){numerator / divisor, denominator / divisor};
}

/* Reads a number of decimal digits at *text, at most RATIONAL_MAX, and moves *text past it. */
static bool take_number(const char **text, uint32_t *number)
{
    const char *at = *text;
    uint32_t value = 0;
    while (*at >= '0' && *at <= '9' && value <= RATIONAL_MAX)
        value = value * 10 + (uint32_t)(*at++ - '0');
    bool taken = at != *text && value <= RATIONAL_MAX;
    *text = at;
    *number = value;
    return taken;
}

bool rational_parse(const char *text, struct rational *value)
{
    uint32_t numerator, denominator = 1;
    if (!take_number(&text, &numerator))
        return false;
    if (*text == '/') {
        text++;
        if (!take_number(&text, &denominator))
            return false;
    }
    if (*text != '\0' || denominator == 0)
        return false;
    *value = rational_make(numerator, denominator);
    return true;
}

const char *rational_text(uint64_t ticks, uint32_t denominator, char text[RATIONAL_TEXT])
{
    uint64_t divisor = rational_divisor(ticks, denominator);
    if (divisor == denominator)
        snprintf(text, RATIONAL_TEXT, "%" PRIu64, ticks / divisor);
    else
        snprintf(text, RATIONAL_TEXT, "%" PRIu64 "/%" PRIu64, ticks / divisor,
                 denominator / divisor);
    return text;
}
