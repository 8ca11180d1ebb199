/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a batch in the public library. */
#include "sweep/lines.h"
#include "lib/inside.h"
#include "lib/roundcast/batch.h"
#include "sched/base/files.h"

#include <stdlib.h>

struct roundcast_lines {
    struct lines lines;
};

struct roundcast_lines *roundcast_lines_read(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct roundcast_lines *lines = calloc(1, sizeof *lines);
    FILE *file = NULL;
    if (lines == NULL)
        err_no_memory(&err, "the lines of a file");
    else
        file = files_open_input(path, &err);
    bool read = file != NULL && lines_read(file, files_input_name(path), &lines->lines, &err);
    if (file != NULL)
        files_close_input(file);
    if (read)
        return lines;
    roundcast_lines_free(lines);
    inside_fail(&err, error);
    return NULL;
}

size_t roundcast_lines_count(const struct roundcast_lines *lines)
{
    return lines->lines.count;
}

struct roundcast_line roundcast_lines_at(const struct roundcast_lines *lines, size_t index)
{
    const struct lines_line *line = &lines->lines.line[index];
    return (struct roundcast_line){line->number, line->count, line->word};
}

void roundcast_lines_free(struct roundcast_lines *lines)
{
    if (lines == NULL)
        return;
    lines_free(&lines->lines);
    free(lines);
}

void roundcast_print_quoted(FILE *to, const char *word)
{
    shell_quote(to, word);
}
