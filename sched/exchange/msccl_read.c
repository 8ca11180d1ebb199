/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_reader.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/exchange/msccl_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- the algorithm ------------------------------------------------------------------------------*/

static bool read_collective(struct reader *reader, struct err *err)
{
    static const char *const of_rccl = "reducescatter";
    const struct xml *xml = &reader->xml;
    const char *value = xml_value(xml, "coll");
    unsigned which = msccl_reader_which(xml, "coll", msccl_collective_names, MSCCL_CUSTOM + 1);
    if (msccl_reader_which(xml, "coll", &of_rccl, 1) == 0)
        which = MSCCL_REDUCE_SCATTER;
    reader->msccl->collective = (enum msccl_collective)which;
    reader->msccl->combines = msccl_reduces(reader->msccl->collective);
    return which <= MSCCL_CUSTOM ||
           xml_wrong(xml, err, ERR_UNSUPPORTED,
                     "coll=\"%.40s\"; expected allgather, alltoall, allreduce, broadcast, gather, "
                     "reduce, reduce_scatter, scatter or custom",
                     value != NULL ? value : "");
}

/* Reads the protocol. Connections have 8 slots. A send takes 4 of them under the protocol Simple,
 * which is the default of a file, and 1 under the others. */
static bool read_protocol(struct reader *reader, struct err *err)
{
    static const char *const protocols[] = {"Simple", "LL", "LL128"};
    const char *value = xml_value(&reader->xml, "proto");
    unsigned which = value != NULL ? msccl_reader_which(&reader->xml, "proto", protocols, 3) : 0;
    reader->msccl->depth = which == 0 ? 2 : 8;
    return which < 3 || xml_wrong(&reader->xml, err, ERR_SYNTAX,
                                  "proto=\"%.40s\"; expected Simple, LL or LL128", value);
}

static bool read_algorithm(struct reader *reader, struct err *err)
{
    const struct xml *xml = &reader->xml;
    struct msccl *msccl = reader->msccl;
    uint32_t in_place;
    if (!xml_next(&reader->xml, err))
        return false;
    if (xml->kind != XML_OPENS || strcmp(xml->tag, "algo") != 0)
        return xml_wrong(xml, err, ERR_VERSION, "no algorithm; expected <algo …>");
    if (!msccl_reader_get(xml, "ngpus", 2, MSCCL_GPUS, &msccl->gpus, err) ||
        !msccl_reader_get(xml, "inplace", 0, 1, &in_place, err) || !read_collective(reader, err) ||
        !read_protocol(reader, err))
        return false;
    msccl->in_place = in_place == 1;
    msccl->per_loop = -1;
    if (xml_value(xml, "nchunksperloop") != NULL &&
        !xml_number(xml, "nchunksperloop", 1, MSCCL_CHUNKS, &msccl->per_loop, err))
        return false;
    bool divides =
        msccl->collective == MSCCL_ALL_GATHER || msccl->collective == MSCCL_REDUCE_SCATTER;
    if (divides && msccl->per_loop > 0 && msccl->per_loop % msccl->gpus != 0)
        return xml_wrong(
            xml, err, ERR_FIELD_RANGE,
            "nchunksperloop=\"%" PRIi64 "\"; expected a multiple of ngpus=\"%" PRIu32 "\" in %s %s",
            msccl->per_loop, msccl->gpus, msccl->collective == MSCCL_ALL_GATHER ? "an" : "a",
            msccl_collective_names[msccl->collective]);
    msccl->gpu = calloc(msccl->gpus, sizeof *msccl->gpu);
    return msccl->gpu != NULL || err_no_memory(err, "%" PRIu32 " GPUs", msccl->gpus);
}

/* -- GPUs ---------------------------------------------------------------------------------------*/

static bool open_gpu(struct reader *reader, uint32_t *id, struct err *err)
{
    static const char *const names[] = {"i_chunks", "o_chunks", "s_chunks"};
    struct msccl *msccl = reader->msccl;
    if (!msccl_reader_get(&reader->xml, "id", 0, (int64_t)msccl->gpus - 1, id, err))
        return false;
    struct msccl_gpu *gpu = &msccl->gpu[*id];
    if (gpu->read)
        return xml_wrong(&reader->xml, err, ERR_ORDER,
                         "id=\"%" PRIu32 "\": a second GPU of this number; expected another one",
                         *id);
    gpu->read = true;
    for (unsigned which = 0; which < 3; which++)
        if (!msccl_reader_get(&reader->xml, names[which], 0, MSCCL_CHUNKS, &gpu->chunks[which],
                              err))
            return false;
    return msccl_buffers_place(&reader->xml, msccl, *id, err);
}

/* -- blocks ---------------------------------------------------------------------------------*/

