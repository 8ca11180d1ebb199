/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include <stdio.h>

#define FLOOR 0
#define NAME 80

/* The fastest algorithm from a message size upwards. */
struct first {
    const struct algorithm *algorithm;
    enum model model;
};

static bool tune_of(const struct tune_request *request, uint64_t bytes, struct tune *tune,
                    struct err *err)
{
    struct tune_request of = *request;
    of.bytes = bytes;
    return tune_search(&of, tune, err);
}

/* Returns the name of an algorithm, with the model if it is not the algorithm's default. */
static const char *name_of(const struct algorithm *algorithm, enum model model, char name[NAME])
{
    bool own = model == algorithm_model(algorithm);
    snprintf(name, NAME, "%s%s%s%s", algorithm->name, own ? "" : " (", own ? "" : model_name(model),
             own ? "" : ")");
    return name;
}

static size_t series_of(struct chart *chart, const struct tune_row *row)
{
    char name[NAME];
    return chart_named(chart, CHART_CURVE, name_of(row->algorithm, row->model, name));
}

static void add_points(const struct tune *tune, uint64_t bytes, struct chart *chart)
{
    chart_point(chart, FLOOR, (double)bytes, (double)tune->bound);
    for (size_t which = 0; which < tune->count; which++)
        chart_point(chart, series_of(chart, &tune->row[which]), (double)bytes,
                    (double)tune->row[which].cycles);
}

/* Returns whether the algorithm is still among those with the fewest cycles. */
static bool is_first(const struct first *first, const struct tune *tune)
{
    for (size_t which = 0; which < tune->count && tune->row[which].cycles == tune->row[0].cycles;
         which++)
        if (tune->row[which].algorithm == first->algorithm &&
            tune->row[which].model == first->model)
            return true;
    return false;
}

/* Determines whether the algorithm is still the fastest for this number of bytes, or else its
 * successor. */
static bool ask(const struct tune_request *request, uint64_t bytes, const struct first *first,
                bool *stays, struct first *after, struct err *err)
{
    struct tune tune;
    if (!tune_of(request, bytes, &tune, err))
        return false;
    *stays = is_first(first, &tune);
    *after = (struct first){tune.row[0].algorithm, tune.row[0].model};
    tune_free(&tune);
    return true;
}

static void mark(struct chart *chart, uint64_t bytes, const struct first *first)
{
    char name[NAME], text[NAME + 40];
    snprintf(text, sizeof text, "%s from %llu B", name_of(first->algorithm, first->model, name),
             (unsigned long long)bytes);
    chart_mark(chart, (double)bytes, text);
}

/* Marks the changes of the fastest algorithm in from + 1 … to bytes, each at the smallest message,
 * by bisection. */
static bool mark_between(const struct tune_request *request, uint64_t from, uint64_t to,
                         struct first *first, struct chart *chart, struct err *err)
{
    struct first after, overtakes = {0};
    for (bool stays;;) {
        if (!ask(request, to, first, &stays, &overtakes, err))
            return false;
        if (stays)
            return true;
        uint64_t below = from, above = to; /* the algorithm is fastest at `below`, but not at
                                            * `above` */
        while (above - below > 1) {
            uint64_t middle = below + (above - below) / 2;
            if (!ask(request, middle, first, &stays, &after, err))
                return false;
            if (!stays)
                overtakes = after;
            *(stays ? &below : &above) = middle;
        }
        *first = overtakes;
        mark(chart, above, first);
        from = above;
    }
}

/* Adds the series in the order in which their curves end, from the top. */
static bool add_series(const struct tune_request *request, struct chart *chart, struct err *err)
{
    struct tune tune;
    if (!tune_of(request, request->bytes, &tune, err))
        return false;
    chart_series(chart, CHART_FLOOR, "below the lower bound");
    for (size_t which = tune.count; which-- > 0;)
        series_of(chart, &tune.row[which]);
    tune_free(&tune);
    return true;
}

bool plot_tune(const struct tune_request *request, const char *title, struct chart *chart,
               struct err *err)
{
    struct first first = {0};
    chart->log_x = chart->log_y = true;
    chart_titles(chart, title, "message (bytes)", "clock cycles");
    if (!add_series(request, chart, err))
        return false;
    uint64_t before = 0, next;
    for (uint64_t bytes = 1; bytes <= request->bytes; before = bytes, bytes = next) {
        struct tune tune;
        if (!tune_of(request, bytes, &tune, err))
            return false;
        add_points(&tune, bytes, chart);
        bool overtaken = before > 0 && !is_first(&first, &tune);
        if (before == 0) {
            first = (struct first){tune.row[0].algorithm, tune.row[0].model};
            mark(chart, bytes, &first);
        }
        tune_free(&tune);
        if (overtaken && !mark_between(request, before, bytes, &first, chart, err))
            return false;
        next = bytes + bytes / 4 + 1;
        if (bytes < request->bytes && next > request->bytes)
            next = request->bytes;
    }
    return chart_check(chart, err);
}
