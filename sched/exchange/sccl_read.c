/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/sccl.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/exchange/recognise.h"
#include "sched/exchange/rounds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A chunk by its address. An instance may divide it into parts, which move independently. */
struct chunk {
    json_int_t address;
    size_t which;    /* its index in the file */
    uint32_t source; /* the node that has it */
    uint32_t packet; /* the packet of its first part; 0: no other node wants the chunk */
};

/* The receipt of a part of a chunk by a node: an entry of a hash table, free if part is 0. */
struct arrival {
    uint32_t node;
    uint64_t part; /* one more than its number among all parts */
    size_t step;
    uint64_t round;
};

struct reader {
    struct sccl_file file;
    size_t chunk_count;
    struct chunk *chunk; /* ascending by address */
    struct arrival *arrival;
    unsigned arrival_bits; /* 2^arrival_bits entries, at most half of them used */
    struct rounds rounds;
    /* [nodes], used while chunks are read: marks the nodes of a chunk; false between chunks */
    bool *mark;
    uint32_t *list; /* [nodes], used while chunks are read: the marked nodes, ascending */
};

/* Marks the nodes of a chunk's `key`: sets mark[node] and leaves other marks unchanged. */
static bool mark_nodes(const struct reader *reader, const json_t *chunk, const char *where,
                       const char *key, bool mark[], struct err *err)
{
    const json_t *array;
    uint32_t node = 0;
    if (!sccl_array(&reader->file, chunk, where, key, &array, err))
        return false;
    for (size_t k = 0; k < json_array_size(array); k++) {
        if (!sccl_node(&reader->file, json_array_get(array, k), where, &node, err))
            return false;
        mark[node] = true;
    }
    return true;
}

/* Lists the marked nodes, ascending, in list[nodes], and clears the marks. Returns their number. */
static uint32_t list_marked(uint32_t nodes, bool mark[], uint32_t list[])
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        if (mark[node])
            list[count++] = node;
        mark[node] = false;
    }
    return count;
}

/* Reads a chunk, and adds its demand unless only its source wants it. */
static bool read_chunk(struct reader *reader, const json_t *value, size_t which,
                       struct schedule *schedule, struct err *err)
{
    bool *mark = reader->mark;
    uint32_t *list = reader->list;
    char where[SCCL_WHERE];
    snprintf(where, sizeof where, "collective.chunks[%zu]", which);
    const json_t *address = json_object_get(value, "addr");
    struct chunk *chunk = &reader->chunk[which];
    if (!json_is_integer(address))
        return sccl_wrong(&reader->file, err, ERR_SYNTAX, "%s: no number 'addr'; expected one",
                          where);
    if (json_integer_value(address) < 0)
        return sccl_wrong(&reader->file, err, ERR_FIELD_RANGE,
                          "%s: addr %" JSON_INTEGER_FORMAT "; expected 0 or more", where,
                          json_integer_value(address));
    if (!mark_nodes(reader, value, where, "pre", mark, err))
        return false;
    uint32_t count = list_marked(reader->file.nodes, mark, list);
    if (count != 1)
        return sccl_wrong(&reader->file, err, ERR_UNSUPPORTED,
                          "%s: starts at %" PRIu32 " node%s; expected one", where, count,
                          text_s(count));
    *chunk = (struct chunk){json_integer_value(address), which, list[0], 0};
    if (!mark_nodes(reader, value, where, "post", mark, err))
        return false;
    mark[chunk->source] = false;
    count = list_marked(reader->file.nodes, mark, list);
    if (count == 0)
        return true;
    chunk->packet = schedule->packets + 1;
    return schedule_add_demand(schedule, reader->file.parts, chunk->source, list,
                               count == reader->file.nodes - 1 ? 0 : count, err);
}

static int by_address(const void *left, const void *right)
{
    const struct chunk *a = left, *b = right;
    return COMPARE(a->address, b->address);
}

