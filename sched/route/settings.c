/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/settings.h"

#include "sched/base/compare.h"
#include "sched/network/network_router.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Rows --------------------------------------------------------------------------------- */

struct route_rows route_rows_begin(const struct schedule *schedule, const struct machine *machine)
{
    return (struct route_rows){
        .schedule = schedule,
        .net = &machine->network,
        .circuits = multistage_circuits(&machine->network),
        .packet_rows = model_has_times(schedule->model) ? schedule->lambda.denominator : 1,
        .rows = (uint32_t)schedule->end};
}

void route_rows_name(const struct route_rows *rows, char name[ROUTE_ROWS_NAME])
{
    char time[SCHEDULE_TIME_TEXT];
    schedule_time_text(rows->schedule, rows->row - 1 + !model_has_times(rows->schedule->model),
                       time);
    snprintf(name, ROUTE_ROWS_NAME, rows->reconfig ? "setting from %s on" : "%s", time);
}

/* Writes the groups of the transfers first … end - 1, which a network that combines and copies
 * connects: the label of a group is the lowest receiver of its senders. */
static uint32_t write_groups(const struct schedule *schedule, size_t first, size_t end,
                             uint32_t ports, uint32_t label[])
{
    uint32_t twice = MULTISTAGE_IDLE;
    for (size_t t = first; t < end; t++) {
        const struct transfer transfer = schedule->transfer[t];
        label[transfer.source] = MIN(label[transfer.source], transfer.destination);
    }
    for (size_t t = first; t < end; t++) {
        const struct transfer transfer = schedule->transfer[t];
        uint32_t *group = &label[ports + transfer.destination];
        if (*group == MULTISTAGE_IDLE)
            *group = label[transfer.source];
        else if (*group != label[transfer.source] && twice == MULTISTAGE_IDLE)
            twice = transfer.destination;
    }
    return twice;
}

uint32_t route_rows_circuits(const struct schedule *schedule, size_t first, size_t end,
                             const struct multistage *net, uint32_t circuit[])
{
    const bool copies = multistage_copies(net);
    for (uint32_t k = 0; k < multistage_circuits(net); k++)
        circuit[k] = MULTISTAGE_IDLE;
    uint32_t twice = MULTISTAGE_IDLE;
    size_t from = first < end ? schedule->step[first].first : 0,
           after = first < end ? schedule_step_end(schedule, end - 1) : 0;
    if (copies && multistage_combines(net))
        return write_groups(schedule, from, after, net->ports, circuit);
    for (size_t t = from; t < after; t++) {
        struct transfer transfer = schedule->transfer[t];
        uint32_t port = copies ? transfer.destination : transfer.source;
        if (circuit[port] == MULTISTAGE_IDLE)
            circuit[port] = copies ? transfer.source : transfer.destination;
        else if (twice == MULTISTAGE_IDLE)
            twice = port;
    }
    return twice;
}

static bool write_circuits(const struct route_rows *rows, uint32_t circuit[], struct err *err)
{
    uint32_t twice =
        route_rows_circuits(rows->schedule, rows->first, rows->end, rows->net, circuit);
    if (twice == MULTISTAGE_IDLE)
        return true;
    char time[ROUTE_ROWS_NAME];
    route_rows_name(rows, time);
    return err_set(err, ERR_NOT_PERMUTATION, "%s: node %" PRIu32 " %s twice; expected %s", time,
                   twice, multistage_copies(rows->net) ? "receives" : "sends",
                   multistage_copies(rows->net) ? "at most one packet for each node"
                                                : "a partial permutation");
}

bool route_rows_next(struct route_rows *rows, uint32_t circuit[], struct err *err)
{
    const struct schedule *schedule = rows->schedule;
    size_t first = rows->first, end = rows->end;
    if (rows->row == rows->rows)
        return false;
    while (rows->end < schedule->step_count && schedule_row(schedule, rows->end) <= rows->row)
        rows->end++;
    while (rows->first < rows->end &&
           schedule_row(schedule, rows->first) + rows->packet_rows <= rows->row)
        rows->first++;
    rows->changed = rows->row == 0 || first != rows->first || end != rows->end;
    rows->idle = rows->first == rows->end;
    rows->row++;
    return !rows->changed || write_circuits(rows, circuit, err);
}

