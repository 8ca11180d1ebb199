/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/traffic/traffic_read.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/base/gzip.h"
#include "sched/base/scan.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* Amounts are counted in units of 10^-9, so that fractions are exact. */
#define NANO UINT64_C(1000000000)
#define DECIMALS 9
#define MAX_WHOLE (UINT64_MAX / NANO)

struct amount {
    uint32_t source, destination;
    uint64_t nano;
};

struct reader {
    struct scan *scan;
    struct traffic_unit unit;
    uint32_t nodes; /* a matrix: columns of the first line; entries: highest number + 1 */
    size_t count, room;
    struct amount *amount;
    uint64_t column; /* of a matrix, from 1; 0: not in a matrix */
};

/* -- Numbers ----------------------------------------------------------------------------------- */

/* `name:line: `, and where in the matrix. */
static bool refuse(const struct reader *reader, enum err_code code, const char *what,
                   struct err *err)
{
    if (reader->column == 0)
        return scan_error(reader->scan, err, code, "%s", what);
    return scan_error(reader->scan, err, code, "column %" PRIu64 ": %s", reader->column, what);
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

/* K, M, G, or Ki, Mi, Gi; 1 if there is no suffix. */
static uint64_t suffix(struct scan *scan)
{
    static const char letters[] = "KMG";
    uint64_t decimal = 1, binary = 1;
    for (const char *letter = letters; *letter != '\0'; letter++) {
        decimal *= 1000;
        binary *= 1024;
        if (scan_take(scan, *letter))
            return scan_take(scan, 'i') ? binary : decimal;
    }
    return 1;
}

/* Digits behind the point, in units of 10^-9; false if they are more. */
static bool fraction(struct scan *scan, uint64_t *nano)
{
    uint64_t unit = NANO;
    for (unsigned digits = 0; is_digit(scan_peek(scan)); scan->at++, digits++) {
        if (digits == DECIMALS)
            return false;
        unit /= 10;
        *nano += (uint64_t)(*scan->at - '0') * unit;
    }
    return true;
}

static bool no_number(const struct reader *reader, struct err *err)
{
    char expected[100] = "";
    if (reader->column > 0)
        text_append(expected, sizeof expected, "in column %" PRIu64 " ", reader->column);
    text_append(expected, sizeof expected, "a number of 0 or more, such as 12 or 4K");
    return scan_unexpected(reader->scan, expected, err);
}

static bool at_end(struct scan *scan)
{
    scan_blanks(scan);
    int byte = scan_peek(scan);
    return byte == '\n' || byte == '\r' || byte == '#' || byte == EOF;
}

/* Is a number over? */
static bool is_over(struct scan *scan)
{
    int byte = scan_peek(scan);
    return byte == ' ' || byte == '\t' || byte == ',' || byte == ';' || at_end(scan);
}

static bool number(struct reader *reader, uint64_t *nano, struct err *err)
{
    struct scan *scan = reader->scan;
    scan_blanks(scan);
    if (!is_digit(scan_peek(scan)))
        return no_number(reader, err);
    uint64_t whole = 0, part = 0;
    for (; is_digit(scan_peek(scan)) && whole <= MAX_WHOLE; scan->at++)
        whole = whole * 10 + (uint64_t)(*scan->at - '0');
    if (scan_take(scan, '.') && !fraction(scan, &part))
        return refuse(reader, ERR_FIELD_RANGE, "more than 9 decimals; expected fewer", err);
    uint64_t times = suffix(scan);
    if (whole <= MAX_WHOLE && !is_over(scan))
        return no_number(reader, err);
    if (whole > MAX_WHOLE / times - 1)
        return refuse(reader, ERR_FIELD_RANGE, "the number is too large; expected less than 18.4G",
                      err);
    *nano = (whole * NANO + part) * times;
    return true;
}

/* -- Lines ------------------------------------------------------------------------------------- */

/* Packets of the unit, if it is no share of a total. */
static uint64_t packets_of(struct traffic_unit unit, uint64_t nano)
{
    return unit.packet_bytes > 0 ? bits_divide_up(bits_divide_up(nano, NANO), unit.packet_bytes)
                                 : nano / NANO;
}

/* Is an amount a number of packets that an entry can have? */
static bool check_amount(const struct reader *reader, uint64_t nano, struct err *err)
{
    char text[160];
    if (reader->unit.total > 0)
        return true;
    uint64_t packets = packets_of(reader->unit, nano);
    if (packets > UINT32_MAX)
        snprintf(text, sizeof text, "%" PRIu64 " packets; expected at most %" PRIu32, packets,
                 UINT32_MAX);
    else if (reader->unit.packet_bytes == 0 && nano % NANO != 0)
        snprintf(text, sizeof text,
                 "%" PRIu64 ".%09" PRIu64
                 " packets; expected a whole number, or --packet-bytes or --total",
                 packets, nano % NANO);
    else
        return true;
    return refuse(reader, ERR_FIELD_RANGE, text, err);
}

static bool keep(struct reader *reader, struct amount amount, struct err *err)
{
    if (amount.nano == 0)
        return true;
    if (!check_amount(reader, amount.nano, err))
        return false;
    if (reader->count == reader->room) {
        size_t room = reader->room == 0 ? 1024 : reader->room * 2;
        struct amount *more =
            room <= TRAFFIC_MAX_ENTRIES ? realloc(reader->amount, room * sizeof *more) : NULL;
        if (more == NULL)
            return err_no_memory(err, "%zu entries of traffic", room);
        reader->amount = more;
        reader->room = room;
    }
    reader->amount[reader->count++] = amount;
    return true;
}

/* The line ends, or the file does. */
static bool end_line(struct scan *scan, struct err *err)
{
    if (scan_take(scan, '\r') && scan_peek(scan) != '\n')
        return scan_unexpected(scan, "a line feed behind the carriage return", err);
    return scan_peek(scan) == EOF
               ? !ferror(scan->from) || scan_unexpected(scan, "the rest of the file", err)
               : scan_line_end(scan, err);
}

static bool take_comma(struct scan *scan)
{
    scan_blanks(scan);
    return scan_take(scan, ',') || scan_take(scan, ';');
}

/* A number of an entry, and a comma behind it if there is one. */
static bool node(struct scan *scan, const char *what, uint32_t last, uint64_t *number,
                 struct err *err)
{
    bool read = scan_number(scan, what, 0, last, number, err);
    if (read)
        take_comma(scan);
    return read;
}

/* A row, whose columns are counted. */
static bool row(struct reader *reader, uint32_t source, struct err *err)
{
    struct scan *scan = reader->scan;
    uint32_t column = 0;
    do {
        struct amount amount = {source, column, 0};
        reader->column = column + UINT64_C(1);
        if (column == TRAFFIC_MAX_NODES)
            return refuse(reader, ERR_FIELD_RANGE, "too many columns; expected at most 2^24", err);
        if (!number(reader, &amount.nano, err) || !keep(reader, amount, err))
            return false;
        column++;
        bool more = take_comma(scan);
        if (more && at_end(scan))
            return scan_unexpected(scan, "a number behind the comma", err);
    } while (!at_end(scan));
    reader->column = 0;
    reader->nodes = source == 0 ? column : reader->nodes;
    if (scan_peek(scan) == EOF && ferror(scan->from))
        return scan_unexpected(scan, "the rest of the row", err);
    return column == reader->nodes ||
           scan_error(scan, err, ERR_SYNTAX,
                      "%" PRIu32 " numbers; expected %" PRIu32 ", as in the first row", column,
                      reader->nodes);
}

static bool matrix(struct reader *reader, struct err *err)
{
    uint32_t rows = 0;
    if (!scan_next_line(reader->scan) && !ferror(reader->scan->from))
        return scan_error(reader->scan, err, ERR_CUT, "an empty file; expected a matrix");
    for (; scan_next_line(reader->scan); rows++) {
        if (rows > 0 && rows == reader->nodes)
            return scan_error(reader->scan, err, ERR_SYNTAX,
                              "row %" PRIu32 " of %" PRIu32 " columns; expected a square matrix",
                              rows + 1, reader->nodes);
        if (!row(reader, rows, err) || !end_line(reader->scan, err))
            return false;
    }
    if (ferror(reader->scan->from))
        return scan_unexpected(reader->scan, "a row", err);
    return rows == reader->nodes || scan_error(reader->scan, err, ERR_CUT,
                                               "the file ends after %" PRIu32 " rows of %" PRIu32
                                               " columns; expected a square matrix",
                                               rows, reader->nodes);
}

static bool entries(struct reader *reader, struct err *err)
{
    struct scan *scan = reader->scan;
    const uint32_t last = (reader->nodes > 0 ? reader->nodes : TRAFFIC_MAX_NODES) - 1;
    while (scan_next_line(scan)) {
        uint64_t source, destination, nano;
        if (!node(scan, "a source", last, &source, err) ||
            !node(scan, "a destination", last, &destination, err) || !number(reader, &nano, err) ||
            !keep(reader, (struct amount){(uint32_t)source, (uint32_t)destination, nano}, err) ||
            (!at_end(scan) && !scan_unexpected(scan, "the end of the line", err)) ||
            !end_line(scan, err))
            return false;
        uint64_t highest = MAX(source, destination);
        reader->nodes = highest >= reader->nodes ? (uint32_t)highest + 1 : reader->nodes;
    }
    return !ferror(scan->from) || scan_unexpected(scan, "an entry", err);
}

/* -- Packets ----------------------------------------------------------------------------------- */

/* Shares of a total are rounded so that each sum from the first on is right within a packet, and
 * the whole sum is exact. */
static bool convert(const struct reader *reader, struct traffic *traffic, struct err *err)
{
    struct traffic_unit unit = reader->unit;
    unsigned __int128 all = 0, sum = 0;
    for (size_t k = 0; k < reader->count; k++)
        all += reader->amount[k].nano;
    uint64_t before = 0;
    for (size_t k = 0; k < reader->count; k++) {
        struct amount amount = reader->amount[k];
        uint64_t packets = packets_of(unit, amount.nano);
        if (unit.total > 0) {
            sum += amount.nano;
            uint64_t now = (uint64_t)(sum * unit.total / all);
            packets = now - before;
            before = now;
        }
        if (!traffic_add(traffic, amount.source, amount.destination, packets, err))
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

static bool read_file(const char *path, bool is_matrix, struct traffic_unit unit, uint32_t nodes,
                      struct traffic *traffic, struct err *err)
{
    FILE *from = gzip_open(path, err);
    if (from == NULL)
        return false;
    struct reader reader = {
        .scan = scan_new(from, files_input_name(path), err), .unit = unit, .nodes = nodes};
    bool got = reader.scan != NULL && (is_matrix ? matrix(&reader, err) : entries(&reader, err)) &&
               finish(&reader, nodes == 0 ? reader.nodes : nodes, traffic, err);
    free(reader.amount);
    scan_free(reader.scan);
    fclose(from);
    return got;
}

bool traffic_read_matrix(const char *path, struct traffic_unit unit, struct traffic *traffic,
                         struct err *err)
{
    return read_file(path, true, unit, 0, traffic, err);
}

bool traffic_read_entries(const char *path, struct traffic_unit unit, uint32_t nodes,
                          struct traffic *traffic, struct err *err)
{
    return read_file(path, false, unit, nodes, traffic, err);
}