static bool read_chunks(struct reader *reader, const json_t *chunks, struct schedule *schedule,
                        struct err *err)
{
    reader->chunk_count = json_array_size(chunks);
    reader->chunk = calloc(reader->chunk_count + 1, sizeof *reader->chunk);
    const struct arena_array arrays[] = {ARENA(reader->mark, reader->file.nodes),
                                         ARENA(reader->list, reader->file.nodes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool read = reader->chunk != NULL && memory != NULL;
    if (!read)
        err_no_memory(err, "%zu chunks", reader->chunk_count);
    for (size_t which = 0; read && which < reader->chunk_count; which++)
        read = read_chunk(reader, json_array_get(chunks, which), which, schedule, err);
    free(memory);
    if (read && schedule->packets == 0)
        return sccl_wrong(
            &reader->file, err, ERR_DEMAND,
            "collective.chunks: no node wants a chunk of another; expected a chunk to move");
    if (read)
        qsort(reader->chunk, reader->chunk_count, sizeof *reader->chunk, by_address);
    return read;
}

static bool read_collective(struct reader *reader, const json_t *root, struct schedule *schedule,
                            struct err *err)
{
    const json_t *collective = json_object_get(root, "collective"), *chunks;
    json_int_t nodes = json_integer_value(json_object_get(collective, "nodes"));
    if (nodes < 2 || nodes > SCCL_NODES)
        return sccl_wrong(&reader->file, err, ERR_FIELD_RANGE,
                          "collective.nodes: %" JSON_INTEGER_FORMAT "; expected a number, 2 … %d",
                          nodes, SCCL_NODES);
    if (!sccl_array(&reader->file, collective, "collective", "chunks", &chunks, err))
        return false;
    reader->file.nodes = (uint32_t)nodes;
    const struct topology complete = topology_complete(reader->file.nodes);
    bool combines = false;
    return schedule_init_empty(schedule, "sccl", &complete, reader->file.model, err) &&
           sccl_combines(chunks, &combines, err) &&
           (combines || read_chunks(reader, chunks, schedule, err));
}

/* Returns the entry of a node's part in the table of arrivals, or the free entry where it
 * belongs. */
static struct arrival *arrival_of(const struct reader *reader, uint32_t node, uint64_t part)
{
    uint64_t mask = (UINT64_C(1) << reader->arrival_bits) - 1;
    uint64_t key = (part * SCCL_NODES + node) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t place = key >> (64 - reader->arrival_bits);
    while (reader->arrival[place].part != 0 &&
           (reader->arrival[place].part != part || reader->arrival[place].node != node))
        place = (place + 1) & mask;
    return &reader->arrival[place];
}

/* Finds the chunk of an address that is sent; *part is the index of the part. */
static bool find_part(const struct reader *reader, const json_t *send, const char *where,
                      const struct chunk **chunk, uint32_t *part, struct err *err)
{
    json_int_t address = json_integer_value(json_array_get(send, 0));
    if (!sccl_check_send(&reader->file, send, where, err))
        return false;
    const struct chunk key = {.address = address / reader->file.parts};
    *chunk = address < 0
                 ? NULL
                 : bsearch(&key, reader->chunk, reader->chunk_count, sizeof key, by_address);
    *part = (uint32_t)(address % reader->file.parts);
    if (*chunk != NULL)
        return true;
    if (reader->file.parts == 1)
        return sccl_wrong(&reader->file, err, ERR_FIELD_RANGE,
                          "%s: address %" JSON_INTEGER_FORMAT "; expected that of a chunk", where,
                          address);
    return sccl_wrong(&reader->file, err, ERR_FIELD_RANGE,
                      "%s: address %" JSON_INTEGER_FORMAT "; expected addr · %" PRIu32
                      " + part of a chunk, as instance.chunks is %" PRIu32,
                      where, address, reader->file.parts, reader->file.parts);
}

/* Reads one send of a step: [address, source, destination]. A part that arrives in a step may be
 * sent on only in a later step. A send of a chunk that no other node wants gets no round. */
static bool read_send(struct reader *reader, const json_t *send, size_t step, const char *where,
                      struct err *err)
{
    struct transfer transfer;
    const struct chunk *chunk;
    uint32_t which = 0;
    uint64_t ready = 1, round = 1;
    if (!find_part(reader, send, where, &chunk, &which, err) ||
        !sccl_node(&reader->file, json_array_get(send, 1), where, &transfer.source, err) ||
        !sccl_node(&reader->file, json_array_get(send, 2), where, &transfer.destination, err))
        return false;
    if (transfer.source == transfer.destination)
        return sccl_wrong(&reader->file, err, ERR_SELF_SEND,
                          "%s: node %" PRIu32 " sends to itself; expected another node", where,
                          transfer.source);
    uint64_t part = (uint64_t)(chunk - reader->chunk) * reader->file.parts + which + 1;
    const struct arrival *from = arrival_of(reader, transfer.source, part);
    if (transfer.source != chunk->source) {
        if (from->part == 0 || from->step == step)
            return sccl_wrong(&reader->file, err, ERR_ORDER,
                              "%s: node %" PRIu32
                              " does not have the chunk; expected it to come in an "
                              "earlier step",
                              where, transfer.source);
        ready = from->round + 1;
    }
    transfer.packet = chunk->packet + which;
    if (chunk->packet > 0 && !rounds_place(&reader->rounds, transfer, ready, &round, err))
        return false;
    struct arrival *to = arrival_of(reader, transfer.destination, part);
    if (to->part == 0)
        *to = (struct arrival){transfer.destination, part, step, round};
    return true;
}

/* Allocates an entry for an arrival by each send. */
static bool make_arrivals(struct reader *reader, const json_t *steps, struct err *err)
{
    size_t sends = 0;
    for (size_t k = 0; k < json_array_size(steps); k++)
        sends += json_array_size(json_object_get(json_array_get(steps, k), "sends"));
    for (reader->arrival_bits = 4; (sends + 1) * 2 > (size_t)1 << reader->arrival_bits;)
        reader->arrival_bits++;
    reader->arrival = calloc((size_t)1 << reader->arrival_bits, sizeof *reader->arrival);
    return reader->arrival != NULL || err_no_memory(err, "%zu sends", sends);
}

static bool read_steps(struct reader *reader, const json_t *root, struct err *err)
{
    const json_t *steps, *sends;
    char where[SCCL_WHERE];
    if (!sccl_array(&reader->file, root, "the algorithm", "steps", &steps, err) ||
        !make_arrivals(reader, steps, err) ||
        !rounds_begin(&reader->rounds, reader->file.nodes, reader->file.model, err))
        return false;
    for (size_t step = 0; step < json_array_size(steps); step++) {
        snprintf(where, sizeof where, "steps[%zu]", step);
        if (!sccl_array(&reader->file, json_array_get(steps, step), where, "sends", &sends, err))
            return false;
        for (size_t k = 0; k < json_array_size(sends); k++) {
            snprintf(where, sizeof where, "steps[%zu].sends[%zu]", step, k);
            if (!read_send(reader, json_array_get(sends, k), step, where, err))
                return false;
        }
    }
    return true;
}

/* Returns the number of values of the first send: 5 or 6 in a file of TACCL, else 3. */
static size_t values_of_sends(const struct sccl_file *file, const json_t *root)
{
    const json_t *step = json_array_get(json_object_get(root, "steps"), 0);
    size_t values = json_array_size(json_array_get(json_object_get(step, "sends"), 0));
    bool typed = strcmp(file->type_key, SCCL_TACCL_TYPE) == 0;
    return typed && (values == 5 || values == 6) ? values : 3;
}

static bool read_algorithm(struct reader *reader, const json_t *root, struct schedule *schedule,
                           struct err *err)
{
    const json_t *type = json_object_get(root, reader->file.type_key);
    const json_t *instance = json_object_get(root, "instance");
    const json_t *pipeline = json_object_get(instance, "pipeline");
    const json_t *parts = json_object_get(instance, "chunks");
    if (!json_is_string(type) || strcmp(json_string_value(type), "algorithm") != 0)
        return sccl_wrong(&reader->file, err, ERR_VERSION,
                          "no algorithm; expected \"%s\": \"algorithm\"", reader->file.type_key);
    if (pipeline != NULL && !json_is_null(pipeline))
        return sccl_wrong(&reader->file, err, ERR_UNSUPPORTED,
                          "instance.pipeline: steps that overlap; expected null");
    reader->file.parts = parts != NULL ? (uint32_t)json_integer_value(parts) : 1;
    if (parts != NULL && (!json_is_integer(parts) || json_integer_value(parts) < 1 ||
                          json_integer_value(parts) > SCCL_PARTS))
        return sccl_wrong(&reader->file, err, ERR_FIELD_RANGE,
                          "instance.chunks: expected a number, 1 … %d", SCCL_PARTS);
    reader->file.send_values = values_of_sends(&reader->file, root);
    if (reader->file.send_values > 3) /* its collective has the parts as chunks */
        reader->file.parts = 1;
    if (!read_collective(reader, root, schedule, err))
        return false;
    if (schedule->packets == 0) /* no chunk was read: they are combined */
        return sccl_read_combined(&reader->file, root, schedule, err);
    return read_steps(reader, root, err) && rounds_finish(&reader->rounds, schedule, err);
}

bool sccl_read_typed(FILE *from, const char *name, const char *type_key, enum model model,
                     struct schedule *schedule, struct err *err)
{
    json_error_t error;
    struct reader reader = {.file = {.name = name, .model = model, .type_key = type_key}};
    struct schedule reading = {0};
    errno = 0;
    json_t *root = json_loadf(from, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && ferror(from))
        return err_set(err, ERR_READ, "%s: cannot read: %s", name, strerror(errno));
    if (root == NULL && errno == ENOMEM) /* jansson's text may describe an invalid word instead */
        return err_no_memory(err, "the JSON of %s", name);
    if (root == NULL)
        return err_set(err, ERR_SYNTAX, "%s:%d: %s; expected JSON", name, error.line, error.text);
    bool read = read_algorithm(&reader, root, &reading, err) && renumber_packets(&reading, err);
    json_decref(root);
    free(reader.chunk);
    free(reader.arrival);
    rounds_free(&reader.rounds);
    if (read)
        *schedule = reading;
    else
        schedule_free(&reading);
    return read;
}

bool sccl_read(FILE *from, const char *name, enum model model, struct schedule *schedule,
               struct err *err)
{
    return sccl_read_typed(from, name, "msccl_type", model, schedule, err);
}
