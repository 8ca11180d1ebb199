/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/field.h"

#include "sched/base/decimal.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_CHOICES 40
#define CHOICES_TEXT 240
#define FORMAT_TEXT 160

bool field_reject(struct err *err, enum err_code code, const char *name, const char *format, ...)
{
    char whole[FORMAT_TEXT];
    va_list arguments;
    snprintf(whole, sizeof whole, "{%.31s}%s", name, format);
    va_start(arguments, format);
    err_vset(err, code, whole, arguments);
    va_end(arguments);
    return false;
}

bool field_number(const char *name, const char *text, uint64_t minimum, uint64_t maximum,
                  uint64_t *value, struct err *err)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] != '\0')
        return field_reject(err, ERR_OPTION, name,
                            ": '%.40s' is not a number; expected %" PRIu64 " … %" PRIu64, text,
                            minimum, maximum);
    uint64_t number = 0;
    bool fits = text[0] != '-';
    for (size_t which = 0; which < count && fits; which++)
        fits = !__builtin_mul_overflow(number, 10, &number) &&
               !__builtin_add_overflow(number, (uint64_t)(digits[which] - '0'), &number);
    if (!fits)
        return field_reject(err, ERR_RANGE, name,
                            ": %.40s is out of range; expected %" PRIu64 " … %" PRIu64, text,
                            minimum, maximum);
    if (number < minimum || number > maximum)
        return err_out_of_range(err, name, number, minimum, maximum);
    *value = number;
    return true;
}

bool field_bytes(const char *name, const char *text, uint64_t minimum, uint64_t maximum,
                 uint64_t *value, struct err *err)
{
    struct decimal decimal;
    uint64_t number;
    bool negative = text[0] == '-', fraction = false;
    if (!decimal_parse(text + negative, &decimal))
        return field_reject(err, ERR_OPTION, name,
                            ": '%.40s' is not a number of bytes; expected %" PRIu64 " … %" PRIu64
                            ", such as 512, 4K or 64Ki",
                            text, minimum, maximum);
    if (negative || !decimal_whole(&decimal, &number, &fraction) || fraction || number < minimum ||
        number > maximum)
        return field_reject(err, ERR_RANGE, name,
                            ": %.40s is out of range; expected %" PRIu64 " … %" PRIu64 "%s", text,
                            minimum, maximum, fraction ? ", a whole number" : "");
    *value = number;
    return true;
}

const char *field_choices(const char *(*choice)(unsigned which), char text[], size_t size)
{
    const char *name[MAX_CHOICES];
    size_t count = 0;
    for (; count < MAX_CHOICES && choice((unsigned)count) != NULL; count++)
        name[count] = choice((unsigned)count);
    return text_list(name, count, " or ", text, size);
}

bool field_choose(const char *name, const char *text, const char *(*choice)(unsigned which),
                  unsigned *which, struct err *err)
{
    char all[CHOICES_TEXT];
    struct text_nearest nearest = {0};
    for (unsigned index = 0; choice(index) != NULL; index++) {
        text_look(&nearest, text, choice(index));
        if (strcmp(text, choice(index)) == 0) {
            *which = index;
            return true;
        }
    }
    return err_unknown(err, ERR_OPTION, name, text, nearest.name,
                       field_choices(choice, all, sizeof all));
}

const struct field *field_find(const struct field field[], size_t count, const char *name)
{
    for (size_t which = 0; which < count; which++)
        if (strcmp(field[which].name, name) == 0)
            return &field[which];
    return NULL;
}

/* Reads a number into 32 or 64 bits at `place`. */
static bool parse_number(const struct field *field, void *place, const char *text, struct err *err)
{
    uint64_t number;
    if (!field_number(field->name, text, field->minimum, field->maximum, &number, err))
        return false;
    if (field->type == FIELD_NUMBER)
        *(uint32_t *)place = (uint32_t)number;
    else
        *(uint64_t *)place = number;
    return true;
}

bool field_parse(const struct field *field, void *base, const char *text, struct err *err)
{
    void *place = (char *)base + field->offset;
    if (field->set != NULL)
        return field->set(base, text, err);
    switch (field->type) {
    case FIELD_FLAG:
        *(bool *)place = true;
        return true;
    case FIELD_NUMBER:
    case FIELD_NUMBER64:
        return parse_number(field, place, text, err);
    case FIELD_BYTES:
        return field_bytes(field->name, text, field->minimum, field->maximum, place, err);
    case FIELD_CHOICE:
        return field_choose(field->name, text, field->choice, place, err);
    case FIELD_TEXT:
    case FIELD_FILE:
    case FIELD_FOLDER:
        break;
    }
    *(const char **)place = text;
    return true;
}
