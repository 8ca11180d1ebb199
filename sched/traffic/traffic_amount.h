/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_amount: a number of a traffic file, and the packets that it stands for. */
#ifndef ROUNDCAST_TRAFFIC_AMOUNT_H
#define ROUNDCAST_TRAFFIC_AMOUNT_H

#include "sched/base/scan.h"

#include <stddef.h>

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

#endif
