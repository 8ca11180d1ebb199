/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/traffic/traffic_trace.h"

#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/base/scan.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

struct reader {
    struct scan *scan;
    struct traffic_scale scale;
    uint32_t nodes; /* matrix: columns of the first line; entries: highest number + 1 */
    size_t count, room;
    struct traffic_amount *amount;
};

static bool at_end(struct scan *scan)
{
    scan_blanks(scan);
    int byte = scan_peek(scan);
    return byte == '\n' || byte == '\r' || byte == '#' || byte == EOF;
}

/* -- Lines ------------------------------------------------------------------------------------- */

static bool keep(struct reader *reader, const struct traffic_amount *amount, struct err *err)
{
    if (amount->value == 0)
        return true;
    if (reader->count == reader->room) {
        size_t room = reader->room == 0 ? 1024 : reader->room * 2;
        struct traffic_amount *more =
            room <= TRAFFIC_MAX_ENTRIES ? realloc(reader->amount, room * sizeof *more) : NULL;
        if (more == NULL)
            return err_no_memory(err, "%zu entries of traffic", room);
        reader->amount = more;
        reader->room = room;
    }
    reader->amount[reader->count++] = *amount;
    return true;
}

/* Reads the end of a line or of the file. */
static bool end_line(struct scan *scan, struct err *err)
{
    if (scan_take(scan, '\r') && scan_peek(scan) != '\n')
        return scan_unexpected(scan, "a line feed after the carriage return", err);
    return scan_peek(scan) == EOF
               ? !ferror(scan->from) || scan_unexpected(scan, "the rest of the file", err)
               : scan_line_end(scan, err);
}

static bool take_comma(struct scan *scan)
{
    scan_blanks(scan);
    return scan_take(scan, ',') || scan_take(scan, ';');
}

/* Skips to the next line that has a field, past empty lines that end with CRLF. *more is false at
 * the end of the file. */
static bool next_line(struct scan *scan, bool *more, struct err *err)
{
    while ((*more = scan_next_line(scan)) && scan_peek(scan) == '\r')
        if (!end_line(scan, err))
            return false;
    return true;
}

/* -- A header ---------------------------------------------------------------------------------- */

static bool is_letter(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte >= 0x80;
}

/* Returns whether a name ends before this byte. A quoted name ends at the quotation mark. */
static bool ends_name(int byte, bool quoted)
{
    bool over = byte == '"' || byte == '\n' || byte == '\r' || byte == EOF;
    return over || (!quoted && (byte == ',' || byte == ';' || byte == ' ' || byte == '\t'));
}

/* Reads a name of a header, quoted or not. */
static bool name(struct scan *scan, uint64_t column, struct err *err)
{
    static const char *const no_names[] = {"nan", "inf", "infinity"};
    char word[10] = "";
    size_t length = 0;
    bool quoted = scan_take(scan, '"');
    if (!is_letter(scan_peek(scan)))
        return scan_unexpected(scan,
                               "a name, as the line begins with one; a header has names alone, "
                               "and a row has no label",
                               err);
    for (; !ends_name(scan_peek(scan), quoted); scan->at++, length++)
        if (length < sizeof word - 1)
            word[length] = *scan->at;
    for (size_t k = 0; k < sizeof no_names / sizeof *no_names; k++)
        if (strcasecmp(word, no_names[k]) == 0)
            return traffic_amount_refuse(scan, column, err, ERR_SYNTAX,
                                         "'%s' is no number; expected 0 or more", word);
    return !quoted || scan_take(scan, '"') ||
           scan_unexpected(scan, "a quotation mark after the name", err);
}

/* Skips a byte order mark and a header line of names. Rejects a line in which only some fields are
 * names, so that a typing error in the first row is not mistaken for a header. */
static bool header(struct scan *scan, struct err *err)
{
    bool more;
    if (scan_at_mark(scan))
        scan->at += SCAN_MARK_BYTES;
    if (!next_line(scan, &more, err))
        return false;
    int byte = scan_peek(scan);
    if (byte == '%')
        return scan_unexpected(scan, "numbers; a comment begins with #", err);
    if (byte == ',' || byte == ';')
        return scan_unexpected(
            scan, "in column 1 a number or a name; a table with row labels is not read", err);
    if (!is_letter(byte == '"' ? scan_peek_after(scan) : byte))
        return true;
    for (uint64_t column = 1; !at_end(scan); column++) {
        if (!name(scan, column, err))
            return false;
        take_comma(scan);
    }
    if (scan_peek(scan) == EOF)
        return scan_unexpected(scan, "numbers after the header", err);
    return end_line(scan, err);
}

/* -- Rows and entries -------------------------------------------------------------------------- */

/* Reads the node number of an entry, and a comma after it if there is one. */
static bool node(struct scan *scan, const char *what, uint32_t last, uint32_t *number,
                 struct err *err)
{
    bool read = traffic_amount_node(scan, what, last, number, err);
    if (read)
        take_comma(scan);
    return read;
}

/* Reads a row and counts its columns. */
static bool row(struct reader *reader, uint32_t source, struct err *err)
{
    struct scan *scan = reader->scan;
    uint32_t column = 0;
    do {
        struct traffic_amount amount = {.source = source, .destination = column};
        if (column == TRAFFIC_MAX_NODES)
            return traffic_amount_refuse(scan, column + UINT64_C(1), err, ERR_FIELD_RANGE,
                                         "too many columns; expected at most 2^24");
        if (!traffic_amount_read(scan, ++column, reader->scale, &amount, err) ||
            !keep(reader, &amount, err))
            return false;
        bool more = take_comma(scan);
        if (more && at_end(scan))
            return scan_unexpected(scan, "a number after the comma", err);
    } while (!at_end(scan));
    reader->nodes = source == 0 ? column : reader->nodes;
    if (scan_peek(scan) == EOF && ferror(scan->from))
        return scan_unexpected(scan, "the rest of the row", err);
    return column == reader->nodes ||
           scan_error(scan, err, ERR_SYNTAX,
                      "%" PRIu32 " number%s; expected %" PRIu32 ", as in the first row", column,
                      text_s(column), reader->nodes);
}

