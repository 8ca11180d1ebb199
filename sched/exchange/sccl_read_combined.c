/* SPDX-License-Identifier: Apache-2.0 */
/* sccl_read_combined: reads algorithms of SCCL that combine. The chunks of an address are the
 * contributions of nodes to one packet. A send carries all of them that its source has. */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/partials.h"
#include "sched/exchange/sccl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The contribution of a node to an address. */
struct entry {
    json_int_t address;
    size_t which; /* its index in the file */
    uint32_t source;
};

/* The contributions to an address: entries first … first + count - 1, by ascending source. */
struct group {
    size_t first;
    uint32_t count;
    uint32_t packet; /* of its first part; 0: no other node wants it */
};

struct reader {
    const struct sccl_file *file;
    size_t words, entries, groups, moves;
    struct entry *entry;        /* [chunks] */
    uint64_t *post;             /* [chunks · words]: nodes that want a chunk, by its index */
    struct group *group;        /* [chunks] */
    uint32_t *node;             /* [nodes] contributors of a group */
    struct partials_move *move; /* [sends] */
    uint64_t *content;          /* [sends · words] */
    uint64_t *has, *gets;       /* [packets · nodes · words]: before and after a step */
    uint64_t *contributor;      /* [packets · words] */
    uint64_t *number;           /* [packets + 1]: the address of a packet */
};

static bool has_bit(const uint64_t set[], uint32_t node)
{
    return set[node / 64] >> node % 64 & 1;
}

/* -- chunks -------------------------------------------------------------------------------------*/

static bool read_entry(struct reader *reader, const json_t *value, size_t which, struct err *err)
{
    char where[SCCL_WHERE];
    const json_t *pre, *post, *address = json_object_get(value, "addr");
    struct entry *entry = &reader->entry[which];
    snprintf(where, sizeof where, "collective.chunks[%zu]", which);
    if (!json_is_integer(address) || json_integer_value(address) < 0)
        return sccl_wrong(reader->file, err, ERR_SYNTAX, "%s: addr: expected a number from 0 on",
                          where);
    if (!sccl_array(reader->file, value, where, "pre", &pre, err) ||
        !sccl_array(reader->file, value, where, "post", &post, err))
        return false;
    if (json_array_size(pre) != 1)
        return sccl_wrong(reader->file, err, ERR_UNSUPPORTED,
                          "%s: starts at %zu nodes; expected one", where, json_array_size(pre));
    *entry = (struct entry){json_integer_value(address), which, 0};
    bool read = sccl_node(reader->file, json_array_get(pre, 0), where, &entry->source, err);
    for (size_t k = 0; read && k < json_array_size(post); k++) {
        uint32_t node = 0;
        read = sccl_node(reader->file, json_array_get(post, k), where, &node, err);
        reader->post[which * reader->words + node / 64] |= UINT64_C(1) << node % 64;
    }
    return read;
}

static int by_address(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return compare_then(COMPARE(a->address, b->address), COMPARE(a->source, b->source));
}

/* Groups the chunks by address. */
static bool make_groups(struct reader *reader, struct err *err)
{
    qsort(reader->entry, reader->entries, sizeof *reader->entry, by_address);
    for (size_t k = 0; k < reader->entries; k++) {
        const struct entry *entry = &reader->entry[k];
        bool same = k > 0 && entry->address == entry[-1].address;
        if (same && entry->source == entry[-1].source)
            return sccl_wrong(reader->file, err, ERR_UNSUPPORTED,
                              "chunks %zu and %zu have one address and start at one node; expected "
                              "a contribution of each node",
                              entry[-1].which, entry->which);
        if (!same)
            reader->group[reader->groups++] = (struct group){.first = k};
        reader->group[reader->groups - 1].count++;
    }
    return true;
}

static const uint64_t *post_of(const struct reader *reader, const struct group *group, uint32_t k)
{
    return reader->post + reader->entry[group->first + k].which * reader->words;
}

/* Returns whether contribution k is wanted by the contributors from k on, or, `exclusive`, after k,
 * for all k. */
static bool is_prefix(const struct reader *reader, const struct group *group, bool exclusive)
{
    bool prefix = true;
    for (uint32_t k = 0; prefix && k < group->count; k++) {
        const uint64_t *post = post_of(reader, group, k);
        uint32_t wanted = 0, found = 0;
        for (size_t word = 0; word < reader->words; word++)
            wanted += (uint32_t)__builtin_popcountll(post[word]);
        for (uint32_t j = k + exclusive; j < group->count; j++)
            found += has_bit(post, reader->entry[group->first + j].source);
        prefix = wanted == found && found == group->count - k - exclusive;
    }
    return prefix;
}

