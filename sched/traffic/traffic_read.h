/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_read: reads traffic from files, plain or compressed with gzip; `-` is standard input.
 *
 *     matrix     a line for each sender, with a number for each receiver: n lines of n numbers,
 *                separated by a comma, a semicolon or blanks:
 *
 *                    0, 5, 1
 *                    0, 0, 2
 *                    7, 0, 0
 *
 *     entries    a line for each pair: source, destination, number
 *
 *                    0 1 5
 *                    2 0 7
 *
 *                or a trace that otf2-print prints (traffic_trace.h)
 *
 * `#` begins a comment, and empty lines are ignored. Lines end with LF or CRLF. A byte order mark
 * can precede the first line, and a header line of names is skipped. A field can be quoted. A
 * number (decimal.h) can have decimals, an exponent and a suffix: 12, 0.25,
 * 1.500000000000000000e+03, 4K, 1.5Mi. Its value is kept exactly: bytes are rounded up to packets;
 * packets must be whole.
 */
#ifndef ROUNDCAST_TRAFFIC_READ_H
#define ROUNDCAST_TRAFFIC_READ_H

#include "sched/base/scan.h"
#include "sched/traffic/traffic.h"

#include <stddef.h>

/* -- Amounts ----------------------------------------------------------------------------------- */

/* A number of a traffic file, and the packets that it stands for. */

/* The scale of numbers in a file. */
struct traffic_scale {
    uint64_t packet_bytes; /* > 0: numbers are bytes, and a packet has this many */
    uint64_t total;        /* > 0: numbers are shares of this many packets; excludes packet_bytes */
};

/* An amount: packets, if tens = 0; with a total, the share value · 10^tens. */
struct traffic_amount {
    uint32_t source, destination;
    uint64_t value;
    int32_t tens;
};

/* Sets an error with `name:line: column C: ` before it and returns false; no column for 0. */
bool traffic_amount_refuse(const struct scan *scan, uint64_t column, struct err *err,
                           enum err_code code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reads a number (decimal.h), with or without quotation marks, as packets or as a share. Bytes are
 * rounded up to packets; packets must be whole. `column` (from 1; 0: none) is for the message.
 * E204, E205, E207, E201. O(bytes). */
bool traffic_amount_read(struct scan *scan, uint64_t column, struct traffic_scale scale,
                         struct traffic_amount *amount, struct err *err);

/* Reads a node number, which messages call `what`: whole, 0 … last. Errors as
 * traffic_amount_read. */
bool traffic_amount_node(struct scan *scan, const char *what, uint32_t last, uint32_t *node,
                         struct err *err);

/* Replaces shares by packets whose sum is `total`: each sum from the first share on is rounded
 * down. Shares count up to the 20th digit, from the first digit of the largest share. O(count). */
void traffic_amount_share(uint64_t total, struct traffic_amount amount[], size_t count);

/* -- Files ------------------------------------------------------------------------------------- */

/* Reads a matrix. `traffic` must be zero or freed. E201, E204, E205 as `name:line: …`, with the
 * column of the matrix; E102, E104. O(bytes), plus traffic_finish. */
bool traffic_read_matrix(const char *path, struct traffic_scale scale, struct traffic *traffic,
                         struct err *err);

/* Reads entries between `nodes` nodes; 0 means the highest number + 1. Errors as
 * traffic_read_matrix. */
bool traffic_read_entries(const char *path, struct traffic_scale scale, uint32_t nodes,
                          struct traffic *traffic, struct err *err);

#endif
