#include "sched/route/phases.h"

#include "sched/route/route_rows.h"
#include "sched/route/tags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void phases_free(struct phases *phases)
{
    free(phases->order);
    settings_free(&phases->settings);
    maps_free(&phases->maps);
    computed_free(&phases->computed);
    *phases = (struct phases){0};
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
                      struct phases *phases, uint32_t word[], struct err *err)
{
    bool masks = machine_has_masks(machine);
    if (masks ? !maps_find(schedule, machine, &phases->maps, err)
              : !settings_find(schedule, machine, &phases->settings, err))
        return false;
    phases->distinct = masks ? phases->maps.count : phases->settings.count;
    memcpy(word, masks ? phases->maps.index : phases->settings.index,
           (uint32_t)schedule->end * sizeof *word);
    return true;
}

/* Does the order repeat with the phases? */
static bool fold(struct phases *phases, const uint32_t word[], uint32_t rows, struct err *err)
{
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t phase = (phases->first + row) % phases->period;
        if (row >= phases->period && phases->order[phase] != word[row])
            return err_set(err, ERR_IRREGULAR,
                           "--programs: round %" PRIu32 " has other settings than round %" PRIu32
                           "; expected the same in every turn of %" PRIu32,
                           row + 1, row + 1 - phases->period, phases->period);
        phases->order[phase] = word[row];
    }
    return true;
}

static bool find_order(const struct schedule *schedule, const struct machine *machine,
                       struct phases *phases, struct err *err)
{
    uint32_t rows = (uint32_t)schedule->end;
    uint32_t *word = calloc((size_t)rows + 1, sizeof *word);
    struct multistage net = machine->network;
    bool tags = machine_has_tags(machine);
    bool found = word != NULL || err_no_memory(err, "an order");
    found = found && (tags ? route_rows_numbers(schedule, machine, tag_row, &net, word, err)
                           : find_rows(schedule, machine, phases, word, err));
    if (found && !machine->computed)
        phases->period = settings_period(word, rows);
    phases->order = found ? calloc((size_t)phases->period + 1, sizeof *phases->order) : NULL;
    if (found && (phases->order == NULL || phases->period == 0))
        found = err_no_memory(err, "an order");
    found = found && fold(phases, word, rows, err);
    free(word);
    return found;
}

bool phases_find(const struct schedule *schedule, const struct machine *machine,
                 struct phases *phases, struct err *err)
{
    *phases = (struct phases){0};
    bool found = !machine->computed || computed_find(schedule, &phases->computed, err);
    phases->period = phases->computed.period;
    phases->first = phases->computed.first;
    found = found && (!machine_has_order(machine) || find_order(schedule, machine, phases, err));
    if (!found)
        phases_free(phases);
    return found;
}
