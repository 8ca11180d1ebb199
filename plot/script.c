/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/script.h"

#include "sched/base/files.h"
#include "sched/base/tool.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const script_format_name[SCRIPT_FORMATS] = {"svg", "png", "pdf"};

static const char *const terminal[SCRIPT_FORMATS] = {
    "svg noenhanced size 860,460 font 'DejaVu Sans,Verdana,sans-serif,13' background '#ffffff'",
    "pngcairo noenhanced size 1720,920 font 'DejaVu Sans,19' linewidth 2 pointscale 1.6",
    "pdfcairo noenhanced size 17.2cm,9.2cm font 'DejaVu Sans,8' linewidth 1.2 pointscale 0.6",
};

/* Colours that colour-blind readers can distinguish (Okabe and Ito), dark enough on white. Dashes
 * and markers also differ, with other periods than the colours. */
static const char *const colour[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                     "#000000", "#E69F00", "#56B4E9"};
static const unsigned dashes[] = {1, 2, 4, 5};
static const unsigned marker[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
#define OF(list, which) ((list)[(which) % (sizeof(list) / sizeof *(list))])

#define MARKERS 12 /* approximate number of markers on a curve */

/* Prints a text as a string of gnuplot. */
static void quote(FILE *to, const char *text)
{
    putc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            putc('\'', to);
        putc(*text, to);
    }
    putc('\'', to);
}

static void set(FILE *to, const char *what, const char *text)
{
    fprintf(to, "set %s ", what);
    quote(to, text);
    putc('\n', to);
}

void script_write_data(FILE *to, const struct chart *chart)
{
    for (size_t which = 0; which < chart->count; which++) {
        const struct chart_series *series = &chart->series[which];
        fprintf(to, "%s# %zu: %s\n", which > 0 ? "\n\n" : "", which, series->name);
        for (size_t at = 0; at < series->count; at++)
            fprintf(to, "%.15g %.15g\n", series->point[at].x, series->point[at].y);
    }
}

static void write_source(FILE *to, const struct chart *chart, const char *data, const char *picture)
{
    if (data == NULL) {
        fprintf(to, "$data << END_OF_DATA\n");
        script_write_data(to, chart);
        fprintf(to, "END_OF_DATA\ndata = '$data'\n");
        return;
    }
    set(to, "output", picture);
    fprintf(to, "data = ");
    quote(to, data);
    putc('\n', to);
}

/* Writes the ranges of the axes, with a margin so that no point is on an axis; a logarithmic axis
 * cannot begin at 0. */
static void write_ranges(FILE *to, const struct chart *chart)
{
    struct chart_range x = chart_range(chart, false), y = chart_range(chart, true);
    double margin = chart->log_x ? pow(x.most / x.least, 0.015) : (x.most - x.least) * 0.015;
    if (chart->log_x)
        fprintf(to, "set logscale x\nset format x '%%.0s%%c'\nset xrange [%.6g:%.6g]\n",
                x.least / margin, x.most * margin);
    else
        fprintf(to, "set xrange [%.6g:%.6g]\n", x.least - margin, x.most + margin);
    if (chart->log_y)
        fprintf(to, "set logscale y\nset format y '%%.0s%%c'\nset yrange [%.6g:*]\n",
                y.least / 1.25);
    else
        fprintf(to, "set yrange [%.6g:%.6g]\n", fmin(y.least * 1.04, 0), y.most * 1.04);
}

/* Returns whether an earlier series has a point at this x. */
static bool is_known(const struct chart *chart, size_t series, double x)
{
    for (size_t which = 0; which < series; which++)
        for (size_t at = 0; at < chart->series[which].count; at++)
            if (chart->series[which].point[at].x == x)
                return true;
    return false;
}

/* Writes a tic for each x value, if these are few. */
static void write_sizes(FILE *to, const struct chart *chart)
{
    const char *before = "set xtics (";
    if (!chart->sizes)
        return;
    for (size_t which = 0; which < chart->count; which++)
        for (size_t at = 0; at < chart->series[which].count; at++) {
            double x = chart->series[which].point[at].x;
            if (is_known(chart, which, x))
                continue;
            fprintf(to, "%s%.15g", before, x);
            before = ", ";
        }
    fprintf(to, ")\n");
}

