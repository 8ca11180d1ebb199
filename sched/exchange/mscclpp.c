/* SPDX-License-Identifier: Apache-2.0 */
/* mscclpp: an execution plan as JSON, for MSCCL++ (its reader:
 * src/core/executor/execution_plan.cc).
 *
 *     round 1   0 → 1     gpu 0   put 0 to gpu 1, with a signal     gpu 1   wait for gpu 0
 *     round 2   1 → 2                                                       put 0 to gpu 2 …
 *
 * A GPU has one block of threads. In each round it sends its packets, then waits for the packets
 * that it receives. A put writes one packet to the buffer of the peer, and flushes. Before all
 * puts, a signal to each peer and one from each peer announce that the buffers exist. Packets are
 * in the same buffers as in MSCCL's XML for `custom`. A packet that is combined is put into a chunk
 * of its own in the receiver's scratch buffer, which the receiver combines after the round. */
#include "sched/base/compare.h"
#include "sched/exchange/exchange.h"
#include "sched/exchange/msccl_parts.h"
#include "sched/exchange/mscclpp_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the executor. */
#define MOST_OPERATIONS 64 /* operations of a block */
#define MOST_CHANNELS 16   /* channels, and buffers of other GPUs */
#define MOST_OF_OPERATION 8

struct remote {
    uint32_t peer;
    char type;
};

struct writer {
    FILE *to; /* NULL: only check whether the plan fits */
    const struct schedule *schedule;
    struct operations operations;
    struct msccl_layout layout;
    struct msccl_keeper *keeper;
    /* [transfers]: the chunk of the receiver's scratch buffer for a packet that is combined */
    uint32_t *slot;
    /* of the current GPU */
    uint32_t node, peers, remotes, written, scratch;
    uint32_t peer[MOST_CHANNELS];
    struct remote remote[MOST_CHANNELS];
};

/* Returns the channel to a peer, which is added if there is none; MOST_CHANNELS if there are too
 * many. */
static uint32_t channel_of(struct writer *writer, uint32_t peer)
{
    uint32_t which = 0;
    while (which < writer->peers && writer->peer[which] != peer)
        which++;
    if (which == writer->peers && which < MOST_CHANNELS)
        writer->peer[writer->peers++] = peer;
    return which;
}

/* Returns likewise the number of a peer's buffer. */
static uint32_t remote_of(struct writer *writer, uint32_t peer, char type)
{
    uint32_t which = 0;
    while (which < writer->remotes &&
           (writer->remote[which].peer != peer || writer->remote[which].type != type))
        which++;
    if (which == writer->remotes && which < MOST_CHANNELS)
        writer->remote[writer->remotes++] = (struct remote){peer, type};
    return which;
}

static bool is_combined(const struct writer *writer, size_t transfer)
{
    uint32_t packet = writer->schedule->transfer[transfer].packet;
    return schedule_demand_of(writer->schedule, packet)->reduction != NULL;
}

/* Returns the chunk in which the receiver of a transfer gets its packet. */
static struct msccl_chunk remote_chunk(const struct writer *writer, size_t transfer)
{
    const struct transfer *at = &writer->schedule->transfer[transfer];
    if (is_combined(writer, transfer))
        return (struct msccl_chunk){'s', writer->slot[transfer]};
    return msccl_layout_chunk(&writer->layout, at->destination, at->packet);
}

/* Assigns chunks of scratch buffers to the receipts of combined packets, after those for partial
 * results. */
static void assign_slots(struct writer *writer)
{
    const struct operations *operations = &writer->operations;
    for (uint32_t node = 0; node < writer->schedule->nodes; node++) {
        uint32_t next = 2 * writer->schedule->packets;
        for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
            size_t operation = operations->operation[k];
            if (operation % 2 == 1 && is_combined(writer, operation / 2))
                writer->slot[operation / 2] = next++;
        }
    }
}

