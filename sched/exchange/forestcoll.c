/* SPDX-License-Identifier: Apache-2.0 */
/* forestcoll: spanning trees of an all-gather, as ForestColl prints them (Zhao and others 2024; its
 * spanning_trees_to_xml).
 *
 *     <Algo nchunkspernode="2">
 *       <tree root="(0, 'GPU', 0)" index="0" nchunks="2" height="1">
 *         <send src="(0, 'GPU', 0)" dst="(0, 'GPU', 1)" path="…"/>
 *       </tree>
 *       <tree root="(0, 'GPU', 1)" …
 *     </Algo>
 *
 * Each chunk of a tree is a packet from the root to all GPUs. GPUs are texts; they are numbered in
 * the order in which they are first roots, then in which they first occur. The switches of a path
 * are omitted. The file has no rounds: the sends get the earliest possible ones, those of chunk c
 * at depth d before those of which c + d is larger. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/rounds.h"
#include "sched/exchange/xml.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FOREST_GPUS 65536
#define FOREST_CHUNKS 65536                  /* of a tree */
#define FOREST_TRANSFERS (UINT64_C(1) << 22) /* of all chunks */
#define FOREST_BUCKETS ((uint32_t)4 * FOREST_GPUS)
#define NONE UINT32_MAX

struct gpu {
    char name[XML_VALUE];
    uint32_t number;      /* in the schedule; NONE: not numbered yet */
    uint32_t tree, depth; /* 1 + the last tree that reached it, and its depth there */
};

struct tree {
    uint32_t root, chunks, line;
    size_t first, end; /* its sends */
};

struct send {
    uint32_t source, destination, depth;
};

/* A send of one chunk. */
struct move {
    uint64_t key; /* chunk + depth */
    size_t tree, send;
    uint32_t chunk;
};

struct forest {
    struct xml xml;
    int64_t chunks; /* of each GPU; 0: not given */
    uint32_t gpus, roots;
    size_t gpu_room, trees, tree_room, sends, send_room;
    struct gpu *gpu;
    struct tree *tree;
    struct send *send;
    uint32_t *bucket; /* [FOREST_BUCKETS]: hash table of 1 + the index of a GPU; 0: free */
    uint64_t moves;
};

/* -- reading ------------------------------------------------------------------------------------*/

