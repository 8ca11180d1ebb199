/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include "sched/plan/plan.h"

/* The lower bound is series 0 and is drawn below all curves. */
#define FLOOR 0

static size_t series_of(struct chart *chart, const struct plan_row *row)
{
    return chart_named(chart, CHART_CURVE, row->algorithm->name);
}

static bool plan_of(const struct collective *asked, uint32_t m, struct plan *plan, struct err *err)
{
    struct collective of = *asked;
    of.m = m;
    return plan_make(&of, &asked->model, false, plan, err);
}

/* Adds the series in the order in which their curves end, from the top. */
static bool add_series(const struct collective *asked, struct chart *chart, struct err *err)
{
    struct plan plan;
    if (!plan_of(asked, asked->m, &plan, err))
        return false;
    chart_series(chart, CHART_FLOOR, "below the lower bound");
    for (size_t which = plan.count; which-- > 0;)
        if (plan.row[which].end != ALGORITHM_UNKNOWN)
            series_of(chart, &plan.row[which]);
    plan_free(&plan);
    return true;
}

static bool add_points(const struct collective *asked, uint32_t m, struct chart *chart,
                       struct err *err)
{
    struct plan plan;
    double unit = model_has_times(asked->model) ? asked->lambda.denominator : 1;
    if (!plan_of(asked, m, &plan, err))
        return false;
    if (plan.count > 0)
        chart_point(chart, FLOOR, m, (double)plan.row[0].bound / unit);
    for (size_t which = 0; which < plan.count; which++)
        if (plan.row[which].end != ALGORITHM_UNKNOWN)
            chart_point(chart, series_of(chart, &plan.row[which]), m,
                        (double)plan.row[which].end / unit);
    plan_free(&plan);
    return true;
}

bool plot_plan(const struct collective *asked, const char *title, struct chart *chart,
               struct err *err)
{
    bool many = asked->m > PLOT_EVERY;
    chart->log_x = chart->log_y = many;
    chart_titles(chart, title, "packets m",
                 model_has_times(asked->model) ? "time (units of a packet)" : "rounds");
    if (!add_series(asked, chart, err))
        return false;
    uint32_t next;
    for (uint32_t m = 1; m <= asked->m; m = next) {
        if (!add_points(asked, m, chart, err))
            return false;
        next = many && m >= 16 ? m + m / 16 : m + 1;
        if (m < asked->m && next > asked->m)
            next = asked->m;
    }
    if (!chart_check(chart, err))
        return false;
    return chart->count > 1 ||
           err_set(err, ERR_ALGORITHM,
                   "plot plan: no algorithm predicts its end in the model %s; expected another "
                   "model or collective",
                   model_name(asked->model));
}
