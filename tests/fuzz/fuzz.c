/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdlib.h>

void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "finding: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

void fuzz_refused(const struct err *err)
{
    int status = err_exit_status(err->code);
    if (status != 1 && status != 2)
        fuzz_fail("refused as our bug: %s [E%03d]", err->text, (int)err->code);
}

void fuzz_holds(bool held, const struct err *err, const char *what)
{
    if (!held)
        fuzz_fail("%s: %s [E%03d]", what, err->text, (int)err->code);
}

uint32_t fuzz_take(struct fuzz_bytes *bytes, uint32_t bound)
{
    uint32_t value = 0;
    for (unsigned k = 0; k < 1u + (bound > 256) && fuzz_more(bytes); k++)
        value = value << 8 | *bytes->at++;
    return value % bound;
}

FILE *fuzz_open(const void *data, size_t size)
{
    /* glibc opens no empty memory; a comment has the same meaning as an empty file */
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r")
                          : fmemopen((void *)(uintptr_t) "#", 1, "r");
    if (file == NULL)
        fuzz_fail("no file in memory");
    return file;
}

char *fuzz_schedule_text(const struct schedule *schedule, size_t *size)
{
    char *text = NULL;
    struct err err = {0};
    FILE *file = open_memstream(&text, size);
    fuzz_holds(file != NULL && schedule_write(file, "written", schedule, &err), &err, "writing");
    fclose(file);
    return text;
}
