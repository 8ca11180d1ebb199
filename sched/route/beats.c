/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/beats.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The value that the first port that sends would have; 0 of an idle round. */
static uint32_t first_value(const struct multistage *net, const uint32_t to[], bool complement)
{
    for (uint32_t port = 0; port < net->ports; port++)
        if (to[port] != MULTISTAGE_IDLE)
            return complement ? to[port] ^ port : (to[port] + net->ports - port) % net->ports;
    return 0;
}

static bool is_round_of(const struct multistage *net, const uint32_t to[], struct tag tag)
{
    for (uint32_t port = 0; port < net->ports; port++) {
        uint32_t output = tag.complement ? port ^ tag.value : (port + tag.value) % net->ports;
        if (to[port] != MULTISTAGE_IDLE && to[port] != output)
            return false;
    }
    return true;
}

bool tags_of(const struct multistage *net, const uint32_t to[], struct tag *tag)
{
    *tag = (struct tag){false, first_value(net, to, false)};
    if (is_round_of(net, to, *tag))
        return true;
    *tag = (struct tag){true, first_value(net, to, true)};
    return bits_is_power(net->ports) && is_round_of(net, to, *tag);
}

void beats_free(struct beats *beats)
{
    free(beats->order);
    settings_free(&beats->settings);
    settings_free(&beats->held);
    free(beats->rows);
    affine_grouping_free(&beats->maps);
    periodic_programs_free(&beats->computed);
    *beats = (struct beats){0};
}

/* The tag of a row, as a word; 0, which an idle one gets, is the shift by 0. */
static bool tag_row(void *self, const struct route_rows *rows, const uint32_t to[], uint32_t *word,
                    struct err *err)
{
    const struct multistage *net = self;
    struct tag tag;
    char time[ROUTE_ROWS_NAME];
    if (tags_of(net, to, &tag)) {
        *word = tags_word(net, tag);
        return true;
    }
    route_rows_name(rows, time);
    return err_set(err, ERR_IRREGULAR,
                   "%s: --settings: no cyclic shift of the %" PRIu32
                   " port%s, nor a complement; expected one, or --settings indexed",
                   time, rows->ports, text_s(rows->ports));
}

/* What is numbered: settings that are held, or rows. */
static const struct settings *held_of(const struct machine *machine, const struct beats *beats)
{
    return machine->held ? &beats->held : NULL;
}
static uint32_t words_of(const struct schedule *schedule, const struct machine *machine,
                         const struct beats *beats)
{
    return machine->held ? beats->held.count : (uint32_t)schedule->end;
}

/* The row of the tables that each row, or setting that is held, has. */
static bool find_rows(const struct schedule *schedule, const struct machine *machine,
                      struct beats *beats, uint32_t word[], struct err *err)
{
    const struct settings *held = held_of(machine, beats);
    bool masks = machine_has_masks(machine);
    if (masks ? !affine_grouping_find(schedule, machine, held, &beats->maps, err)
              : !settings_find(schedule, machine, held, &beats->settings, err))
        return false;
    beats->distinct = masks ? beats->maps.count : beats->settings.count;
    memcpy(word, masks ? beats->maps.index : beats->settings.index,
           words_of(schedule, machine, beats) * sizeof *word);
    return true;
}

/* With full settings each that is held has a row of its own. */
static void list_rows(struct beats *beats, uint32_t word[])
{
    beats->distinct = beats->held.count;
    for (uint32_t which = 0; which < beats->held.count; which++)
        word[which] = which;
}

/* The period of the order, whose words are for so many rows. */
static uint32_t period_of(const struct beats *beats, const uint32_t word[], uint32_t words)
{
    uint64_t *pair = malloc(((size_t)words + 1) * sizeof *pair);
    for (uint32_t which = 0; pair != NULL && which < words; which++)
        pair[which] = (beats->rows != NULL ? (uint64_t)beats->rows[which] << 32 : 0) | word[which];
    uint32_t period = pair != NULL ? settings_period(pair, words) : 0;
    free(pair);
    return period;
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

static bool find_words(const struct schedule *schedule, const struct machine *machine,
                       struct beats *beats, uint32_t word[], struct err *err)
{
    struct multistage net = machine->network;
    if (machine_has_tags(machine))
        return settings_numbers(schedule, machine, held_of(machine, beats), tag_row, &net, word,
                                err);
    if (machine_shares_settings(machine))
        return find_rows(schedule, machine, beats, word, err);
    list_rows(beats, word);
    return true;
}

static bool find_order(const struct schedule *schedule, const struct machine *machine,
                       struct beats *beats, struct err *err)
{
    uint32_t rows = words_of(schedule, machine, beats);
    uint32_t *word = calloc((size_t)rows + 1, sizeof *word);
    bool found = word != NULL || err_no_memory(err, "an order");
    found = found && find_words(schedule, machine, beats, word, err);
    if (found && !machine->computed)
        beats->period = period_of(beats, word, rows);
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
    bool found = !machine->computed ||
                 (periodic_programs_find(schedule, &beats->computed, err) &&
                  periodic_programs_check_bits(&beats->computed, schedule, machine, err));
    beats->period = beats->computed.period;
    beats->first = beats->computed.first;
    found = found &&
            (!machine->held || settings_hold(schedule, machine, &beats->held, &beats->rows, err));
    found = found && (!machine_has_order(machine) || find_order(schedule, machine, beats, err));
    if (!found)
        beats_free(beats);
    return found;
}
