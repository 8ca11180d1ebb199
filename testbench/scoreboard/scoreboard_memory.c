/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_memory: checks memories and flags after a run, and produces the verdict. */
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "testbench/scoreboard/scoreboard_state.h"

#include <inttypes.h>

#define FLIT_TEXT 64

bool scoreboard_wants(const struct scoreboard *board, uint32_t node, uint32_t packet)
{
    return board->wanted[scoreboard_pair(board, node, packet)];
}

uint32_t scoreboard_wanters(const struct scoreboard *board, uint32_t packet)
{
    return board->wanters[packet - 1];
}

/* Number of words of a packet in a memory. */
static uint32_t words_of_packet(const struct scoreboard *board)
{
    return board->payload->flits * machine_parts(board->machine);
}

/* Returns word `which` of a packet as a node must have it. */
static uint32_t expected_word(const struct scoreboard *board, uint32_t node, uint32_t packet,
                              uint32_t which)
{
    const uint32_t parts = machine_parts(board->machine);
    const struct payload_part at = {which / parts, which % parts};
    return machine_part_word(board->machine, at.part,
                             payload_bits_at(board->payload, node, packet, at));
}

/* Records a missing or wrong word. A packet with several such words is one violation. The report
 * names the one of the first node and packet, in whatever order they are examined. */
static void corrupt_word(struct scoreboard *board, uint32_t node, uint32_t packet, uint32_t which,
                         uint32_t word, uint32_t expected)
{
    const struct corrupt *first = &board->corrupt;
    if (board->corrupt_packet[node] == packet)
        return;
    board->corrupt_packet[node] = packet;
    board->report.corrupt++;
    if (first->packet == SCOREBOARD_NONE || node < first->node ||
        (node == first->node && packet < first->packet))
        board->corrupt = (struct corrupt){node, packet, which, word, expected};
}

/* Writes the parts of a flit of the packet that starts at a node. */
static void own_flit(const struct scoreboard *board, uint32_t node, uint32_t packet,
                     uint32_t number, uint32_t flit[])
{
    for (uint32_t part = 0; part < machine_parts(board->machine); part++)
        flit[part] = payload_bits_at(board->payload, node, packet,
                                     (struct payload_part){.flit = number, .part = part});
}

/* Computes from the payload alone word `which` of a packet as the endpoints must have it:
 * result[endpoints]. A result combines the flits of all contributors, or in a prefix reduction
 * those of the contributors up to the node, in an exclusive one before it. O(endpoints · parts). */
static void expect_word(struct scoreboard *board, const struct demand *demand, uint32_t packet,
                        uint32_t which)
{
    const bool prefix = demand->reduction->prefix, exclusive = scoreboard_exclusive(demand);
    const uint32_t starts = schedule_starts(board->schedule, demand),
                   each = board->schedule->topology.endpoints,
                   parts = machine_parts(board->machine), part = which % parts;
    uint32_t flit[MACHINE_MAX_PARTS], own[MACHINE_MAX_PARTS], word = 0;
    for (uint32_t k = 0; k < starts; k++) {
        const uint32_t node = schedule_start(demand, k), before = word;
        own_flit(board, node, packet, which / parts, k == 0 ? flit : own);
        if (k > 0)
            machine_operate_wide(board->run->operation, board->payload->width, flit, own, flit);
        word = machine_part_word(board->machine, part, flit[part]);
        for (uint32_t endpoint = node * each; endpoint < (node + 1) * each; endpoint++)
            board->result[endpoint] = exclusive ? before : word;
    }
    for (uint32_t node = 0; node < scoreboard_endpoints(board) && !prefix; node++)
        board->result[node] = word;
}