static bool open_block(struct reader *reader, uint32_t gpu, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    const struct xml *xml = &reader->xml;
    struct msccl_block block = {.gpu = gpu,
                                .first = msccl->step_count,
                                .end = msccl->step_count,
                                .line = xml->tag_line,
                                .column = xml->tag_column};
    int64_t last = (int64_t)msccl->gpus - 1;
    if (msccl->gpu[gpu].blocks == MSCCL_BLOCKS)
        return xml_wrong(xml, err, ERR_FIELD_RANGE, "more than %d blocks; expected fewer",
                         MSCCL_BLOCKS);
    if (!msccl_reader_get(xml, "id", 0, MSCCL_BLOCKS - 1, &block.id, err) ||
        !msccl_reader_get(xml, "send", -1, last, &block.send, err) ||
        !msccl_reader_get(xml, "recv", -1, last, &block.receive, err) ||
        !msccl_reader_get(xml, "chan", 0, INT32_MAX, &block.channel, err))
        return false;
    if (block.send == gpu || block.receive == gpu)
        return xml_wrong(xml, err, ERR_SELF_SEND,
                         "GPU %" PRIu32 " is its own peer; expected another one", gpu);
    struct msccl_block *larger =
        memory_grow(msccl->block, msccl->block_count + 1, &msccl->block_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu blocks", msccl->block_count);
    msccl->block = larger;
    msccl->block[msccl->block_count++] = block;
    msccl->gpu[gpu].blocks++;
    return true;
}

/* -- the whole file -----------------------------------------------------------------------------*/

/* Advances to the next tag <name …>, and skips elements with other names. *opens is false if the
 * enclosing element closes first. */
static bool next_of(struct reader *reader, const char *name, bool *opens, struct err *err)
{
    for (;;) {
        if (!xml_next(&reader->xml, err))
            return false;
        *opens = reader->xml.kind == XML_OPENS;
        if (!*opens || strcmp(reader->xml.tag, name) == 0)
            return true;
        if (!xml_skip(&reader->xml, err))
            return false;
    }
}

static bool read_block(struct reader *reader, uint32_t gpu, struct err *err)
{
    bool opens;
    if (!open_block(reader, gpu, err))
        return false;
    for (uint32_t number = 0;; number++) {
        if (!next_of(reader, "step", &opens, err))
            return false;
        if (!opens)
            return true;
        if (!msccl_reader_step(reader, number, err) || !xml_skip(&reader->xml, err))
            return false;
    }
}

static bool read_gpu(struct reader *reader, struct err *err)
{
    bool opens;
    uint32_t id;
    if (!open_gpu(reader, &id, err))
        return false;
    for (;;) {
        if (!next_of(reader, "tb", &opens, err))
            return false;
        if (!opens)
            return true;
        if (!read_block(reader, id, err))
            return false;
    }
}

static int by_number(const void *left, const void *right)
{
    const struct msccl_block *a = left, *b = right;
    return compare_then(COMPARE(a->gpu, b->gpu),
                        compare_then(COMPARE(a->id, b->id), COMPARE(a->first, b->first)));
}

/* Sets the block of the steps of a block, and the chunks for what they pass on without writing it
 * to a buffer. */
static void place_steps(struct msccl *msccl, uint32_t at)
{
    const struct msccl_block *block = &msccl->block[at];
    size_t passed = msccl->chunks + msccl->passing, most = 0;
    for (size_t k = block->first; k < block->end; k++) {
        struct msccl_step *step = &msccl->step[k];
        step->block = at;
        most = step->to == MSCCL_PASSED ? MAX(most, step->count) : most;
        step->to = step->to == MSCCL_PASSED ? passed : step->to;
        step->from = step->from == MSCCL_PASSED ? passed : step->from;
    }
    msccl->passing += most;
}

/* Sorts the blocks by their numbers, which must be 0, 1, … on each GPU. */
static bool sort_blocks(struct reader *reader, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    if (msccl->block_count > 0)
        qsort(msccl->block, msccl->block_count, sizeof *msccl->block, by_number);
    size_t at = 0;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        msccl->gpu[id].first_block = (uint32_t)at;
        for (uint32_t k = 0; k < msccl->gpu[id].blocks; k++, at++) {
            const struct msccl_block *block = &msccl->block[at];
            if (block->id != k)
                return err_set(err, ERR_ORDER,
                               "%s:%" PRIu64 ":%" PRIu64 ": GPU %" PRIu32 ": id=\"%" PRIu32
                               "\": %s; expected the numbers 0 … %" PRIu32 ", each once",
                               reader->xml.name, block->line, block->column, id, block->id,
                               block->id < k ? "a second block of this number"
                                             : "a smaller number has no block",
                               msccl->gpu[id].blocks - 1);
            place_steps(msccl, (uint32_t)at);
        }
    }
    return true;
}

static bool read_all(struct reader *reader, struct err *err)
{
    bool opens = true;
    uint32_t count = 0;
    if (!read_algorithm(reader, err))
        return false;
    for (;; count++) {
        if (!next_of(reader, "gpu", &opens, err))
            return false;
        if (!opens)
            break;
        if (!read_gpu(reader, err))
            return false;
    }
    if (count < reader->msccl->gpus)
        return xml_wrong(&reader->xml, err, ERR_CUT, "%" PRIu32 " GPUs; expected %" PRIu32, count,
                         reader->msccl->gpus);
    if (!xml_next(&reader->xml, err))
        return false;
    if (reader->xml.kind != XML_ENDS)
        return xml_wrong(&reader->xml, err, ERR_SYNTAX,
                         "another tag; expected the end of the file");
    return sort_blocks(reader, err);
}

bool msccl_parse(FILE *from, const char *name, struct msccl *msccl, struct err *err)
{
    struct reader *reader = malloc(sizeof *reader);
    if (reader == NULL)
        return err_no_memory(err, "a reader of %s", name);
    *msccl = (struct msccl){.name = name};
    reader->msccl = msccl;
    xml_begin(&reader->xml, from, name);
    bool read = read_all(reader, err);
    free(reader);
    if (!read)
        msccl_free(msccl);
    return read;
}
