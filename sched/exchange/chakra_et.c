/* SPDX-License-Identifier: Apache-2.0 */
/* chakra_et: execution traces of Chakra in their binary form: messages of protobuf (et_def.proto),
 * each after its length; the metadata of a rank, then its nodes. The traces of all ranks follow one
 * another in a file. A message becomes the object of JSON that chakra.c reads.
 *
 *     message     field                        wire type
 *     metadata    1 version                    bytes
 *     node        1 id, 3 type                 a number
 *                 4 ctrl_deps, 5 data_deps     numbers, packed or not
 *                 10 attr                      a message
 *     attr        1 name                       bytes
 *                 7, 9, 11, 13, 27             int32, int64, uint32, uint64, bool: a number
 *
 * Other fields are skipped. */
#include "sched/exchange/chakra_trace.h"
#include "sched/exchange/exchange.h"

#include <string.h>

enum wire { WIRE_NUMBER = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

/* A part of a message: bytes from `at` on, up to `end`. */
struct part {
    const unsigned char *at, *end;
};

struct field {
    uint64_t number; /* its value, if the wire type is a number */
    unsigned id, wire;
    struct part bytes; /* its bytes, if the wire type is bytes */
};

static bool take_number(struct part *part, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64 && part->at < part->end; shift += 7) {
        const unsigned char byte = *part->at++;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Takes bytes after their length. */
static bool take_bytes(struct part *part, struct part *bytes)
{
    uint64_t length;
    if (!take_number(part, &length) || length > (uint64_t)(part->end - part->at))
        return false;
    *bytes = (struct part){part->at, part->at + length};
    part->at += length;
    return true;
}

static bool take_field(struct part *part, struct field *field)
{
    uint64_t key;
    *field = (struct field){0};
    if (!take_number(part, &key) || key >> 3 > UINT32_MAX)
        return false;
    field->id = (unsigned)(key >> 3);
    field->wire = (unsigned)key & 7;
    if (field->wire == WIRE_NUMBER)
        return take_number(part, &field->number);
    if (field->wire == WIRE_BYTES)
        return take_bytes(part, &field->bytes);
    const ptrdiff_t size = field->wire == WIRE_64 ? 8 : 4;
    bool right = (field->wire == WIRE_64 || field->wire == WIRE_32) && part->end - part->at >= size;
    part->at += right ? size : 0;
    return right;
}

/* -- messages as JSON ---------------------------------------------------------------------------*/

/* Sets a member to a number, as JSON of protobuf writes it. Returns false without memory. */
static bool set_number(json_t *object, const char *key, uint64_t number)
{
    return json_object_set_new(object, key, json_integer((json_int_t)number)) == 0;
}

/* The results of a conversion. */
enum outcome { CONVERTED, MALFORMED, NO_MEMORY };

/* Converts an attribute; those with other values keep only their names. */
static enum outcome add_attribute(json_t *list, struct part part)
{
    json_t *object = json_object();
    struct field field;
    enum outcome outcome = json_array_append_new(list, object) == 0 ? CONVERTED : NO_MEMORY;
    while (outcome == CONVERTED && part.at < part.end) {
        if (!take_field(&part, &field))
            return MALFORMED;
        const size_t length = (size_t)(field.bytes.end - field.bytes.at);
        bool set = true;
        if (field.id == 1 && field.wire == WIRE_BYTES)
            set = json_object_set_new(object, "name",
                                      json_stringn_nocheck((const char *)field.bytes.at, length)) ==
                  0;
        else if (field.wire == WIRE_NUMBER)
            set = set_number(object, "value", field.number);
        outcome = set ? CONVERTED : NO_MEMORY;
    }
    return outcome;
}

/* Appends dependencies: a number, or several. */
static enum outcome add_dependencies(json_t *node, const char *key, const struct field *field)
{
    struct part numbers = field->bytes;
    json_t *list = json_object_get(node, key);
    uint64_t number = field->number;
    if (list == NULL) {
        list = json_array();
        if (json_object_set_new(node, key, list) != 0)
            return NO_MEMORY;
    }
    if (field->wire == WIRE_NUMBER)
        return json_array_append_new(list, json_integer((json_int_t)number)) == 0 ? CONVERTED
                                                                                  : NO_MEMORY;
    while (field->wire == WIRE_BYTES && numbers.at < numbers.end) {
        if (!take_number(&numbers, &number))
            return MALFORMED;
        if (json_array_append_new(list, json_integer((json_int_t)number)) != 0)
            return NO_MEMORY;
    }
    return field->wire == WIRE_BYTES ? CONVERTED : MALFORMED;
}

/* Converts a message: a node has an identifier or a type, which metadata lacks. */
static enum outcome convert(struct part part, json_t *node)
{
    json_t *list = json_array();
    bool is_node = false;
    enum outcome outcome = json_object_set_new(node, "attr", list) == 0 ? CONVERTED : NO_MEMORY;
    while (outcome == CONVERTED && part.at < part.end) {
        struct field field;
        if (!take_field(&part, &field))
            return MALFORMED;
        const char *key = field.id == 1 ? "id" : "type";
        if ((field.id == 1 || field.id == 3) && field.wire == WIRE_NUMBER) {
            is_node = true;
            outcome = set_number(node, key, field.number) ? CONVERTED : NO_MEMORY;
        } else if (field.id == 4 || field.id == 5) {
            outcome = add_dependencies(node, field.id == 4 ? "ctrl_deps" : "data_deps", &field);
        } else if (field.id == 10 && field.wire == WIRE_BYTES) {
            outcome = add_attribute(list, field.bytes);
        }
    }
    if (!is_node)
        json_object_clear(node);
    return outcome;
}

/* Reads a message after its length; metadata has no members. */
static bool next_message(struct chakra *chakra, json_t **object, struct err *err)
{
    const struct document *document = chakra->document;
    const unsigned char *text = (const unsigned char *)chakra->at;
    struct part file = {text, (const unsigned char *)document->text + document->size}, message;
    if (file.at == file.end)
        return true;
    if (!take_bytes(&file, &message))
        return document_wrong(document, chakra->at, err, ERR_CUT,
                              "the file ends in a message; expected its length and its bytes");
    *object = json_object();
    enum outcome outcome = *object != NULL ? convert(message, *object) : NO_MEMORY;
    chakra->next = (const char *)file.at;
    chakra->line++;
    if (outcome == CONVERTED)
        return true;
    json_decref(*object);
    *object = NULL;
    return outcome == NO_MEMORY
               ? err_no_memory(err, "a message of %s", document->name)
               : document_wrong(document, chakra->at, err, ERR_SYNTAX,
                                "a message that is no node; expected the fields of et_def.proto");
}

static bool list_messages(const struct document *document, struct transfers *transfers,
                          struct err *err)
{
    return chakra_list(document, next_message, transfers, err);
}

/* Returns whether a message begins as metadata: with a version of digits and points, or with an
 * attribute whose name is letters. */
static bool begins_metadata(const unsigned char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    const bool version = *at == (1 << 3 | WIRE_BYTES);
    if (!version && *at != (2 << 3 | WIRE_BYTES))
        return false;
    at++;
    if (!version) { /* the length of the attribute, then its first field */
        while (*at >= 0x80)
            at++;
        if (*at == 0 || *++at != (1 << 3 | WIRE_BYTES))
            return false;
        at++;
    }
    const unsigned length = *at;
    return length > 0 && length < 0x80 &&
           strspn((const char *)at + 1, version ? "0123456789." : letters) >= length;
}

/* The first message is metadata after its length, whose first byte may be a blank, which callers
 * skip. */
static bool is_messages(const char *head)
{
    const unsigned char *at = (const unsigned char *)head;
    if (begins_metadata(at))
        return true;
    while (*at >= 0x80)
        at++;
    return *at != '\0' && begins_metadata(at + 1);
}

const struct exchange_format exchange_chakra_et = {
    .name = "chakra-et",
    .what = "binary traces of Chakra",
    .suffix = "et",
    .most = CHAKRA_RANKS,
    .list = list_messages,
    .binary = true,
    .is_like = is_messages,
    .proof = GOAL_PROOF,
};
