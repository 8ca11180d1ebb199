/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/err.h"

#include <inttypes.h>
#include <string.h>

#define FORMAT_ROOM 1024

static void reset(struct err *err, enum err_code code)
{
    *err = (struct err){.code = code};
}

/* Replaces control characters of ASCII, and those of Latin-1 in UTF-8 (C2 80 … C2 9F), by '?', as
 * some begin an escape sequence of a terminal. The length stays. */
static void replace_controls(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at != '\0'; at++) {
        bool latin = at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f;
        if (latin)
            *at++ = '?';
        if (latin || *at < ' ' || *at == 0x7f)
            *at = '?';
    }
}

/* Returns the length of the longest prefix of text[length] that ends between characters. */
static size_t cut_between(const char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && length - start < 4 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start == 0 || (unsigned char)text[start - 1] < 0xc0)
        return length;
    unsigned char first = (unsigned char)text[start - 1];
    size_t needed = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return length - (start - 1) < needed ? start - 1 : length;
}

/* Ends the text at `length`, the length that it would have had, or at the end of its room. */
static void cut(struct err *err, size_t length)
{
    if (length >= ERR_TEXT)
        err->text[cut_between(err->text, ERR_TEXT - 1)] = '\0';
}

/* Marks text[start … start + length), unless it was cut. */
static void mark(struct err *err, size_t start, size_t length)
{
    if (err->marks == ERR_MARKS || start + length > strlen(err->text))
        return;
    err->mark[err->marks++] = (struct err_mark){(uint16_t)start, (uint16_t)length};
    if (start == 0)
        snprintf(err->field, sizeof err->field, "%.*s", (int)length, err->text);
}

/* Returns the length of the field's name at `{`; 0 if no mark begins there. */
static size_t name_length(const char *brace)
{
    size_t length = *brace == '{' ? strspn(brace + 1, "abcdefghijklmnopqrstuvwxyz0123456789-_") : 0;
    return length < ERR_FIELD && brace[1 + length] == '}' ? length : 0;
}

/* A format without the braces of its marks, and the positions of the marks. */
struct plain {
    char format[FORMAT_ROOM];
    struct err_mark mark[ERR_MARKS];
    unsigned marks;
};

static void strip(const char *format, struct plain *plain)
{
    size_t used = 0;
    plain->marks = 0;
    while (*format != '\0' && used + ERR_FIELD < FORMAT_ROOM) {
        size_t length = name_length(format);
        if (length == 0) {
            plain->format[used++] = *format++;
            continue;
        }
        if (plain->marks < ERR_MARKS)
            plain->mark[plain->marks++] = (struct err_mark){(uint16_t)used, (uint16_t)length};
        memcpy(plain->format + used, format + 1, length);
        used += length;
        format += length + 2;
    }
    plain->format[used] = '\0';
}

/* Prints the format up to each mark separately to find the position of the mark. A search in the
 * complete result is not safe, because an argument could imitate a mark. */
bool err_vset(struct err *err, enum err_code code, const char *format, va_list arguments)
{
    if (err == NULL)
        return false;
    struct plain plain;
    size_t start[ERR_MARKS];
    strip(format, &plain);
    for (unsigned which = 0; which < plain.marks; which++) {
        char *end = &plain.format[plain.mark[which].start], kept = *end;
        va_list before;
        va_copy(before, arguments);
        *end = '\0';
        start[which] = (size_t)vsnprintf(NULL, 0, plain.format, before);
        *end = kept;
        va_end(before);
    }
    /* an argument may point to the text of `err` */
    struct err set;
    reset(&set, code);
    cut(&set, (size_t)vsnprintf(set.text, sizeof set.text, plain.format, arguments));
    replace_controls(set.text);
    for (unsigned which = 0; which < plain.marks; which++)
        mark(&set, start[which], plain.mark[which].length);
    *err = set;
    return false;
}

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    err_vset(err, code, format, arguments);
    va_end(arguments);
    return false;
}

bool err_at(struct err *err, const struct err *inner, const char *place, ...)
{
    if (err == NULL)
        return false;
    struct err set;
    va_list arguments;
    va_start(arguments, place);
    err_vset(&set, inner->code, place, arguments);
    va_end(arguments);
    size_t used = strlen(set.text);
    int more = snprintf(set.text + used, sizeof set.text - used, ": %s", inner->text);
    cut(&set, used + (size_t)more);
    used += 2;
    for (unsigned which = 0; which < inner->marks; which++)
        mark(&set, used + inner->mark[which].start, inner->mark[which].length);
    memcpy(set.field, inner->field, sizeof set.field);
    set.limited = inner->limited;
    set.value = inner->value;
    set.minimum = inner->minimum;
    set.maximum = inner->maximum;
    *err = set;
    return false;
}

