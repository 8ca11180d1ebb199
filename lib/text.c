/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/text.h"

#include "sched/base/rational.h"
#include "sched/base/text.h"
#include "sched/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(ROUNDCAST_TIME_TEXT == RATIONAL_TEXT, "both texts have one size");
_Static_assert(ROUNDCAST_HINT == TEXT_HINT, "both texts have one size");

void roundcast_text_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

const char *roundcast_text_list(const char *const item[], size_t count, const char *last,
                                char *text, size_t size)
{
    return text_list(item, count, last, text, size);
}

size_t roundcast_text_columns(const char *text, size_t bytes)
{
    return utf8_columns(text, bytes);
}

const char *roundcast_time_text(uint64_t value, uint32_t unit, char text[ROUNDCAST_TIME_TEXT])
{
    return rational_text(value, unit, text);
}

void roundcast_nearest_look(struct roundcast_nearest *nearest, const char *word, const char *name)
{
    struct text_nearest kept = {nearest->name, nearest->distance};
    text_look(&kept, word, name);
    *nearest = (struct roundcast_nearest){kept.name, kept.distance};
}

const char *roundcast_nearest_hint(const struct roundcast_nearest *nearest,
                                   char text[ROUNDCAST_HINT])
{
    const struct text_nearest kept = {nearest->name, nearest->distance};
    return text_hint(&kept, text);
}
