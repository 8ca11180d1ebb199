/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/price.h"

#include "cli/text.h"

#include <inttypes.h>

double price_gap(const struct price_row *row)
{
    uint64_t above = row->makespan - row->bound;
    return above == 0 ? 0 : 100.0 * (double)above / (double)row->bound;
}

double price_busy(const struct price_row *row)
{
    uint32_t planes = row->planes > 0 ? row->planes : 1;
    return row->rounds == 0
               ? 0
               : 100.0 * (double)(row->rounds * row->cost.round) / ((double)row->makespan * planes);
}

json_t *price_json(const struct price_row *row)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f}", "makespan", (json_int_t)row->makespan,
                     "bound", (json_int_t)row->bound, "gap",
                     (json_int_t)(row->makespan - row->bound), "rounds", (json_int_t)row->rounds,
                     "settings", (json_int_t)row->settings, "data_percent", price_busy(row));
}

void price_units(const struct collective *asked)
{
    printf("a round is %" PRIu64 " cycle%s, a change of settings %" PRIu64 " cycle%s\n",
           asked->cost.round, text_s(asked->cost.round), asked->cost.change,
           text_s(asked->cost.change));
}

void price_json_units(const struct collective *asked, json_t **root)
{
    roundcast_json_set(root, "reconfigure", json_integer((json_int_t)asked->cost.change));
    roundcast_json_set(root, "round_cycles", json_integer((json_int_t)asked->cost.round));
}

static bool print_table(const struct price_row row[], size_t count, struct roundcast_error *err)
{
    static const char *const heading[] = {"method",   "cycles", "bound", "above",
                                          "settings", "data",   "what"};
    struct report_table table = {.columns = sizeof heading / sizeof *heading};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t k = 0; k < count; k++) {
        bool found = row[k].found;
        report_cell(&table, "%s", row[k].method->name);
        report_cell(&table, found ? "%" PRIu64 : "-", row[k].makespan);
        report_cell(&table, "%" PRIu64, row[k].bound);
        report_cell(&table, found ? "%.1f%%" : "-", price_gap(&row[k]));
        report_cell(&table, found ? "%" PRIu64 : "-", row[k].settings);
        report_cell(&table, found ? "%.1f%%" : "-", price_busy(&row[k]));
        report_cell(&table, "%s", row[k].method->summary);
    }
    return report_table_print(stdout, &table, err);
}

static bool print_json(const struct collective *asked, const struct price_row row[], size_t count,
                       struct roundcast_error *err)
{
    json_t *rows = json_array();
    for (size_t k = 0; k < count; k++) {
        json_t *entry = row[k].found ? price_json(&row[k]) : json_object();
        roundcast_json_set(&entry, "method", json_string(row[k].method->name));
        roundcast_json_append(&rows, entry);
    }
    json_t *root = json_pack("{s:I, s:I, s:o}", "nodes", (json_int_t)asked->n, "planes",
                             (json_int_t)row->planes, "plan", rows);
    price_json_units(asked, &root);
    return roundcast_json_print(stdout, root, err);
}

bool price_plan(const struct collective *asked, uint32_t planes, bool json,
                struct roundcast_error *err)
{
    struct price_row row[PRICE_METHODS];
    size_t count;
    if (!price_rows(asked, planes, row, &count, err))
        return false;
    if (json)
        return print_json(asked, row, count, err);
    if (!print_table(row, count, err))
        return false;
    putchar('\n');
    price_units(asked);
    for (size_t k = 0; k < count; k++)
        if (!row[k].found) {
            printf("- not run: it would take long, or cannot be better\n");
            break;
        }
    return true;
}