void err_alternative(struct err *err, const char *field, uint64_t value)
{
    size_t used = strlen(err->text);
    int more =
        snprintf(err->text + used, sizeof err->text - used, ", or %s %" PRIu64, field, value);
    cut(err, used + (size_t)more);
    mark(err, used + strlen(", or "), strlen(field));
}

bool err_copy(struct err *err, const struct err *inner)
{
    if (err == NULL)
        return false;
    *err = *inner;
    err->further = 0;
    err->reported = false;
    return false;
}

bool err_no_memory(struct err *err, const char *what, ...)
{
    char text[ERR_TEXT];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    err_set(err, ERR_TOO_BIG, "no memory for %s; expected less of it, or a machine with more",
            text);
    if (err != NULL)
        err->no_memory = true;
    return false;
}

bool err_out_of_range(struct err *err, const char *field, uint64_t value, uint64_t minimum,
                      uint64_t maximum)
{
    char format[ERR_FIELD_NAME + 80];
    snprintf(format, sizeof format,
             "{%.31s}: %%" PRIu64 " is out of range; expected %%" PRIu64 " … %%" PRIu64, field);
    err_set(err, ERR_RANGE, format, value, minimum, maximum);
    if (err == NULL)
        return false;
    err->limited = true;
    err->value = value;
    err->minimum = minimum;
    err->maximum = maximum;
    return false;
}

bool err_unknown(struct err *err, enum err_code code, const char *field, const char *value,
                 const char *nearest, const char *known)
{
    char format[ERR_FIELD_NAME + 80];
    snprintf(format, sizeof format, "{%.31s}: '%%.60s' does not exist%%s%%s%%s; expected %%s",
             field);
    return err_set(err, code, format, value, nearest != NULL ? ", but '" : "",
                   nearest != NULL ? nearest : "", nearest != NULL ? "' does" : "", known);
}

bool err_missing(struct err *err, const char *field, const char *expected)
{
    char format[ERR_FIELD_NAME + 80];
    snprintf(format, sizeof format, "{%.31s} is required; expected %%s", field);
    return err_set(err, ERR_OPTION, format, expected);
}

/* Sets a message of the form `{field}`, a text and `{other}`. */
static bool set_pair(struct err *err, const char *field, const char *text, const char *other)
{
    char format[2 * ERR_FIELD_NAME + 80];
    snprintf(format, sizeof format, "{%.31s} %%s {%.31s}", field, other);
    return err_set(err, ERR_OPTION, format, text);
}

bool err_conflict(struct err *err, const char *field, const char *other)
{
    return set_pair(err, field, "cannot be used together with", other);
}

bool err_requires(struct err *err, const char *field, const char *other)
{
    return set_pair(err, field, "requires", other);
}

const char *err_text(const struct err *err, const struct err_naming *naming,
                     char text[ERR_RENDERED])
{
    size_t from = 0, used = 0;
    for (unsigned which = 0; naming != NULL && which < err->marks; which++) {
        struct err_mark at = err->mark[which];
        char field[ERR_FIELD], room[ERR_FIELD_NAME];
        snprintf(field, sizeof field, "%.*s", at.length, err->text + at.start);
        memcpy(text + used, err->text + from, at.start - from);
        used += at.start - from;
        used += (size_t)snprintf(text + used, ERR_FIELD_NAME, "%.*s", ERR_FIELD_NAME - 1,
                                 naming->name(naming->with, field, room));
        from = at.start + at.length;
    }
    snprintf(text + used, ERR_RENDERED - used, "%s", err->text + from);
    return text;
}

void err_settle(struct err *err, const struct err_naming *naming)
{
    char text[ERR_RENDERED];
    size_t length = strlen(err_text(err, naming, text));
    snprintf(err->text, sizeof err->text, "%.*s", ERR_TEXT - 1, text);
    cut(err, length);
    err->marks = 0;
}

const char *err_name(enum err_code code)
{
    switch (code) {
#define ERR_NAME(number, name, text) \
    case ERR_##name:                 \
        return text;
        ERR_TABLE(ERR_NAME)
#undef ERR_NAME
    case ERR_NONE:
        break;
    }
    return "?";
}

int err_exit_status(enum err_code code)
{
    switch ((int)code / 100) {
    case 0:
        return 0;
    case 3:
    case 6:
        return 1;
    case 7:
    case 9:
        return 3;
    default:
        return 2;
    }
}

void err_print(FILE *to, const struct err *err, const struct err_naming *naming)
{
    char text[ERR_RENDERED];
    fprintf(to, "roundcast: %s [E%03d %s]", err_text(err, naming, text), (int)err->code,
            err_name(err->code));
    if (err->further > 0)
        fprintf(to, " (and %" PRIu64 " more)", err->further);
    fputc('\n', to);
}