/* Finds the peers and the remote buffers of a GPU, and the size of its scratch buffer. */
static bool look(struct writer *writer, uint32_t node, struct err *err)
{
    const struct operations *operations = &writer->operations;
    bool fits = true;
    writer->node = node;
    writer->peers = writer->remotes = writer->written = 0;
    writer->scratch = 0;
    for (size_t k = operations->first[node]; fits && k < operations->first[node + 1]; k++) {
        const struct transfer *transfer = &writer->schedule->transfer[operations->operation[k] / 2];
        bool receives = operations->operation[k] % 2 == 1;
        uint32_t peer = receives ? transfer->source : transfer->destination;
        char type = remote_chunk(writer, operations->operation[k] / 2).buffer;
        if (receives && is_combined(writer, operations->operation[k] / 2))
            writer->scratch = writer->slot[operations->operation[k] / 2] + 1;
        fits = channel_of(writer, peer) < MOST_CHANNELS &&
               (receives || remote_of(writer, peer, type) < MOST_CHANNELS);
    }
    return fits || err_set(err, ERR_TOO_BIG,
                           "mscclpp: node %" PRIu32 " has more than %d peers, or buffers of peers; "
                           "expected fewer",
                           node, MOST_CHANNELS);
}

/* Begins an operation on a new line. */
static void begin(struct writer *writer, const char *name)
{
    if (writer->to != NULL)
        fprintf(writer->to, "%s        {\"name\": \"%s\"", writer->written > 0 ? ",\n" : "", name);
    writer->written++;
}

static void nop(struct writer *writer)
{
    begin(writer, "nop");
    if (writer->to != NULL)
        fputc('}', writer->to);
}

/* Writes signals, or waits, for all channels; an operation covers several channels. */
static void on_all(struct writer *writer, const char *name)
{
    for (uint32_t first = 0; first < writer->peers; first += MOST_OF_OPERATION) {
        begin(writer, name);
        if (writer->to == NULL)
            continue;
        fputs(", \"channel_ids\": [", writer->to);
        for (uint32_t k = first; k < writer->peers && k < first + MOST_OF_OPERATION; k++)
            fprintf(writer->to, "%s%" PRIu32, k > first ? ", " : "", k);
        fputs("], \"channel_type\": \"port\"}", writer->to);
    }
}

/* Writes a list of chunks of the GPU. */
static void put_chunks(const struct writer *writer, const char *key,
                       const struct msccl_chunk chunk[], unsigned count)
{
    if (writer->to == NULL)
        return;
    fprintf(writer->to, ", \"%s\": [", key);
    for (unsigned k = 0; k < count; k++)
        fprintf(writer->to, "%s{\"type\": \"%c\", \"index\": %" PRIu32 ", \"size\": 1}",
                k > 0 ? ", " : "", chunk[k].buffer, chunk[k].offset);
    fputc(']', writer->to);
}

/* Writes an operation of the GPU's own chunks: a copy, or the combination of two. */
static void put_local(struct writer *writer, const struct msccl_chunk *with,
                      struct msccl_chunk from, struct msccl_chunk to)
{
    const struct msccl_chunk sources[] = {with != NULL ? *with : from, from};
    begin(writer, with != NULL ? "re" : "copy");
    put_chunks(writer, "src_buff", sources, with != NULL ? 2 : 1);
    put_chunks(writer, "dst_buff", &to, 1);
    if (writer->to != NULL)
        fputc('}', writer->to);
}

/* Combines a packet that arrived, as the steps of MSCCL do whose chunk for what arrives is its
 * slot. Returns whether it is combined. */
static bool combine(struct writer *writer, size_t operation)
{
    if (!is_combined(writer, operation / 2))
        return false;
    const struct msccl_parts parts = msccl_keeper_next(writer->keeper, operation);
    const struct msccl_chunk slot = {'s', writer->slot[operation / 2]};
    for (unsigned k = 0; k < parts.count; k++) {
        const struct msccl_part *part = &parts.part[k];
        bool arrives =
            part->from.buffer == 's' && part->from.offset >= 2 * writer->schedule->packets;
        bool adds = part->type[1] == 'r';
        if (k == 0 && arrives)
            continue; /* the first part receives: it is in the slot */
        if (k > 0 && part->type[0] == 'r' && !arrives)
            nop(writer); /* it reads what a step before it has written */
        if (k == 0)
            put_local(writer, adds ? &part->from : NULL, slot, part->to);
        else
            put_local(writer, part->type[0] == 'r' ? &part->to : NULL, arrives ? slot : part->from,
                      part->to);
    }
    return true;
}

