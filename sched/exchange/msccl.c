/* SPDX-License-Identifier: Apache-2.0 */
/* msccl: a schedule as an algorithm for MSCCL (msccl.h).
 *
 *     round 1   0 → 1     gpu 0   tb 0 to 1     s 0  send
 *     round 2   0 → 2             tb 1 to 2     s 0  send, behind step 0 of tb 0
 *               1 → 3     gpu 1   tb 0 from 0   s 0  receive
 *                                 tb 1 to 3     s 0  send, behind step 0 of tb 0
 *
 * A block, tb, has one peer, to which it sends or from which it receives. A step waits for another
 * block's step of its GPU: a send for the receipt of its packet, and any for the last of its kind
 * in an earlier round. It has one such step; a nop before it waits for a second.
 *
 * Packet p is chunk p-1 of a buffer: of the input `i` where it starts, of the output `o` where it
 * is wanted, of the scratch `s` on its way. A connection has a channel, of which a GPU has at most
 * 32 peers: that of the distance from its sender to its receiver.
 */
#include "sched/exchange/msccl.h"

#include "sched/exchange/formats.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_BYTES (1u << 27) /* of a message: what it takes where a file says nothing */

struct block {
    uint32_t peer;
    bool receives;
    uint32_t steps;
};

/* An operation as a step of a block. */
struct act {
    uint32_t block, step;
    uint32_t waits;   /* for so many others */
    size_t waited[2]; /* operations of the same node */
    bool signals;     /* another one waits for it */
};

struct writer {
    FILE *to;
    const struct schedule *schedule;
    struct operations operations;
    struct act *act; /* [2 · transfers], by operation */
    struct block block[MSCCL_BLOCKS];
    uint32_t blocks; /* of the node that is written */
};

/* The block of a peer: an old one, or another one; MSCCL_BLOCKS if there are too many. */
static uint32_t block_of(struct writer *writer, bool receives, uint32_t peer)
{
    uint32_t which = 0;
    while (which < writer->blocks &&
           (writer->block[which].receives != receives || writer->block[which].peer != peer))
        which++;
    if (which == writer->blocks && which < MSCCL_BLOCKS)
        writer->block[writer->blocks++] = (struct block){peer, receives, 0};
    return which;
}

/* An operation waits for another one; what stands before it in its block is done. */
static void wait_for(struct writer *writer, struct act *act, size_t other)
{
    if (other == OPERATIONS_NONE || writer->act[other].block == act->block)
        return;
    act->waited[act->waits++] = other;
    writer->act[other].signals = true;
}

/* Give the operations of a node their blocks and steps. */
static bool number_steps(struct writer *writer, uint32_t node, struct err *err)
{
    const struct operations *operations = &writer->operations;
    size_t last[2] = {OPERATIONS_NONE, OPERATIONS_NONE};
    writer->blocks = 0;
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        size_t operation = operations->operation[k], needs = operations->needs[operation / 2];
        bool receives = operation % 2 == 1;
        const struct transfer *transfer = &writer->schedule->transfer[operation / 2];
        struct act *act = &writer->act[operation];
        uint32_t peer = receives ? transfer->source : transfer->destination;
        *act = (struct act){.block = block_of(writer, receives, peer)};
        if (act->block == MSCCL_BLOCKS)
            return err_set(err, ERR_TOO_BIG,
                           "msccl: node %" PRIu32 " has more than %d peers; expected fewer", node,
                           MSCCL_BLOCKS);
        if (!receives && needs != OPERATIONS_NONE)
            wait_for(writer, act, 2 * needs + 1);
        wait_for(writer, act, last[receives]);
        last[receives] = operation;
        act->step = writer->block[act->block].steps + (act->waits > 1 ? 1 : 0);
        writer->block[act->block].steps = act->step + 1;
        if (act->step >= MSCCL_STEPS)
            return err_set(err, ERR_TOO_BIG,
                           "msccl: node %" PRIu32 " has more than %d steps with node %" PRIu32
                           "; expected fewer packets",
                           node, MSCCL_STEPS, peer);
    }
    return true;
}

/* A step that waits for one other, or for none. */
static void put_step(const struct writer *writer, uint32_t step, const char *type, const char *data,
                     const struct act *waited, bool signals)
{
    fprintf(writer->to, "      <step s=\"%" PRIu32 "\" type=\"%s\" %s", step, type, data);
    if (waited != NULL)
        fprintf(writer->to, " depid=\"%" PRIu32 "\" deps=\"%" PRIu32 "\"", waited->block,
                waited->step);
    else
        fputs(" depid=\"-1\" deps=\"-1\"", writer->to);
    fprintf(writer->to, " hasdep=\"%d\"/>\n", signals);
}

