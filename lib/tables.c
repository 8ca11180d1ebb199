/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tables.h"

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"

/* Returns the number of settings that the table of indices refers to. */
static uint32_t distinct(const struct image *image)
{
    const struct machine *machine = &image->machine;
    uint32_t most = 0;
    for (size_t k = 0; k < image->count; k++) {
        uint32_t phase = image->word[k].address - machine_setting_index_address(machine, 0);
        uint32_t which =
            image->word[k].word & ((UINT32_C(1) << machine_setting_index_bits(machine)) - 1);
        if (phase >> machine_column_bits(machine) < image->run.period && which + 1 > most)
            most = which + 1;
    }
    return most;
}

/* Returns the number of words of the table of splits that the image uses: those that are not 0. */
static uint32_t splits(const struct image *image)
{
    const struct machine *machine = &image->machine;
    uint32_t count = 0;
    for (size_t k = 0; machine->ranges && k < image->count; k++) {
        const struct machine_place place = machine_place_of(machine, image->word[k].address);
        count += place.region == MACHINE_TABLE && place.bank == machine_splits_bank(machine) &&
                 image->word[k].word != 0;
    }
    return count;
}

void tables_measure(const struct image *image, uint32_t nodes, struct table_row row[TABLE_ROWS])
{
    const struct machine *machine = &image->machine;
    const struct run *run = &image->run;
    const bool order = machine_has_setting_index(machine), masks = machine_has_masks(machine);
    const bool once = machine_is_indexed(machine) && !masks;
    const bool full = !machine_shares_settings(machine);
    uint64_t setting = multistage_setting_bits(&machine->network);
    unsigned packet = machine->log2_packets;
    row[TABLE_SETTINGS_FULL] =
        (struct table_row){"settings of each round", run->rows, setting, true, !order};
    row[TABLE_SETTINGS_ONCE] =
        (struct table_row){full ? "settings, one a change" : "settings, each once",
                           once ? distinct(image) : 0, setting, false, once};
    row[TABLE_MASKS] = (struct table_row){
        "masks, each once", masks ? distinct(image) : 0,
        (uint64_t)machine_stages(machine) * machine->network.levels, false, masks};
    row[TABLE_ORDER] =
        (struct table_row){machine_has_tags(machine) ? "tags" : "order", run->period,
                           order ? machine_setting_index_word_bits(machine) : 0, false, order};
    row[TABLE_PROGRAMS_STORED] =
        (struct table_row){"programs, an entry a round", (uint64_t)run->rows * nodes,
                           2 * packet + 3 + machine->combines + 3 * machine->keeps_own, true,
                           !machine->computed && !machine->ranges};
    row[TABLE_PROGRAMS_COMPUTED] =
        (struct table_row){"programs, an entry a beat", (uint64_t)run->period * nodes,
                           2 * (machine_offset_bits(machine) + 1), false, machine->computed};
    const unsigned node = machine_node_bits(machine);
    row[TABLE_PROGRAMS_RANGES] =
        (struct table_row){"ranges, one a node", nodes, node + 1, false, machine->ranges};
    row[TABLE_SPLITS] = (struct table_row){"splits, shared by all nodes", splits(image),
                                           2 * node + 1, false, machine->ranges};
}

void tables_sum(const struct table_row row[TABLE_ROWS], uint64_t *full, uint64_t *used)
{
    *full = *used = 0;
    for (unsigned which = 0; which < TABLE_ROWS; which++) {
        *full += row[which].full ? row[which].words * row[which].bits : 0;
        *used += row[which].used ? row[which].words * row[which].bits : 0;
    }
}