static void put_operation(struct writer *writer, size_t operation)
{
    const struct transfer *transfer = &writer->schedule->transfer[operation / 2];
    bool receives = operation % 2 == 1;
    uint32_t peer = receives ? transfer->source : transfer->destination;
    begin(writer, receives ? "wait" : "pwsf");
    if (!receives) {
        struct msccl_chunk from = msccl_keeper_next(writer->keeper, operation).part[0].from;
        struct msccl_chunk to = remote_chunk(writer, operation / 2);
        put_chunks(writer, "src_buff", &from, 1);
        if (writer->to != NULL)
            fprintf(writer->to,
                    ", \"dst_buff\": [{\"buffer_id\": %" PRIu32 ", \"index\": %" PRIu32
                    ", \"size\": 1}]",
                    remote_of(writer, peer, to.buffer), to.offset);
    }
    if (writer->to == NULL)
        return;
    fprintf(writer->to, ", \"channel_ids\": [%" PRIu32 "], \"channel_type\": \"port\"}",
            channel_of(writer, peer));
}

/* Writes the operations of a round, from operation `k`: sends, then receipts, and what combines
 * their packets. Returns one past the last. */
static size_t put_round(struct writer *writer, size_t k)
{
    const struct operations *operations = &writer->operations;
    const struct schedule *schedule = writer->schedule;
    size_t step = schedule_step_of(schedule, operations->operation[k] / 2), end = k;
    size_t receipts = 0;
    while (end < operations->first[writer->node + 1] &&
           operations->operation[end] / 2 < schedule_step_end(schedule, step))
        end++;
    for (unsigned receives = 0; receives < 2; receives++)
        for (size_t j = k; j < end; j++)
            if (operations->operation[j] % 2 == receives) {
                put_operation(writer, operations->operation[j]);
                receipts += receives;
            }
    if (receipts > 0)
        nop(writer);
    bool combines = false;
    for (size_t j = k; j < end; j++)
        if (operations->operation[j] % 2 == 1)
            combines = combine(writer, operations->operation[j]) || combines;
    if (combines)
        nop(writer);
    return end;
}

static bool put_operations(struct writer *writer, struct err *err)
{
    const struct operations *operations = &writer->operations;
    msccl_keeper_begin(writer->keeper, writer->node);
    for (size_t which = 0; which < msccl_layout_owns(&writer->layout); which++) {
        const struct msccl_own own = msccl_layout_own(&writer->layout, writer->node, which);
        for (uint32_t k = 0; k < own.count; k++)
            put_local(writer, NULL, (struct msccl_chunk){'i', own.input + k},
                      (struct msccl_chunk){'o', own.output + k});
    }
    if (writer->peers > 0) {
        on_all(writer, "signal");
        on_all(writer, "wait");
        nop(writer);
    }
    for (size_t k = operations->first[writer->node]; k < operations->first[writer->node + 1];)
        k = put_round(writer, k);
    return writer->written <= MOST_OPERATIONS ||
           err_set(err, ERR_TOO_BIG,
                   "mscclpp: node %" PRIu32 " has %" PRIu32 " operations; expected at most %d, "
                   "which take fewer rounds",
                   writer->node, writer->written, MOST_OPERATIONS);
}

/* Writes the numbers 0 … count - 1. */
static void put_numbers(FILE *to, const char *key, uint32_t count)
{
    fprintf(to, "\"%s\": [", key);
    for (uint32_t k = 0; k < count; k++)
        fprintf(to, "%s%" PRIu32, k > 0 ? ", " : "", k);
    fputs("]}]", to);
}

