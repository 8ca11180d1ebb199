/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include "sched/base/compare.h"
#include "sched/route/machine_sizing.h"

/* Computes the deepest buffer that the schedule requires. `exists` is false if routers have too few
 * read ports for a step. */
static bool deepest(const struct schedule *schedule, uint32_t *depth, bool *exists, struct err *err)
{
    struct router_needs needs;
    struct err refused = {0};
    *exists = router_needs_of(schedule, &needs, &refused);
    if (!*exists && refused.code != ERR_TOO_SMALL) {
        *err = refused;
        return false;
    }
    *depth = 0;
    for (unsigned level = 1; *exists && level <= schedule->topology.height; level++)
        *depth = MAX(*depth, needs.depth[level]);
    return true;
}

static bool is_too_long(const struct collective *asked)
{
    uint64_t receipts = collective_receipts(asked);
    return receipts > PLOT_TRANSFERS / (2 * asked->topology->height);
}

static bool add_point(const struct algorithm *algorithm, const struct collective *asked,
                      struct chart *chart, struct err *err)
{
    struct collective of = *asked;
    of.kind = algorithm->kind;
    if (!algorithm_check(algorithm, &of, NULL) || is_too_long(&of))
        return true;
    struct schedule schedule = {0};
    uint32_t depth;
    bool exists;
    bool found =
        algorithm_build(algorithm, &of, &schedule, err) && deepest(&schedule, &depth, &exists, err);
    schedule_free(&schedule);
    if (!found || !exists)
        return found;
    char name[80];
    const char *method = algorithm_method_name(algorithm, of.model, of.method);
    snprintf(name, sizeof name, "%s%s%s", algorithm->name, method != NULL ? " " : "",
             method != NULL ? method : "");
    chart_point(chart, chart_named(chart, CHART_CURVE, name), asked->n, depth);
    return true;
}

static bool add_tree(const struct topology *tree, enum model model, struct chart *chart,
                     struct err *err)
{
    struct collective asked = {.n = tree->nodes, .m = 1, .model = model, .topology = tree};
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if ((*entry)->topology != tree->kind || collective_rows[(*entry)->kind].combined)
            continue;
        for (asked.method = 0; asked.method < algorithm_methods(*entry); asked.method++)
            if (!add_point(*entry, &asked, chart, err))
                return false;
    }
    return true;
}

bool plot_depth(const struct topology *tree, enum model model, const char *title,
                struct chart *chart, struct err *err)
{
    chart->log_x = chart->log_y = chart->sizes = true;
    chart_titles(chart, title, "leaves of the tree", "deepest buffer (packets)");
    for (unsigned height = 1; height <= tree->height; height++) {
        struct topology part;
        if (!topology_tree(height, tree->children + 1, tree->capacity + 1, &part, err) ||
            !add_tree(&part, model, chart, err))
            return false;
    }
    return chart_check(chart, err);
}