/* Finds or adds a GPU. */
static bool find_gpu(struct forest *forest, const char *attribute, uint32_t *index, struct err *err)
{
    const char *name = xml_value(&forest->xml, attribute);
    uint64_t hash = UINT64_C(14695981039346656037);
    if (name == NULL)
        return xml_wrong(&forest->xml, err, ERR_SYNTAX, "no %s; expected a GPU", attribute);
    for (const char *byte = name; *byte != '\0'; byte++)
        hash = (hash ^ (unsigned char)*byte) * UINT64_C(1099511628211);
    uint32_t place = (uint32_t)(hash >> 40) % FOREST_BUCKETS;
    for (; forest->bucket[place] > 0; place = (place + 1) % FOREST_BUCKETS) {
        *index = forest->bucket[place] - 1;
        if (strcmp(forest->gpu[*index].name, name) == 0)
            return true;
    }
    if (forest->gpus == FOREST_GPUS)
        return xml_wrong(&forest->xml, err, ERR_TOO_BIG, "more than %d GPUs; expected fewer",
                         FOREST_GPUS);
    struct gpu *larger =
        memory_grow(forest->gpu, forest->gpus + (size_t)1, &forest->gpu_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%" PRIu32 " GPUs", forest->gpus);
    forest->gpu = larger;
    *index = forest->gpus++;
    forest->bucket[place] = forest->gpus;
    larger[*index] = (struct gpu){.number = NONE};
    memcpy(larger[*index].name, name, strlen(name) + 1);
    return true;
}

static bool read_send(struct forest *forest, struct err *err)
{
    struct send send = {0};
    const uint32_t tree = (uint32_t)forest->trees;
    if (!find_gpu(forest, "src", &send.source, err) ||
        !find_gpu(forest, "dst", &send.destination, err))
        return false;
    const struct gpu *source = &forest->gpu[send.source];
    struct gpu *destination = &forest->gpu[send.destination];
    if (source->tree != tree)
        return xml_wrong(&forest->xml, err, ERR_ORDER,
                         "GPU '%.60s' sends before it receives; expected it to be the root or the "
                         "dst of an earlier send of the tree",
                         source->name);
    if (destination->tree == tree)
        return xml_wrong(&forest->xml, err, ERR_ORDER,
                         "GPU '%.60s' receives although it has the chunks; expected a tree",
                         destination->name);
    destination->tree = tree;
    destination->depth = send.depth = source->depth + 1;
    struct send *larger =
        memory_grow(forest->send, forest->sends + 1, &forest->send_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu sends", forest->sends);
    forest->send = larger;
    forest->send[forest->sends++] = send;
    return true;
}

/* Reads the sends of a tree, up to its closing tag. */
static bool read_sends(struct forest *forest, struct err *err)
{
    for (;;) {
        if (!xml_next(&forest->xml, err))
            return false;
        if (forest->xml.kind == XML_CLOSES)
            return true;
        if (strcmp(forest->xml.tag, "send") != 0)
            return xml_wrong(&forest->xml, err, ERR_SYNTAX, "<%s>; expected <send …>",
                             forest->xml.tag);
        if (!read_send(forest, err) || !xml_skip(&forest->xml, err))
            return false;
    }
}

static bool read_tree(struct forest *forest, struct err *err)
{
    int64_t chunks = 1;
    struct tree tree = {.line = (uint32_t)forest->xml.tag_line, .first = forest->sends};
    if (strcmp(forest->xml.tag, "tree") != 0)
        return xml_wrong(&forest->xml, err, ERR_SYNTAX, "<%s>; expected <tree …>", forest->xml.tag);
    if (!find_gpu(forest, "root", &tree.root, err) ||
        !xml_number(&forest->xml, "nchunks", 1, FOREST_CHUNKS, &chunks, err))
        return false;
    struct tree *larger =
        memory_grow(forest->tree, forest->trees + 1, &forest->tree_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu trees", forest->trees);
    forest->tree = larger;
    tree.chunks = (uint32_t)chunks;
    forest->trees++;
    struct gpu *root = &forest->gpu[tree.root];
    *root = (struct gpu){.number = root->number, .tree = (uint32_t)forest->trees};
    memcpy(root->name, xml_value(&forest->xml, "root"),
           strlen(xml_value(&forest->xml, "root")) + 1);
    if (root->number == NONE)
        root->number = forest->roots++;
    if (!read_sends(forest, err))
        return false;
    tree.end = forest->sends;
    forest->tree[forest->trees - 1] = tree;
    forest->moves += (tree.end - tree.first) * (uint64_t)tree.chunks;
    return forest->moves <= FOREST_TRANSFERS ||
           err_set(err, ERR_TOO_BIG,
                   "%s:%" PRIu32 ": more than %" PRIu64 " transfers of chunks; expected fewer",
                   forest->xml.name, tree.line, FOREST_TRANSFERS);
}

static bool read_forest(struct forest *forest, struct err *err)
{
    struct xml *xml = &forest->xml;
    if (!xml_next(xml, err))
        return false;
    if (xml->kind != XML_OPENS || strcmp(xml->tag, "Algo") != 0)
        return xml_wrong(xml, err, ERR_VERSION, "no trees; expected <Algo nchunkspernode=…>");
    if (!xml_number(xml, "nchunkspernode", 1, FOREST_CHUNKS, &forest->chunks, err))
        return false;
    while (xml_next(xml, err)) {
        if (xml->kind == XML_CLOSES)
            return forest->trees > 0 ||
                   xml_wrong(xml, err, ERR_DEMAND, "no tree; expected at least one");
        if (!read_tree(forest, err))
            return false;
    }
    return false;
}

/* -- the schedule -------------------------------------------------------------------------------*/

/* Checks that each tree reaches all GPUs, and that those of a GPU have all its chunks. */
static bool check_trees(const struct forest *forest, struct err *err)
{
    uint64_t *chunks = calloc(forest->gpus, sizeof *chunks);
    if (chunks == NULL)
        return err_no_memory(err, "%" PRIu32 " GPUs", forest->gpus);
    bool right = forest->gpus > 1 ||
                 err_set(err, ERR_DEMAND, "%s: one GPU; expected at least 2", forest->xml.name);
    for (size_t k = 0; right && k < forest->trees; k++) {
        const struct tree *tree = &forest->tree[k];
        chunks[tree->root] += tree->chunks;
        right = tree->end - tree->first + 1 == forest->gpus ||
                err_set(err, ERR_UNMET,
                        "%s:%" PRIu32 ": the tree reaches %zu of the GPUs; expected all %" PRIu32,
                        forest->xml.name, tree->line, tree->end - tree->first + 1, forest->gpus);
    }
    for (uint32_t gpu = 0; right && gpu < forest->gpus; gpu++)
        right = chunks[gpu] == 0 || chunks[gpu] == (uint64_t)forest->chunks ||
                err_set(err, ERR_UNMET,
                        "%s: the trees of GPU '%.60s' have %" PRIu64 " chunk%s; expected %" PRId64
                        ", as nchunkspernode",
                        forest->xml.name, forest->gpu[gpu].name, chunks[gpu], text_s(chunks[gpu]),
                        forest->chunks);
    free(chunks);
    return right;
}

static int by_key(const void *left, const void *right)
{
    const struct move *a = left, *b = right;
    int order = compare_then(COMPARE(a->key, b->key), COMPARE(a->chunk, b->chunk));
    return compare_then(order, COMPARE(a->send, b->send));
}

/* Lists the sends of all chunks in the order in which they are placed. NULL: no memory. */
static struct move *list_moves(const struct forest *forest)
{
    struct move *move = malloc((forest->moves + 1) * sizeof *move);
    size_t count = 0;
    if (move == NULL)
        return NULL;
    for (size_t k = 0; k < forest->trees; k++)
        for (size_t send = forest->tree[k].first; send < forest->tree[k].end; send++)
            for (uint32_t chunk = 0; chunk < forest->tree[k].chunks; chunk++)
                move[count++] =
                    (struct move){chunk + (uint64_t)forest->send[send].depth, k, send, chunk};
    qsort(move, count, sizeof *move, by_key);
    return move;
}

/* Finds the first packet of each tree, from 0: the packets of a root are those of its trees.
 * Returns first[trees]; NULL: no memory. */
static uint32_t *first_packets(const struct forest *forest)
{
    uint32_t *first = malloc(forest->trees * sizeof *first);
    uint32_t *next = malloc(forest->gpus * sizeof *next);
    for (uint32_t gpu = 0; next != NULL && gpu < forest->gpus; gpu++)
        next[gpu] = forest->gpu[gpu].number * (uint32_t)forest->chunks;
    for (size_t k = 0; first != NULL && next != NULL && k < forest->trees; k++) {
        first[k] = next[forest->tree[k].root];
        next[forest->tree[k].root] += forest->tree[k].chunks;
    }
    bool found = next != NULL;
    free(next);
    if (found)
        return first;
    free(first);
    return NULL;
}

static bool place(const struct forest *forest, const struct move *move, struct rounds *rounds,
                  struct err *err)
{
    /* arrival[packet · gpus + gpu]: a round; the limit of transfers also limits its size */
    const size_t packets = forest->roots * (size_t)forest->chunks;
    uint32_t *first = first_packets(forest);
    uint64_t *arrival = calloc(packets * forest->gpus, sizeof *arrival);
    bool placed = first != NULL && arrival != NULL;
    if (!placed)
        err_no_memory(err, "the arrivals of %zu packets", packets);
    for (size_t k = 0; placed && k < forest->moves; k++) {
        const struct send *send = &forest->send[move[k].send];
        const uint32_t packet = first[move[k].tree] + move[k].chunk;
        uint64_t *at = arrival + (size_t)packet * forest->gpus;
        const struct transfer transfer = {forest->gpu[send->source].number,
                                          forest->gpu[send->destination].number, packet + 1};
        placed = rounds_place(rounds, transfer, at[send->source] + 1, &at[send->destination], err);
    }
    free(first);
    free(arrival);
    return placed;
}

static bool make(struct forest *forest, enum model model, struct schedule *schedule,
                 struct err *err)
{
    const struct topology complete = topology_complete(forest->gpus);
    struct rounds rounds = {0};
    uint32_t others = forest->roots;
    for (uint32_t gpu = 0; gpu < forest->gpus; gpu++)
        if (forest->gpu[gpu].number == NONE)
            forest->gpu[gpu].number = others++;
    if (!schedule_init_empty(schedule, "forestcoll", &complete, model, err))
        return false;
    for (uint32_t root = 0; root < forest->roots; root++)
        if (!schedule_add_demand(schedule, (uint32_t)forest->chunks, root, NULL, 0, err))
            return false;
    struct move *move = list_moves(forest);
    bool made = (move != NULL || err_no_memory(err, "%" PRIu64 " transfers", forest->moves)) &&
                rounds_begin(&rounds, forest->gpus, model, err) &&
                place(forest, move, &rounds, err) && rounds_finish(&rounds, schedule, err);
    rounds_free(&rounds);
    free(move);
    return made;
}

static bool read_forestcoll(FILE *from, const char *name, enum model model,
                            struct schedule *schedule, struct err *err)
{
    struct forest forest = {.bucket = calloc(FOREST_BUCKETS, sizeof *forest.bucket)};
    struct schedule reading = {0};
    if (forest.bucket == NULL)
        return err_no_memory(err, "the names of GPUs");
    xml_begin(&forest.xml, from, name);
    bool read = read_forest(&forest, err) && check_trees(&forest, err) &&
                make(&forest, model, &reading, err);
    free(forest.bucket);
    free(forest.gpu);
    free(forest.tree);
    free(forest.send);
    if (read)
        *schedule = reading;
    else
        schedule_free(&reading);
    return read;
}

static bool is_forestcoll(const char *head)
{
    return *head == '<' && strstr(head, "<Algo nchunkspernode") != NULL;
}

const struct exchange_format exchange_forestcoll = {
    .name = "forestcoll",
    .what = "trees, of ForestColl",
    .suffix = "xml",
    .most = FOREST_GPUS,
    .read = read_forestcoll,
    .is_like = is_forestcoll,
};
