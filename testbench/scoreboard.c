#include "scoreboard.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

/* No prediction, or no packet. */
#define NONE 0

struct scoreboard {
    const struct schedule *schedule;
    const struct machine *machine;
    const struct run *run;
    uint32_t *round_of;     /* round_of[node][packet-1]: of the predicted first receipt, or NONE */
    bool *wanted;           /* wanted[node][packet-1]: the demand */
    uint32_t *packet_now;   /* packet_now[ports]: expected in the round looked at, or NONE */
    uint32_t *flags_before; /* flags_before[ports]: as last seen */
    size_t step;            /* of the schedule, to come next */
    uint64_t round;         /* whose receipts come next */
    struct scoreboard_report report;
    struct err first; /* the first breach */
};

static size_t pair(const struct scoreboard *board, uint32_t node, uint32_t packet)
{
    return (size_t)node * board->schedule->packets + packet - 1;
}

/* Keep the first breach in full and count the others. */
__attribute__((format(printf, 3, 4))) static void breach(struct scoreboard *board, enum err_code code,
                                                         const char *format, ...)
{
    if (board->first.code != ERR_NONE) {
        board->first.further++;
        return;
    }
    char text[sizeof board->first.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    err_set(&board->first, code, "%s", text);
}

static void predict(struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint32_t *round = &board->round_of[pair(board, transfer->destination, transfer->packet)];
            if (*round == NONE)
                *round = (uint32_t)schedule->step[k].time;
        }
    board->report.expected = schedule->transfer_count;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        uint32_t count = demand->wanted_count ? demand->wanted_count : schedule->nodes;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            for (uint32_t k = 0; k < count; k++)
                board->wanted[pair(board, demand->wanted_count ? demand->wanted[k] : k, packet)] = true;
            board->wanted[pair(board, demand->source, packet)] = true;
        }
    }
}

struct scoreboard *scoreboard_new(const struct schedule *schedule, const struct machine *machine,
                                  const struct run *run, struct err *err)
{
    size_t pairs = (size_t)schedule->nodes * schedule->packets;
    struct scoreboard *board = calloc(1, sizeof *board);
    if (board != NULL) {
        *board = (struct scoreboard){.schedule = schedule, .machine = machine, .run = run, .round = 1};
        board->round_of = calloc(pairs, sizeof *board->round_of);
        board->wanted = calloc(pairs, sizeof *board->wanted);
        board->packet_now = calloc(machine_ports(machine), sizeof *board->packet_now);
        board->flags_before = calloc(machine_ports(machine), sizeof *board->flags_before);
        if (board->round_of && board->wanted && board->packet_now && board->flags_before) {
            predict(board);
            return board;
        }
    }
    scoreboard_free(board);
    err_set(err, ERR_TOO_BIG, "scoreboard: no memory for %zu packets at nodes; expected fewer", pairs);
    return NULL;
}

void scoreboard_free(struct scoreboard *board)
{
    if (board == NULL)
        return;
    free(board->round_of);
    free(board->wanted);
    free(board->packet_now);
    free(board->flags_before);
    free(board);
}

/* Load packet_now with what the next round should bring. */
static void expect_round(struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    for (uint32_t node = 0; node < machine_ports(board->machine); node++)
        board->packet_now[node] = NONE;
    if (board->step == schedule->step_count || schedule->step[board->step].time != board->round)
        return;
    for (size_t t = schedule->step[board->step].first; t < schedule_step_end(schedule, board->step); t++)
        board->packet_now[schedule->transfer[t].destination] = schedule->transfer[t].packet;
    board->step++;
}

/* A receipt that the schedule does not predict for this cycle. */
static void wrong_receipt(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t packet)
{
    board->report.wrong++;
    uint32_t predicted = NONE;
    if (node < board->schedule->nodes && packet <= board->schedule->packets)
        predicted = board->round_of[pair(board, node, packet)];
    if (predicted == NONE)
        breach(board, ERR_UNEXPECTED,
               "round %" PRIu64 ", cycle %" PRIu64 ": node %" PRIu32 " receives packet %" PRIu32
               "; expected nothing of the kind",
               board->round, cycle, node, packet);
    else
        breach(board, ERR_LATE,
               "round %" PRIu64 ", cycle %" PRIu64 ": node %" PRIu32 " receives packet %" PRIu32
               "; expected it in round %" PRIu32 ", cycle %" PRIu64,
               board->round, cycle, node, packet, predicted,
               machine_arrival_cycle(board->machine, board->run, predicted));
}

