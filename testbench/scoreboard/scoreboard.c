/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/scoreboard/scoreboard.h"

#include "sched/base/arena.h"
#include "sched/base/text.h"
#include "sched/schedule/schedule_settings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

/* No prediction, or no packet. */
#define NONE 0
#define NO_PAIR SIZE_MAX
#define NO_ENDPOINT UINT32_MAX

#define ENDPOINT_TEXT 48

/* The state of a packet that a node should receive. */
enum fate { AWAITED, ARRIVED, EARLY, LOST };

/* A flit of a packet, or of packet NONE, that is not as it should be. */
struct corrupt {
    uint32_t node, packet, flit, word, expected;
};

/* The packet that each node sends, or receives, by the schedule, and its first row. */
struct flow {
    uint32_t *packet; /* [ports]: the last one, or NONE */
    uint64_t *row;    /* [ports]: its first row */
    size_t step;      /* of the schedule, to come next */
};

struct scoreboard {
    const struct schedule *schedule;
    const struct machine *machine;
    const struct run *run;
    uint32_t data; /* packets that are none of control */
    void *memory;  /* of all arrays (arena.h) */
    /* [rows]: schedule_setting_changes, of a machine that holds settings; else NULL */
    uint32_t *setting_changes;
    /* row_of[packet-1][node]: 1 + the row of the predicted first receipt, or NONE */
    uint32_t *row_of;
    bool *wanted;      /* wanted[packet-1][node]: the demand */
    uint32_t *wanters; /* wanters[packets]: nodes of these */
    uint8_t *fate;     /* fate[packet-1][node] of a predicted packet: enum fate */
    /* packet_now[ports]: expected to be complete in the cycle examined, or NONE */
    uint32_t *packet_now;
    uint32_t *corrupt_packet;       /* corrupt_packet[ports]: the last one found, or NONE */
    struct corrupt corrupt;         /* the first, if any is to be reported */
    uint32_t *flags_before;         /* flags_before[ports]: as last seen */
    struct flow sending, receiving; /* for messages */
    size_t step;                    /* of the schedule, to come next */
    uint64_t row;                   /* of the next receipts */
    /* by the testbench: what has not come yet is not held against it */
    bool stopped;
    struct scoreboard_report report;
    struct err first;  /* the first violation */
    size_t first_lost; /* the pair reported as lost, or NO_PAIR */
};

/* Endpoints that a schedule uses. */
static uint32_t endpoints(const struct scoreboard *board)
{
    return wiring_endpoints(&board->schedule->topology);
}

/* Returns the endpoint of transfer `index` at a node that sends or receives it; NO_ENDPOINT for the
 * routers of a tree, which hold packets in passing. (In a hypercube what an endpoint sends is what
 * leaves its node over its dimension.) */
static uint32_t endpoint_at(const struct scoreboard *board, size_t index, uint32_t node,
                            uint32_t neighbour)
{
    const struct schedule *schedule = board->schedule;
    return node < schedule->nodes ? wiring_endpoint(&schedule->topology, node, neighbour,
                                                    schedule_lane(schedule, index))
                                  : NO_ENDPOINT;
}

static uint32_t receiver(const struct scoreboard *board, size_t index)
{
    const struct transfer *transfer = &board->schedule->transfer[index];
    return endpoint_at(board, index, transfer->destination, transfer->source);
}

static uint32_t sender(const struct scoreboard *board, size_t index)
{
    const struct transfer *transfer = &board->schedule->transfer[index];
    return endpoint_at(board, index, transfer->source, transfer->destination);
}

/* "node 5", in a hypercube "node 5, dimension 2", at a leaf of several links "node 5, lane 1". */
static const char *endpoint_text(const struct scoreboard *board, uint32_t endpoint,
                                 char text[ENDPOINT_TEXT])
{
    const struct topology *topology = &board->schedule->topology;
    uint32_t each = topology->endpoints;
    snprintf(text, ENDPOINT_TEXT, "node %" PRIu32, endpoint / each);
    if (topology->dimensions > 0)
        text_append(text, ENDPOINT_TEXT, ", dimension %" PRIu32, endpoint % each + 1);
    else if (each > 1)
        text_append(text, ENDPOINT_TEXT, ", lane %" PRIu32, endpoint % each);
    return text;
}

static size_t pair(const struct scoreboard *board, uint32_t endpoint, uint32_t packet)
{
    return (size_t)(packet - 1) * endpoints(board) + endpoint;
}

/* The endpoint at which a processor has a packet: the first that is to receive it, or any if the
 * packet is its own. */