bool route_rows_numbers(const struct schedule *schedule, const struct machine *machine,
                        struct route_rows_numbering numbering, uint32_t number[], struct err *err)
{
    struct route_rows rows = route_rows_begin(schedule, machine);
    uint32_t *circuit = malloc(rows.circuits * sizeof *circuit);
    bool given = circuit != NULL || err_no_memory(err, "a row");
    for (uint32_t row = 0; given && row < rows.rows; row++) {
        given = route_rows_next(&rows, circuit, err);
        number[row] = row > 0 && !rows.changed ? number[row - 1] : 0;
        if (given && rows.changed && !rows.idle)
            given = numbering.give(numbering.self, &rows, circuit, &number[row], err);
    }
    free(circuit);
    return given;
}

/* --- Settings that rows share ------------------------------------------------------------- */

static bool no_memory(struct err *err)
{
    return err_no_memory(err, "distinct settings");
}

/* Memory for checking whether circuits pass a blocking network. */
struct settings_passes {
    struct network_router *router;
    uint32_t *joined; /* [ports] */
    uint32_t *row;    /* [stages][multistage_row_words] */
};

static void close_passes(struct settings *settings)
{
    struct settings_passes *passes = settings->passes;
    settings->passes = NULL;
    if (passes == NULL)
        return;
    network_router_free(passes->router);
    free(passes->joined);
    free(passes->row);
    free(passes);
}

static bool open_passes(const struct multistage *net, struct settings *settings, struct err *err)
{
    struct settings_passes *passes = calloc(1, sizeof *passes);
    settings->passes = passes;
    if (passes == NULL)
        return no_memory(err);
    passes->joined = malloc(net->ports * sizeof *passes->joined);
    passes->row =
        malloc((size_t)multistage_stages(net) * multistage_row_words(net) * sizeof *passes->row);
    if (passes->joined == NULL || passes->row == NULL)
        return no_memory(err);
    passes->router = network_router_new(net, err);
    return passes->router != NULL;
}

void settings_free(struct settings *settings)
{
    free(settings->index);
    free(settings->circuit);
    free(settings->back);
    free(settings->sends);
    *settings = (struct settings){0};
}

/* Returns whether a row and a setting agree in a network that copies: a node that sends in both has
 * the same receivers, because one more would get a copy, and no node receives from two. */
static bool agree_with_copies(const struct settings *settings, uint32_t which,
                              const uint32_t circuit[])
{
    const uint32_t *its = settings->circuit + (size_t)which * settings->circuits;
    const uint32_t *back = settings->back + (size_t)which * settings->circuits;
    for (uint32_t port = 0; port < settings->circuits; port++) {
        uint32_t from = circuit[port];
        bool idle = from == MULTISTAGE_IDLE, free_output = its[port] == MULTISTAGE_IDLE;
        if (from != its[port] &&
            (idle ? settings->sends[its[port]] : !free_output || back[from] != MULTISTAGE_IDLE))
            return false;
    }
    return true;
}

/* Returns whether the groups of a row agree with those of a setting in a network that combines and
 * copies: no port is in two groups, and a group that both have, has the same outputs, because one
 * more would get a copy. The output with the number of a label belongs to the label's group. */
static bool agree_in_groups(const uint32_t its[], const uint32_t label[], uint32_t ports)
{
    for (uint32_t port = 0; port < ports; port++) {
        const uint32_t old = its[ports + port], now = label[ports + port];
        if (its[port] != MULTISTAGE_IDLE && label[port] != MULTISTAGE_IDLE &&
            its[port] != label[port])
            return false;
        if (old == now)
            continue;
        if (old != MULTISTAGE_IDLE && now != MULTISTAGE_IDLE)
            return false;
        if (now != MULTISTAGE_IDLE ? its[ports + now] == now : label[ports + old] == old)
            return false;
    }
    return true;
}

