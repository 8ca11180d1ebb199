/* SPDX-License-Identifier: Apache-2.0 */
/* jsonl: transfers as JSON, one after another (JSON lines) or in an array.
 *
 *     {"round": 0, "source": 0, "destination": 1, "packet": 7}       keys as columns (transfers.h)
 *     [0, 0, 1, 7]                                                   the four values
 *
 * Keys with other names are ignored. Texts may have single quotes, and arrays round brackets, as
 * Python prints them. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/transfers.h"

#include <inttypes.h>
#include <string.h>

struct jsonl {
    struct transfers *transfers;
    const char *at;
    const char *counted; /* the place up to which lines are counted */
    uint32_t line;
};

static bool wrong(const struct jsonl *jsonl, struct err *err, const char *expected)
{
    if (*jsonl->at == '\0')
        return document_wrong(jsonl->transfers->document, jsonl->at, err, ERR_CUT,
                              "the file ends; expected %s", expected);
    return document_wrong(jsonl->transfers->document, jsonl->at, err, ERR_SYNTAX,
                          "'%.1s'; expected %s", jsonl->at, expected);
}

static void skip_blanks(struct jsonl *jsonl)
{
    jsonl->at += strspn(jsonl->at, " \t\r\n");
}

static bool take(struct jsonl *jsonl, char byte)
{
    skip_blanks(jsonl);
    bool taken = *jsonl->at == byte;
    jsonl->at += taken;
    return taken;
}

/* Reads a text in quotes; at[length] is its content, with escapes as they are written. */
static bool read_text(struct jsonl *jsonl, const char **at, size_t *length, struct err *err)
{
    char quote = *jsonl->at;
    *at = ++jsonl->at;
    while (*jsonl->at != quote) {
        if (*jsonl->at == '\\')
            jsonl->at++;
        if (*jsonl->at == '\0' || *jsonl->at == '\n')
            return wrong(jsonl, err, "the end of a text");
        jsonl->at++;
    }
    *length = (size_t)(jsonl->at++ - *at);
    return true;
}

static bool is_quote(char byte)
{
    return byte == '"' || byte == '\'';
}

/* Reads a number, a text or a word such as null. */
static bool read_scalar(struct jsonl *jsonl, const char **at, size_t *length, struct err *err)
{
    skip_blanks(jsonl);
    if (is_quote(*jsonl->at))
        return read_text(jsonl, at, length, err);
    *at = jsonl->at;
    *length = strcspn(jsonl->at, " \t\r\n,:[](){}\"'");
    jsonl->at += *length;
    return *length > 0 || wrong(jsonl, err, "a value");
}

/* Skips a value of any kind: the brackets of arrays and objects are counted. */
static bool skip_value(struct jsonl *jsonl, struct err *err)
{
    const char *at;
    size_t length, depth = 0;
    do {
        skip_blanks(jsonl);
        if (strchr("[({", *jsonl->at) != NULL && *jsonl->at != '\0') {
            depth++;
            jsonl->at++;
        } else if (depth > 0 && strchr("])},:", *jsonl->at) != NULL && *jsonl->at != '\0') {
            depth -= strchr("])}", *jsonl->at) != NULL;
            jsonl->at++;
        } else if (!read_scalar(jsonl, &at, &length, err)) {
            return false;
        }
    } while (depth > 0);
    return true;
}

static bool read_value(struct jsonl *jsonl, enum transfers_column column, struct listed *entry,
                       struct err *err)
{
    const char *at;
    size_t length;
    return read_scalar(jsonl, &at, &length, err) &&
           transfers_value(jsonl->transfers, column, at, length, entry, err);
}

/* Reads the members of an object, after its brace. */
static bool read_object(struct jsonl *jsonl, bool found[COLUMN_OTHER + 1], struct listed *entry,
                        struct err *err)
{
    const char *key = NULL;
    size_t length = 0;
    if (take(jsonl, '}'))
        return true;
    do {
        skip_blanks(jsonl);
        if (!is_quote(*jsonl->at))
            return wrong(jsonl, err, "a key in quotes");
        if (!read_text(jsonl, &key, &length, err))
            return false;
        if (!take(jsonl, ':'))
            return wrong(jsonl, err, "':'");
        enum transfers_column column = transfers_column_of(key, length);
        if (column != COLUMN_OTHER && found[column])
            return document_wrong(jsonl->transfers->document, key, err, ERR_SYNTAX,
                                  "a second value of the same kind, '%.*s'; expected one of %s",
                                  (int)length, key, transfers_column_names(column));
        found[column] = true;
        if (column == COLUMN_OTHER ? !skip_value(jsonl, err)
                                   : !read_value(jsonl, column, entry, err))
            return false;
    } while (take(jsonl, ','));
    return take(jsonl, '}') || wrong(jsonl, err, "',' or '}'");
}