static uint32_t home(const struct scoreboard *board, uint32_t node, uint32_t packet)
{
    uint32_t first = wiring_first_endpoint(&board->schedule->topology, node), found = first;
    for (uint32_t at = first + 1; at < first + board->schedule->topology.endpoints; at++) {
        uint32_t row = board->row_of[pair(board, at, packet)],
                 best = board->row_of[pair(board, found, packet)];
        if (row != NONE && (best == NONE || row < best))
            found = at;
    }
    return found;
}

/* Keeps the first violation in full and counts the others. */
__attribute__((format(printf, 3, 4))) static void
breach(struct scoreboard *board, enum err_code code, const char *format, ...)
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

/* "round 4" or "time 5/2" of a row. */
static const char *time_text(const struct scoreboard *board, uint64_t row,
                             char text[SCHEDULE_TIME_TEXT])
{
    return schedule_time_text(board->schedule, row + !model_has_times(board->schedule->model),
                              text);
}

/* Nodes of a self-timed hypercube make control packets; only nodes that receive them have
 * them. */
static void want(struct scoreboard *board, const struct demand *demand, uint32_t node,
                 uint32_t packet)
{
    bool made = demand->control && machine_is_autonomous(board->machine) && node == demand->source;
    if (!made)
        board->wanted[pair(board, home(board, node, packet), packet)] = true;
}

/* The packet of an observation. */
static uint32_t observed(const struct scoreboard *board, uint32_t obs)
{
    return machine_packet(board->machine, board->data, obs & MACHINE_OBS_PACKET);
}

static void predict(struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint32_t at = receiver(board, t);
            if (at == NO_ENDPOINT)
                continue;
            board->report.expected++;
            uint32_t *row = &board->row_of[pair(board, at, transfer->packet)];
            if (*row == NONE)
                *row = 1 + (uint32_t)schedule_row(schedule, k);
        }
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        uint32_t count = demand->wanted_count ? demand->wanted_count : schedule->nodes;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            for (uint32_t k = 0; k < count; k++)
                want(board, demand, demand->wanted_count ? demand->wanted[k] : k, packet);
            want(board, demand, demand->source, packet);
        }
    }
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        for (uint32_t node = 0; node < endpoints(board); node++)
            board->wanters[packet - 1] += board->wanted[pair(board, node, packet)];
        board->report.wanted += board->wanters[packet - 1];
    }
}

static bool allocate(struct scoreboard *board, size_t pairs)
{
    uint32_t ports = machine_ports(board->machine);
    const struct arena_array arrays[] = {
        ARENA(board->row_of, pairs),       ARENA(board->wanted, pairs),
        ARENA(board->fate, pairs),         ARENA(board->wanters, board->schedule->packets),
        ARENA(board->packet_now, ports),   ARENA(board->corrupt_packet, ports),
        ARENA(board->flags_before, ports), ARENA(board->sending.packet, ports),
        ARENA(board->sending.row, ports),  ARENA(board->receiving.packet, ports),
        ARENA(board->receiving.row, ports)};
    board->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return board->memory != NULL;
}

/* The rows that begin with a change of settings. */
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

/* The cycle at the end of which a packet sent from this row on is complete. */
static uint64_t arrival_cycle(const struct scoreboard *board, uint64_t row)
{
    return machine_arrival_cycle(board->machine, board->run, row,
                                 setting_changes_until(board, row));
}

/* The row that a cycle is in; a change belongs to the row before, if there is one. */
static uint64_t row_at(const struct scoreboard *board, uint64_t cycle)
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

