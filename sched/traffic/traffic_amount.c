/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/traffic/traffic_read.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/decimal.h"
#include "sched/base/text.h"

#include <inttypes.h>

#define NUMBER_TEXT 40
#define SHARE_DIGITS 20 /* 2^27 shares below 10^20, times a total of 2^32, are below 2^128 */
#define SHARE_TENS 1000000

bool traffic_amount_refuse(const struct scan *scan, uint64_t column, struct err *err,
                           enum err_code code, const char *format, ...)
{
    struct err inner;
    va_list arguments;
    va_start(arguments, format);
    err_vset(&inner, code, format, arguments);
    va_end(arguments);
    if (column > 0)
        err_at(&inner, &inner, "column %" PRIu64, column);
    return scan_error_at(scan, &inner, err);
}

static bool no_number(struct scan *scan, uint64_t column, struct err *err)
{
    char expected[120] = "";
    if (column > 0)
        text_append(expected, sizeof expected, "in column %" PRIu64 " ", column);
    text_append(expected, sizeof expected, "a number of 0 or more, such as 12, 4K or 1.5e6");
    return scan_unexpected(scan, expected, err);
}

/* A number, and the start of its text for messages. */
struct number {
    struct decimal decimal;
    char text[NUMBER_TEXT];
};

/* Reads a number. Returns whether it is one. */
static bool read_number(struct scan *scan, struct number *number)
{
    size_t length = 0;
    number->decimal = decimal_begin();
    for (int byte;
         byte = scan_peek(scan), byte != EOF && decimal_take(&number->decimal, (char)byte);
         scan->at++)
        if (length < NUMBER_TEXT - 1)
            number->text[length++] = (char)byte;
    number->text[length] = '\0';
    return decimal_end(&number->decimal);
}

/* Returns whether a byte ends a number. */
static bool ends_number(int byte)
{
    return byte == ' ' || byte == '\t' || byte == ',' || byte == ';' || byte == '#' ||
           byte == '\r' || byte == '\n' || byte == EOF;
}

/* Skips blanks before a number and a quotation mark. Returns whether there was a quotation mark. */
static bool take_begin(struct scan *scan)
{
    scan_blanks(scan);
    bool quoted = scan_take(scan, '"');
    scan_blanks(scan);
    return quoted;
}

/* Skips the end of a number. Returns false at a byte that cannot end a number. */
static bool take_end(struct scan *scan, bool quoted)
{
    if (quoted)
        scan_blanks(scan);
    return (!quoted || scan_take(scan, '"')) && ends_number(scan_peek(scan));
}

/* Sets the packets for a number of bytes or packets. */
static bool set_packets(const struct scan *scan, uint64_t column, struct traffic_scale scale,
                        const struct number *number, struct traffic_amount *amount, struct err *err)
{
    uint64_t whole;
    bool fraction, bytes = scale.packet_bytes > 0;
    if (!decimal_whole(&number->decimal, &whole, &fraction))
        return traffic_amount_refuse(scan, column, err, ERR_FIELD_RANGE,
                                     "the number %s is too large; expected less than 10^19",
                                     number->text);
    if (!bytes && fraction)
        return traffic_amount_refuse(
            scan, column, err, ERR_FIELD_RANGE,
            "%s packets; expected a whole number, or {packet-bytes} or {total}", number->text);
    amount->value = bytes ? bits_divide_up(whole + fraction, scale.packet_bytes) : whole;
    if (amount->value <= UINT32_MAX)
        return true;
    return traffic_amount_refuse(scan, column, err, ERR_FIELD_RANGE,
                                 "%" PRIu64 " %s; expected at most %" PRIu32, amount->value,
                                 scale.packet_bytes == 1 ? "bytes" : "packets", UINT32_MAX);
}

static void set_share(const struct decimal *decimal, struct traffic_amount *amount)
{
    unsigned __int128 value = (unsigned __int128)decimal->digits * decimal->times;
    int64_t tens = decimal->tens;
    for (; value > UINT64_MAX; value /= 10)
        tens++;
    amount->value = (uint64_t)value;
    amount->tens = (int32_t)MAX(MIN(tens, SHARE_TENS), -SHARE_TENS);
}

bool traffic_amount_read(struct scan *scan, uint64_t column, struct traffic_scale scale,
                         struct traffic_amount *amount, struct err *err)
{
    struct number number;
    bool quoted = take_begin(scan);
    bool negative = scan_take(scan, '-');
    if (!read_number(scan, &number) || !take_end(scan, quoted))
        return no_number(scan, column, err);
    if (negative && number.decimal.digits > 0)
        return traffic_amount_refuse(scan, column, err, ERR_FIELD_RANGE,
                                     "-%s is negative; expected 0 or more", number.text);
    amount->tens = 0;
    if (scale.total == 0)
        return set_packets(scan, column, scale, &number, amount, err);
    set_share(&number.decimal, amount);
    return true;
}

bool traffic_amount_node(struct scan *scan, const char *what, uint32_t last, uint32_t *node,
                         struct err *err)
{
    struct number number;
    uint64_t whole = 0;
    bool fraction = false;
    bool quoted = take_begin(scan);
    if (!read_number(scan, &number) || !take_end(scan, quoted))
        return scan_unexpected(scan, what, err);
    if (!decimal_whole(&number.decimal, &whole, &fraction) || fraction || whole > last)
        return scan_error(scan, err, ERR_FIELD_RANGE,
                          "%s %s is out of range; expected 0 … %" PRIu32, what, number.text, last);
    *node = (uint32_t)whole;
    return true;
}

/* -- Shares ------------------------------------------------------------------------------------ */

/* Returns the number of digits of the integer part of a share; 0 or less if the share is below
 * 1. */
static int32_t magnitude(const struct traffic_amount *amount)
{
    int32_t digits = 0;
    for (uint64_t value = amount->value; value > 0; value /= 10)
        digits++;
    return digits + amount->tens;
}

/* Returns a share in units of 10^tens. */
static unsigned __int128 scaled(const struct traffic_amount *amount, int32_t tens)
{
    unsigned __int128 value = amount->value;
    for (int32_t more = amount->tens - tens; more > 0; more--)
        value *= 10;
    for (int32_t more = amount->tens - tens; more < 0 && value > 0; more++)
        value /= 10;
    return value;
}

void traffic_amount_share(uint64_t total, struct traffic_amount amount[], size_t count)
{
    unsigned __int128 all = 0, sum = 0;
    int32_t tens = -SHARE_TENS;
    for (size_t k = 0; k < count; k++) {
        int32_t least = magnitude(&amount[k]) - SHARE_DIGITS;
        tens = k == 0 ? least : MAX(tens, least);
    }
    for (size_t k = 0; k < count; k++)
        all += scaled(&amount[k], tens);
    uint64_t before = 0;
    for (size_t k = 0; k < count; k++) {
        sum += scaled(&amount[k], tens);
        uint64_t now = (uint64_t)(sum * total / all);
        amount[k].value = now - before;
        amount[k].tens = 0;
        before = now;
    }
}
