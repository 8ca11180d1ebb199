/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/transfers.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PART_DIGITS 18 /* digits of the part of a time */
#define PART UINT64_C(1000000000000000000)
#define COLUMN_NAMES 10

/* --- columns ------------------------------------------------------------------------------ */

static const struct column_row {
    const char *what;  /* the content, for messages */
    const char *names; /* the usual names, for messages */
    const char *name[COLUMN_NAMES];
} columns[COLUMN_OTHER] = {
    [COLUMN_TIME] = {"round",
                     "round, time, step, slot, cycle, tick, epoch or t",
                     {"round", "time", "step", "slot", "cycle", "tick", "epoch", "start", "t",
                      "r"}},
    [COLUMN_SOURCE] = {"source",
                       "source, src, from, sender or s",
                       {"source", "src", "from", "sender", "s", "u"}},
    [COLUMN_DESTINATION] = {"destination",
                            "destination, dst, dest, to, receiver or d",
                            {"destination", "dst", "dest", "to", "receiver", "target", "d", "v"}},
    [COLUMN_PACKET] = {"packet",
                       "packet, chunk, message, msg, block, data, id or p",
                       {"packet", "chunk", "message", "msg", "block", "data", "piece", "id", "p",
                        "c"}},
    [COLUMN_COMBINE] = {"combination", "combine", {"combine"}},
    [COLUMN_REDUCTION] = {"reduction", "reduction", {"reduction"}}};

enum transfers_column transfers_column_of(const char *name, size_t length)
{
    for (unsigned column = 0; column < COLUMN_OTHER; column++)
        for (size_t k = 0; k < COLUMN_NAMES && columns[column].name[k] != NULL; k++)
            if (strlen(columns[column].name[k]) == length &&
                strncasecmp(columns[column].name[k], name, length) == 0)
                return (enum transfers_column)column;
    return COLUMN_OTHER;
}

const char *transfers_column_names(enum transfers_column column)
{
    return columns[column].names;
}

bool transfers_check_columns(struct transfers *transfers, const char *at,
                             const bool found[COLUMN_OTHER + 1], struct err *err)
{
    for (unsigned column = COLUMN_TIME + 1; column < COLUMNS; column++)
        if (!found[column])
            return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                                  "no %s; expected a value named %s", columns[column].what,
                                  columns[column].names);
    if (transfers->count == 0)
        transfers->timed = found[COLUMN_TIME];
    return transfers->timed == found[COLUMN_TIME] ||
           document_wrong(transfers->document, at, err, ERR_SYNTAX,
                          "%s; expected all transfers to have a round, or none",
                          transfers->timed ? "no round" : "a round");
}

/* --- labels ------------------------------------------------------------------------------- */

static uint32_t *bucket_of(const struct transfers *transfers, const struct label *label)
{
    uint64_t key = label->number * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t mask = transfers->buckets - 1, place = (uint32_t)(key >> 32) & mask;
    for (;; place = (place + 1) & mask) {
        uint32_t *bucket = &transfers->bucket[place];
        const struct label *other = &transfers->label[*bucket > 0 ? *bucket - 1 : 0];
        if (*bucket == 0)
            return bucket;
        if (other->number == label->number && other->length == label->length &&
            (label->text == NULL) == (other->text == NULL) &&
            (label->text == NULL || memcmp(label->text, other->text, label->length) == 0))
            return bucket;
    }
}

/* Makes room for another label, with at most half of the buckets in use. */
static bool has_room(struct transfers *transfers)
{
    if (transfers->label_count < transfers->label_room)
        return true;
    uint32_t room = 2 * transfers->label_room + 8;
    struct label *label = realloc(transfers->label, room * sizeof *label);
    if (label == NULL)
        return false;
    transfers->label = label;
    uint32_t buckets = 16;
    while (buckets < 2 * room)
        buckets *= 2;
    uint32_t *bucket = calloc(buckets, sizeof *bucket);
    if (bucket == NULL)
        return false;
    free(transfers->bucket);
    transfers->bucket = bucket;
    transfers->buckets = buckets;
    transfers->label_room = room;
    for (uint32_t index = 0; index < transfers->label_count; index++)
        *bucket_of(transfers, &label[index]) = index + 1;
    return true;
}

