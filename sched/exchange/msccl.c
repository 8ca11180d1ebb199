/* SPDX-License-Identifier: Apache-2.0 */
/* msccl: a schedule as an algorithm for MSCCL (msccl_program.h).
 *
 *     round 1   0 → 1     gpu 0   tb 0 to 1     s 0  send
 *     round 2   0 → 2             tb 1 to 2     s 0  send, after step 0 of tb 0
 *               1 → 3     gpu 1   tb 0 from 0   s 0  receive
 *                                 tb 1 to 3     s 0  send, after step 0 of tb 0
 *
 * A block, tb, has one peer, to which it sends or from which it receives. A step waits for steps of
 * other blocks of its GPU: a send for the receipt of its packet, and any step for the last step of
 * its kind in an earlier round. A step can wait for one other step; a nop before it waits for a
 * second. A receipt of a packet that is combined has up to three steps (msccl_parts.h).
 *
 * The collective is that of the schedule if the executor supports it, and packets are in the
 * buffers that the collective requires (msccl_layout.h); a block without peers copies a GPU's own
 * part of the collective. A connection has a channel, on which a GPU has at most 32 peers; the
 * distance from its sender to its receiver determines the channel. */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/exchange.h"
#include "sched/exchange/msccl_executor.h"
#include "sched/exchange/msccl_parts.h"
#include "sched/exchange/msccl_run.h"

#include <inttypes.h>
#include <stdlib.h>

/* bytes of a message: the executor's default if a file specifies none */
#define MOST_BYTES (1u << 27)

struct block {
    uint32_t peer;
    bool receives;
    uint32_t steps;
};

/* An operation as steps of a block. */
struct act {
    uint32_t block, step; /* number of its last step */
    uint32_t waits;       /* number of operations for which its first step waits */
    size_t waited[2];     /* these operations, of the same node */
    bool signals;         /* another operation waits for its last step */
    struct msccl_parts parts;
};

struct writer {
    FILE *to;
    const struct schedule *schedule;
    const struct msccl_executor *executor;
    struct msccl_layout layout;
    struct operations operations;
    struct msccl_keeper *keeper;
    struct act *act;     /* [2 · transfers], by operation */
    struct block *block; /* [2 · nodes] */
    uint32_t *which;     /* [2 · nodes]: index of the block of a peer, if the node has one */
    uint32_t blocks;     /* number of blocks of the current node */
    uint32_t scratch;    /* number of chunks of its scratch buffer */
};

/* Returns the block of a peer, which is added if the node has none. */
static uint32_t block_of(struct writer *writer, bool receives, uint32_t peer)
{
    uint32_t *which = &writer->which[2 * peer + receives];
    bool known = *which < writer->blocks && writer->block[*which].peer == peer &&
                 writer->block[*which].receives == receives;
    if (!known) {
        *which = writer->blocks++;
        writer->block[*which] = (struct block){peer, receives, 0};
    }
    return *which;
}

/* Makes an operation wait for another one, unless both are in one block, which executes them in
 * order. */
static void wait_for(struct writer *writer, struct act *act, size_t other)
{
    if (other == OPERATIONS_NONE || writer->act[other].block == act->block)
        return;
    act->waited[act->waits++] = other;
    writer->act[other].signals = true;
}

/* Returns the number of steps of the block that copies a node's own part; 0 without such a
 * block. */
static uint32_t copies_of(const struct writer *writer, uint32_t node)
{
    uint32_t steps = 0;
    for (size_t which = 0; which < msccl_layout_owns(&writer->layout); which++)
        steps +=
            (msccl_layout_own(&writer->layout, node, which).count + MSCCL_COUNT - 1) / MSCCL_COUNT;
    return steps;
}

