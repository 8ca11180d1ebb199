/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/price.h"

#include "cli/text.h"

#include <inttypes.h>

double price_gap(const struct roundcast_price *price)
{
    uint64_t above = price->makespan - price->bound;
    return above == 0 ? 0 : 100.0 * (double)above / (double)price->bound;
}

double price_busy(const struct roundcast_price *price)
{
    return price->rounds == 0 ? 0
                              : 100.0 * (double)(price->rounds * price->round_cycles) /
                                    ((double)price->makespan * price->planes);
}

json_t *price_json(const struct roundcast_price *price)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f}", "makespan", (json_int_t)price->makespan,
                     "bound", (json_int_t)price->bound, "gap",
                     (json_int_t)(price->makespan - price->bound), "rounds",
                     (json_int_t)price->rounds, "settings", (json_int_t)price->settings,
                     "data_percent", price_busy(price));
}

void price_cycles(uint64_t round_cycles, uint64_t change_cycles)
{
    printf("a round is %" PRIu64 " cycle%s, a change of settings %" PRIu64 " cycle%s\n",
           round_cycles, text_s(round_cycles), change_cycles, text_s(change_cycles));
}

void price_json_cycles(uint64_t round_cycles, uint64_t change_cycles, json_t **root)
{
    roundcast_json_set(root, "reconfigure", json_integer((json_int_t)change_cycles));
    roundcast_json_set(root, "round_cycles", json_integer((json_int_t)round_cycles));
}

static bool print_table(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    static const char *const heading[] = {"method",   "cycles", "bound", "above",
                                          "settings", "data",   "what"};
    struct report_table table = {.columns = sizeof heading / sizeof *heading};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t k = 0; k < plan->count; k++) {
        const struct roundcast_plan_row *row = &plan->row[k];
        bool found = row->has_end;
        report_cell(&table, "%s", row->method);
        report_cell(&table, found ? "%" PRIu64 : "-", row->price.makespan);
        report_cell(&table, "%" PRIu64, row->price.bound);
        report_cell(&table, found ? "%.1f%%" : "-", price_gap(&row->price));
        report_cell(&table, found ? "%" PRIu64 : "-", row->price.settings);
        report_cell(&table, found ? "%.1f%%" : "-", price_busy(&row->price));
        report_cell(&table, "%s", row->summary);
    }
    return report_table_print(stdout, &table, err);
}

static bool print_json(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    json_t *rows = json_array();
    for (size_t k = 0; k < plan->count; k++) {
        const struct roundcast_plan_row *row = &plan->row[k];
        json_t *entry = row->has_end ? price_json(&row->price) : json_object();
        roundcast_json_set(&entry, "method", json_string(row->method));
        roundcast_json_append(&rows, entry);
    }
    json_t *root = json_pack("{s:I, s:I, s:o}", "nodes", (json_int_t)plan->nodes, "planes",
                             (json_int_t)plan->planes, "plan", rows);
    price_json_cycles(plan->round_cycles, plan->change_cycles, &root);
    return roundcast_json_print(stdout, root, err);
}

bool price_plan(const struct roundcast_plan_table *plan, bool json, struct roundcast_error *err)
{
    if (json)
        return print_json(plan, err);
    if (!print_table(plan, err))
        return false;
    putchar('\n');
    price_cycles(plan->round_cycles, plan->change_cycles);
    for (size_t k = 0; k < plan->count; k++)
        if (!plan->row[k].has_end) {
            printf("- not run: it would take long, or cannot be better\n");
            break;
        }
    return true;
}