/* Checks that the number of rows is the number of columns. */
static bool check_square(const struct reader *reader, uint32_t rows, struct err *err)
{
    struct scan *scan = reader->scan;
    if (ferror(scan->from))
        return scan_unexpected(scan, "a row", err);
    if (rows == 0)
        return scan_error(scan, err, ERR_CUT, "an empty file; expected a matrix");
    return rows == reader->nodes ||
           scan_error(scan, err, ERR_CUT,
                      "the file ends after %" PRIu32 " row%s of %" PRIu32
                      " column%s; expected a square matrix",
                      rows, text_s(rows), reader->nodes, text_s(reader->nodes));
}

static bool matrix(struct reader *reader, struct err *err)
{
    struct scan *scan = reader->scan;
    bool more;
    if (!header(scan, err))
        return false;
    for (uint32_t rows = 0;; rows++) {
        if (!next_line(scan, &more, err))
            return false;
        if (!more)
            return check_square(reader, rows, err);
        if (rows > 0 && rows == reader->nodes)
            return scan_error(scan, err, ERR_SYNTAX,
                              "row %" PRIu32 " of %" PRIu32
                              " column%s; expected a square matrix; a header of numbers must begin "
                              "with #",
                              rows + 1, reader->nodes, text_s(reader->nodes));
        if (!row(reader, rows, err) || !end_line(scan, err))
            return false;
    }
}

static bool entry(struct reader *reader, uint32_t last, struct err *err)
{
    struct scan *scan = reader->scan;
    struct traffic_amount amount;
    if (!node(scan, "a source", last, &amount.source, err) ||
        !node(scan, "a destination", last, &amount.destination, err) ||
        !traffic_amount_read(scan, 0, reader->scale, &amount, err) || !keep(reader, &amount, err) ||
        (!at_end(scan) && !scan_unexpected(scan, "the end of the line", err)) ||
        !end_line(scan, err))
        return false;
    uint32_t highest = MAX(amount.source, amount.destination);
    reader->nodes = MAX(reader->nodes, highest + 1);
    return true;
}

/* Reads a trace, whose locations must be at most as many as the nodes that are given. */
static bool trace(struct reader *reader, struct err *err)
{
    const uint32_t given = reader->nodes;
    return traffic_trace_read(reader->scan, reader->scale, &reader->amount, &reader->count,
                              &reader->nodes, err) &&
           (given == 0 || reader->nodes <= given ||
            err_set(err, ERR_RANGE,
                    "{nodes}: %" PRIu32 ", but %s has %" PRIu32 " locations; expected at least as "
                    "many nodes",
                    given, reader->scan->name, reader->nodes));
}

static bool entries(struct reader *reader, struct err *err)
{
    struct scan *scan = reader->scan;
    if (traffic_trace_is(scan))
        return trace(reader, err);
    if (!traffic_trace_is_no_report(scan, err))
        return false;
    const uint32_t last = (reader->nodes > 0 ? reader->nodes : TRAFFIC_MAX_NODES) - 1;
    bool more = true;
    if (!header(scan, err))
        return false;
    while (next_line(scan, &more, err) && more)
        if (!entry(reader, last, err))
            return false;
    return !more && (!ferror(scan->from) || scan_unexpected(scan, "an entry", err));
}

/* -- Packets ----------------------------------------------------------------------------------- */

static bool convert(const struct reader *reader, struct traffic *traffic, struct err *err)
{
    if (reader->scale.total > 0)
        traffic_amount_share(reader->scale.total, reader->amount, reader->count);
    for (size_t k = 0; k < reader->count; k++) {
        const struct traffic_amount *amount = &reader->amount[k];
        if (!traffic_add(traffic, amount->source, amount->destination, amount->value, err))
            return false;
    }
    return traffic_finish(traffic, err);
}

static bool finish(const struct reader *reader, uint32_t nodes, struct traffic *traffic,
                   struct err *err)
{
    *traffic = (struct traffic){.nodes = nodes};
    bool converted = convert(reader, traffic, err);
    if (!converted)
        traffic_free(traffic);
    return converted;
}

static bool read_file(const char *path, bool is_matrix, struct traffic_scale scale, uint32_t nodes,
                      struct traffic *traffic, struct err *err)
{
    FILE *from = gzip_open(path, err);
    if (from == NULL)
        return false;
    struct reader reader = {
        .scan = scan_new(from, files_input_name(path), err), .scale = scale, .nodes = nodes};
    bool got = reader.scan != NULL && (is_matrix ? matrix(&reader, err) : entries(&reader, err)) &&
               finish(&reader, nodes == 0 ? reader.nodes : nodes, traffic, err);
    free(reader.amount);
    scan_free(reader.scan);
    fclose(from);
    return got;
}

bool traffic_read_matrix(const char *path, struct traffic_scale scale, struct traffic *traffic,
                         struct err *err)
{
    return read_file(path, true, scale, 0, traffic, err);
}

bool traffic_read_entries(const char *path, struct traffic_scale scale, uint32_t nodes,
                          struct traffic *traffic, struct err *err)
{
    return read_file(path, false, scale, nodes, traffic, err);
}
