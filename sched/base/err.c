/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/err.h"

#include "sched/base/plural.h"

#include <inttypes.h>
#include <stdarg.h>

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    plural_format(err->text, sizeof err->text, format, args);
    va_end(args);
    err->code = code;
    err->further = 0;
    return false;
}

bool err_no_memory(struct err *err, const char *what, ...)
{
    char text[sizeof err->text];
    va_list args;
    va_start(args, what);
    plural_format(text, sizeof text, what, args);
    va_end(args);
    return err_set(err, ERR_TOO_BIG,
                   "no memory for %s; expected less of it, or a machine with more", text);
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

void err_print(FILE *to, const struct err *err)
{
    fprintf(to, "roundcast: %s [E%03d %s]", err->text, (int)err->code, err_name(err->code));
    if (err->further > 0)
        fprintf(to, " (and %" PRIu64 " more)", err->further);
    fputc('\n', to);
}