/* Makes room in the scratch buffer for the chunks of the steps of an operation. */
static void use_scratch(struct writer *writer, const struct act *act, bool receives)
{
    for (unsigned k = 0; k < act->parts.count; k++) {
        const struct msccl_part *part = &act->parts.part[k];
        const struct msccl_chunk *chunk = receives ? &part->to : &part->from;
        if (chunk->buffer == 's')
            writer->scratch = MAX(writer->scratch, chunk->offset + 1);
    }
}

/* Assigns blocks and steps to the operations of a node. */
static void number_steps(struct writer *writer, uint32_t node)
{
    const struct operations *operations = &writer->operations;
    size_t last[2] = {OPERATIONS_NONE, OPERATIONS_NONE};
    writer->blocks = writer->scratch = 0;
    msccl_keeper_begin(writer->keeper, node);
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        size_t operation = operations->operation[k];
        bool receives = operation % 2 == 1;
        const struct transfer *transfer = &writer->schedule->transfer[operation / 2];
        struct act *act = &writer->act[operation];
        uint32_t peer = receives ? transfer->source : transfer->destination;
        *act = (struct act){.block = block_of(writer, receives, peer),
                            .parts = msccl_keeper_next(writer->keeper, operation)};
        wait_for(writer, act, act->parts.first_waits);
        wait_for(writer, act, last[receives]);
        if (act->parts.second_waits != OPERATIONS_NONE)
            writer->act[act->parts.second_waits].signals = true;
        last[receives] = operation;
        act->step = writer->block[act->block].steps + (act->waits > 1) + act->parts.count - 1;
        writer->block[act->block].steps = act->step + 1;
        use_scratch(writer, act, receives);
    }
}

/* -- limits of an executor ----------------------------------------------------------------------*/

static bool too_many(const struct writer *writer, uint32_t node, struct err *err, const char *what,
                     uint64_t number, uint32_t most)
{
    return err_set(err, ERR_TOO_BIG,
                   "msccl: node %" PRIu32 ": %s: %" PRIu64 "; expected at most %" PRIu32
                   ", for which %s has room",
                   node, what, number, most, writer->executor->name);
}

/* Returns the largest number of a block for which a step of a node waits. */
static uint32_t last_waited(const struct writer *writer, uint32_t node)
{
    const struct operations *operations = &writer->operations;
    uint32_t last = 0;
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        const struct act *act = &writer->act[operations->operation[k]];
        for (uint32_t which = 0; which < act->waits; which++)
            last = MAX(last, writer->act[act->waited[which]].block);
        if (act->parts.second_waits != OPERATIONS_NONE)
            last = MAX(last, writer->act[act->parts.second_waits].block);
    }
    return last;
}

static bool check_node(struct writer *writer, uint32_t node, struct err *err)
{
    const struct msccl_executor *executor = writer->executor;
    number_steps(writer, node);
    uint32_t copies = copies_of(writer, node), blocks = writer->blocks + (copies > 0);
    uint64_t steps = copies, longest = copies, elements;
    char what[80];
    for (uint32_t which = 0; which < writer->blocks; which++) {
        steps += writer->block[which].steps;
        longest = MAX(longest, writer->block[which].steps);
    }
    elements = 1 + (uint64_t)writer->schedule->nodes + blocks + steps;
    uint32_t offset = MAX(msccl_layout_size(&writer->layout, node, MSCCL_INPUT),
                          msccl_layout_size(&writer->layout, node, MSCCL_OUTPUT));
    if (blocks > executor->blocks)
        return too_many(writer, node, err, "blocks, one for each peer", blocks, executor->blocks);
    for (uint32_t which = 0; which < writer->blocks; which++)
        if (writer->block[which].steps > executor->steps) {
            snprintf(what, sizeof what, "steps of the block for node %" PRIu32,
                     writer->block[which].peer);
            return too_many(writer, node, err, what, writer->block[which].steps, executor->steps);
        }
    if (longest > executor->steps)
        return too_many(writer, node, err, "steps of the block that copies", longest,
                        executor->steps);
    if (last_waited(writer, node) >= executor->waited)
        return too_many(writer, node, err, "number of a block that a step waits for",
                        last_waited(writer, node), executor->waited - 1);
    if (elements > executor->elements)
        return too_many(writer, node, err, "elements of the file", elements, executor->elements);
    offset = MAX(offset, MAX(writer->schedule->packets, writer->scratch));
    return offset - 1 <= executor->offset ||
           too_many(writer, node, err, "number of a chunk", offset - 1, executor->offset);
}

