/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/files.h"

#include "lib/inside.h"
#include "sched/base/files.h"
#include "sched/base/interrupt.h"

#include <stdlib.h>

struct roundcast_output {
    struct files_output to;
};

const char *roundcast_input_name(const char *path)
{
    return files_input_name(path);
}

const char *roundcast_output_name(const char *path)
{
    return files_output_name(path);
}

char *roundcast_output_place(const char *path)
{
    return files_place(path);
}

FILE *roundcast_input_open(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    FILE *file = files_open_input(path, &err);
    if (file == NULL)
        inside_fail(&err, error);
    return file;
}

void roundcast_input_close(FILE *file)
{
    files_close_input(file);
}

static struct roundcast_output *open_by(bool (*open)(const char *path, struct files_output *output,
                                                     struct err *err),
                                        const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct roundcast_output *output = malloc(sizeof *output);
    if (output == NULL)
        err_no_memory(&err, "a file");
    else if (open(path, &output->to, &err))
        return output;
    free(output);
    inside_fail(&err, error);
    return NULL;
}

struct roundcast_output *roundcast_output_open(const char *path, struct roundcast_error *error)
{
    return open_by(files_open_output, path, error);
}

struct roundcast_output *roundcast_output_reserve(const char *path, struct roundcast_error *error)
{
    return open_by(files_reserve_output, path, error);
}

FILE *roundcast_output_file(const struct roundcast_output *output)
{
    return output->to.file;
}

const char *roundcast_output_temporary(const struct roundcast_output *output)
{
    return output->to.temporary;
}

bool roundcast_output_commit(struct roundcast_output *output, struct roundcast_error *error)
{
    struct err err = {0};
    bool written = files_commit(&output->to, &err);
    free(output);
    return written || inside_fail(&err, error);
}

void roundcast_output_discard(struct roundcast_output *output)
{
    if (output == NULL)
        return;
    files_discard(&output->to);
    free(output);
}

bool roundcast_output_refuse(const char *name, int number, struct roundcast_error *error)
{
    struct err err = {0};
    files_refuse_output(name, number, &err);
    return inside_fail(&err, error);
}

void roundcast_interrupt_begin(void)
{
    interrupt_begin();
}
