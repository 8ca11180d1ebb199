/* SPDX-License-Identifier: Apache-2.0 */
/* chakra: execution traces of Chakra (MLCommons; its et_def.proto), as chakra_jsonizer prints them:
 * JSON objects one after another, the metadata of a rank and then its nodes. The traces of all
 * ranks follow one another in a file.
 *
 *     {"version": "0.0.4"}
 *     {"id": "1", "type": "COMM_SEND_NODE", "dataDeps": ["0"], "attr": [
 *        {"name": "comm_dst", "int32Val": 1}, {"name": "comm_size", "int64Val": "64"}]}
 *     {"version": "0.0.4"}
 *     {"id": "5", "type": "COMM_RECV_NODE", "attr": [{"name": "comm_src", "int32Val": 0}, …
 *
 * Nodes become operations of GOAL (goal_program.h), which finds messages, packets and rounds: sends
 * and receipts as such, and all others except collectives as calculations. Both kinds of
 * dependencies are requirements. */
#include "sched/exchange/chakra_trace.h"
#include "sched/exchange/exchange.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- traces -------------------------------------------------------------------------------------*/

static int by_id(const void *left, const void *right)
{
    const struct chakra_identity *a = left, *b = right;
    return compare_then(COMPARE(a->id, b->id), COMPARE(a->operation, b->operation));
}

static bool add_edge(struct chakra *chakra, const struct chakra_dependency *dependency,
                     struct err *err)
{
    struct goal *goal = chakra->goal;
    const struct chakra_identity key = {.id = dependency->on};
    size_t low = 0, high = chakra->identities;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (chakra->identity[middle].id < key.id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == chakra->identities || chakra->identity[low].id != key.id)
        return document_wrong(
            chakra->document, goal->operation[dependency->operation].at, err, ERR_SYNTAX,
            "a dependency on node %" PRIu64 ", which the trace lacks; expected one of its nodes",
            key.id);
    return goal_add_edge(goal, dependency->operation, chakra->identity[low].operation, false, err);
}

/* Ends the trace of a rank: finds its dependencies, and its rank if its nodes do not tell it. */
static bool end_trace(struct chakra *chakra, struct err *err)
{
    struct goal *goal = chakra->goal;
    if (chakra->traces == 0)
        return true;
    const uint32_t rank = chakra->rank != CHAKRA_UNKNOWN ? chakra->rank : chakra->traces - 1;
    if (chakra->identities > 0)
        qsort(chakra->identity, chakra->identities, sizeof *chakra->identity, by_id);
    for (size_t k = 1; k < chakra->identities; k++)
        if (chakra->identity[k].id == chakra->identity[k - 1].id)
            return document_wrong(
                chakra->document, goal->operation[chakra->identity[k].operation].at, err, ERR_ORDER,
                "a second node with id %" PRIu64 "; expected another id", chakra->identity[k].id);
    for (size_t k = 0; k < chakra->dependencies; k++)
        if (!add_edge(chakra, &chakra->dependency[k], err))
            return false;
    for (size_t k = chakra->begin; k < goal->operations; k++)
        goal->operation[k].rank = rank;
    chakra->owner[chakra->traces - 1] = rank;
    chakra->begin = goal->operations;
    chakra->identities = chakra->dependencies = 0;
    return true;
}

static bool begin_trace(struct chakra *chakra, struct err *err)
{
    if (chakra->traces == CHAKRA_RANKS)
        return document_wrong(chakra->document, chakra->at, err, ERR_TOO_BIG,
                              "more than %d ranks; expected fewer", CHAKRA_RANKS);
    uint32_t *larger =
        memory_grow(chakra->owner, chakra->traces + (size_t)1, &chakra->owner_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%" PRIu32 " traces", chakra->traces);
    chakra->owner = larger;
    chakra->traces++;
    chakra->rank = CHAKRA_UNKNOWN;
    return true;
}

/* Reads one object: the metadata that begins a trace, or a node. */
static bool read_object(struct chakra *chakra, const json_t *object, struct err *err)
{
    static const char *const keys[] = {"id", "name", "type"};
    bool node = false;
    for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++)
        node = node || json_object_get(object, keys[k]) != NULL;
    if (!node && (!end_trace(chakra, err) || !begin_trace(chakra, err)))
        return false;
    if (node && chakra->traces == 0)
        return document_wrong(chakra->document, chakra->at, err, ERR_ORDER,
                              "a node; expected metadata before it");
    return !node || chakra_read_node(chakra, object, err);
}

/* -- the file -----------------------------------------------------------------------------------*/