/* Checks that the executor supports the collective of the schedule, or else custom, which is then
 * used. */
static bool check_collective(struct writer *writer, struct err *err)
{
    enum msccl_collective collective = writer->layout.collective;
    if (!msccl_executor_has(writer->executor, collective))
        msccl_layout_customize(&writer->layout);
    return msccl_executor_has(writer->executor, writer->layout.collective) ||
           err_set(err, ERR_UNSUPPORTED,
                   "msccl: the schedule is no broadcast, allgather, alltoall, gather, scatter, "
                   "allreduce, reduce or reduce_scatter, and %s does not know coll=\"custom\"; "
                   "expected one of them",
                   writer->executor->name);
}

/* -- output -------------------------------------------------------------------------------------*/

/* Writes a step that waits for at most one other step. */
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
    const struct act *act = &writer->act[operation];
    const struct act *waited = act->waits > 0 ? &writer->act[act->waited[0]] : NULL;
    uint32_t first = act->step + 1 - act->parts.count;
    char data[120];
    if (act->waits > 1)
        put_step(writer, first - 1, "nop",
                 "srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" cnt=\"0\"",
                 &writer->act[act->waited[1]], false);
    for (unsigned k = 0; k < act->parts.count; k++) {
        const struct msccl_part *part = &act->parts.part[k];
        snprintf(data, sizeof data,
                 "srcbuf=\"%c\" srcoff=\"%" PRIu32 "\" dstbuf=\"%c\" dstoff=\"%" PRIu32
                 "\" cnt=\"1\"",
                 part->from.buffer, part->from.offset, part->to.buffer, part->to.offset);
        put_step(writer, first + k, part->type, data, waited,
                 act->signals && k + 1 == act->parts.count);
        waited = k == 0 && act->parts.second_waits != OPERATIONS_NONE
                     ? &writer->act[act->parts.second_waits]
                     : NULL;
    }
}

static uint32_t channel_of(uint32_t nodes, uint32_t from, uint32_t to)
{
    return (to + nodes - from) % nodes / MSCCL_CHANNEL_PEERS;
}

/* Writes the block that copies a node's own part of the collective. */
static void put_copies(const struct writer *writer, uint32_t node)
{
    uint32_t step = 0;
    if (copies_of(writer, node) == 0)
        return;
    fprintf(writer->to, "    <tb id=\"%" PRIu32 "\" send=\"-1\" recv=\"-1\" chan=\"0\">\n",
            writer->blocks);
    for (size_t which = 0; which < msccl_layout_owns(&writer->layout); which++) {
        const struct msccl_own own = msccl_layout_own(&writer->layout, node, which);
        for (uint32_t done = 0; done < own.count; done += MSCCL_COUNT) {
            char data[120];
            snprintf(data, sizeof data,
                     "srcbuf=\"i\" srcoff=\"%" PRIu32 "\" dstbuf=\"o\" dstoff=\"%" PRIu32
                     "\" cnt=\"%" PRIu32 "\"",
                     own.input + done, own.output + done, MIN(own.count - done, MSCCL_COUNT));
            put_step(writer, step++, "cpy", data, NULL, false);
        }
    }
    fputs("    </tb>\n", writer->to);
}

