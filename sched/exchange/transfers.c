/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/transfers.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    [COLUMN_REDUCTION] = {"reduction", "reduction", {"reduction"}},
    [COLUMN_LANE] = {"lane", "lane", {"lane"}}};

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
bool transfers_label(struct transfers *transfers, const char *at, const struct label *label,
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
    return transfers_label(transfers, at, &(struct label){.number = number}, label, err);
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