/* Compares a word that is the same at all nodes. */
static void check_word(struct scoreboard *board, uint32_t packet, uint32_t which, uint32_t first,
                       uint32_t count, const uint32_t word[])
{
    const bool *wanted = &board->wanted[scoreboard_pair(board, first, packet)];
    const uint32_t source = schedule_demand_of(board->schedule, packet)->source;
    const uint32_t expected = expected_word(board, source, packet, which);
    uint32_t differ = 0;
    for (uint32_t k = 0; k < count; k++)
        differ |= (word[k] ^ expected) & -(uint32_t)wanted[k];
    for (uint32_t k = 0; k < count && differ; k++)
        if (wanted[k] && word[k] != expected)
            corrupt_word(board, first + k, packet, which, word[k], expected);
}

/* Compares a word of flit 0 with the one that each node has. */
static void check_own_word(struct scoreboard *board, uint32_t packet, uint32_t which,
                           uint32_t first, uint32_t count, const uint32_t word[])
{
    for (uint32_t k = 0; k < count; k++) {
        if (!board->wanted[scoreboard_pair(board, first + k, packet)])
            continue;
        const uint32_t expected = expected_word(board, first + k, packet, which);
        if (word[k] != expected)
            corrupt_word(board, first + k, packet, which, word[k], expected);
    }
}

/* Compares a word of a packet that is combined. */
static void check_results(struct scoreboard *board, uint32_t packet, uint32_t which, uint32_t first,
                          uint32_t count, const uint32_t word[])
{
    expect_word(board, schedule_demand_of(board->schedule, packet), packet, which);
    for (uint32_t node = first; node < first + count; node++)
        if (board->wanted[scoreboard_pair(board, node, packet)] &&
            word[node - first] != board->result[node])
            corrupt_word(board, node, packet, which, word[node - first], board->result[node]);
}

void scoreboard_word(struct scoreboard *board, uint32_t packet, uint32_t which, uint32_t first,
                     uint32_t count, const uint32_t word[])
{
    const struct payload *payload = board->payload;
    const uint32_t flit = which / machine_parts(board->machine);
    scoreboard_end_run(board);
    const bool *wanted = &board->wanted[scoreboard_pair(board, first, packet)];
    if (schedule_demand_of(board->schedule, packet)->reduction != NULL)
        check_results(board, packet, which, first, count, word);
    else if (payload_is_of_node(payload, flit))
        check_own_word(board, packet, which, first, count, word);
    else
        check_word(board, packet, which, first, count, word);
    const bool last = which + 1 == words_of_packet(board);
    uint32_t seen = 0;
    for (uint32_t k = 0; k < count && last; k++)
        seen += wanted[k];
    board->report.packets += seen;
    board->report.bytes += (uint64_t)seen * payload_packet_bytes(payload);
}

void scoreboard_memory(struct scoreboard *board, uint32_t node, uint32_t packet,
                       const uint32_t word[])
{
    for (uint32_t which = 0; which < words_of_packet(board); which++)
        scoreboard_word(board, packet, which, node, 1, &word[which]);
}

/* Writes "3", or "3, bits 32 to 63," for a part of a flit that the memory has in several words. */
static void flit_text(const struct machine *machine, uint32_t which, char text[FLIT_TEXT])
{
    const uint32_t parts = machine_parts(machine), part = which % parts;
    if (parts == 1)
        snprintf(text, FLIT_TEXT, "%" PRIu32, which);
    else
        snprintf(text, FLIT_TEXT, "%" PRIu32 ", bits %" PRIu32 " to %" PRIu32 ",", which / parts,
                 32 * part, MIN(32 * part + 31, machine->width - 1));
}