/* Reads the four values of an array, after its bracket, and the bracket that closes it. */
static bool read_array(struct jsonl *jsonl, char close, bool found[COLUMN_OTHER + 1],
                       struct listed *entry, struct err *err)
{
    for (unsigned column = 0; column < COLUMNS; column++) {
        if (column > 0 && !take(jsonl, ','))
            return wrong(jsonl, err, "',': round, source, destination and packet");
        if (!read_value(jsonl, (enum transfers_column)column, entry, err))
            return false;
        found[column] = true;
    }
    return take(jsonl, close) ||
           wrong(jsonl, err, close == ']' ? "']' after four values" : "')' after four values");
}

static bool read_transfer(struct jsonl *jsonl, struct err *err)
{
    bool found[COLUMN_OTHER + 1] = {false};
    for (; jsonl->counted < jsonl->at; jsonl->counted++)
        jsonl->line += *jsonl->counted == '\n';
    const char *at = jsonl->at;
    struct listed entry = {.line = jsonl->line};
    bool read;
    if (take(jsonl, '{'))
        read = read_object(jsonl, found, &entry, err);
    else if (take(jsonl, '['))
        read = read_array(jsonl, ']', found, &entry, err);
    else if (take(jsonl, '('))
        read = read_array(jsonl, ')', found, &entry, err);
    else
        return wrong(jsonl, err, "a transfer: an object or an array");
    return read && transfers_check_columns(jsonl->transfers, at, found, err) &&
           transfers_add(jsonl->transfers, at, &entry, err);
}

/* Returns whether the transfers are in an array: its first element is an array or an object. */
static bool take_outer(struct jsonl *jsonl)
{
    const char *start = jsonl->at;
    if (take(jsonl, '[')) {
        skip_blanks(jsonl);
        if (strchr("[({", *jsonl->at) != NULL && *jsonl->at != '\0')
            return true;
    }
    jsonl->at = start;
    return false;
}

static bool list_jsonl(const struct document *document, struct transfers *transfers,
                       struct err *err)
{
    struct jsonl jsonl = {transfers, document->text, document->text, 1};
    bool outer = take_outer(&jsonl), closed = false;
    for (skip_blanks(&jsonl); *jsonl.at != '\0' && !closed; skip_blanks(&jsonl)) {
        if (!read_transfer(&jsonl, err))
            return false;
        take(&jsonl, ',');
        closed = outer && take(&jsonl, ']');
    }
    transfers->lines = document_line(document, jsonl.at);
    return outer == closed && *jsonl.at == '\0'
               ? true
               : wrong(&jsonl, err, closed ? "the end of the file" : "']' at the end of the array");
}

static bool is_jsonl(const char *head)
{
    return *head == '{' || *head == '[';
}

/* Writes the keys of a combined packet. */
static void write_combined(FILE *to, const struct schedule *schedule, size_t index)
{
    const struct demand *demand = schedule_demand_of(schedule, schedule->transfer[index].packet);
    if (demand->reduction == NULL)
        return;
    fprintf(to, ", \"combine\": \"%s\", \"reduction\": \"",
            transfers_combine_text(schedule_combining(schedule, index)));
    transfers_write_reduction(to, demand);
    fputc('"', to);
}

/* Writes a value of a key: a number, or as a text in quotes if it is not one. */
static void write_value(FILE *to, const char *key, const char *text)
{
    const char *quote = strpbrk(text, "/:") != NULL ? "\"" : "";
    fprintf(to, "\"%s\": %s%s%s, ", key, quote, text, quote);
}

static void write_transfer(FILE *to, const struct schedule *schedule, uint64_t time, size_t index)
{
    const struct transfer *transfer = &schedule->transfer[index];
    const struct topology *topology = &schedule->topology;
    char when[RATIONAL_TEXT], node[TOPOLOGY_NODE_TEXT];
    fputc('{', to);
    write_value(to, model_has_times(schedule->model) ? "time" : "round",
                rational_text(time, schedule->lambda.denominator, when));
    write_value(to, "source", topology_node_text(topology, transfer->source, node));
    write_value(to, "destination", topology_node_text(topology, transfer->destination, node));
    fprintf(to, "\"packet\": %" PRIu32, transfer->packet);
    if (topology_has_routers(topology))
        fprintf(to, ", \"lane\": %" PRIu32, schedule->lane[index]);
    write_combined(to, schedule, index);
    fputs("}\n", to);
}

static bool write_jsonl(FILE *to, const struct schedule *schedule,
                        const struct exchange_options *options, struct err *err)
{
    (void)options, (void)err;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k);
             index++)
            write_transfer(to, schedule, schedule->step[k].time, index);
    return true;
}

const struct exchange_format exchange_jsonl = {
    .name = "jsonl",
    .what = "transfers as JSON lines",
    .suffix = "jsonl",
    .lacks = EXCHANGE_CONTROL,
    .most = SCHEDULE_MAX_NODES,
    .is_like = is_jsonl,
    .write = write_jsonl,
    .list = list_jsonl,
    .given = true,
};