/* Returns whether the circuits agree with those of a setting wherever both are defined. */
static bool agree(const struct settings *settings, uint32_t which, const uint32_t circuit[])
{
    const uint32_t *its = settings->circuit + (size_t)which * settings->circuits;
    const uint32_t *back = settings->back + (size_t)which * settings->circuits;
    if (settings->copies && settings->combines)
        return agree_in_groups(its, circuit, settings->circuits / 2);
    if (settings->copies)
        return agree_with_copies(settings, which, circuit);
    for (uint32_t port = 0; port < settings->circuits; port++) {
        if (circuit[port] == MULTISTAGE_IDLE)
            continue;
        bool free_input = its[port] == MULTISTAGE_IDLE,
             free_output = settings->combines || back[circuit[port]] == MULTISTAGE_IDLE;
        if (its[port] != circuit[port] && !(free_input && free_output))
            return false;
    }
    return true;
}

/* Returns whether a row and a setting can form one setting together. */
static bool can_share(const struct settings *settings, uint32_t which, const uint32_t circuit[])
{
    if (!agree(settings, which, circuit))
        return false;
    const struct settings_passes *passes = settings->passes;
    const uint32_t *its = settings->circuit + (size_t)which * settings->circuits;
    for (uint32_t port = 0; passes != NULL && port < settings->circuits; port++)
        passes->joined[port] = circuit[port] != MULTISTAGE_IDLE ? circuit[port] : its[port];
    return passes == NULL || network_route(passes->router, passes->joined, passes->row, NULL);
}

/* Checks that the network passes a row's circuits: a round that it blocks fits no setting. E408. */
static bool check_passes(const struct settings *settings, const uint32_t circuit[],
                         const struct route_rows *rows, struct err *err)
{
    const struct settings_passes *passes = settings->passes;
    struct err blocked;
    char time[ROUTE_ROWS_NAME];
    if (passes == NULL || network_route(passes->router, circuit, passes->row, &blocked))
        return true;
    route_rows_name(rows, time);
    return err_at(err, &blocked, "%s", time);
}

static void join(struct settings *settings, uint32_t which, const uint32_t circuit[])
{
    for (uint32_t port = 0; port < settings->circuits; port++)
        if (circuit[port] != MULTISTAGE_IDLE) {
            settings->circuit[(size_t)which * settings->circuits + port] = circuit[port];
            settings->back[(size_t)which * settings->circuits + circuit[port]] = port;
        }
}

/* Adds a setting without circuits. */
static bool add_setting(struct settings *settings, struct err *err)
{
    if (settings->count == settings->room) {
        uint32_t room = settings->room ? 2 * settings->room : 8;
        size_t bytes = (size_t)room * settings->circuits * sizeof(uint32_t);
        uint32_t *circuit = realloc(settings->circuit, bytes);
        settings->circuit = circuit != NULL ? circuit : settings->circuit;
        uint32_t *back = circuit != NULL ? realloc(settings->back, bytes) : NULL;
        settings->back = back != NULL ? back : settings->back;
        if (back == NULL)
            return no_memory(err);
        settings->room = room;
    }
    size_t bytes = settings->circuits * sizeof(uint32_t);
    memset(settings->circuit + (size_t)settings->count * settings->circuits, 0xff, bytes);
    memset(settings->back + (size_t)settings->count * settings->circuits, 0xff, bytes);
    settings->count++;
    return true;
}

/* Checks that no two circuits of a row end at one port. Such a row agrees with no other, so it has
 * a setting of its own, in which `back` holds one circuit of the two. E403. */
static bool check_row(const struct settings *settings, uint32_t which, const uint32_t circuit[],
                      const struct route_rows *rows, struct err *err)
{
    const uint32_t *back = settings->back + (size_t)which * settings->circuits;
    for (uint32_t port = 0; port < settings->circuits && !settings->copies && !settings->combines;
         port++)
        if (circuit[port] != MULTISTAGE_IDLE && back[circuit[port]] != port) {
            char time[ROUTE_ROWS_NAME];
            route_rows_name(rows, time);
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: ports %" PRIu32 " and %" PRIu32 " both send to port %" PRIu32
                           "; expected a partial permutation",
                           time, port, back[circuit[port]], circuit[port]);
        }
    return true;
}

/* Lists the senders of a row, in a network that copies. */
static void list_senders(struct settings *settings, const uint32_t circuit[])
{
    if (!settings->copies)
        return;
    memset(settings->sends, 0, settings->circuits * sizeof *settings->sends);
    for (uint32_t port = 0; port < settings->circuits; port++)
        if (circuit[port] != MULTISTAGE_IDLE)
            settings->sends[circuit[port]] = true;
}