/* Finds or adds a label. */
static bool intern(struct transfers *transfers, const char *at, const struct label *label,
                   uint32_t *index, struct err *err)
{
    if (!has_room(transfers))
        return err_no_memory(err, "%" PRIu32 " packets", transfers->label_count);
    uint32_t *bucket = bucket_of(transfers, label);
    if (*bucket == 0) {
        if (transfers->label_count == SCHEDULE_MAX_PACKETS)
            return document_wrong(transfers->document, at, err, ERR_TOO_BIG,
                                  "another packet; expected at most %" PRIu32,
                                  SCHEDULE_MAX_PACKETS);
        transfers->label[transfers->label_count] = *label;
        *bucket = ++transfers->label_count;
    }
    *index = *bucket - 1;
    return true;
}

bool transfers_number(struct transfers *transfers, const char *at, uint64_t number, uint32_t *label,
                      struct err *err)
{
    return intern(transfers, at, &(struct label){.number = number}, label, err);
}

/* --- values ------------------------------------------------------------------------------- */

/* Reads the decimal digits from *at on, up to `end`. Returns false for none, or on overflow. */
static bool read_digits(const char **at, const char *end, uint64_t *number)
{
    const char *start = *at;
    *number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(**at - '0'), number))
            return false;
    return *at > start;
}

/* Reads a time with an exponent, such as 1e-06. */
static bool read_exponent(const char *at, size_t length, struct listed *entry)
{
    char text[40], *end;
    if (length >= sizeof text || strspn(at, "0123456789.eE+-") < length)
        return false;
    memcpy(text, at, length);
    text[length] = '\0';
    double value = strtod(text, &end), whole;
    if (*end != '\0' || !(value >= 0 && value < (double)SCHEDULE_MAX_TIME))
        return false;
    double part = modf(value, &whole) * (double)PART;
    *entry = (struct listed){.time = (uint64_t)whole, .part = (uint64_t)part};
    return true;
}

/* Reads a time: 12, 12.5 or 1.25e-05. */
static bool read_time(const char *at, size_t length, struct listed *entry)
{
    const char *start = at, *end = at + length;
    uint64_t whole, part = 0;
    if (!read_digits(&at, end, &whole))
        return false;
    if (at < end && *at == '.') {
        unsigned digits = 0;
        for (at++; at < end && *at >= '0' && *at <= '9'; at++, digits++)
            if (digits < PART_DIGITS)
                part = part * 10 + (uint64_t)(*at - '0');
        for (; digits < PART_DIGITS; digits++)
            part *= 10;
    }
    if (at < end)
        return read_exponent(start, length, entry);
    entry->time = whole;
    entry->part = part;
    return true;
}

static bool take_time(struct transfers *transfers, const char *at, size_t length,
                      struct listed *entry, struct err *err)
{
    struct listed read = {0};
    if (!read_time(at, length, &read))
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected a round or a time, 0 or more",
                              (int)(length < 40 ? length : 40), at);
    if (read.time >= SCHEDULE_MAX_TIME)
        return document_wrong(transfers->document, at, err, ERR_FIELD_RANGE,
                              "round %" PRIu64 "; expected less than %" PRIu64, read.time,
                              SCHEDULE_MAX_TIME);
    transfers->fraction = transfers->fraction || read.part > 0;
    entry->time = read.time;
    entry->part = read.part;
    return true;
}

