/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_ranges: recovers the programs that endpoints follow on a machine with ranges (unpack.h).
 *
 * It repeats what the endpoints do (rtl/shell/rc_range_program.sv), row by row: a node that has
 * packets for the nodes of its range sends them with a header, and the node that the switches lead
 * the packet to takes it if its own range begins there.
 */
#include "sched/base/arena.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/schedule/ranges.h"

#include <stdlib.h>

/* The endpoints. All arrays are [ports]. */
struct endpoints {
    struct unpacked *unpacked;
    void *memory;        /* of all arrays (arena.h) */
    uint32_t *others;    /* nodes after the node that it still serves */
    uint32_t *last;      /* the last node of the range that it received */
    uint32_t *has, *due; /* packets that it has, and those that are also under way to it */
    uint32_t *sent;      /* packets of the message that have left */
    uint32_t *send_end;  /* row from which it may send the next packet */
    uint32_t *recv_end;  /* row from which the next packet may begin to arrive */
    uint32_t split_count;
    struct ranges_split *split;
    uint32_t packet_rows, delay; /* rows of a packet, and rows from its last one to its arrival */
};

static uint32_t *program_row(const struct unpacked *unpacked, bool receives, uint32_t row)
{
    const size_t first = receives ? unpacked->run.rows : 0;
    return unpacked->program + (first + row) * machine_ports(&unpacked->machine);
}

/* Reads the table of splits and the ranges at the start. */
static void read_words(struct endpoints *e)
{
    const struct image *image = e->unpacked->image;
    const struct machine *machine = &e->unpacked->machine;
    const uint32_t ports = machine_ports(machine),
                   node_mask = (1u << machine_node_bits(machine)) - 1;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(machine, image->word[k].address);
        const uint32_t word = image->word[k].word;
        if (at.region == MACHINE_TABLE && at.bank == machine_splits_bank(machine))
            e->split[at.row] = (struct ranges_split){word >> MACHINE_SPLIT_OTHERS & node_mask,
                                                     word >> 31, word & node_mask};
        if (at.region != MACHINE_SEND)
            continue;
        for (uint32_t port = at.all ? 0 : at.node; port < (at.all ? ports : at.node + 1); port++) {
            const uint32_t last = word & node_mask;
            const bool source = word & MACHINE_VALID;
            e->has[port] = e->due[port] = source ? e->unpacked->run.packets : 0;
            /* What stands at a port without a packet may be less than the port; it is not read. */
            e->others[port] = last > port ? last - port : 0;
        }
    }
}

/* Offers a packet to the node at an output of the network. */
static void offer(struct endpoints *e, uint32_t row, uint32_t port, uint32_t first, uint32_t last)
{
    const struct run *run = &e->unpacked->run;
    if (first != port || last >= machine_ports(&e->unpacked->machine) ||
        e->due[port] >= run->packets || e->recv_end[port] > row ||
        (e->due[port] > 0 && last != e->last[port]))
        return;
    if (e->due[port] == 0) {
        e->last[port] = last;
        e->others[port] = last - port;
    }
    const uint32_t end = row + e->packet_rows;
    for (uint32_t r = row; r < end && r < run->rows; r++)
        program_row(e->unpacked, true, r)[port] =
            MACHINE_VALID | (r + 1 < end ? MACHINE_MORE : 0) | e->due[port];
    e->recv_end[port] = end;
    e->due[port]++;
}

/* Leads a packet through the switches of the row, to one output or to several. */
static void lead(struct endpoints *e, uint32_t row, uint32_t port, uint32_t first, uint32_t last)
{
    const struct unpacked *unpacked = e->unpacked;
    const struct multistage *net = &unpacked->machine.network;
    if (!multistage_copies(net)) {
        const uint32_t output = multistage_trace(net, unpacked->setting, port);
        if (output != MULTISTAGE_NOWHERE)
            offer(e, row, output, first, last);
        return;
    }
    for (uint32_t output = 0; output < net->ports; output++)
        if (multistage_reaches(net, unpacked->setting, port, output))
            offer(e, row, output, first, last);
}

/* Sends the next packet of a node's message, if it has it and nothing else leaves. */
static void send_next(struct endpoints *e, uint32_t row, uint32_t port)
{
    const struct run *run = &e->unpacked->run;
    if (e->send_end[port] > row || e->others[port] == 0 || e->sent[port] >= e->has[port])
        return;
    const uint32_t offset = ranges_receiver(e->split, e->split_count, e->others[port]);
    const uint32_t end = row + e->packet_rows;
    for (uint32_t r = row; r < end && r < run->rows; r++)
        program_row(e->unpacked, false, r)[port] = MACHINE_VALID | e->sent[port];
    lead(e, row, port, port + offset, port + e->others[port]);
    e->send_end[port] = end;
    if (++e->sent[port] == run->packets) {
        e->sent[port] = 0;
        e->others[port] = offset - 1;
    }
}

static void follow_row(struct endpoints *e, uint32_t row)
{
    const uint32_t ports = machine_ports(&e->unpacked->machine);
    if (row > e->delay) {
        const uint32_t *arrived = program_row(e->unpacked, true, row - 1 - e->delay);
        for (uint32_t port = 0; port < ports; port++)
            e->has[port] += arrived[port] & MACHINE_VALID && !(arrived[port] & MACHINE_MORE);
    }
    unpack_settings(e->unpacked, row);
    for (uint32_t port = 0; port < ports; port++)
        send_next(e, row, port);
}

bool unpack_ranges(struct unpacked *unpacked, struct err *err)
{
    const struct machine *machine = &unpacked->machine;
    const struct run *run = &unpacked->run;
    const size_t ports = machine_ports(machine);
    struct endpoints e = {
        .unpacked = unpacked,
        .split_count = 1u << machine->log2_splits,
        .packet_rows = machine_packet_rows(run),
        .delay = machine_streams(machine, run) ? machine_latency(machine) / run->row_cycles : 0};
    const struct arena_array arrays[] = {ARENA(e.others, ports),   ARENA(e.last, ports),
                                         ARENA(e.has, ports),      ARENA(e.due, ports),
                                         ARENA(e.sent, ports),     ARENA(e.send_end, ports),
                                         ARENA(e.recv_end, ports), ARENA(e.split, e.split_count)};
    unpacked->program = calloc(2 * (size_t)run->rows * ports + 1, sizeof *unpacked->program);
    e.memory = unpacked->program != NULL ? arena_new(arrays, ARENA_COUNT(arrays)) : NULL;
    if (e.memory == NULL)
        return err_no_memory(err, "the programs of %zu endpoints", ports);
    read_words(&e);
    for (uint32_t row = 0; row < run->rows; row++)
        follow_row(&e, row);
    free(e.memory);
    return true;
}
