/* SPDX-License-Identifier: Apache-2.0 */
/* teccl: schedules as TE-CCL's solver writes them (Liu and others 2024; its output directories).
 *
 *     "7-Flows": [
 *       "Chunk 0 from 4 traveled over 4->20 in epoch 0",
 *       "Chunk 0 from 4 traveled over 20->33 in epoch 9 via switches 17"]
 *
 * An epoch becomes a round. Chunk c from GPU g is a packet. GPUs are renumbered from 0 in their
 * order, because the file numbers switches among them; switches that a chunk passes are omitted. A
 * flow with a volume other than 1 is a part of a chunk, which packets do not have. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/transfers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

struct teccl {
    struct transfers *transfers;
    const char *at;
    const char *counted; /* the place up to which lines are counted */
    uint32_t line;
};

static bool wrong(const struct teccl *teccl, struct err *err, const char *expected)
{
    return document_wrong(teccl->transfers->document, teccl->at, err,
                          *teccl->at == '\0' ? ERR_CUT : ERR_SYNTAX, "no %s; expected %s", expected,
                          "\"Chunk C from G traveled over G->G [with volume 1] in epoch E [via "
                          "switches S]\"");
}

/* Skips a text if it comes next. */
static bool take(struct teccl *teccl, const char *text)
{
    bool taken = strncmp(teccl->at, text, strlen(text)) == 0;
    teccl->at += taken ? strlen(text) : 0;
    return taken;
}

/* Reads the value of a column, which ends before one of the bytes `ends`. */
static bool read_value(struct teccl *teccl, enum transfers_column column, const char *ends,
                       struct listed *entry, struct err *err)
{
    const char *at = teccl->at;
    size_t length = strcspn(at, ends);
    teccl->at += length;
    return transfers_value(teccl->transfers, column, at, length, entry, err);
}

/* Reads the packet, "C from G", up to the word after it. */
static bool read_packet(struct teccl *teccl, struct listed *entry, struct err *err)
{
    const char *at = teccl->at;
    teccl->at += strspn(teccl->at, "0123456789");
    if (teccl->at == at || !take(teccl, " from "))
        return wrong(teccl, err, "chunk");
    teccl->at += strspn(teccl->at, "0123456789");
    return transfers_value(teccl->transfers, COLUMN_PACKET, at, (size_t)(teccl->at - at), entry,
                           err);
}

static bool read_volume(struct teccl *teccl, struct err *err)
{
    char *end;
    const char *at = teccl->at;
    if (!take(teccl, " with volume "))
        return true;
    double volume = strtod(teccl->at, &end);
    if (end == teccl->at)
        return wrong(teccl, err, "volume");
    teccl->at = end;
    return volume == 1 || document_wrong(teccl->transfers->document, at + 1, err, ERR_UNSUPPORTED,
                                         "a part of a chunk; expected volume 1");
}

static bool read_flow(struct teccl *teccl, struct err *err)
{
    for (; teccl->counted < teccl->at; teccl->counted++)
        teccl->line += *teccl->counted == '\n';
    const char *at = teccl->at;
    struct listed entry = {.line = teccl->line};
    if (!take(teccl, "\"Chunk "))
        return wrong(teccl, err, "chunk");
    if (!read_packet(teccl, &entry, err))
        return false;
    if (!take(teccl, " traveled over "))
        return wrong(teccl, err, "link");
    if (!read_value(teccl, COLUMN_SOURCE, "-\" \n", &entry, err))
        return false;
    if (!take(teccl, "->"))
        return wrong(teccl, err, "link");
    if (!read_value(teccl, COLUMN_DESTINATION, "\" \n", &entry, err) || !read_volume(teccl, err))
        return false;
    if (!take(teccl, " in epoch "))
        return wrong(teccl, err, "epoch");
    if (!read_value(teccl, COLUMN_TIME, "\" \n", &entry, err))
        return false;
    if (take(teccl, " via switches "))
        teccl->at += strcspn(teccl->at, "\"\n");
    if (!take(teccl, "\""))
        return wrong(teccl, err, "end of the flow");
    return transfers_add(teccl->transfers, at, &entry, err);
}

/* Numbers the GPUs from 0, in their order. */
static bool renumber(struct transfers *transfers, struct err *err)
{
    uint32_t *number = calloc(transfers->nodes + (size_t)1, sizeof *number), count = 0;
    if (number == NULL)
        return err_no_memory(err, "%" PRIu32 " GPUs", transfers->nodes);
    for (size_t k = 0; k < transfers->count; k++) {
        number[transfers->entry[k].source] = 1;
        number[transfers->entry[k].destination] = 1;
    }
    for (uint32_t node = 0; node < transfers->nodes; node++) {
        bool used = number[node] > 0;
        number[node] = count;
        count += used;
    }
    for (size_t k = 0; k < transfers->count; k++) {
        transfers->entry[k].source = number[transfers->entry[k].source];
        transfers->entry[k].destination = number[transfers->entry[k].destination];
    }
    transfers->nodes = count;
    free(number);
    return true;
}

static bool list_teccl(const struct document *document, struct transfers *transfers,
                       struct err *err)
{
    static const char key[] = "-Flows\"";
    const char *found = strstr(document->text, key);
    struct teccl teccl = {transfers, document->text, document->text, 1};
    if (found == NULL)
        return wrong(&teccl, err, "\"7-Flows\"");
    teccl.at = found + strlen(key);
    teccl.at += strspn(teccl.at, BLANKS ":");
    if (!take(&teccl, "["))
        return wrong(&teccl, err, "list of flows");
    transfers->timed = true;
    for (bool more = true; more;) {
        teccl.at += strspn(teccl.at, BLANKS);
        if (!read_flow(&teccl, err))
            return false;
        teccl.at += strspn(teccl.at, BLANKS);
        more = take(&teccl, ",");
    }
    transfers->lines = document_line(document, teccl.at);
    return take(&teccl, "]") ? renumber(transfers, err) : wrong(&teccl, err, "']'");
}

static bool is_teccl(const char *head)
{
    return *head == '{' && strstr(head, "Epoch_Duration\"") != NULL;
}

const struct exchange_format exchange_teccl = {
    .name = "teccl",
    .what = "flows, of TE-CCL",
    .suffix = "json",
    .most = SCHEDULE_MAX_NODES,
    .list = list_teccl,
    .given = true,
    .is_like = is_teccl,
};