/* Writes the channels and buffers of the block, which are also those of the GPU. */
static void put_channels(const struct writer *writer)
{
    FILE *to = writer->to;
    fputs("\n       ],\n       \"channels\": [{\"channel_type\": \"port\", ", to);
    put_numbers(to, "channel_ids", writer->peers);
    fputs(",\n       \"remote_buffer_refs\": [{\"access_channel_type\": \"port\", ", to);
    put_numbers(to, "remote_buffer_ids", writer->remotes);
    fputs("}\n     ],\n     \"channels\": [{\"channel_type\": \"port\", \"connected_to\": [", to);
    for (uint32_t k = 0; k < writer->peers; k++)
        fprintf(to, "%s%" PRIu32, k > 0 ? ", " : "", writer->peer[k]);
    fputs("]}],\n     \"remote_buffers\": [", to);
    for (uint32_t k = 0; k < writer->remotes; k++)
        fprintf(to,
                "%s{\"rank\": %" PRIu32 ", \"type\": \"%c\", \"access_channel_types\": [\"port\"]}",
                k > 0 ? ", " : "", writer->remote[k].peer, writer->remote[k].type);
    fputs("],\n     \"semaphores\": []}", to);
}

static bool put_node(struct writer *writer, uint32_t node, struct err *err)
{
    uint32_t packets = writer->schedule->packets;
    if (!look(writer, node, err))
        return false;
    if (writer->to == NULL)
        return put_operations(writer, err);
    fprintf(writer->to,
            "%s\n    {\"id\": %" PRIu32 ", \"input_chunks\": %" PRIu32
            ", \"output_chunks\": %" PRIu32 ", \"scratch_chunks\": %" PRIu32 ",\n"
            "     \"threadblocks\": [\n      {\"id\": 0, \"ops\": [\n",
            node > 0 ? "," : "", node, packets, packets,
            MAX(writer->scratch,
                operations_pass_on(writer->schedule, &writer->operations, node) ? packets : 0));
    bool put = put_operations(writer, err);
    put_channels(writer);
    return put;
}

/* Writes the plan. A first pass without output checks that it fits, so that nothing is written if
 * it does not. */
static bool put_all(struct writer *writer, FILE *to, struct err *err)
{
    uint32_t nodes = writer->schedule->nodes;
    for (uint32_t node = 0; node < nodes; node++)
        if (!put_node(writer, node, err))
            return false;
    writer->to = to;
    fputs("{\"name\": \"roundcast\", \"collective\": \"custom\", \"protocol\": \"Simple\",\n"
          " \"inplace\": false, \"reuse_resources\": false,\n \"gpus\": [",
          to);
    for (uint32_t node = 0; node < nodes && !ferror(to); node++)
        put_node(writer, node, err);
    fputs("\n ],\n \"num_threads_per_block\": 1024, \"use_double_scratch_buffer\": false,\n"
          " \"buffer_alignment\": 16, \"min_message_size\": 0,\n"
          " \"max_message_size\": 18446744073709551615}\n",
          to);
    return true;
}

static bool write_mscclpp(FILE *to, const struct schedule *schedule,
                          const struct exchange_options *options, struct err *err)
{
    (void)options;
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return err_no_memory(err, "an execution plan");
    writer->schedule = writer->layout.schedule = schedule;
    msccl_layout_customize(&writer->layout);
    writer->slot = calloc(schedule->transfer_count + 1, sizeof *writer->slot);
    bool written = writer->slot != NULL || err_no_memory(err, "an execution plan");
    written = written && operations_new(schedule, &writer->operations, err);
    if (written) {
        assign_slots(writer);
        writer->keeper = msccl_keeper_new(&writer->layout, &writer->operations, err);
    }
    written = written && writer->keeper != NULL && put_all(writer, to, err);
    msccl_keeper_free(writer->keeper);
    operations_free(&writer->operations);
    free(writer->slot);
    free(writer);
    return written;
}

static bool is_mscclpp(const char *head)
{
    return *head == '{' && strstr(head, "\"gpus\"") != NULL &&
           (strstr(head, "\"inplace\"") != NULL || strstr(head, "\"threadblocks\"") != NULL);
}

const struct exchange_format exchange_mscclpp = {
    .name = "mscclpp",
    .what = "JSON, for MSCCL++",
    .suffix = "json",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_PORTS,
    .most = 1024,
    .proof = "no two operations race, and every order of execution ends",
    .write = write_mscclpp,
    .read = mscclpp_read,
    .is_like = is_mscclpp,
};
