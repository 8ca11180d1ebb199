/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_observe: compares the observations of a run with the predictions. */
#include "sched/machine/machine_address.h"
#include "testbench/scoreboard/scoreboard_state.h"

#include <inttypes.h>

/* Loads packet_now with the packets that leave from the next row on. Returns whether a step of the
 * schedule begins in the row. */
static bool expect_row(struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    for (uint32_t node = 0; node < machine_ports(board->machine); node++)
        board->packet_now[node] = SCOREBOARD_NONE;
    if (board->step == schedule->step_count || schedule_row(schedule, board->step) != board->row)
        return false;
    for (size_t t = schedule->step[board->step].first; t < schedule_step_end(schedule, board->step);
         t++)
        if (scoreboard_receiver(board, t) != SCOREBOARD_NO_ENDPOINT)
            board->packet_now[scoreboard_receiver(board, t)] = schedule->transfer[t].packet;
    board->step++;
    return true;
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
            uint32_t at = sends ? scoreboard_sender(board, t) : scoreboard_receiver(board, t);
            if (at == SCOREBOARD_NO_ENDPOINT)
                continue;
            flow->packet[at] = transfer->packet;
            flow->row[at] = schedule_row(schedule, flow->step);
        }
    }
}

/* Reports a packet that has not arrived in its cycle. `when` is the last part of the message. */
static void lost_packet(struct scoreboard *board, uint32_t node, uint32_t packet, const char *when)
{
    size_t at = scoreboard_pair(board, node, packet);
    char time[SCHEDULE_TIME_TEXT], name[SCOREBOARD_ENDPOINT_TEXT];
    if (board->fate[at] == EARLY)
        return; /* reported when it arrived */
    board->fate[at] = LOST;
    if (board->first.code == ERR_NONE)
        board->first_lost = at;
    scoreboard_breach(board, ERR_LOST, "%s: %s does not receive packet %" PRIu32 "; expected it %s",
                      scoreboard_time_text(board, board->row, time),
                      scoreboard_endpoint_text(board, node, name), packet, when);
}

/* Reports a predicted packet that arrived in another cycle. If it was reported as lost before, it
 * remains one violation: late. */
static void late_packet(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t packet)
{
    size_t at = scoreboard_pair(board, node, packet);
    bool reported = board->fate[at] == LOST;
    uint64_t further = board->first.further;
    board->fate[at] = reported ? ARRIVED : EARLY;
    if (reported && board->first_lost != at)
        return;
    if (reported)
        board->first.code = ERR_NONE;
    uint64_t row = board->row_of[at] - 1;
    char now[SCHEDULE_TIME_TEXT], then[SCHEDULE_TIME_TEXT], name[SCOREBOARD_ENDPOINT_TEXT];
    scoreboard_breach(board, ERR_LATE,
                      "%s, cycle %" PRIu64 ": %s receives packet %" PRIu32
                      "; expected it in %s, cycle %" PRIu64,
                      scoreboard_time_text(board, board->row, now), cycle,
                      scoreboard_endpoint_text(board, node, name), packet,
                      scoreboard_time_text(board, row, then), scoreboard_arrival_cycle(board, row));
    if (reported) {
        board->first.further = further;
        board->first_lost = SCOREBOARD_NO_PAIR;
    }
}

/* Reports a receipt that the schedule does not predict for this cycle. */
static void wrong_receipt(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t packet)
{
    board->report.wrong++;
    scoreboard_trees_spoil(board, node, packet);
    bool predicted = node < scoreboard_endpoints(board) && packet <= board->schedule->packets &&
                     board->row_of[scoreboard_pair(board, node, packet)] != SCOREBOARD_NONE;
    enum fate fate =
        predicted ? (enum fate)board->fate[scoreboard_pair(board, node, packet)] : AWAITED;
    char time[SCHEDULE_TIME_TEXT], name[SCOREBOARD_ENDPOINT_TEXT];
    if (predicted && (fate == AWAITED || fate == LOST))
        late_packet(board, cycle, node, packet);
    else
        scoreboard_breach(
            board, ERR_UNEXPECTED,
            "%s, cycle %" PRIu64 ": %s receives packet %" PRIu32 "; expected nothing of the kind%s",
            scoreboard_time_text(board, board->row, time), cycle,
            scoreboard_endpoint_text(board, node, name), packet, predicted ? " any more" : "");
}

