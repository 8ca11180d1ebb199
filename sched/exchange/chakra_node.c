/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/chakra_trace.h"

#include "sched/base/memory.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <string.h>

/* -- values -------------------------------------------------------------------------------------*/

/* Reads a number, which JSON of protobuf writes as a number or, with 64 bits, as a text. */
static bool number_of(const struct chakra *chakra, const json_t *value, const char *what,
                      uint64_t *number, struct err *err)
{
    const char *text = json_string_value(value);
    bool digits = text != NULL && *text != '\0' && strspn(text, "0123456789") == strlen(text);
    bool negative =
        json_is_integer(value) ? json_integer_value(value) < 0 : text != NULL && *text == '-';
    *number = 0;
    if (negative)
        return document_wrong(
            chakra->document, chakra->at, err, ERR_UNSUPPORTED,
            "a negative %s; expected one rank and one tag, which decide the message", what);
    if (json_is_integer(value)) {
        *number = (uint64_t)json_integer_value(value);
        return true;
    }
    if (digits && !text_number(&text, text + strlen(text), number))
        return document_wrong(chakra->document, chakra->at, err, ERR_FIELD_RANGE,
                              "%s: expected a smaller number", what);
    return digits || document_wrong(chakra->document, chakra->at, err, ERR_SYNTAX,
                                    "%s: no number; expected one", what);
}

/* Returns the value of an attribute, whatever its type; NULL: the node has no such attribute. */
static const json_t *attribute_of(const json_t *node, const char *name)
{
    const json_t *list = json_object_get(node, "attr");
    for (size_t k = 0; k < json_array_size(list); k++) {
        json_t *attribute = json_array_get(list, k);
        const char *found = json_string_value(json_object_get(attribute, "name"));
        if (found == NULL || strcmp(found, name) != 0)
            continue;
        for (void *at = json_object_iter(attribute); at != NULL;
             at = json_object_iter_next(attribute, at)) {
            const char *key = json_object_iter_key(at);
            if (strcmp(key, "name") != 0 && strcmp(key, "docString") != 0 &&
                strcmp(key, "doc_string") != 0)
                return json_object_iter_value(at);
        }
    }
    return NULL;
}

/* Reads an attribute; `missing` is its value if the node has none. */
static bool read_attribute(const struct chakra *chakra, const json_t *node, const char *name,
                           uint64_t missing, uint64_t most, uint64_t *number, struct err *err)
{
    const json_t *value = attribute_of(node, name);
    *number = missing;
    if (value == NULL)
        return true;
    if (!number_of(chakra, value, name, number, err))
        return false;
    return *number <= most ||
           document_wrong(chakra->document, chakra->at, err, ERR_FIELD_RANGE,
                          "%s %" PRIu64 "; expected 0 … %" PRIu64, name, *number, most);
}

/* -- nodes --------------------------------------------------------------------------------------*/

static bool add_dependencies(struct chakra *chakra, const json_t *list, struct err *err)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        struct chakra_dependency dependency = {.operation = chakra->goal->operations};
        if (!number_of(chakra, json_array_get(list, k), "a dependency", &dependency.on, err))
            return false;
        struct chakra_dependency *larger = memory_grow(chakra->dependency, chakra->dependencies + 1,
                                                       &chakra->dependency_room, sizeof *larger);
        if (larger == NULL)
            return err_no_memory(err, "%zu dependencies", chakra->dependencies);
        chakra->dependency = larger;
        larger[chakra->dependencies++] = dependency;
    }
    return true;
}

static bool add_operation(struct chakra *chakra, const json_t *node,
                          const struct goal_operation *operation, struct err *err)
{
    static const char *const lists[] = {"ctrlDeps", "ctrl_deps", "dataDeps", "data_deps"};
    struct goal *goal = chakra->goal;
    struct chakra_identity identity = {.operation = goal->operations};
    const json_t *id = json_object_get(node, "id");
    if (id != NULL && !number_of(chakra, id, "id", &identity.id, err))
        return false;
    for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!add_dependencies(chakra, json_object_get(node, lists[k]), err))
            return false;
    struct chakra_identity *more =
        memory_grow(chakra->identity, chakra->identities + 1, &chakra->identity_room, sizeof *more);
    if (more == NULL)
        return err_no_memory(err, "%zu nodes", chakra->identities);
    chakra->identity = more;
    more[chakra->identities++] = identity;
    return goal_add_operation(goal, operation, err);
}

/* Reads the ranks, the size and the tag of a send or a receipt. */
static bool read_message(struct chakra *chakra, const json_t *node,
                         struct goal_operation *operation, struct err *err)
{
    const bool sends = operation->kind == GOAL_SEND;
    uint64_t peer = 0, own = 0, tag = 0;
    if (!read_attribute(chakra, node, sends ? "comm_dst" : "comm_src", CHAKRA_UNKNOWN,
                        CHAKRA_RANKS - 1, &peer, err) ||
        !read_attribute(chakra, node, sends ? "comm_src" : "comm_dst", CHAKRA_UNKNOWN,
                        CHAKRA_RANKS - 1, &own, err) ||
        !read_attribute(chakra, node, "comm_size", 0, UINT64_MAX, &operation->bytes, err) ||
        !read_attribute(chakra, node, "comm_tag", 0, UINT32_MAX, &tag, err))
        return false;
    if (peer == CHAKRA_UNKNOWN)
        return document_wrong(chakra->document, chakra->at, err, ERR_SYNTAX,
                              "no attribute %s; expected the other rank",
                              sends ? "comm_dst" : "comm_src");
    if (peer == own)
        return document_wrong(chakra->document, chakra->at, err, ERR_SELF_SEND,
                              "rank %" PRIu64 " is its own peer; expected another rank", peer);
    if (own != CHAKRA_UNKNOWN && chakra->rank != CHAKRA_UNKNOWN && chakra->rank != own)
        return document_wrong(chakra->document, chakra->at, err, ERR_ORDER,
                              "a message of rank %" PRIu64 " in the trace of rank %" PRIu32
                              "; expected metadata before the trace of another rank",
                              own, chakra->rank);
    chakra->rank = own != CHAKRA_UNKNOWN ? (uint32_t)own : chakra->rank;
    operation->peer = (uint32_t)peer;
    operation->tag = (uint32_t)tag;
    return true;
}

bool chakra_read_node(struct chakra *chakra, const json_t *node, struct err *err)
{
    const json_t *type = json_object_get(node, "type");
    const char *name = json_string_value(type);
    const json_int_t number = json_integer_value(type);
    struct goal_operation operation = {.kind = GOAL_CALC, .at = chakra->at, .line = chakra->line};
    name = name != NULL ? name : "";
    if (strcmp(name, "COMM_COLL_NODE") == 0 || number == 7)
        return document_wrong(
            chakra->document, chakra->at, err, ERR_UNSUPPORTED,
            "a collective, of which the trace has no messages; expected COMM_SEND_NODE "
            "and COMM_RECV_NODE");
    if (strcmp(name, "COMM_SEND_NODE") == 0 || number == 5)
        operation.kind = GOAL_SEND;
    if (strcmp(name, "COMM_RECV_NODE") == 0 || number == 6)
        operation.kind = GOAL_RECV;
    return (operation.kind == GOAL_CALC || read_message(chakra, node, &operation, err)) &&
           add_operation(chakra, node, &operation, err);
}
