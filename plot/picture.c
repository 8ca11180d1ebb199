/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/picture.h"

#include "sched/base/files.h"
#include "sched/base/filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Files that are kept for redrawing: the data, the script. */
enum { DATA, SCRIPT, KEPT };

/* Draws the picture. gnuplot reads no settings of the user (-d), only its input. */
static bool draw(const struct picture *picture, const struct chart *chart, FILE *to,
                 struct err *err)
{
    char name[] = "gnuplot", option[] = "-d", *arguments[] = {name, option, NULL};
    const struct filter gnuplot = {name, "gnuplot (the package gnuplot-nox)", arguments};
    FILE *script = filter_input(err);
    if (script == NULL)
        return false;
    script_write(script, chart, picture->format, NULL, NULL);
    bool drawn = filter_run(&gnuplot, script, to, err);
    fclose(script);
    return drawn;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void write_kept(const struct picture *picture, const struct chart *chart,
                       const char *const name[KEPT], const char *drawn,
                       struct files_output kept[KEPT])
{
    fprintf(kept[SCRIPT].file, "# Run this in its folder: gnuplot %s\n", base_of(name[SCRIPT]));
    script_write_data(kept[DATA].file, chart);
    script_write(kept[SCRIPT].file, chart, picture->format, base_of(name[DATA]), base_of(drawn));
}

/* Opens, draws and writes the files, and moves all of them into place. */
static bool write_picture(const struct picture *picture, const struct chart *chart,
                          const char *const name[KEPT], const char *drawn, struct err *err)
{
    struct files_output kept[KEPT] = {0}, made = {0};
    struct files_output *const both[] = {&kept[DATA], &kept[SCRIPT]};
    bool keeps = picture->prefix != NULL;
    bool written = true;
    for (unsigned which = 0; written && keeps && which < KEPT; which++)
        written = files_open_output(name[which], &kept[which], err);
    if (written && keeps)
        write_kept(picture, chart, name, drawn, kept);
    if (written && picture->path != NULL)
        written =
            files_open_output(picture->path, &made, err) && draw(picture, chart, made.file, err);
    written = written && (!keeps || files_commit_all(both, KEPT, err));
    if (written && picture->path != NULL)
        return files_commit(&made, err);
    files_discard(&made);
    for (unsigned which = 0; which < KEPT; which++)
        files_discard(&kept[which]);
    return written;
}

/* Returns PREFIX with an extension; NULL without memory. */
static char *extended(const char *prefix, const char *extension)
{
    char *name;
    return asprintf(&name, "%s.%s", prefix, extension) < 0 ? NULL : name;
}

static bool check_prefix(const char *prefix, struct err *err)
{
    for (const char *at = base_of(prefix); *at != '\0'; at++)
        if (iscntrl((unsigned char)*at))
            return err_set(err, ERR_OPTION,
                           "{data}: a name with control characters; expected one without");
    return true;
}

bool picture_write(const struct picture *picture, const struct chart *chart, struct err *err)
{
    if (picture->prefix == NULL)
        return write_picture(picture, chart, NULL, NULL, err);
    if (!check_prefix(picture->prefix, err))
        return false;
    char *data = extended(picture->prefix, "dat"), *script = extended(picture->prefix, "gp");
    char *drawn = extended(picture->prefix, script_format_name[picture->format]);
    const char *const name[KEPT] = {data, script};
    bool written = data != NULL && script != NULL && drawn != NULL
                       ? write_picture(picture, chart, name, drawn, err)
                       : err_no_memory(err, "a plot");
    free(data);
    free(script);
    free(drawn);
    return written;
}