static void write_axes(FILE *to, const struct chart *chart)
{
    set(to, "title", chart->title);
    set(to, "xlabel", chart->x);
    set(to, "ylabel", chart->y);
    write_ranges(to, chart);
    fprintf(to,
            "set border 3 linecolor '#404040'\n"
            "set tics nomirror out scale 0.6\n"
            "set grid linecolor '#dddddd' linewidth 0.7 dashtype 1\n"
            "set key outside %s Left reverse samplen 3 spacing 1.15 noautotitle\n",
            chart->strands != NULL ? "bottom center horizontal height 1"
                                   : "right center maxcols 1");
    write_sizes(to, chart);
}

/* Writes the palette of strands, from dark to light. */
static void write_palette(FILE *to, const struct chart *chart)
{
    if (chart->strands == NULL)
        return;
    double last = 1;
    for (size_t which = 0; which < chart->count; which++)
        last = fmax(last, chart->series[which].number);
    fprintf(to,
            "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', "
            "4 '#d8c820')\n"
            "set cbrange [1:%.15g]\n",
            fmax(last, 2));
    set(to, "cblabel", chart->strands);
    fprintf(to, "set cblabel offset character 1, 0\n");
}

/* Marks are placed where rising curves leave room: above them on the left, below on the right. */
static void write_marks(FILE *to, const struct chart *chart)
{
    struct chart_range x = chart_range(chart, false);
    double middle = chart->log_x ? sqrt(x.least * x.most) : (x.least + x.most) / 2;
    for (size_t which = 0; which < chart->mark_count; which++) {
        const struct chart_mark *mark = &chart->mark[which];
        bool above = mark->x < middle;
        fprintf(to,
                "set arrow from first %.15g, graph 0 to first %.15g, graph 1 nohead "
                "linecolor '#808080' dashtype 3\n"
                "set label ",
                mark->x, mark->x);
        quote(to, mark->text);
        fprintf(to, " at first %.15g, graph %s rotate %s offset character 0.9, 0 front\n", mark->x,
                above ? "0.98" : "0.02", above ? "right" : "left");
    }
}

static void write_style(FILE *to, const struct chart_series *series, unsigned curve)
{
    switch (series->style) {
    case CHART_CURVE:
        fprintf(to,
                "with linespoints linecolor '%s' dashtype %u linewidth 1.8 pointtype %u "
                "pointsize 0.7 pointinterval %zu",
                OF(colour, curve), OF(dashes, curve), OF(marker, curve),
                series->count / MARKERS + 1);
        break;
    case CHART_FLOOR:
        fprintf(to, "with filledcurves x1 fillcolor '#d4d4d4' fillstyle solid 1.0 "
                    "border linecolor '#707070'");
        break;
    case CHART_STEPS:
        fprintf(to, "with steps linecolor '%s' linewidth 2.4", OF(colour, curve + 1));
        break;
    case CHART_STRAND:
        fprintf(to, "with lines linecolor palette cb %.15g linewidth 1.3", series->number);
        break;
    }
}

/* Lists curves that equal another curve, which would hide them: the legend has an entry for
 * each. */
static void write_like(FILE *to, const struct chart *chart, size_t first, unsigned curve)
{
    for (size_t which = first + 1; which < chart->count; which++)
        if (chart_first_like(chart, which) == first) {
            fprintf(to, ", \\\n     keyentry ");
            write_style(to, &chart->series[which], curve);
            fprintf(to, " title ");
            quote(to, chart->series[which].name);
        }
}

static void write_curves(FILE *to, const struct chart *chart)
{
    unsigned curve = 0;
    const char *before = "plot";
    for (size_t which = 0; which < chart->count; which++) {
        const struct chart_series *series = &chart->series[which];
        bool strand = series->style == CHART_STRAND;
        if (series->count == 0 || (!strand && chart_first_like(chart, which) != which))
            continue;
        fprintf(to, "%s data index %zu using 1:2 ", before, which);
        write_style(to, series, curve);
        before = ", \\\n    ";
        if (strand)
            continue;
        fprintf(to, " title ");
        quote(to, series->name);
        write_like(to, chart, which, curve);
        curve += series->style != CHART_FLOOR;
    }
    putc('\n', to);
}

void script_write(FILE *to, const struct chart *chart, enum script_format format, const char *data,
                  const char *picture)
{
    fprintf(to, "set encoding utf8\nset terminal %s\n", terminal[format]);
    write_source(to, chart, data, picture);
    write_axes(to, chart);
    write_palette(to, chart);
    write_marks(to, chart);
    write_curves(to, chart);
}

/* -- The files of a chart ---------------------------------------------------------------------- */

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
