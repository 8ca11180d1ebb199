/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/storage.h"

#include "cli/report.h"
#include "lib/tables.h"

#include <inttypes.h>

bool storage_print(FILE *to, const struct image *image, uint32_t nodes, struct roundcast_error *err)
{
    struct table_row row[TABLE_ROWS];
    struct report_table table = {.columns = 5};
    uint64_t before, now;
    tables_measure(image, nodes, row);
    tables_sum(row, &before, &now);
    static const char *const heading[] = {"tables", "words", "bits of each", "full", "now"};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (unsigned which = 0; which < TABLE_ROWS; which++) {
        if (!row[which].full && !row[which].used)
            continue;
        report_cell(&table, "%s", row[which].name);
        report_cell(&table, "%" PRIu64, row[which].words);
        report_cell(&table, "%" PRIu64, row[which].bits);
        report_cell(&table, "%" PRIu64, row[which].full ? row[which].words * row[which].bits : 0);
        report_cell(&table, "%" PRIu64, row[which].used ? row[which].words * row[which].bits : 0);
    }
    report_cell(&table, "all");
    report_cell(&table, "-");
    report_cell(&table, "-");
    report_cell(&table, "%" PRIu64, before);
    report_cell(&table, "%" PRIu64, now);
    return report_table_print(to, &table, err);
}

json_t *storage_json(const struct image *image, uint32_t nodes)
{
    struct table_row row[TABLE_ROWS];
    uint64_t before, now;
    tables_measure(image, nodes, row);
    tables_sum(row, &before, &now);
    return json_pack("{s:I, s:I}", "full", (json_int_t)before, "now", (json_int_t)now);
}
