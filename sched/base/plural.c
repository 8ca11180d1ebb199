/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/plural.h"

#include <stdbool.h>
#include <string.h>

static const struct noun {
    const char *many, *one;
} nouns[] = {{"arrivals", "arrival"},
             {"phases", "phase"},
             {"bits", "bit"},
             {"buffers", "buffer"},
             {"bytes", "byte"},
             {"capacities", "capacity"},
             {"columns", "column"},
             {"complements", "complement"},
             {"crossbars", "crossbar"},
             {"cycles", "cycle"},
             {"demands", "demand"},
             {"digits", "digit"},
             {"dimensions", "dimension"},
             {"entries", "entry"},
             {"flits", "flit"},
             {"lanes", "lane"},
             {"leaves", "leaf"},
             {"levels", "level"},
             {"nodes", "node"},
             {"numbers", "number"},
             {"packets", "packet"},
             {"passes", "pass"},
             {"points", "point"},
             {"ports", "port"},
             {"queues", "queue"},
             {"registers", "register"},
             {"rounds", "round"},
             {"routers", "router"},
             {"rows", "row"},
             {"runs", "run"},
             {"settings", "setting"},
             {"shifts", "shift"},
             {"signals", "signal"},
             {"slots", "slot"},
             {"stages", "stage"},
             {"steps", "step"},
             {"transfers", "transfer"},
             {"variables", "variable"},
             {"words", "word"}};
#define NOUNS (sizeof nouns / sizeof *nouns)

/* The noun that a text begins with; NULL if there is none. */
static const struct noun *find(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    for (const struct noun *noun = nouns; noun < nouns + NOUNS; noun++)
        if (strlen(noun->many) == length && strncmp(text, noun->many, length) == 0)
            return noun;
    return NULL;
}

const char *plural_of(uint64_t count, const char *noun)
{
    const struct noun *found = count == 1 ? find(noun) : NULL;
    return found != NULL ? found->one : noun;
}

/* Take the argument of a conversion, which begins at `%`, and step over both. Is it a number that
 * is 1? */
static bool take(const char **format, va_list *arguments)
{
    const char *at = *format + 1;
    for (; strchr("-+ #0123456789.*", *at) != NULL; at++)
        if (*at == '*')
            (void)va_arg(*arguments, int);
    bool wide = strchr("lzjt", *at) != NULL;
    at += strspn(at, "hlzjt");
    char kind = *at;
    *format = at + (kind != '\0');
    if (strchr("diuxX", kind) != NULL && wide)
        return va_arg(*arguments, uint64_t) == 1;
    if (strchr("diuxX", kind) != NULL)
        return va_arg(*arguments, unsigned) == 1;
    if (kind == 'c')
        (void)va_arg(*arguments, int);
    else if (strchr("eEfFgGaA", kind) != NULL)
        (void)va_arg(*arguments, double);
    else if (kind != '%')
        (void)va_arg(*arguments, void *);
    return false;
}

#define FORMAT_ROOM 1024

/* Copy a format with each noun as its number has it. False if there is no room. */
static bool adapt(const char *format, va_list *arguments, char adapted[FORMAT_ROOM])
{
    size_t length = 0;
    bool apart = true; /* a number that begins here is no part of 2^8 or packets=8 */
    while (*format != '\0' && length + strlen(format) < FORMAT_ROOM) {
        const char *begin = format;
        bool one = *format == '%' ? take(&format, arguments) && apart : (format++, false);
        memcpy(adapted + length, begin, (size_t)(format - begin));
        length += (size_t)(format - begin);
        apart = strchr(" (\n", format[-1]) != NULL;
        const struct noun *noun = one && *format == ' ' ? find(format + 1) : NULL;
        if (noun == NULL)
            continue;
        length += (size_t)snprintf(adapted + length, FORMAT_ROOM - length, " %s", noun->one);
        format += 1 + strlen(noun->many);
        apart = false;
    }
    adapted[length] = '\0';
    return *format == '\0';
}

int plural_format(char *text, size_t size, const char *format, va_list arguments)
{
    char adapted[FORMAT_ROOM];
    va_list taken;
    va_copy(taken, arguments);
    bool fits = adapt(format, &taken, adapted);
    va_end(taken);
    return vsnprintf(text, size, fits ? adapted : format, arguments);
}

int plural_text(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = plural_format(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int plural_print(FILE *to, const char *format, ...)
{
    char adapted[FORMAT_ROOM];
    va_list arguments, taken;
    va_start(arguments, format);
    va_copy(taken, arguments);
    bool fits = adapt(format, &taken, adapted);
    va_end(taken);
    int length = vfprintf(to, fits ? adapted : format, arguments);
    va_end(arguments);
    return length;
}
