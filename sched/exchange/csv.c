/* SPDX-License-Identifier: Apache-2.0 */
/* csv: a table of transfers, a line each, as scripts print it.
 *
 *     round,source,destination,packet        or, without a header,   0 0 1 7
 *     0,0,1,7                                the four values          (0, 0, 1, 7)
 *
 * The first line decides whether commas, semicolons, tabs or blanks separate the values, and
 * whether there is a header, which names the columns (transfers.h) in any order. Schedules that
 * combine have the columns `combine` and `reduction`, too, and trees the column `lane`. Other
 * columns are ignored, and so are brackets around a line, quotes around a value, empty lines and
 * comments (`#`). */
#include "sched/exchange/exchange.h"
#include "sched/exchange/transfers.h"

#include <inttypes.h>
#include <string.h>

#define CSV_COLUMNS 64

struct csv {
    struct transfers *transfers;
    char separator; /* ' ': any number of blanks */
    enum transfers_column column[CSV_COLUMNS];
    unsigned columns;
    bool begun; /* the first line was read */
};

struct value {
    const char *at;
    size_t length;
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Removes blanks, and `open` and `close` around them if both are there. */
static struct value strip(struct value value, const char *open, const char *close)
{
    while (value.length > 0 && is_blank(*value.at)) {
        value.at++;
        value.length--;
    }
    while (value.length > 0 && is_blank(value.at[value.length - 1]))
        value.length--;
    if (value.length < 2)
        return value;
    const char *which = strchr(open, *value.at);
    if (which == NULL || close[which - open] != value.at[value.length - 1])
        return value;
    return strip((struct value){value.at + 1, value.length - 2}, "", "");
}

/* Cuts the next value from a line. Returns false at its end. */
static bool next_value(char separator, struct value *line, struct value *value)
{
    if (separator == ' ')
        *line = strip(*line, "", "");
    if (line->at == NULL || (separator == ' ' && line->length == 0))
        return false;
    size_t length = 0;
    char quote = '\0';
    for (; length < line->length; length++) {
        char byte = line->at[length];
        if (quote == '\0' && (byte == separator || (separator == ' ' && byte == '\t')))
            break;
        if (byte == '"')
            quote = quote == '\0' ? byte : '\0';
    }
    *value = strip((struct value){line->at, length}, "\"'", "\"'");
    bool last = length == line->length;
    *line =
        (struct value){last ? NULL : line->at + length + 1, last ? 0 : line->length - length - 1};
    return true;
}

static char separator_of(const struct value *line)
{
    static const char separators[] = ",;\t";
    for (const char *separator = separators; *separator != '\0'; separator++)
        if (memchr(line->at, *separator, line->length) != NULL)
            return *separator;
    return ' ';
}

static bool is_number(const struct value *value)
{
    return value->length > 0 && *value->at >= '0' && *value->at <= '9';
}

/* Reads the header, or, if the first value is a number, assumes one. */
static bool read_header(struct csv *csv, struct value line, bool *header, struct err *err)
{
    const struct document *document = csv->transfers->document;
    const char *at = line.at;
    struct value value;
    bool found[COLUMN_OTHER + 1] = {false};
    csv->separator = separator_of(&line);
    struct value first = line;
    *header = !next_value(csv->separator, &first, &value) || !is_number(&value);
    while (*header && next_value(csv->separator, &line, &value)) {
        if (csv->columns == CSV_COLUMNS)
            return document_wrong(document, value.at, err, ERR_TOO_BIG,
                                  "more than %d columns; expected fewer", CSV_COLUMNS);
        enum transfers_column column = transfers_column_of(value.at, value.length);
        if (column != COLUMN_OTHER && found[column])
            return document_wrong(document, value.at, err, ERR_SYNTAX,
                                  "a second column of the same kind, '%.*s'; expected one of %s",
                                  (int)value.length, value.at, transfers_column_names(column));
        found[column] = true;
        csv->column[csv->columns++] = column;
    }
    for (unsigned column = 0; !*header && column < COLUMNS; column++) {
        csv->column[csv->columns++] = (enum transfers_column)column;
        found[column] = true;
    }
    if (!transfers_check_columns(csv->transfers, at, found, err))
        return false;
    csv->begun = true;
    return true;
}

static bool read_line(struct csv *csv, struct value line, uint32_t number, struct err *err)
{
    const char *at = line.at;
    struct listed entry = {.line = number};
    struct value value;
    unsigned count = 0;
    for (; next_value(csv->separator, &line, &value); count++) {
        if (count == csv->columns)
            return document_wrong(csv->transfers->document, value.at, err, ERR_SYNTAX,
                                  "more than %u values; expected as many as columns", csv->columns);
        if (!transfers_value(csv->transfers, csv->column[count], value.at, value.length, &entry,
                             err))
            return false;
    }
    if (count < csv->columns)
        return document_wrong(csv->transfers->document, at, err, ERR_SYNTAX,
                              "%u values; expected %u%s", count, csv->columns,
                              csv->columns == COLUMNS ? ": round, source, destination, packet"
                                                      : ", as many as columns");
    return transfers_add(csv->transfers, at, &entry, err);
}

static bool list_csv(const struct document *document, struct transfers *transfers, struct err *err)
{
    struct csv csv = {.transfers = transfers};
    uint32_t number = 0;
    for (const char *at = document->text, *end = at + document->size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline != NULL ? newline : end;
        struct value line = strip((struct value){at, (size_t)(stop - at)}, "([", ")]");
        at = stop + 1;
        transfers->lines = ++number;
        if (line.length == 0 || *line.at == '#')
            continue;
        bool header = false;
        if (!csv.begun && !read_header(&csv, line, &header, err))
            return false;
        if (!header && !read_line(&csv, line, number, err))
            return false;
    }
    return true;
}

/* Returns whether the first line begins with a number, or names sources and destinations. */
static bool is_csv(const char *head)
{
    struct value line = {head, strcspn(head, "\n")}, value;
    while (*line.at == '#' || (line.length == 0 && *line.at == '\n')) {
        const char *next = line.at + line.length;
        next += *next == '\n';
        line = (struct value){next, strcspn(next, "\n")};
    }
    line = strip(line, "([", ")]");
    char separator = separator_of(&line);
    bool found[COLUMN_OTHER + 1] = {false}, first = true, number = false;
    for (; next_value(separator, &line, &value); first = false) {
        number = number || (first && is_number(&value));
        found[transfers_column_of(value.at, value.length)] = true;
    }
    return number || (found[COLUMN_SOURCE] && found[COLUMN_DESTINATION]);
}

/* Writes the columns of combined packets, which are empty for other packets. */
static void write_combined(FILE *to, const struct schedule *schedule, size_t index)
{
    const struct demand *demand = schedule_demand_of(schedule, schedule->transfer[index].packet);
    if (demand->reduction == NULL) {
        fputs(",,", to);
        return;
    }
    fprintf(to, ",%s,", transfers_combine_text(schedule_combining(schedule, index)));
    transfers_write_reduction(to, demand);
}

static void write_transfer(FILE *to, const struct schedule *schedule, uint64_t time, size_t index)
{
    const struct transfer *transfer = &schedule->transfer[index];
    const struct topology *topology = &schedule->topology;
    char when[RATIONAL_TEXT], from[TOPOLOGY_NODE_TEXT], at[TOPOLOGY_NODE_TEXT];
    fprintf(to, "%s,%s,%s,%" PRIu32, rational_text(time, schedule->lambda.denominator, when),
            topology_node_text(topology, transfer->source, from),
            topology_node_text(topology, transfer->destination, at), transfer->packet);
    if (topology_has_routers(topology))
        fprintf(to, ",%" PRIu32, schedule->lane[index]);
    if (schedule->has_reductions)
        write_combined(to, schedule, index);
    fputc('\n', to);
}

static bool write_csv(FILE *to, const struct schedule *schedule,
                      const struct exchange_options *options, struct err *err)
{
    (void)options, (void)err;
    fprintf(to, "%s,source,destination,packet%s%s\n",
            model_has_times(schedule->model) ? "time" : "round",
            topology_has_routers(&schedule->topology) ? ",lane" : "",
            schedule->has_reductions ? ",combine,reduction" : "");
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k);
             index++)
            write_transfer(to, schedule, schedule->step[k].time, index);
    return true;
}

const struct exchange_format exchange_csv = {
    .name = "csv",
    .what = "a table of transfers",
    .suffix = "csv",
    .lacks = EXCHANGE_CONTROL,
    .most = SCHEDULE_MAX_NODES,
    .is_like = is_csv,
    .write = write_csv,
    .list = list_csv,
    .given = true,
};