static bool take_node(struct transfers *transfers, const char *at, size_t length, uint32_t *node,
                      struct err *err)
{
    const char *next = at;
    uint64_t number;
    if (!read_digits(&next, at + length, &number) || next < at + length)
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected the number of a node, from 0",
                              (int)(length < 40 ? length : 40), at);
    if (number >= SCHEDULE_MAX_NODES)
        return document_wrong(transfers->document, at, err, ERR_FIELD_RANGE,
                              "node %" PRIu64 "; expected 0 … %" PRIu32, number,
                              SCHEDULE_MAX_NODES - 1);
    *node = (uint32_t)number;
    return true;
}

static bool take_packet(struct transfers *transfers, const char *at, size_t length, uint32_t *label,
                        struct err *err)
{
    const char *next = at;
    struct label read = {0};
    if (length == 0)
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "no packet; expected its number or name");
    if (!read_digits(&next, at + length, &read.number) || next < at + length) {
        read = (struct label){.text = at, .length = (uint32_t)length};
        for (size_t k = 0; k < length; k++)
            read.number = (read.number ^ (unsigned char)at[k]) * UINT64_C(0x100000001b3);
    }
    return intern(transfers, at, &read, label, err);
}

static bool take_combine(struct transfers *transfers, const char *at, size_t length,
                         unsigned *combining, struct err *err)
{
    return transfers_read_combine(at, length, combining) ||
           document_wrong(transfers->document, at, err, ERR_SYNTAX,
                          "'%.*s'; expected combine, received, replace or received+replace",
                          (int)(length < 40 ? length : 40), at);
}

bool transfers_value(struct transfers *transfers, enum transfers_column column, const char *at,
                     size_t length, struct listed *entry, struct err *err)
{
    switch (column) {
    case COLUMN_TIME:
        return take_time(transfers, at, length, entry, err);
    case COLUMN_SOURCE:
        return take_node(transfers, at, length, &entry->source, err);
    case COLUMN_DESTINATION:
        return take_node(transfers, at, length, &entry->destination, err);
    case COLUMN_PACKET:
        return take_packet(transfers, at, length, &entry->label, err);
    case COLUMN_COMBINE:
        return take_combine(transfers, at, length, &entry->combining, err);
    case COLUMN_REDUCTION:
        transfers->reduction = length > 0 ? at : NULL;
        transfers->reduction_length = (uint32_t)length;
        return true;
    default:
        return true;
    }
}

/* Records the reduction of an entry's packet. */
static bool set_reduction(struct transfers *transfers, const struct listed *entry, struct err *err)
{
    struct label *label = &transfers->label[entry->label];
    const char *text = transfers->reduction;
    const uint32_t length = transfers->reduction_length;
    transfers->reduction = NULL;
    if (text == NULL)
        return true;
    if (label->reduction != NULL &&
        (label->reduction_length != length || memcmp(label->reduction, text, length) != 0))
        return document_wrong(transfers->document, text, err, ERR_SYNTAX,
                              "'%.*s'; expected '%.*s', as before for this packet",
                              (int)MIN(length, 40), text, (int)MIN(label->reduction_length, 40),
                              label->reduction);
    label->reduction = text;
    label->reduction_length = length;
    transfers->combines = true;
    return true;
}

bool transfers_add(struct transfers *transfers, const char *at, const struct listed *entry,
                   struct err *err)
{
    if (entry->source == entry->destination)
        return document_wrong(transfers->document, at, err, ERR_SELF_SEND,
                              "node %" PRIu32 " sends to itself; expected another node",
                              entry->source);
    if (!set_reduction(transfers, entry, err))
        return false;
    struct listed *larger =
        memory_grow(transfers->entry, transfers->count + 1, &transfers->room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu transfers", transfers->count + 1);
    transfers->entry = larger;
    transfers->entry[transfers->count++] = *entry;
    uint32_t last = entry->source > entry->destination ? entry->source : entry->destination;
    if (last >= transfers->nodes)
        transfers->nodes = last + 1;
    return true;
}

void transfers_free(struct transfers *transfers)
{
    free(transfers->entry);
    free(transfers->label);
    free(transfers->bucket);
    *transfers = (struct transfers){0};
}
