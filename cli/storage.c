/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/storage.h"

#include "cli/report.h"

#include <inttypes.h>

/* Words of one size. */
struct storage_row {
    const char *what;
    uint64_t words, bits;
    bool before, now; /* is it what there would be, is it what there is */
};

enum {
    SETTINGS_FULL,
    SETTINGS_ONCE,
    SETTINGS_MASKS,
    SETTING_INDEX,
    PROGRAMS_STORED,
    PROGRAMS_COMPUTED,
    ROWS
};

/* The settings that the setting index names. */
static uint32_t distinct(const struct image *image)
{
    const struct machine *machine = &image->machine;
    uint32_t most = 0;
    for (size_t k = 0; k < image->count; k++) {
        uint32_t setting_phase = image->word[k].address - machine_setting_index_address(machine, 0);
        uint32_t which =
            image->word[k].word & ((UINT32_C(1) << machine_setting_index_bits(machine)) - 1);
        if (setting_phase >> machine_column_bits(machine) < image->run.period && which + 1 > most)
            most = which + 1;
    }
    return most;
}

static void fill(const struct image *image, uint32_t nodes, struct storage_row row[ROWS])
{
    const struct machine *machine = &image->machine;
    const struct run *run = &image->run;
    const bool setting_index = machine_has_setting_index(machine),
               masks = machine_has_masks(machine);
    const bool once = machine_is_indexed(machine) && !masks;
    const bool full = !machine_shares_settings(machine);
    uint64_t setting = multistage_setting_bits(&machine->network);
    unsigned packet = machine->log2_packets;
    row[SETTINGS_FULL] =
        (struct storage_row){"settings of each round", run->rows, setting, true, !setting_index};
    row[SETTINGS_ONCE] =
        (struct storage_row){full ? "settings, one a change" : "settings, each once",
                             once ? distinct(image) : 0, setting, false, once};
    row[SETTINGS_MASKS] = (struct storage_row){
        "masks, each once", masks ? distinct(image) : 0,
        (uint64_t)machine_stages(machine) * machine->network.levels, false, masks};
    row[SETTING_INDEX] = (struct storage_row){
        machine_has_tags(machine) ? "tags" : "order", run->period,
        setting_index ? machine_setting_index_word_bits(machine) : 0, false, setting_index};
    row[PROGRAMS_STORED] =
        (struct storage_row){"programs, an entry a round", (uint64_t)run->rows * nodes,
                             2 * packet + 3, true, !machine->computed};
    row[PROGRAMS_COMPUTED] =
        (struct storage_row){"programs, an entry a beat", (uint64_t)run->period * nodes,
                             2 * (machine_offset_bits(machine) + 1), false, machine->computed};
}

static void sums(const struct storage_row row[ROWS], uint64_t *before, uint64_t *now)
{
    *before = *now = 0;
    for (unsigned which = 0; which < ROWS; which++) {
        *before += row[which].before ? row[which].words * row[which].bits : 0;
        *now += row[which].now ? row[which].words * row[which].bits : 0;
    }
}

bool storage_print(FILE *to, const struct image *image, uint32_t nodes, struct err *err)
{
    struct storage_row row[ROWS];
    struct report_table table = {.columns = 5};
    uint64_t before, now;
    fill(image, nodes, row);
    sums(row, &before, &now);
    static const char *const heading[] = {"tables", "words", "bits of each", "full", "now"};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (unsigned which = 0; which < ROWS; which++) {
        if (!row[which].before && !row[which].now)
            continue;
        report_cell(&table, "%s", row[which].what);
        report_cell(&table, "%" PRIu64, row[which].words);
        report_cell(&table, "%" PRIu64, row[which].bits);
        report_cell(&table, "%" PRIu64, row[which].before ? row[which].words * row[which].bits : 0);
        report_cell(&table, "%" PRIu64, row[which].now ? row[which].words * row[which].bits : 0);
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
    struct storage_row row[ROWS];
    uint64_t before, now;
    fill(image, nodes, row);
    sums(row, &before, &now);
    return json_pack("{s:I, s:I}", "full", (json_int_t)before, "now", (json_int_t)now);
}
