/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/route_tables.h"

#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/packet_tracker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The words of one row, for the columns of all routers. */
struct row {
    struct image *image;
    struct packet_tracker walk;
    uint32_t *word;
};

static bool overwritten(const struct row *row, const struct transfer *transfer, uint32_t needed,
                        struct err *err)
{
    const struct schedule *schedule = row->walk.schedule;
    const struct topology *topology = &schedule->topology;
    unsigned level = wiring_level(topology, wiring_router(topology, transfer->source));
    char time[SCHEDULE_TIME_TEXT], node[TOPOLOGY_NODE_TEXT];
    return err_set(err, ERR_BUFFER,
                   "%s: router %s must send packet %" PRIu32
                   ", which a later packet has overwritten; expected buffers of "
                   "%" PRIu32 " packet%s or more at level %u, not %" PRIu32,
                   schedule_time_text(schedule, schedule->step[row->walk.step].time, time),
                   topology_node_text(topology, transfer->source, node), transfer->packet, needed,
                   text_s(needed), level, row->image->machine.depth[level]);
}

static bool too_few_reads(const struct machine *machine, struct err *err)
{
    return err_set(err, ERR_TOO_SMALL,
                   "machine: buffers give %" PRIu32 " packet%s in a step; expected more reads",
                   machine->reads, text_s(machine->reads));
}

/* Writes the address of a copy of a packet in the buffer of its input, for a router's transfer.
 * E402, E407. */
static bool put_read(struct row *row, const struct transfer *transfer,
                     const struct packet_stay *stay, uint32_t *read, struct err *err)
{
    const struct machine *machine = &row->image->machine;
    uint32_t router = wiring_router(&machine->topology, transfer->source);
    uint32_t depth = machine->depth[wiring_level(&machine->topology, router)];
    uint32_t distance = row->walk.arrived[stay->input] - stay->number;
    *read = packet_tracker_read(&row->walk, stay);
    if (distance > depth)
        return overwritten(row, transfer, distance, err);
    if (*read >= machine->reads)
        return too_few_reads(machine, err);
    row->word[stay->input * machine->reads + *read] |= stay->number % depth;
    return true;
}

/* Writes the words for a router's transfer: the source of its output, and the address of the packet
 * in that input's buffer. E402, E407. */
static bool put_copy(struct row *row, size_t index, struct err *err)
{
    const struct machine *machine = &row->image->machine;
    const struct transfer *transfer = &row->walk.schedule->transfer[index];
    const struct packet_stay *stay = packet_tracker_stay(&row->walk, transfer);
    const uint32_t router = wiring_router(&machine->topology, transfer->source);
    uint32_t read;
    if (!put_read(row, transfer, stay, &read, err))
        return false;
    uint32_t source = (stay->input - row->walk.first[router]) * machine->reads + read;
    row->word[packet_tracker_output(&row->walk, index) * machine->reads] |=
        machine_send_word(source);
    return true;
}

/* Reports that a router would combine what it cannot combine in a step. E208. */
static bool too_many_results(const struct row *row, const struct transfer *transfer,
                             const char *what, const char *expected, struct err *err)
{
    const struct schedule *schedule = row->walk.schedule;
    char time[SCHEDULE_TIME_TEXT], node[TOPOLOGY_NODE_TEXT];
    return err_set(err, ERR_UNSUPPORTED,
                   "%s: router %s combines %s; expected %s, because a router has one operator",
                   schedule_time_text(schedule, schedule->step[row->walk.step].time, time),
                   topology_node_text(&schedule->topology, transfer->source, node), what, expected);
}

/* Writes the words for a transfer of a partial result: its copies are operands, and its output
 * sends their result. E208, E402, E407. */
static bool put_result(struct row *row, size_t index, struct err *err)
{
    const struct machine *machine = &row->image->machine;
    const struct transfer *transfer = &row->walk.schedule->transfer[index];
    const struct packet_stay *stay = packet_tracker_stay(&row->walk, transfer);
    uint32_t read;
    if (!packet_tracker_result(&row->walk, transfer))
        return too_many_results(row, transfer, "two packets in a step",
                                "one packet of several inputs, as in the model single-port", err);
    for (; stay != NULL; stay = packet_tracker_before(&row->walk, stay)) {
        if (!put_read(row, transfer, stay, &read, err))
            return false;
        if (read > 0)
            return too_many_results(row, transfer, "two copies of a packet from one input",
                                    "one copy of each input", err);
        row->word[stay->input * machine->reads] |= MACHINE_OPERAND;
    }
    row->word[packet_tracker_output(&row->walk, index) * machine->reads] |=
        MACHINE_VALID | MACHINE_RESULT;
    return true;
}

/* Writes the words for the transfers of this step that routers make: those of partial results, or
 * all others. */
