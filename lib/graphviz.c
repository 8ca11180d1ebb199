/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/graphviz.h"

#include "sched/base/files.h"
#include "sched/base/filter.h"
#include "sched/base/text.h"

bool graphviz_write_dot(const char *path, const struct drawing *drawing, struct err *err)
{
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    drawing_write(output.file, drawing);
    return files_commit(&output, err);
}

static bool draw(const char *format, const struct drawing *drawing, FILE *picture, struct err *err)
{
    char name[] = "dot", option[16], *arguments[] = {name, option, NULL}, what[24];
    snprintf(option, sizeof option, "-T%s", format);
    snprintf(what, sizeof what, "%s %s", name, option);
    const struct filter dot = {what, "Graphviz (the package graphviz)", arguments};
    FILE *text = filter_input(err);
    if (text == NULL)
        return false;
    drawing_write(text, drawing);
    bool drawn = filter_run(&dot, text, picture, err);
    fclose(text);
    return drawn;
}

bool graphviz_write_picture(const char *path, const char *format, const struct drawing *drawing,
                            struct err *err)
{
    if (drawing->count > GRAPHVIZ_MAX_NODES)
        return err_set(err, ERR_TOO_BIG,
                       "{format} %s: %zu node%s; expected at most %d ({format} dot takes more)",
                       format, drawing->count, text_s(drawing->count), GRAPHVIZ_MAX_NODES);
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    if (!draw(format, drawing, output.file, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}