/* Reports the recorded word, after all memories have been examined. */
static void report_corrupt(struct scoreboard *board)
{
    const struct corrupt *first = &board->corrupt;
    if (first->packet == SCOREBOARD_NONE)
        return;
    uint32_t row = board->row_of[scoreboard_pair(board, first->node, first->packet)];
    char time[SCHEDULE_TIME_TEXT], name[SCOREBOARD_ENDPOINT_TEXT], flit[FLIT_TEXT];
    flit_text(board->machine, first->which, flit);
    schedule_time_text(board->schedule,
                       row - (row != SCOREBOARD_NONE && model_has_times(board->schedule->model)),
                       time);
    /* A result is that of several rounds. */
    const bool result = schedule_demand_of(board->schedule, first->packet)->reduction != NULL;
    scoreboard_breach(
        board, ERR_CORRUPT,
        "%s: %s holds packet %" PRIu32 " with flit %s = %08" PRIx32 "; expected %08" PRIx32,
        result ? "after the run" : time, scoreboard_endpoint_text(board, first->node, name),
        first->packet, flit, first->word, first->expected);
    board->first.further += board->report.corrupt - 1;
    board->corrupt.packet = SCOREBOARD_NONE;
}

void scoreboard_flags(struct scoreboard *board, uint32_t node, uint32_t flags)
{
    scoreboard_end_run(board);
    if (flags == 0)
        return;
    board->report.flags++;
    char name[SCOREBOARD_ENDPOINT_TEXT];
    if (flags & ~board->flags_before[node])
        scoreboard_breach(board, ERR_FLAG,
                          "after the run: %s has flags %" PRIx32 "; expected no flag",
                          scoreboard_endpoint_text(board, node, name), flags);
}

void scoreboard_router_flags(struct scoreboard *board, uint32_t router, uint32_t flags)
{
    scoreboard_end_run(board);
    if (flags == 0)
        return;
    board->report.flags++;
    const struct topology *topology = &board->schedule->topology;
    char node[TOPOLOGY_NODE_TEXT];
    scoreboard_breach(board, ERR_FLAG, "after the run: router %s flags%s%s%s; expected no flag",
                      topology_node_text(topology, wiring_router_node(topology, router), node),
                      flags & MACHINE_ROUTER_NOT_HELD ? " sending what it does not hold" : "",
                      flags & MACHINE_ROUTER_TWICE ? " sending twice on its single port" : "",
                      flags & MACHINE_ROUTER_OVERFLOW ? " a buffer that overflows" : "");
}

void scoreboard_steps(struct scoreboard *board, uint32_t steps)
{
    scoreboard_end_run(board);
    if (steps != board->schedule->end)
        scoreboard_breach(board, ERR_LATE,
                          "run: packets moved until step %" PRIu32 "; expected until step %" PRIu64,
                          steps, board->schedule->end);
}

void scoreboard_stop(struct scoreboard *board, const struct err *reason)
{
    report_corrupt(board);
    scoreboard_breach(board, reason->code, "%s", reason->text);
    board->stopped = true;
}

bool scoreboard_verdict(struct scoreboard *board, struct scoreboard_report *report, struct err *err)
{
    scoreboard_end_run(board);
    report_corrupt(board);
    const struct scoreboard_report *seen = &board->report;
    if (board->first.code == ERR_NONE && seen->seen != seen->expected)
        scoreboard_breach(board, ERR_LOST, "run: %" PRIu64 " receipts seen; expected %" PRIu64,
                          seen->seen, seen->expected);
    if (board->first.code == ERR_NONE && seen->packets != seen->wanted)
        scoreboard_breach(board, ERR_NOTHING_CHECKED,
                          "run: %" PRIu64 " packet%s in memory were checked; expected %" PRIu64,
                          seen->packets, text_s(seen->packets), seen->wanted);
    if (board->first.code == ERR_NONE && board->schedule->nodes > 1 && seen->seen == 0)
        scoreboard_breach(board, ERR_NOTHING_CHECKED, "run: %s; expected at least one receipt",
                          board->schedule->packets == 0 ? "the schedule has no packets to check"
                                                        : "no receipt was checked");
    *report = board->report;
    report->certificate = scoreboard_trees_certificate(board);
    if (board->first.code == ERR_NONE)
        return true;
    *err = board->first;
    return false;
}