/* Reads the objects one after another. */
static bool read_objects(struct chakra *chakra, chakra_object *next, struct err *err)
{
    for (;; chakra->at = chakra->next) {
        json_t *object = NULL;
        if (!next(chakra, &object, err))
            return false;
        if (object == NULL)
            return end_trace(chakra, err);
        bool read = read_object(chakra, object, err);
        json_decref(object);
        if (!read)
            return false;
    }
}

/* Checks that there is one trace of each rank, and that peers are ranks. */
static bool check_ranks(const struct chakra *chakra, struct err *err)
{
    const struct goal *goal = chakra->goal;
    const char *name = chakra->document->name;
    bool *seen = calloc(chakra->traces + (size_t)1, sizeof *seen);
    if (seen == NULL)
        return err_no_memory(err, "%" PRIu32 " traces", chakra->traces);
    bool right =
        chakra->traces > 1 || err_set(err, ERR_DEMAND,
                                      "%s: %" PRIu32 " trace%s; expected those of all ranks, "
                                      "one after another",
                                      name, chakra->traces, text_s(chakra->traces));
    for (uint32_t k = 0; right && k < chakra->traces; k++) {
        const uint32_t rank = chakra->owner[k];
        right = (rank < chakra->traces && !seen[rank]) ||
                err_set(err, ERR_ORDER,
                        "%s: trace %" PRIu32 " is of rank %" PRIu32 "; expected one trace of each "
                        "rank, 0 … %" PRIu32,
                        name, k + 1, rank, chakra->traces - 1);
        if (right)
            seen[rank] = true;
    }
    free(seen);
    for (size_t k = 0; right && k < goal->operations; k++)
        right = goal->operation[k].kind == GOAL_CALC || goal->operation[k].peer < chakra->traces ||
                document_wrong(chakra->document, goal->operation[k].at, err, ERR_FIELD_RANGE,
                               "rank %" PRIu32 "; expected 0 … %" PRIu32 ", as there are %" PRIu32
                               " traces",
                               goal->operation[k].peer, chakra->traces - 1, chakra->traces);
    return right;
}

bool chakra_list(const struct document *document, chakra_object *next, struct transfers *transfers,
                 struct err *err)
{
    struct goal goal = {.document = document};
    struct chakra chakra = {.document = document,
                            .goal = &goal,
                            .at = document->text,
                            .line_of = document->text,
                            .line = !document->binary};
    bool read = read_objects(&chakra, next, err) && check_ranks(&chakra, err);
    goal.ranks = chakra.traces;
    free(chakra.identity);
    free(chakra.dependency);
    free(chakra.owner);
    transfers->lines = chakra.line;
    read = read && goal_schedule(&goal, transfers->model, transfers, err);
    transfers->nodes = MAX(transfers->nodes, goal.ranks);
    goal_free(&goal);
    return read;
}

/* Reads an object of JSON. */
static bool next_json(struct chakra *chakra, json_t **object, struct err *err)
{
    const struct document *document = chakra->document;
    const char *end = document->text + document->size;
    chakra->at += strspn(chakra->at, " \t\r\n");
    for (; chakra->line_of < chakra->at; chakra->line_of++)
        chakra->line += *chakra->line_of == '\n';
    if (chakra->at == end)
        return true;
    json_error_t error;
    errno = 0;
    *object = json_loadb(chakra->at, (size_t)(end - chakra->at),
                         JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
    if (*object == NULL && errno == ENOMEM)
        return err_no_memory(err, "the JSON of %s", document->name);
    if (*object == NULL)
        return document_wrong(document, chakra->at + error.position, err, ERR_SYNTAX,
                              "%s; expected JSON", error.text);
    chakra->next = chakra->at + error.position;
    return true;
}

static bool list_chakra(const struct document *document, struct transfers *transfers,
                        struct err *err)
{
    return chakra_list(document, next_json, transfers, err);
}

/* The first object is metadata, with a version, or nodes name their types. */
static bool is_chakra(const char *head)
{
    static const char version[] = "\"version\"";
    if (*head != '{')
        return false;
    const char *key = head + 1 + strspn(head + 1, " \t\r\n");
    return strncmp(key, version, strlen(version)) == 0 ||
           (strstr(head, "_NODE\"") != NULL && strstr(head, "\"type\"") != NULL);
}

const struct exchange_format exchange_chakra = {
    .name = "chakra",
    .what = "traces of Chakra as JSON",
    .suffix = "json",
    .most = CHAKRA_RANKS,
    .list = list_chakra,
    .is_like = is_chakra,
    .proof = GOAL_PROOF,
};
