/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/setting_period.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the value of the tag that would route the first port that sends; 0 for an idle round. */
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

void setting_period_free(struct setting_period *setting_period)
{
    free(setting_period->setting_index);
    settings_free(&setting_period->settings);
    settings_free(&setting_period->reconfig);
    free(setting_period->rows);
    affine_grouping_free(&setting_period->maps);
    periodic_programs_free(&setting_period->computed);
    *setting_period = (struct setting_period){0};
}

/* Writes the tag of a row as a word. The word of an idle row is 0, the shift by 0. E409. */
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
                   "%s: {settings}: its circuits are neither a cyclic shift of the %" PRIu32
                   " port%s nor a complement; expected one, or {settings} indexed",
                   time, net->ports, text_s(net->ports));
}

/* Reports whether words are for settings, of a machine with reconfiguration or of the setting
 * phases of a stream, and not for rows. */
static bool has_words_of_settings(const struct schedule *schedule, const struct machine *machine)
{
    return machine->reconfigures || (machine->computed && schedule->stream);
}

/* Returns these settings; NULL if rows are numbered instead. */
static const struct settings *reconfig_of(const struct schedule *schedule,
                                          const struct machine *machine,
                                          const struct setting_period *setting_period)
{
    return has_words_of_settings(schedule, machine) ? &setting_period->reconfig : NULL;
}

static uint32_t words_of(const struct schedule *schedule, const struct machine *machine,
                         const struct setting_period *setting_period)
{
    return has_words_of_settings(schedule, machine) ? setting_period->reconfig.count
                                                    : (uint32_t)schedule->end;
}

/* Finds the table row of each row, or of each setting of a machine with reconfiguration. */
static bool find_rows(const struct schedule *schedule, const struct machine *machine,
                      struct setting_period *setting_period, uint32_t word[], struct err *err)
{
    const struct settings *reconfig = reconfig_of(schedule, machine, setting_period);
    bool masks = machine_has_masks(machine);
    if (masks ? !affine_grouping_find(schedule, machine, reconfig, &setting_period->maps, err)
              : !settings_find(schedule, machine, reconfig, &setting_period->settings, err))
        return false;
    setting_period->distinct = masks ? setting_period->maps.count : setting_period->settings.count;
    memcpy(word, masks ? setting_period->maps.index : setting_period->settings.index,
           words_of(schedule, machine, setting_period) * sizeof *word);
    return true;
}

/* Lists a table row of its own for each setting: full settings with reconfiguration. */
static void list_rows(struct setting_period *setting_period, uint32_t word[])
{
    setting_period->distinct = setting_period->reconfig.count;
    for (uint32_t which = 0; which < setting_period->reconfig.count; which++)
        word[which] = which;
}

/* Finds the period of the setting index, which has a word for each row or setting. */
static uint32_t period_of(const struct setting_period *setting_period, const uint32_t word[],
                          uint32_t words)
{
    uint64_t *pair = malloc(((size_t)words + 1) * sizeof *pair);
    for (uint32_t which = 0; pair != NULL && which < words; which++)
        pair[which] =
            (setting_period->rows != NULL ? (uint64_t)setting_period->rows[which] << 32 : 0) |
            word[which];
    uint32_t period = pair != NULL ? settings_period(pair, words) : 0;
    free(pair);
    return period;
}

/* Adds the circuits of a row to those of its setting phase. Returns false if they exclude each
 * other. */
static bool add_circuits(const struct route_rows *rows, const uint32_t circuit[], uint32_t all[],
                         uint32_t back[])
{
    for (uint32_t port = 0; port < rows->circuits; port++) {
        uint32_t other = circuit[port];
        if (other == MULTISTAGE_IDLE)
            continue;
        bool is_new = all[port] == MULTISTAGE_IDLE;
        bool is_free = multistage_copies(rows->net) || multistage_combines(rows->net) ||
                       back[other] == MULTISTAGE_IDLE;
        if (is_new ? !is_free : all[port] != other)
            return false;
        all[port] = other;
        back[other] = port;
    }
    return true;
}

/* Sets the error of a row whose settings differ from those of an earlier row of its setting phase.
 * Returns false. */
static bool differ(uint32_t row, uint32_t before, uint32_t period, struct err *err)
{
    return err_set(err, ERR_IRREGULAR,
                   "{programs}: round %" PRIu32 " has other settings than round %" PRIu32
                   "; expected the same settings in every period of %" PRIu32 " round%s",
                   row + 1, before + 1, period, text_s(period));
}

/* Joins the circuits of all rows of a stream in the same setting phase, so that the setting index
 * repeats with its programs: phases->circuit[k] holds those of row k and of the rows whole periods
 * after it. E409 if they are not one setting. */