static void new_flags(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t flags)
{
    uint32_t risen = flags & ~board->flags_before[node];
    board->flags_before[node] = flags;
    if (risen == 0)
        return;
    breach(board, ERR_FLAG,
           "round %" PRIu64 ", cycle %" PRIu64 ": node %" PRIu32 " flags%s%s%s (packet %" PRIu32
           " expected here); expected no flag",
           board->round, cycle, node, risen & MACHINE_NOT_HELD ? " sending what it does not hold" : "",
           risen & MACHINE_UNEXPECTED ? " receiving what it does not expect" : "",
           risen & MACHINE_MISSING ? " missing what it expects" : "", board->packet_now[node]);
}

static void compare_node(struct scoreboard *board, uint64_t cycle, uint32_t node, uint32_t obs)
{
    uint32_t expected = board->packet_now[node];
    uint32_t packet = obs & MACHINE_VALID ? (obs & MACHINE_OBS_PACKET) + 1 : NONE;
    if (packet == expected) {
        board->report.seen += packet != NONE;
    } else {
        if (packet != NONE)
            wrong_receipt(board, cycle, node, packet);
        if (expected != NONE)
            breach(board, ERR_LOST,
                   "round %" PRIu64 ", cycle %" PRIu64 ": node %" PRIu32 " does not receive packet %" PRIu32
                   "; expected it in this cycle",
                   board->round, cycle, node, expected);
    }
    new_flags(board, cycle, node, obs >> MACHINE_OBS_FLAGS & 7);
}

void scoreboard_observe(struct scoreboard *board, uint64_t cycle, const uint32_t *obs)
{
    bool due = board->round <= board->run->rows &&
               cycle == machine_arrival_cycle(board->machine, board->run, board->round);
    uint32_t ports = machine_ports(board->machine);
    if (due) {
        expect_round(board);
        for (uint32_t node = 0; node < ports; node++)
            if (obs != NULL)
                compare_node(board, cycle, node, obs[node]);
            else if (board->packet_now[node] != NONE)
                compare_node(board, cycle, node, 0);
        board->round++;
    } else if (obs != NULL) {
        for (uint32_t node = 0; node < ports; node++)
            if (obs[node] & MACHINE_VALID)
                wrong_receipt(board, cycle, node, (obs[node] & MACHINE_OBS_PACKET) + 1);
    }
}

void scoreboard_memory(struct scoreboard *board, const struct payload *payload, uint32_t node,
                       uint32_t packet, const uint32_t word[])
{
    if (!board->wanted[pair(board, node, packet)])
        return;
    board->report.packets++;
    board->report.bytes += payload_packet_bytes(payload);
    for (uint32_t flit = 0; flit < payload->flits; flit++) {
        uint32_t expected = MACHINE_VALID | payload_word(payload, packet, flit);
        if (word[flit] == expected)
            continue;
        board->report.corrupt++;
        breach(board, ERR_CORRUPT,
               "round %" PRIu32 ": node %" PRIu32 " holds packet %" PRIu32 " with flit %" PRIu32
               " = %08" PRIx32 "; expected %08" PRIx32,
               board->round_of[pair(board, node, packet)], node, packet, flit, word[flit], expected);
        return;
    }
}

void scoreboard_flags(struct scoreboard *board, uint32_t node, uint32_t flags)
{
    if (flags == 0)
        return;
    board->report.flags++;
    if (flags & ~board->flags_before[node])
        breach(board, ERR_FLAG, "after the run: node %" PRIu32 " has flags %" PRIx32 "; expected no flag",
               node, flags);
}

bool scoreboard_verdict(struct scoreboard *board, struct scoreboard_report *report, struct err *err)
{
    while (board->round <= board->run->rows) { /* rounds that the run never came to */
        expect_round(board);
        for (uint32_t node = 0; node < machine_ports(board->machine); node++)
            if (board->packet_now[node] != NONE)
                breach(board, ERR_LOST,
                       "round %" PRIu64 ": node %" PRIu32 " does not receive packet %" PRIu32
                       "; expected it before the run ends",
                       board->round, node, board->packet_now[node]);
        board->round++;
    }
    const struct scoreboard_report *seen = &board->report;
    if (board->first.code == ERR_NONE && seen->seen != seen->expected)
        breach(board, ERR_LOST, "run: %" PRIu64 " receipts seen; expected %" PRIu64, seen->seen,
               seen->expected);
    if (board->first.code == ERR_NONE && board->schedule->nodes > 1 &&
        (seen->seen == 0 || seen->packets == 0))
        breach(board, ERR_NOTHING_CHECKED, "run: no packet was checked; expected at least one");
    *report = board->report;
    if (board->first.code == ERR_NONE)
        return true;
    *err = board->first;
    return false;
}
