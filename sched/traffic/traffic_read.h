/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_read: traffic from files, plain or compressed by gzip; `-` is standard input.
 *
 *     matrix     a line for each node, on it what goes to each node: n lines of n numbers. Between
 *                numbers a comma, a semicolon or blanks:
 *
 *                    0, 5, 1
 *                    0, 0, 2
 *                    7, 0, 0
 *
 *     entries    a line for each pair that has any: source, destination, how much
 *
 *                    0 1 5
 *                    2 0 7
 *
 * `#` begins a comment, and empty lines are none. A number is whole, or has a fraction (0.25), and
 * may have one of the suffixes K, M and G (10^3, 10^6, 10^9) or Ki, Mi and Gi (2^10, 2^20, 2^30).
 */
#ifndef ROUNDCAST_TRAFFIC_READ_H
#define ROUNDCAST_TRAFFIC_READ_H

#include "sched/traffic/traffic.h"

/* What numbers are. */
struct traffic_unit {
    uint64_t packet_bytes; /* > 0: numbers are bytes, of which a packet carries so many */
    uint64_t total;        /* > 0: numbers are shares of so many packets; not with packet_bytes */
};

/* A matrix. `traffic` must be zero or freed. E201, E204, E205 as `name:line: …`, with the column of
 * the matrix; E102, E104. O(bytes), and what traffic_finish takes. */
bool traffic_read_matrix(const char *path, struct traffic_unit unit, struct traffic *traffic,
                         struct err *err);

/* Entries between `nodes` nodes; 0: as many as the highest number says. The same errors. */
bool traffic_read_entries(const char *path, struct traffic_unit unit, uint32_t nodes,
                          struct traffic *traffic, struct err *err);

#endif