/* Returns "packet 3", if it is under way in `row`, or "nothing". */
static const char *packet_text(const struct scoreboard *board, const struct flow *flow,
                               uint32_t node, uint64_t row, char text[24])
{
    if (flow->packet[node] == SCOREBOARD_NONE ||
        flow->row[node] + machine_packet_rows(board->run) <= row)
        return "nothing";
    snprintf(text, 24, "packet %" PRIu32, flow->packet[node]);
    return text;
}

/* Reports flags of these kinds that have not been reported before. */
static void new_flags(struct scoreboard *board, uint64_t cycle, const uint32_t *obs, uint32_t kinds)
{
    unsigned latency = machine_latency(board->machine);
    uint64_t sent = scoreboard_row_at(board, cycle);
    uint64_t received = cycle < latency ? 0 : scoreboard_row_at(board, cycle - latency);
    follow(board, &board->sending, sent, true);
    follow(board, &board->receiving, received, false);
    for (uint32_t node = 0; node < machine_ports(board->machine); node++) {
        uint32_t risen = obs[node] >> MACHINE_OBS_FLAGS & kinds & ~board->flags_before[node];
        board->flags_before[node] |= risen;
        if (risen == 0)
            continue;
        char time[SCHEDULE_TIME_TEXT], name[SCOREBOARD_ENDPOINT_TEXT], sends[24], receives[24];
        scoreboard_breach(board, ERR_FLAG,
                          "%s, cycle %" PRIu64
                          ": %s flags%s%s%s; expected no flag, %s to be sent and %s to be received",
                          scoreboard_time_text(board, board->row, time), cycle,
                          scoreboard_endpoint_text(board, node, name),
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
    uint32_t packet = obs & MACHINE_VALID ? scoreboard_observed(board, obs) : SCOREBOARD_NONE;
    if (packet == expected) {
        board->report.seen += packet != SCOREBOARD_NONE;
        if (packet != SCOREBOARD_NONE)
            board->fate[scoreboard_pair(board, node, packet)] = ARRIVED;
    } else {
        char when[32];
        snprintf(when, sizeof when, "in cycle %" PRIu64, cycle);
        if (packet != SCOREBOARD_NONE)
            wrong_receipt(board, cycle, node, packet);
        if (expected != SCOREBOARD_NONE)
            lost_packet(board, node, expected, when);
    }
}

void scoreboard_observe(struct scoreboard *board, uint64_t cycle, const uint32_t *obs)
{
    bool due =
        board->row < board->run->rows && cycle == scoreboard_arrival_cycle(board, board->row);
    uint32_t ports = machine_ports(board->machine);
    if (due && expect_row(board))
        scoreboard_trees_arrive(board, board->step - 1, obs);
    /* In the order of cause and effect: a packet that was not held was not sent, is lost and is
     * missing at its receiver. */
    if (obs != NULL)
        new_flags(board, cycle, obs, MACHINE_NOT_HELD);
    for (uint32_t node = 0; node < ports && due; node++)
        compare_node(board, cycle, node, obs != NULL ? obs[node] : 0);
    for (uint32_t node = 0; node < ports && !due && obs != NULL; node++)
        if (obs[node] & MACHINE_VALID)
            wrong_receipt(board, cycle, node, scoreboard_observed(board, obs[node]));
    if (obs != NULL)
        new_flags(board, cycle, obs, MACHINE_UNEXPECTED | MACHINE_MISSING);
    board->row += due;
}

void scoreboard_end_run(struct scoreboard *board)
{
    while (!board->stopped && board->row < board->run->rows) {
        expect_row(board);
        for (uint32_t node = 0; node < machine_ports(board->machine); node++)
            if (board->packet_now[node] != SCOREBOARD_NONE)
                lost_packet(board, node, board->packet_now[node], "before the run ends");
        board->row++;
    }
}