static bool join_phases(const struct schedule *schedule, const struct machine *machine,
                        uint32_t period, struct settings *phases, struct err *err)
{
    struct route_rows rows = route_rows_begin(schedule, machine);
    uint32_t count = MIN(period, rows.rows);
    size_t places = (size_t)count * rows.circuits + 1;
    *phases = (struct settings){.rows = rows.rows,
                                .circuits = rows.circuits,
                                .copies = multistage_copies(rows.net),
                                .combines = multistage_combines(rows.net),
                                .count = count,
                                .index = malloc((rows.rows + (size_t)1) * sizeof(uint32_t)),
                                .circuit = malloc(places * sizeof(uint32_t)),
                                .back = malloc(places * sizeof(uint32_t))};
    uint32_t *circuit = malloc(rows.circuits * sizeof *circuit);
    bool joined = (phases->index != NULL && phases->circuit != NULL && phases->back != NULL &&
                   circuit != NULL) ||
                  err_no_memory(err, "the setting index");
    for (size_t k = 0; joined && k < places; k++)
        phases->circuit[k] = phases->back[k] = MULTISTAGE_IDLE;
    for (uint32_t row = 0; joined && row < rows.rows; row++) {
        size_t at = (size_t)(row % period) * rows.circuits;
        phases->index[row] = MIN(row, count - 1);
        joined = route_rows_next(&rows, circuit, err);
        if (joined && !rows.idle &&
            !add_circuits(&rows, circuit, phases->circuit + at, phases->back + at))
            joined = differ(row, row % period, period, err);
    }
    free(circuit);
    return joined;
}

/* Reduces the words to one period. Returns false if they do not repeat with the setting phases.
 * E409. */
static bool fold(struct setting_period *setting_period, const uint32_t word[], uint32_t rows,
                 struct err *err)
{
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t setting_phase = (setting_period->first + row) % setting_period->period;
        if (row >= setting_period->period &&
            setting_period->setting_index[setting_phase] != word[row])
            return differ(row, row - setting_period->period, setting_period->period, err);
        setting_period->setting_index[setting_phase] = word[row];
    }
    return true;
}

static bool find_words(const struct schedule *schedule, const struct machine *machine,
                       struct setting_period *setting_period, uint32_t word[], struct err *err)
{
    struct multistage net = machine->network;
    if (machine_has_tags(machine))
        return settings_numbers(schedule, machine, reconfig_of(schedule, machine, setting_period),
                                (struct route_rows_numbering){tag_row, &net}, word, err);
    if (machine_shares_settings(machine))
        return find_rows(schedule, machine, setting_period, word, err);
    list_rows(setting_period, word);
    return true;
}

static bool find_setting_index(const struct schedule *schedule, const struct machine *machine,
                               struct setting_period *setting_period, struct err *err)
{
    uint32_t rows = words_of(schedule, machine, setting_period);
    uint32_t *word = calloc((size_t)rows + 1, sizeof *word);
    bool found = word != NULL || err_no_memory(err, "the setting index");
    found = found && find_words(schedule, machine, setting_period, word, err);
    if (found && !machine->computed)
        setting_period->period = period_of(setting_period, word, rows);
    setting_period->setting_index =
        found ? calloc((size_t)setting_period->period + 1, sizeof *setting_period->setting_index)
              : NULL;
    if (found && (setting_period->setting_index == NULL || setting_period->period == 0))
        found = err_no_memory(err, "the setting index");
    found = found && fold(setting_period, word, rows, err);
    free(word);
    return found;
}

bool setting_period_find(const struct schedule *schedule, const struct machine *machine,
                         struct setting_period *setting_period, struct err *err)
{
    *setting_period = (struct setting_period){0};
    bool found = !machine->computed ||
                 (periodic_programs_find(schedule, &setting_period->computed, err) &&
                  periodic_programs_check_bits(&setting_period->computed, schedule, machine, err));
    setting_period->period = setting_period->computed.period;
    setting_period->first = setting_period->computed.first;
    found = found &&
            (!machine->reconfigures || settings_hold(schedule, machine, &setting_period->reconfig,
                                                     &setting_period->rows, err));
    found =
        found &&
        (!machine->computed || !schedule->stream || !machine_has_setting_index(machine) ||
         join_phases(schedule, machine, setting_period->period, &setting_period->reconfig, err));
    found = found && (!machine_has_setting_index(machine) ||
                      find_setting_index(schedule, machine, setting_period, err));
    if (!found)
        setting_period_free(setting_period);
    return found;
}
