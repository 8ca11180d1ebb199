/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/beats.h"

#include "sched/route/route_rows.h"
#include "sched/route/tags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void beats_free(struct beats *beats)
{
    free(beats->order);
    settings_free(&beats->settings);
    maps_free(&beats->maps);
    computed_free(&beats->computed);
    *beats = (struct beats){0};
}

/* The tag of a row, as a word; 0, which an idle one gets, is the shift by 0. */
static bool tag_row(void *self, const struct route_rows *rows, const uint32_t to[], uint32_t *word,
                    struct err *err)
{
    const struct multistage *net = self;
    struct tag tag;
    char time[SCHEDULE_TIME_TEXT];
    if (tags_of(net, to, &tag)) {
        *word = tags_word(net, tag);
        return true;
    }
    route_rows_name(rows, time);
    return err_set(err, ERR_IRREGULAR,
                   "%s: --settings: no cyclic shift of the %" PRIu32
                   " ports, nor a complement; expected one, or --settings indexed",
                   time, rows->ports);
}

/* The row of the tables that each row has, word[rows]. */
static bool find_rows(const struct schedule *schedule, const struct machine *machine,
                      struct beats *beats, uint32_t word[], struct err *err)
{
    bool masks = machine_has_masks(machine);
    if (masks ? !maps_find(schedule, machine, &beats->maps, err)
              : !settings_find(schedule, machine, &beats->settings, err))
        return false;
    beats->distinct = masks ? beats->maps.count : beats->settings.count;
    memcpy(word, masks ? beats->maps.index : beats->settings.index,
           (uint32_t)schedule->end * sizeof *word);
    return true;
}

/* Does the order repeat with the beats? */
static bool fold(struct beats *beats, const uint32_t word[], uint32_t rows, struct err *err)
{
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t beat = (beats->first + row) % beats->period;
        if (row >= beats->period && beats->order[beat] != word[row])
            return err_set(err, ERR_IRREGULAR,
                           "--programs: round %" PRIu32 " has other settings than round %" PRIu32
                           "; expected the same in every turn of %" PRIu32,
                           row + 1, row + 1 - beats->period, beats->period);
        beats->order[beat] = word[row];
    }
    return true;
}

static bool find_order(const struct schedule *schedule, const struct machine *machine,
                       struct beats *beats, struct err *err)
{
    uint32_t rows = (uint32_t)schedule->end;
    uint32_t *word = calloc((size_t)rows + 1, sizeof *word);
    struct multistage net = machine->network;
    bool tags = machine_has_tags(machine);
    bool found = word != NULL || err_no_memory(err, "an order");
    found = found && (tags ? route_rows_numbers(schedule, machine, tag_row, &net, word, err)
                           : find_rows(schedule, machine, beats, word, err));
    if (found && !machine->computed)
        beats->period = settings_period(word, rows);
    beats->order = found ? calloc((size_t)beats->period + 1, sizeof *beats->order) : NULL;
    if (found && (beats->order == NULL || beats->period == 0))
        found = err_no_memory(err, "an order");
    found = found && fold(beats, word, rows, err);
    free(word);
    return found;
}

bool beats_find(const struct schedule *schedule, const struct machine *machine, struct beats *beats,
                struct err *err)
{
    *beats = (struct beats){0};
    bool found =
        !machine->computed || (computed_find(schedule, &beats->computed, err) &&
                               computed_check_bits(&beats->computed, schedule, machine, err));
    beats->period = beats->computed.period;
    beats->first = beats->computed.first;
    found = found && (!machine_has_order(machine) || find_order(schedule, machine, beats, err));
    if (!found)
        beats_free(beats);
    return found;
}