static bool put_step(struct row *row, bool results, struct err *err)
{
    const struct schedule *schedule = row->walk.schedule;
    const size_t step = row->walk.step;
    for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++)
        if (packet_tracker_is_routed(&row->walk, &schedule->transfer[t]) &&
            packet_tracker_combines(&row->walk, t) == results &&
            !(results ? put_result : put_copy)(row, t, err))
            return false;
    return true;
}

static bool append_row(struct row *row, uint32_t number, struct err *err)
{
    const struct machine *machine = &row->image->machine;
    const uint32_t *word = row->word;
    for (uint32_t router = 0; router < machine_routers(machine); router++) {
        uint32_t columns = (row->walk.first[router + 1] - row->walk.first[router]) * machine->reads;
        for (uint32_t column = 0; column < columns; column++)
            if (!image_append(row->image, machine_table_address(machine, router, number, column),
                              *word++, err))
                return false;
    }
    return true;
}

static bool route_rows(struct row *row, size_t words, struct err *err)
{
    const struct schedule *schedule = row->walk.schedule;
    for (uint32_t number = 0; number < row->image->run.rows; number++) {
        memset(row->word, 0, words * sizeof *row->word);
        size_t step = row->walk.step;
        if (step < schedule->step_count && schedule_row(schedule, step) == number) {
            if (!put_step(row, true, err) || !put_step(row, false, err))
                return false;
            packet_tracker_next(&row->walk);
        }
        if (!append_row(row, number, err))
            return false;
    }
    return true;
}

/* Checks that self-timed routers have room for their packets. */
static bool check_sizes(const struct machine *machine, const struct schedule *schedule,
                        struct err *err)
{
    struct router_needs needs;
    if (!router_needs_on(machine, schedule, &needs, err))
        return false;
    if (needs.reads > machine->reads)
        return too_few_reads(machine, err);
    for (unsigned level = 1; level <= machine->topology.height; level++)
        if (needs.depth[level] > machine->depth[level] ||
            needs.queue[level] > machine->queue[level])
            return err_set(err, ERR_BUFFER,
                           "{network} fat-tree-auto: buffers of %" PRIu32
                           " packet%s and queues of %" PRIu32 " at level %u; expected %" PRIu32
                           " and %" PRIu32 " or more",
                           machine->depth[level], text_s(machine->depth[level]),
                           machine->queue[level], level, needs.depth[level], needs.queue[level]);
    return true;
}

bool route_routers(struct image *image, const struct schedule *schedule, struct err *err)
{
    if (machine_is_self_timed(&image->machine))
        return machine_is_autonomous(&image->machine) ||
               check_sizes(&image->machine, schedule, err);
    if (machine_routers(&image->machine) == 0)
        return true;
    struct row row = {.image = image};
    if (!packet_tracker_open(&row.walk, schedule, err))
        return false;
    size_t words = (size_t)row.walk.first[machine_routers(&image->machine)] * image->machine.reads;
    row.word = malloc((words + 1) * sizeof *row.word);
    bool routed = row.word != NULL ? route_rows(&row, words, err)
                                   : err_no_memory(err, "a row of %zu words", words);
    free(row.word);
    packet_tracker_close(&row.walk);
    return routed;
}

/* --- Self-timed hypercubes: lists of packets instead of tables ---------------------------- */

static bool check_depth(const struct image *image, const struct schedule *schedule, struct err *err)
{
    struct router_needs needs;
    return router_needs_of(schedule, &needs, err) &&
           (image->machine.depth[1] >= needs.depth[1] ||
            err_set(err, ERR_BUFFER,
                    "route: later packets overwrite unsent ones in buffers of %" PRIu32
                    " packet%s; expected %" PRIu32 " packet%s or more",
                    image->machine.depth[1], text_s(image->machine.depth[1]), needs.depth[1],
                    text_s(needs.depth[1])));
}

/* Appends the next row of a node's list, at all its endpoints. */
static bool append_own(struct image *image, uint32_t node, uint32_t row, uint32_t packet,
                       struct err *err)
{
    const struct machine *machine = &image->machine;
    uint32_t first = wiring_first_endpoint(&machine->topology, node),
             each = machine->topology.endpoints;
    bool appended = true;
    for (uint32_t endpoint = first; appended && endpoint < first + each; endpoint++)
        appended =
            image_append(image, machine_program_address(machine, MACHINE_SEND, endpoint, row),
                         MACHINE_VALID | (packet - 1), err);
    return appended;
}

bool route_lists(struct image *image, const struct schedule *schedule, struct err *err)
{
    if (!check_depth(image, schedule, err))
        return false;
    uint32_t *length = calloc(schedule->nodes, sizeof *length);
    bool appended =
        length != NULL || err_no_memory(err, "the lists of %" PRIu32 " nodes", schedule->nodes);
    for (size_t d = 0; appended && d < schedule->demand_count && !schedule->demand[d].control;
         d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; appended && packet <= demand->last_packet;
             packet++)
            appended = append_own(image, demand->source, length[demand->source]++, packet, err);
    }
    free(length);
    return appended;
}
