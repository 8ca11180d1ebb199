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
 * `#` begins a comment, and empty lines are ignored. Lines end with LF or CRLF. A byte order mark
 * can precede the first line, and a header line of names is skipped. A field can be quoted. A
 * number (decimal.h) can have decimals, an exponent and a suffix: 12, 0.25,
 * 1.500000000000000000e+03, 4K, 1.5Mi. Its value is kept exactly: bytes are rounded up to packets;
 * packets must be whole.
 */
#ifndef ROUNDCAST_TRAFFIC_READ_H
#define ROUNDCAST_TRAFFIC_READ_H

#include "sched/traffic/traffic.h"
#include "sched/traffic/traffic_amount.h"

/* Reads a matrix. `traffic` must be zero or freed. E201, E204, E205 as `name:line: …`, with the
 * column of the matrix; E102, E104. O(bytes), plus traffic_finish. */
bool traffic_read_matrix(const char *path, struct traffic_scale scale, struct traffic *traffic,
                         struct err *err);

/* Reads entries between `nodes` nodes; 0 means the highest number + 1. Errors as
 * traffic_read_matrix. */
bool traffic_read_entries(const char *path, struct traffic_scale scale, uint32_t nodes,
                          struct traffic *traffic, struct err *err);

#endif