/* Adds the demand of a group, if other nodes want its result. */
static bool add_demand(struct reader *reader, struct group *group, struct schedule *schedule,
                       struct err *err)
{
    const uint64_t *post = post_of(reader, group, 0);
    uint32_t nodes = reader->file->nodes, wanted = 0, last = 0;
    bool same = true;
    for (uint32_t k = 0; k < group->count; k++) {
        reader->node[k] = reader->entry[group->first + k].source;
        same = same && memcmp(post, post_of(reader, group, k), reader->words * sizeof *post) == 0;
    }
    for (uint32_t node = 0; node < nodes; node++)
        if (has_bit(post, node)) {
            wanted++;
            last = node;
        }
    struct reduction reduction = {.contributor_count = group->count < nodes ? group->count : 0,
                                  .contributor = reader->node};
    if (same && (wanted == 0 || (wanted == 1 && group->count == 1 && last == reader->node[0])))
        return true;
    if (!same || (wanted > 1 && wanted < nodes)) {
        reduction.exclusive = !is_prefix(reader, group, false);
        reduction.prefix = !reduction.exclusive || is_prefix(reader, group, true);
        if (!reduction.prefix)
            return sccl_wrong(reader->file, err, ERR_UNSUPPORTED,
                              "collective.chunks[%zu]: %" PRIu32 " nodes want it; expected one, "
                              "all, or those of a scan, as a demand of a schedule has",
                              reader->entry[group->first].which, wanted);
    }
    bool one = !reduction.prefix && wanted == 1;
    group->packet = schedule->packets + 1;
    return schedule_add_reduction(schedule, reader->file->parts, &reduction, one ? &last : NULL,
                                  err);
}

static bool read_chunks(struct reader *reader, const json_t *chunks, struct schedule *schedule,
                        struct err *err)
{
    bool read = true;
    for (size_t which = 0; read && which < reader->entries; which++)
        read = read_entry(reader, json_array_get(chunks, which), which, err);
    read = read && make_groups(reader, err);
    for (size_t k = 0; read && k < reader->groups; k++)
        read = add_demand(reader, &reader->group[k], schedule, err);
    return read && (schedule->packets > 0 ||
                    sccl_wrong(reader->file, err, ERR_DEMAND,
                               "collective.chunks: no node wants a result; expected a reduction"));
}

/* -- steps --------------------------------------------------------------------------------------*/

static uint64_t *state_of(const struct reader *reader, uint64_t *states, uint32_t packet,
                          uint32_t node)
{
    return states + ((packet - 1) * (size_t)reader->file->nodes + node) * reader->words;
}

/* Fills in what nodes have at the beginning, and the contributors and addresses of packets. */
static void begin(struct reader *reader)
{
    for (size_t g = 0; g < reader->groups; g++) {
        const struct group *group = &reader->group[g];
        for (uint32_t part = 0; group->packet > 0 && part < reader->file->parts; part++) {
            uint32_t packet = group->packet + part;
            reader->number[packet] =
                (uint64_t)reader->entry[group->first].address * reader->file->parts + part;
            for (uint32_t k = 0; k < group->count; k++) {
                uint32_t node = reader->entry[group->first + k].source;
                uint64_t bit = UINT64_C(1) << node % 64;
                reader->contributor[(packet - 1) * reader->words + node / 64] |= bit;
                state_of(reader, reader->has, packet, node)[node / 64] = bit;
                state_of(reader, reader->gets, packet, node)[node / 64] = bit;
            }
        }
    }
}

/* Finds the packet of an address that is sent; 0 if no other node wants it. */
static bool find_packet(const struct reader *reader, const json_t *send, const char *where,
                        uint32_t *packet, struct err *err)
{
    json_int_t address = json_integer_value(json_array_get(send, 0));
    size_t low = 0, high = reader->groups;
    if (!sccl_check_send(reader->file, send, where, err))
        return false;
    json_int_t wanted = address / reader->file->parts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reader->entry[reader->group[middle].first].address < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (address < 0 || low == reader->groups ||
        reader->entry[reader->group[low].first].address != wanted)
        return sccl_wrong(reader->file, err, ERR_FIELD_RANGE,
                          "%s: address %" JSON_INTEGER_FORMAT "; expected addr · %" PRIu32
                          " + part of a chunk",
                          where, address, reader->file->parts);
    *packet = reader->group[low].packet > 0
                  ? reader->group[low].packet + (uint32_t)(address % reader->file->parts)
                  : 0;
    return true;
}

