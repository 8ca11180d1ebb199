/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_predict: computes the predictions of a schedule. */
#include "sched/base/arena.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "sched/schedule/schedule_settings.h"
#include "testbench/scoreboard/scoreboard_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

const char *scoreboard_endpoint_text(const struct scoreboard *board, uint32_t endpoint,
                                     char text[SCOREBOARD_ENDPOINT_TEXT])
{
    const struct topology *topology = &board->schedule->topology;
    uint32_t each = topology->endpoints;
    snprintf(text, SCOREBOARD_ENDPOINT_TEXT, "node %" PRIu32, endpoint / each);
    if (topology->dimensions > 0)
        text_append(text, SCOREBOARD_ENDPOINT_TEXT, ", dimension %" PRIu32, endpoint % each + 1);
    else if (each > 1)
        text_append(text, SCOREBOARD_ENDPOINT_TEXT, ", lane %" PRIu32, endpoint % each);
    return text;
}

/* Returns the endpoint at which a processor must have a packet: the first that is predicted to
 * receive it; the processor's first endpoint if none is, because a node's own packets are at all of
 * its endpoints. */
static uint32_t home(const struct scoreboard *board, uint32_t node, uint32_t packet)
{
    uint32_t first = wiring_first_endpoint(&board->schedule->topology, node), found = first;
    for (uint32_t at = first + 1; at < first + board->schedule->topology.endpoints; at++) {
        uint32_t row = board->row_of[scoreboard_pair(board, at, packet)],
                 best = board->row_of[scoreboard_pair(board, found, packet)];
        if (row != SCOREBOARD_NONE && (best == SCOREBOARD_NONE || row < best))
            found = at;
    }
    return found;
}

void scoreboard_breach(struct scoreboard *board, enum err_code code, const char *format, ...)
{
    if (board->first.code != ERR_NONE) {
        board->first.further++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    err_vset(&board->first, code, format, arguments);
    va_end(arguments);
}

const char *scoreboard_time_text(const struct scoreboard *board, uint64_t row,
                                 char text[SCHEDULE_TIME_TEXT])
{
    return schedule_time_text(board->schedule, row + !model_has_times(board->schedule->model),
                              text);
}

/* Records that a demand requires packets at a node. Nodes of a self-timed hypercube generate
 * control packets, so only nodes that receive them store them. */
static void want(struct scoreboard *board, const struct demand *demand, uint32_t node,
                 uint32_t packet)
{
    bool made = demand->control && machine_is_autonomous(board->machine) && node == demand->source;
    if (!made)
        board->wanted[scoreboard_pair(board, home(board, node, packet), packet)] = true;
}

static void predict(struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint32_t at = scoreboard_receiver(board, t);
            if (at == SCOREBOARD_NO_ENDPOINT)
                continue;
            uint32_t *row = &board->row_of[scoreboard_pair(board, at, transfer->packet)];
            if (board->met != NULL && board->met[at] == k + 1)
                continue; /* the network combines it with an earlier transfer of the step */
            if (board->met != NULL)
                board->met[at] = k + 1;
            board->report.expected++;
            if (*row == SCOREBOARD_NONE)
                *row = 1 + (uint32_t)schedule_row(schedule, k);
        }
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        const uint32_t count = schedule_wanters(schedule, demand);
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            for (uint32_t k = scoreboard_exclusive(demand); k < count; k++)
                want(board, demand, schedule_wanter(demand, k), packet);
            if (demand->reduction == NULL)
                want(board, demand, demand->source, packet);
        }
    }
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        for (uint32_t node = 0; node < scoreboard_endpoints(board); node++)
            board->wanters[packet - 1] += board->wanted[scoreboard_pair(board, node, packet)];
        board->report.wanted += board->wanters[packet - 1];
    }
}

static bool allocate(struct scoreboard *board, size_t pairs)
{
    uint32_t ports = machine_ports(board->machine);
    const bool combines = model_combines(board->schedule->model);
    const struct arena_array arrays[] = {ARENA(board->row_of, pairs),
                                         ARENA(board->met, combines ? ports : 0),
                                         ARENA(board->wanted, pairs),
                                         ARENA(board->fate, pairs),
                                         ARENA(board->wanters, board->schedule->packets),
                                         ARENA(board->packet_now, ports),
                                         ARENA(board->corrupt_packet, ports),
                                         ARENA(board->result, ports),
                                         ARENA(board->flags_before, ports),
                                         ARENA(board->sending.packet, ports),
                                         ARENA(board->sending.row, ports),
                                         ARENA(board->receiving.packet, ports),
                                         ARENA(board->receiving.row, ports)};
    board->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (!combines)
        board->met = NULL;
    return board->memory != NULL;
}

/* Computes the number of setting changes up to each row, on a machine with reconfiguration. */
static bool count_setting_changes(struct scoreboard *board, struct err *err)
{
    const struct schedule *schedule = board->schedule;
    if (!board->machine->reconfigures)
        return true;
    board->setting_changes = malloc((schedule->end + 1) * sizeof *board->setting_changes);
    return board->setting_changes != NULL
               ? schedule_setting_changes(schedule, &board->machine->network,
                                          board->setting_changes, err)
               : err_no_memory(err, "the settings of %" PRIu64 " rounds", schedule->end);
}

static uint64_t setting_changes_until(const struct scoreboard *board, uint64_t row)
{
    if (board->setting_changes == NULL || board->schedule->end == 0)
        return 0;
    return board->setting_changes[row < board->schedule->end ? row : board->schedule->end - 1];
}

uint64_t scoreboard_row_begin(const struct scoreboard *board, uint64_t row)
{
    return machine_row_begin(board->run, row, setting_changes_until(board, row));
}

uint32_t scoreboard_setting_changes(const struct scoreboard *board)
{
    return (uint32_t)setting_changes_until(board, board->schedule->end);
}

uint64_t scoreboard_arrival_cycle(const struct scoreboard *board, uint64_t row)
{
    return machine_arrival_cycle(board->machine, board->run, row,
                                 setting_changes_until(board, row));
}

uint64_t scoreboard_row_at(const struct scoreboard *board, uint64_t cycle)
{
    uint64_t low = 0, high = board->setting_changes != NULL ? board->schedule->end : 0;
    if (board->setting_changes == NULL)
        return cycle / board->run->row_cycles;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (scoreboard_row_begin(board, middle) <= cycle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct scoreboard *scoreboard_new(const struct schedule *schedule, const struct payload *payload,
                                  const struct machine *machine, const struct run *run,
                                  struct err *err)
{
    size_t pairs = (size_t)wiring_endpoints(&schedule->topology) * schedule->packets;
    struct scoreboard *board = calloc(1, sizeof *board);
    if (board != NULL)
        *board = (struct scoreboard){.schedule = schedule,
                                     .payload = payload,
                                     .machine = machine,
                                     .run = run,
                                     .data = schedule_data_packets(schedule),
                                     .first_lost = SCOREBOARD_NO_PAIR};
    if (board == NULL || !allocate(board, pairs)) {
        scoreboard_free(board);
        err_no_memory(err, "%zu packets at nodes", pairs);
        return NULL;
    }
    if (!count_setting_changes(board, err) || !scoreboard_trees_new(board, err)) {
        scoreboard_free(board);
        return NULL;
    }
    predict(board);
    return board;
}

void scoreboard_free(struct scoreboard *board)
{
    if (board == NULL)
        return;
    scoreboard_trees_free(board->trees);
    free(board->memory);
    free(board->setting_changes);
    free(board);
}