static bool place_row(void *self, const struct route_rows *rows, const uint32_t circuit[],
                      uint32_t *which, struct err *err)
{
    struct settings *settings = self;
    list_senders(settings, circuit);
    if (settings->last && settings->count > 0)
        *which = settings->count - 1;
    while (*which < settings->count && !can_share(settings, *which, circuit))
        ++*which;
    if (*which == settings->count && !add_setting(settings, err))
        return false;
    join(settings, *which, circuit);
    return check_row(settings, *which, circuit, rows, err) &&
           check_passes(settings, circuit, rows, err);
}

bool settings_numbers(const struct schedule *schedule, const struct machine *machine,
                      const struct settings *reconfig, struct route_rows_numbering numbering,
                      uint32_t number[], struct err *err)
{
    if (reconfig == NULL)
        return route_rows_numbers(schedule, machine, numbering, number, err);
    struct route_rows rows = route_rows_begin(schedule, machine);
    bool given = true;
    rows.reconfig = reconfig->last;
    for (uint32_t which = 0; given && which < reconfig->count; which++) {
        while (rows.row < rows.rows && reconfig->index[rows.row] < which)
            rows.row++;
        rows.row++; /* so that the numbering names the setting's first row */
        number[which] = 0;
        given = numbering.give(numbering.self, &rows,
                               reconfig->circuit + (size_t)which * reconfig->circuits,
                               &number[which], err);
        rows.row--;
    }
    return given;
}

/* Counts the rows of each setting. A row in which nothing is sent has the index 0 and keeps the
 * setting of the previous row. */
static bool count_rows(struct settings *settings, uint32_t **rows, struct err *err)
{
    uint32_t last = 0;
    if (settings->count == 0 && !add_setting(settings, err))
        return false;
    *rows = calloc(settings->count, sizeof **rows);
    if (*rows == NULL)
        return no_memory(err);
    for (uint32_t row = 0; row < settings->rows; row++) {
        last = MAX(last, settings->index[row]);
        settings->index[row] = last;
        (*rows)[last]++;
    }
    (*rows)[0] += settings->rows == 0; /* a word applies to one row at least */
    return true;
}

static bool find(const struct schedule *schedule, const struct machine *machine,
                 const struct settings *reconfig, bool last, struct settings *settings,
                 struct err *err)
{
    *settings = (struct settings){.rows = (uint32_t)schedule->end,
                                  .circuits = multistage_circuits(&machine->network),
                                  .copies = multistage_copies(&machine->network),
                                  .combines = multistage_combines(&machine->network),
                                  .last = last};
    settings->index = calloc((size_t)settings->rows + 1, sizeof *settings->index);
    settings->sends = calloc((size_t)settings->circuits + 1, sizeof *settings->sends);
    bool found = (settings->index != NULL && settings->sends != NULL) || no_memory(err);
    if (found && multistage_blocks(&machine->network))
        found = open_passes(&machine->network, settings, err);
    found = found && settings_numbers(schedule, machine, reconfig,
                                      (struct route_rows_numbering){place_row, settings},
                                      settings->index, err);
    close_passes(settings);
    if (!found)
        settings_free(settings);
    return found;
}

bool settings_find(const struct schedule *schedule, const struct machine *machine,
                   const struct settings *reconfig, struct settings *settings, struct err *err)
{
    return find(schedule, machine, reconfig, false, settings, err);
}

bool settings_hold(const struct schedule *schedule, const struct machine *machine,
                   struct settings *settings, uint32_t **rows, struct err *err)
{
    *rows = NULL;
    if (!find(schedule, machine, NULL, true, settings, err))
        return false;
    if (count_rows(settings, rows, err))
        return true;
    settings_free(settings);
    return false;
}

/* Computes the borders of Knuth, Morris and Pratt. */
uint32_t settings_period(const uint64_t word[], uint32_t count)
{
    uint32_t *border = calloc((size_t)count + 1, sizeof *border);
    if (border == NULL)
        return 0;
    for (uint32_t at = 1, length = 0; at < count; at++) {
        while (length > 0 && word[at] != word[length])
            length = border[length - 1];
        length += word[at] == word[length];
        border[at] = length;
    }
    uint32_t period = count > 0 ? count - border[count - 1] : 1;
    free(border);
    return period;
}