static void put_operation(const struct writer *writer, size_t operation)
{
    const struct transfer *transfer = &writer->schedule->transfer[operation / 2];
    const struct act *act = &writer->act[operation];
    const struct act *waited = act->waits > 0 ? &writer->act[act->waited[0]] : NULL;
    char data[120];
    if (act->waits > 1)
        put_step(writer, act->step - 1, "nop",
                 "srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" cnt=\"0\"",
                 &writer->act[act->waited[1]], false);
    snprintf(data, sizeof data,
             "srcbuf=\"%c\" srcoff=\"%" PRIu32 "\" dstbuf=\"%c\" dstoff=\"%" PRIu32 "\" cnt=\"1\"",
             operations_buffer(writer->schedule, transfer->source, transfer->packet),
             transfer->packet - 1,
             operations_buffer(writer->schedule, transfer->destination, transfer->packet),
             transfer->packet - 1);
    put_step(writer, act->step, operation % 2 == 1 ? "r" : "s", data, waited, act->signals);
}

static uint32_t channel_of(uint32_t nodes, uint32_t from, uint32_t to)
{
    return (to + nodes - from) % nodes / MSCCL_CHANNEL_PEERS;
}

static void put_node(const struct writer *writer, uint32_t node)
{
    const struct operations *operations = &writer->operations;
    uint32_t nodes = writer->schedule->nodes, packets = writer->schedule->packets;
    fprintf(writer->to,
            "  <gpu id=\"%" PRIu32 "\" i_chunks=\"%" PRIu32 "\" o_chunks=\"%" PRIu32
            "\" s_chunks=\"%" PRIu32 "\">\n",
            node, packets, packets,
            operations_pass_on(writer->schedule, operations, node) ? packets : 0);
    for (uint32_t which = 0; which < writer->blocks; which++) {
        const struct block *block = &writer->block[which];
        fprintf(writer->to, "    <tb id=\"%" PRIu32 "\" ", which);
        if (block->receives)
            fprintf(writer->to, "send=\"-1\" recv=\"%" PRIu32 "\" chan=\"%" PRIu32 "\">\n",
                    block->peer, channel_of(nodes, block->peer, node));
        else
            fprintf(writer->to, "send=\"%" PRIu32 "\" recv=\"-1\" chan=\"%" PRIu32 "\">\n",
                    block->peer, channel_of(nodes, node, block->peer));
        for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++)
            if (writer->act[operations->operation[k]].block == which)
                put_operation(writer, operations->operation[k]);
        fputs("    </tb>\n", writer->to);
    }
    fputs("  </gpu>\n", writer->to);
}

static void put_all(struct writer *writer)
{
    const struct schedule *schedule = writer->schedule;
    uint32_t channels = (schedule->nodes - 1) / MSCCL_CHANNEL_PEERS + 1;
    fprintf(writer->to,
            "<algo name=\"roundcast\" proto=\"Simple\" nchannels=\"%" PRIu32
            "\" nchunksperloop=\"%" PRIu32 "\" ngpus=\"%" PRIu32
            "\" coll=\"custom\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"%u\">\n",
            channels, schedule->packets, schedule->nodes, MOST_BYTES);
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        number_steps(writer, node, NULL);
        put_node(writer, node);
    }
    fputs("</algo>\n", writer->to);
}

/* What does not fit is refused before anything is written. */
static bool check_and_put(struct writer *writer, struct err *err)
{
    bool fits = true;
    for (uint32_t node = 0; fits && node < writer->schedule->nodes; node++)
        fits = number_steps(writer, node, err);
    if (fits)
        put_all(writer);
    return fits;
}

static bool write_msccl(FILE *to, const struct schedule *schedule, uint64_t bytes, struct err *err)
{
    (void)bytes;
    struct writer writer = {.to = to, .schedule = schedule};
    if (!operations_new(schedule, &writer.operations, err))
        return false;
    writer.act = calloc(2 * schedule->transfer_count + 1, sizeof *writer.act);
    bool written = writer.act != NULL ? check_and_put(&writer, err)
                                      : err_no_memory(err, "%zu steps", schedule->transfer_count);
    free(writer.act);
    operations_free(&writer.operations);
    return written;
}

const struct exchange_format exchange_msccl = {
    .name = "msccl",
    .what = "XML, for MSCCL",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_PORTS,
    .most = MSCCL_GPUS,
    .write = write_msccl,
    .read = msccl_read,
};