static bool read_send(struct reader *reader, const json_t *send, size_t step, const char *where,
                      struct err *err)
{
    struct transfer transfer = {0};
    if (!find_packet(reader, send, where, &transfer.packet, err) ||
        !sccl_node(reader->file, json_array_get(send, 1), where, &transfer.source, err) ||
        !sccl_node(reader->file, json_array_get(send, 2), where, &transfer.destination, err))
        return false;
    if (transfer.source == transfer.destination)
        return sccl_wrong(reader->file, err, ERR_SELF_SEND,
                          "%s: node %" PRIu32 " sends to itself; expected another node", where,
                          transfer.source);
    if (transfer.packet == 0)
        return true;
    const uint64_t *from = state_of(reader, reader->has, transfer.packet, transfer.source);
    uint64_t *to = state_of(reader, reader->gets, transfer.packet, transfer.destination), any = 0;
    bool copies = json_is_null(json_array_get(send, 5)); /* other sends have no sixth value */
    for (size_t word = 0; word < reader->words; word++) {
        if (copies && (to[word] & ~from[word]) != 0)
            return sccl_wrong(reader->file, err, ERR_UNSUPPORTED,
                              "%s: a copy to node %" PRIu32 ", which has contributions that the "
                              "copy lacks; expected the operation \"rrc\", which combines",
                              where, transfer.destination);
        any |= from[word];
        to[word] |= from[word];
        reader->content[reader->moves * reader->words + word] = from[word];
    }
    reader->move[reader->moves++] = (struct partials_move){transfer, step, 2 * step, 2 * step + 1};
    return any != 0 || sccl_wrong(reader->file, err, ERR_ORDER,
                                  "%s: node %" PRIu32
                                  " has no contribution to the chunk; expected one to come in an "
                                  "earlier step",
                                  where, transfer.source);
}

static bool read_steps(struct reader *reader, const json_t *steps, struct err *err)
{
    char where[SCCL_WHERE];
    bool read = true;
    for (size_t step = 0; read && step < json_array_size(steps); step++) {
        const json_t *sends;
        size_t first = reader->moves;
        snprintf(where, sizeof where, "steps[%zu]", step);
        read = sccl_array(reader->file, json_array_get(steps, step), where, "sends", &sends, err);
        for (size_t k = 0; read && k < json_array_size(sends); k++) {
            snprintf(where, sizeof where, "steps[%zu].sends[%zu]", step, k);
            read = read_send(reader, json_array_get(sends, k), step, where, err);
        }
        for (size_t k = first; read && k < reader->moves; k++) {
            const struct transfer *transfer = &reader->move[k].transfer;
            memcpy(state_of(reader, reader->has, transfer->packet, transfer->destination),
                   state_of(reader, reader->gets, transfer->packet, transfer->destination),
                   reader->words * sizeof *reader->has);
        }
    }
    return read;
}

static const uint64_t *content(const void *with, size_t move)
{
    const struct reader *reader = with;
    return reader->content + move * reader->words;
}

static const uint64_t *contributors(const void *with, uint32_t packet)
{
    const struct reader *reader = with;
    return reader->contributor + (packet - 1) * reader->words;
}

static uint64_t number_of(const void *with, uint32_t packet)
{
    const struct reader *reader = with;
    return reader->number[packet];
}

/* Reads the steps, and finds their rounds. */
static bool read_transfers(struct reader *reader, const json_t *steps, struct schedule *schedule,
                           struct err *err)
{
    size_t sends = 1, packets = schedule->packets;
    for (size_t k = 0; k < json_array_size(steps); k++)
        sends += json_array_size(json_object_get(json_array_get(steps, k), "sends"));
    size_t states = packets * reader->file->nodes * reader->words;
    const struct arena_array arrays[] = {ARENA(reader->move, sends),
                                         ARENA(reader->content, sends * reader->words),
                                         ARENA(reader->has, states),
                                         ARENA(reader->gets, states),
                                         ARENA(reader->contributor, packets * reader->words),
                                         ARENA(reader->number, packets + 1)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the partial results of %zu packets", packets);
    begin(reader);
    if (!read_steps(reader, steps, err)) {
        free(memory);
        return false;
    }
    const struct partials partials = {.name = reader->file->name,
                                      .node = "node",
                                      .piece = "address",
                                      .words = reader->words,
                                      .moves = reader->moves,
                                      .move = reader->move,
                                      .with = reader,
                                      .content = content,
                                      .contributors = contributors,
                                      .number = number_of};
    bool read = partials_schedule(&partials, schedule, err);
    free(memory);
    return read;
}

bool sccl_read_combined(const struct sccl_file *file, const json_t *root, struct schedule *schedule,
                        struct err *err)
{
    const json_t *chunks = json_object_get(json_object_get(root, "collective"), "chunks"), *steps;
    struct reader reader = {
        .file = file, .words = (file->nodes + (size_t)63) / 64, .entries = json_array_size(chunks)};
    const struct arena_array arrays[] = {
        ARENA(reader.entry, reader.entries + 1), ARENA(reader.group, reader.entries + 1),
        ARENA(reader.post, (reader.entries + 1) * reader.words), ARENA(reader.node, file->nodes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool read = memory != NULL || err_no_memory(err, "%zu chunks", reader.entries);
    read = read && read_chunks(&reader, chunks, schedule, err) &&
           sccl_array(file, root, "the algorithm", "steps", &steps, err) &&
           read_transfers(&reader, steps, schedule, err);
    free(memory);
    return read;
}
