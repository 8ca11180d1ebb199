/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: the public structure has the members of struct err at the same offsets. */
#include "lib/inside.h"

#include <stddef.h>
#include <string.h>

#define SAME(member)                                                                         \
    _Static_assert(offsetof(struct roundcast_error, member) == offsetof(struct err, member), \
                   "both errors have the same members")
SAME(code);
SAME(text);
SAME(field);
SAME(mark);
SAME(marks);
SAME(limited);
SAME(value);
SAME(minimum);
SAME(maximum);
SAME(further);
SAME(reported);
_Static_assert(sizeof(struct roundcast_error) == sizeof(struct err), "both errors have one size");
_Static_assert(ROUNDCAST_ERROR_OPTION == ERR_FIELD_NAME, "both names have one size");
_Static_assert(ROUNDCAST_ERROR_RENDERED == ERR_RENDERED, "both texts have one size");

bool inside_fail(const struct err *err, struct roundcast_error *error)
{
    if (error != NULL)
        memcpy(error, err, sizeof *error);
    return false;
}

struct err inside_err(const struct roundcast_error *error)
{
    struct err err;
    memcpy(&err, error, sizeof err);
    return err;
}

const char *roundcast_error_name(int code)
{
    return err_name((enum err_code)code);
}

int roundcast_error_status(int code)
{
    return err_exit_status((enum err_code)code);
}

const char *roundcast_error_text(const struct roundcast_error *error,
                                 const struct roundcast_naming *naming,
                                 char text[ROUNDCAST_ERROR_RENDERED])
{
    const struct err err = inside_err(error);
    if (naming == NULL)
        return err_text(&err, NULL, text);
    return err_text(&err, &(struct err_naming){naming->name, naming->with}, text);
}

bool roundcast_error_set(struct roundcast_error *error, int code, const char *format, ...)
{
    struct err err;
    va_list arguments;
    va_start(arguments, format);
    err_vset(&err, (enum err_code)code, format, arguments);
    va_end(arguments);
    return inside_fail(&err, error);
}

bool roundcast_error_at(struct roundcast_error *error, const struct roundcast_error *inner,
                        const char *place, ...)
{
    const struct err cause = inside_err(inner);
    struct err err;
    char text[ERR_TEXT];
    va_list arguments;
    va_start(arguments, place);
    vsnprintf(text, sizeof text, place, arguments);
    va_end(arguments);
    err_at(&err, &cause, "%s", text);
    return inside_fail(&err, error);
}

#define FORMAT_ROOM 400

bool roundcast_error_field(struct roundcast_error *error, int code, const char *field,
                           const char *format, ...)
{
    struct err err;
    char whole[FORMAT_ROOM];
    va_list arguments;
    snprintf(whole, sizeof whole, "{%.31s}%s", field, format);
    va_start(arguments, format);
    err_vset(&err, (enum err_code)code, whole, arguments);
    va_end(arguments);
    return inside_fail(&err, error);
}

bool roundcast_error_out_of_range(struct roundcast_error *error, const char *field, uint64_t value,
                                  uint64_t minimum, uint64_t maximum)
{
    struct err err;
    err_out_of_range(&err, field, value, minimum, maximum);
    return inside_fail(&err, error);
}

bool roundcast_error_missing(struct roundcast_error *error, const char *field, const char *expected)
{
    struct err err;
    err_missing(&err, field, expected);
    return inside_fail(&err, error);
}

bool roundcast_error_conflict(struct roundcast_error *error, const char *field, const char *other)
{
    struct err err;
    err_conflict(&err, field, other);
    return inside_fail(&err, error);
}

bool roundcast_error_requires(struct roundcast_error *error, const char *field, const char *other)
{
    struct err err;
    err_requires(&err, field, other);
    return inside_fail(&err, error);
}

bool roundcast_error_no_memory(struct roundcast_error *error, const char *what, ...)
{
    struct err err;
    char text[ERR_TEXT];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    err_no_memory(&err, "%s", text);
    return inside_fail(&err, error);
}