struct scoreboard *scoreboard_new(const struct schedule *schedule, const struct machine *machine,
                                  const struct run *run, struct err *err)
{
    size_t pairs = (size_t)wiring_endpoints(&schedule->topology) * schedule->packets;
    struct scoreboard *board = calloc(1, sizeof *board);
    if (board != NULL)
        *board = (struct scoreboard){.schedule = schedule,
                                     .machine = machine,
                                     .run = run,
                                     .data = schedule_data_packets(schedule),
                                     .first_lost = NO_PAIR};
    if (board == NULL || !allocate(board, pairs)) {
        scoreboard_free(board);
        err_no_memory(err, "%zu packets at nodes", pairs);
        return NULL;
    }
    if (!count_setting_changes(board, err)) {
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
    free(board->memory);
    free(board->setting_changes);
    free(board);
}

/* Loads packet_now with the packets that leave from the next row on. */
static void expect_row(struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    for (uint32_t node = 0; node < machine_ports(board->machine); node++)
        board->packet_now[node] = NONE;
    if (board->step == schedule->step_count || schedule_row(schedule, board->step) != board->row)
        return;
    for (size_t t = schedule->step[board->step].first; t < schedule_step_end(schedule, board->step);
         t++)
        if (receiver(board, t) != NO_ENDPOINT)
            board->packet_now[receiver(board, t)] = schedule->transfer[t].packet;
    board->step++;
}

/* Records what has been sent (received) up to a row. */
static void follow(const struct scoreboard *board, struct flow *flow, uint64_t row, bool sends)
{
    const struct schedule *schedule = board->schedule;
    for (; flow->step < schedule->step_count && schedule_row(schedule, flow->step) <= row;
         flow->step++) {
        size_t end = schedule_step_end(schedule, flow->step);
        for (size_t t = schedule->step[flow->step].first; t < end; t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint32_t at = sends ? sender(board, t) : receiver(board, t);
            if (at == NO_ENDPOINT)
                continue;
            flow->packet[at] = transfer->packet;
            flow->row[at] = schedule_row(schedule, flow->step);
        }
    }
}

/* A packet that is not there when it should have come. `when` is the last part of the message. */
static void lost_packet(struct scoreboard *board, uint32_t node, uint32_t packet, const char *when)
{
    size_t at = pair(board, node, packet);
    char time[SCHEDULE_TIME_TEXT], name[ENDPOINT_TEXT];
    if (board->fate[at] == EARLY)
        return; /* reported when it came */
    board->fate[at] = LOST;
    if (board->first.code == ERR_NONE)
        board->first_lost = at;
    breach(board, ERR_LOST, "%s: %s does not receive packet %" PRIu32 "; expected it %s",
           time_text(board, board->row, time), endpoint_text(board, node, name), packet, when);
}

/* A predicted packet came in another cycle than its own. If it was reported as lost, it stays one
 * violation: late. */
static void late_packet(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t packet)
{
    size_t at = pair(board, node, packet);
    bool reported = board->fate[at] == LOST;
    uint64_t further = board->first.further;
    board->fate[at] = reported ? ARRIVED : EARLY;
    if (reported && board->first_lost != at)
        return;
    if (reported)
        board->first.code = ERR_NONE;
    uint64_t row = board->row_of[at] - 1;
    char now[SCHEDULE_TIME_TEXT], then[SCHEDULE_TIME_TEXT], name[ENDPOINT_TEXT];
    breach(board, ERR_LATE,
           "%s, cycle %" PRIu64 ": %s receives packet %" PRIu32
           "; expected it in %s, cycle %" PRIu64,
           time_text(board, board->row, now), cycle, endpoint_text(board, node, name), packet,
           time_text(board, row, then), arrival_cycle(board, row));
    if (reported) {
        board->first.further = further;
        board->first_lost = NO_PAIR;
    }
}

/* A receipt that the schedule does not predict for this cycle. */
static void wrong_receipt(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t packet)
{
    board->report.wrong++;
    bool predicted = node < endpoints(board) && packet <= board->schedule->packets &&
                     board->row_of[pair(board, node, packet)] != NONE;
    enum fate fate = predicted ? (enum fate)board->fate[pair(board, node, packet)] : AWAITED;
    char time[SCHEDULE_TIME_TEXT], name[ENDPOINT_TEXT];
    if (predicted && (fate == AWAITED || fate == LOST))
        late_packet(board, cycle, node, packet);
    else
        breach(board, ERR_UNEXPECTED,
               "%s, cycle %" PRIu64 ": %s receives packet %" PRIu32
               "; expected nothing of the kind%s",
               time_text(board, board->row, time), cycle, endpoint_text(board, node, name), packet,
               predicted ? " any more" : "");
}

/* "packet 3", if it is under way in `row`, or "nothing". */
static const char *packet_text(const struct scoreboard *board, const struct flow *flow,
                               uint32_t node, uint64_t row, char text[24])
{
    if (flow->packet[node] == NONE || flow->row[node] + machine_packet_rows(board->run) <= row)
        return "nothing";
    snprintf(text, 24, "packet %" PRIu32, flow->packet[node]);
    return text;
}

/* Flags of these kinds that have not been reported before. */
static void new_flags(struct scoreboard *board, uint64_t cycle, const uint32_t *obs, uint32_t kinds)
{
    unsigned latency = machine_latency(board->machine);
    uint64_t sent = row_at(board, cycle);
    uint64_t received = cycle < latency ? 0 : row_at(board, cycle - latency);
    follow(board, &board->sending, sent, true);
    follow(board, &board->receiving, received, false);
    for (uint32_t node = 0; node < machine_ports(board->machine); node++) {
        uint32_t risen = obs[node] >> MACHINE_OBS_FLAGS & kinds & ~board->flags_before[node];
        board->flags_before[node] |= risen;
        if (risen == 0)
            continue;
        char time[SCHEDULE_TIME_TEXT], name[ENDPOINT_TEXT], sends[24], receives[24];
        breach(board, ERR_FLAG,
               "%s, cycle %" PRIu64
               ": %s flags%s%s%s; expected no flag, %s to be sent and %s to be received",
               time_text(board, board->row, time), cycle, endpoint_text(board, node, name),
               risen & MACHINE_NOT_HELD ? " sending what it does not hold" : "",
               risen & MACHINE_UNEXPECTED ? " receiving what it does not expect" : "",
               risen & MACHINE_MISSING ? " missing what it expects" : "",
               packet_text(board, &board->sending, node, sent, sends),
               packet_text(board, &board->receiving, node, received, receives));
    }
}

static void compare_node(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t obs)
{
    uint32_t expected = board->packet_now[node];
    uint32_t packet = obs & MACHINE_VALID ? observed(board, obs) : NONE;
    if (packet == expected) {
        board->report.seen += packet != NONE;
        if (packet != NONE)
            board->fate[pair(board, node, packet)] = ARRIVED;
    } else {
        char when[32];
        snprintf(when, sizeof when, "in cycle %" PRIu64, cycle);
        if (packet != NONE)
            wrong_receipt(board, cycle, node, packet);
        if (expected != NONE)
            lost_packet(board, node, expected, when);
    }
}

void scoreboard_observe(struct scoreboard *board, uint64_t cycle, const uint32_t *obs)
{
    bool due = board->row < board->run->rows && cycle == arrival_cycle(board, board->row);
    uint32_t ports = machine_ports(board->machine);
    if (due)
        expect_row(board);
    /* In the order of cause and effect: a packet that was not held was not sent, is lost, is
     * missed. */
    if (obs != NULL)
        new_flags(board, cycle, obs, MACHINE_NOT_HELD);
    for (uint32_t node = 0; node < ports && due; node++)
        compare_node(board, cycle, node, obs != NULL ? obs[node] : 0);
    for (uint32_t node = 0; node < ports && !due && obs != NULL; node++)
        if (obs[node] & MACHINE_VALID)
            wrong_receipt(board, cycle, node, observed(board, obs[node]));
    if (obs != NULL)
        new_flags(board, cycle, obs, MACHINE_UNEXPECTED | MACHINE_MISSING);
    board->row += due;
}

/* The run is over: rows that it never came to are lost. All checks after the run call this first,
 * so that violations are reported in chronological order. */
static void end_run(struct scoreboard *board)
{
    while (!board->stopped && board->row < board->run->rows) {
        expect_row(board);
        for (uint32_t node = 0; node < machine_ports(board->machine); node++)
            if (board->packet_now[node] != NONE)
                lost_packet(board, node, board->packet_now[node], "before the run ends");
        board->row++;
    }
}

bool scoreboard_wants(const struct scoreboard *board, uint32_t node, uint32_t packet)
{
    return board->wanted[pair(board, node, packet)];
}

uint32_t scoreboard_wanters(const struct scoreboard *board, uint32_t packet)
{
    return board->wanters[packet - 1];
}

/* A flit is not as it should be. A packet with several of them is one violation. The report names
 * that of the first node and packet, in whatever order they are examined. */
static void corrupt_flit(struct scoreboard *board, uint32_t node, uint32_t packet, uint32_t flit,
                         uint32_t word, uint32_t expected)
{
    const struct corrupt *first = &board->corrupt;
    if (board->corrupt_packet[node] == packet)
        return;
    board->corrupt_packet[node] = packet;
    board->report.corrupt++;
    if (first->packet == NONE || node < first->node ||
        (node == first->node && packet < first->packet))
        board->corrupt = (struct corrupt){node, packet, flit, word, expected};
}

void scoreboard_flit(struct scoreboard *board, const struct payload *payload, uint32_t packet,
                     uint32_t flit, uint32_t first, uint32_t count, const uint32_t word[])
{
    end_run(board);
    const bool *wanted = &board->wanted[pair(board, first, packet)];
    const uint32_t expected = MACHINE_VALID | payload_word(payload, packet, flit);
    uint32_t differ = 0;
    for (uint32_t k = 0; k < count; k++)
        differ |= (word[k] ^ expected) & -(uint32_t)wanted[k];
    for (uint32_t k = 0; k < count && differ; k++)
        if (wanted[k] && word[k] != expected)
            corrupt_flit(board, first + k, packet, flit, word[k], expected);
    uint32_t seen = 0;
    for (uint32_t k = 0; k < count && flit + 1 == payload->flits; k++)
        seen += wanted[k];
    board->report.packets += seen;
    board->report.bytes += (uint64_t)seen * payload_packet_bytes(payload);
}

void scoreboard_memory(struct scoreboard *board, const struct payload *payload, uint32_t node,
                       uint32_t packet, const uint32_t word[])
{
    for (uint32_t flit = 0; flit < payload->flits; flit++)
        scoreboard_flit(board, payload, packet, flit, node, 1, &word[flit]);
}

/* All memories have been examined. */
static void report_corrupt(struct scoreboard *board)
{
    const struct corrupt *first = &board->corrupt;
    if (first->packet == NONE)
        return;
    uint32_t row = board->row_of[pair(board, first->node, first->packet)];
    char time[SCHEDULE_TIME_TEXT], name[ENDPOINT_TEXT];
    schedule_time_text(board->schedule,
                       row - (row != NONE && model_has_times(board->schedule->model)), time);
    breach(board, ERR_CORRUPT,
           "%s: %s holds packet %" PRIu32 " with flit %" PRIu32 " = %08" PRIx32
           "; expected %08" PRIx32,
           time, endpoint_text(board, first->node, name), first->packet, first->flit, first->word,
           first->expected);
    board->first.further += board->report.corrupt - 1;
    board->corrupt.packet = NONE;
}

void scoreboard_flags(struct scoreboard *board, uint32_t node, uint32_t flags)
{
    end_run(board);
    if (flags == 0)
        return;
    board->report.flags++;
    char name[ENDPOINT_TEXT];
    if (flags & ~board->flags_before[node])
        breach(board, ERR_FLAG, "after the run: %s has flags %" PRIx32 "; expected no flag",
               endpoint_text(board, node, name), flags);
}

void scoreboard_router_flags(struct scoreboard *board, uint32_t router, uint32_t flags)
{
    end_run(board);
    if (flags == 0)
        return;
    board->report.flags++;
    const struct topology *topology = &board->schedule->topology;
    char node[TOPOLOGY_NODE_TEXT];
    breach(board, ERR_FLAG, "after the run: router %s flags%s%s%s; expected no flag",
           topology_node_text(topology, wiring_router_node(topology, router), node),
           flags & MACHINE_ROUTER_NOT_HELD ? " sending what it does not hold" : "",
           flags & MACHINE_ROUTER_TWICE ? " sending twice on its single port" : "",
           flags & MACHINE_ROUTER_OVERFLOW ? " a buffer that overflows" : "");
}

void scoreboard_steps(struct scoreboard *board, uint32_t steps)
{
    end_run(board);
    if (steps != board->schedule->end)
        breach(board, ERR_LATE,
               "run: packets moved until step %" PRIu32 "; expected until step %" PRIu64, steps,
               board->schedule->end);
}

void scoreboard_stop(struct scoreboard *board, const struct err *reason)
{
    report_corrupt(board);
    breach(board, reason->code, "%s", reason->text);
    board->stopped = true;
}

bool scoreboard_verdict(struct scoreboard *board, struct scoreboard_report *report, struct err *err)
{
    end_run(board);
    report_corrupt(board);
    const struct scoreboard_report *seen = &board->report;
    if (board->first.code == ERR_NONE && seen->seen != seen->expected)
        breach(board, ERR_LOST, "run: %" PRIu64 " receipts seen; expected %" PRIu64, seen->seen,
               seen->expected);
    if (board->first.code == ERR_NONE && seen->packets != seen->wanted)
        breach(board, ERR_NOTHING_CHECKED,
               "run: %" PRIu64 " packet%s in memory were checked; expected %" PRIu64, seen->packets,
               text_s(seen->packets), seen->wanted);
    if (board->first.code == ERR_NONE && board->schedule->nodes > 1 && seen->seen == 0)
        breach(board, ERR_NOTHING_CHECKED, "run: %s; expected at least one receipt",
               board->schedule->packets == 0 ? "the schedule has no packets to check"
                                             : "no receipt was checked");
    *report = board->report;
    if (board->first.code == ERR_NONE)
        return true;
    *err = board->first;
    return false;
}