static void put_node(const struct writer *writer, uint32_t node)
{
    const struct operations *operations = &writer->operations;
    uint32_t nodes = writer->schedule->nodes;
    fprintf(writer->to,
            "  <gpu id=\"%" PRIu32 "\" i_chunks=\"%" PRIu32 "\" o_chunks=\"%" PRIu32
            "\" s_chunks=\"%" PRIu32 "\">\n",
            node, msccl_layout_size(&writer->layout, node, MSCCL_INPUT),
            msccl_layout_size(&writer->layout, node, MSCCL_OUTPUT),
            writer->scratch > 0 && !writer->schedule->has_reductions ? writer->schedule->packets
                                                                     : writer->scratch);
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
    put_copies(writer, node);
    fputs("  </gpu>\n", writer->to);
}

static void put_all(struct writer *writer)
{
    const struct schedule *schedule = writer->schedule;
    uint32_t channels = (schedule->nodes - 1) / MSCCL_CHANNEL_PEERS + 1;
    fprintf(writer->to,
            "<algo name=\"roundcast\" proto=\"Simple\" nchannels=\"%" PRIu32
            "\" nchunksperloop=\"%" PRIu32 "\" ngpus=\"%" PRIu32
            "\" coll=\"%s\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"%u\">\n",
            channels, writer->layout.per_loop, schedule->nodes,
            msccl_executor_collective(writer->executor, writer->layout.collective), MOST_BYTES);
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        number_steps(writer, node);
        put_node(writer, node);
    }
    fputs("</algo>\n", writer->to);
}

/* Writes the program; rejects one that does not fit before anything is written. */
static bool check_and_put(struct writer *writer, struct err *err)
{
    bool fits = check_collective(writer, err);
    for (uint32_t node = 0; fits && node < writer->schedule->nodes; node++)
        fits = check_node(writer, node, err);
    if (fits)
        put_all(writer);
    return fits;
}

static bool write_msccl(FILE *to, const struct schedule *schedule,
                        const struct exchange_options *options, struct err *err)
{
    struct writer writer = {.to = to,
                            .schedule = schedule,
                            .executor = options->executor > 0
                                            ? &msccl_executors[options->executor - 1]
                                            : &msccl_any_executor};
    if (!operations_new(schedule, &writer.operations, err))
        return false;
    const struct arena_array arrays[] = {ARENA(writer.act, 2 * schedule->transfer_count + 1),
                                         ARENA(writer.block, 2 * (size_t)schedule->nodes),
                                         ARENA(writer.which, 2 * (size_t)schedule->nodes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool written = memory != NULL || err_no_memory(err, "%zu steps", schedule->transfer_count);
    written = written && msccl_layout_find(schedule, &writer.layout, err);
    if (written)
        writer.keeper = msccl_keeper_new(&writer.layout, &writer.operations, err);
    written = written && writer.keeper != NULL && check_and_put(&writer, err);
    msccl_keeper_free(writer.keeper);
    msccl_layout_free(&writer.layout);
    free(memory);
    operations_free(&writer.operations);
    return written;
}

static bool read_msccl(FILE *from, const char *name, enum model model, struct schedule *schedule,
                       struct err *err)
{
    struct msccl msccl;
    struct schedule reading = {0};
    if (!msccl_parse(from, name, &msccl, err))
        return false;
    const struct topology complete = topology_complete(msccl.gpus);
    bool read = schedule_init_empty(&reading, "msccl", &complete, model, err) &&
                msccl_run(&msccl, &reading, err);
    reading.in_place = msccl.in_place;
    msccl_free(&msccl);
    if (read)
        *schedule = reading;
    else
        schedule_free(&reading);
    return read;
}

static bool is_xml(const char *head)
{
    return *head == '<';
}

const struct exchange_format exchange_msccl = {
    .name = "msccl",
    .what = "XML, for MSCCL",
    .suffix = "xml",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_PORTS,
    .most = MSCCL_GPUS,
    .executor = msccl_executor_name,
    .write = write_msccl,
    .read = read_msccl,
    .is_like = is_xml,
    .proof = "no two steps race, and every order of execution ends",
};
