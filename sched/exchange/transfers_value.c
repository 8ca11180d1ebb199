/* SPDX-License-Identifier: Apache-2.0 */
/* transfers_value: reads the values of the columns of a list of transfers. */
#include "sched/exchange/transfers.h"

#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PART_DIGITS 18 /* digits of the part of a time */
#define PART UINT64_C(1000000000000000000)

/* Reads a time with an exponent, such as 1e-06. Precondition: it begins with a digit. */
static bool read_exponent(const char *at, size_t length, struct listed *entry)
{
    char text[40], *end;
    if (length >= sizeof text || strspn(at, "0123456789.eE+-") < length)
        return false;
    memcpy(text, at, length);
    text[length] = '\0';
    double value = strtod(text, &end), whole;
    if (*end != '\0' || !(value < (double)SCHEDULE_MAX_TIME))
        return false;
    double part = modf(value, &whole) * (double)PART;
    *entry = (struct listed){.time = (uint64_t)whole, .part = (uint64_t)part};
    return true;
}

/* Reads a time: 12, 12.5 or 1.25e-05. */
static bool read_time(const char *at, size_t length, struct listed *entry)
{
    const char *start = at, *end = at + length;
    uint64_t whole, part = 0;
    if (!text_number(&at, end, &whole))
        return false;
    if (at < end && *at == '.') {
        unsigned digits = 0;
        for (at++; at < end && *at >= '0' && *at <= '9'; at++, digits++)
            if (digits < PART_DIGITS)
                part = part * 10 + (uint64_t)(*at - '0');
        for (; digits < PART_DIGITS; digits++)
            part *= 10;
    }
    if (at < end)
        return read_exponent(start, length, entry);
    entry->time = whole;
    entry->part = part;
    return true;
}

/* Reads a time P/Q, P or a decimal as a whole number of ticks. */
static bool read_ticks(const char *at, size_t length, uint64_t ticks, uint64_t *time)
{
    const char *end = at + length, *next = at;
    uint64_t over, under = 1;
    struct listed read = {0};
    if (text_number(&next, end, &over) && next < end && *next == '/') {
        next++;
        if (!text_number(&next, end, &under) || next < end || under == 0)
            return false;
    } else if (read_time(at, length, &read)) {
        const uint64_t divisor = rational_divisor(read.part, PART);
        under = PART / divisor;
        if (__builtin_mul_overflow(read.time, under, &over) ||
            __builtin_add_overflow(over, read.part / divisor, &over))
            return false;
    } else {
        return false;
    }
    const uint64_t divisor = rational_divisor(ticks, under);
    return over % (under / divisor) == 0 &&
           !__builtin_mul_overflow(over / (under / divisor), ticks / divisor, time);
}

static bool take_ticks(struct transfers *transfers, const char *at, size_t length,
                       struct listed *entry, struct err *err)
{
    if (!read_ticks(at, length, transfers->ticks, &entry->time))
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected a time P/Q, P or P.Q, a multiple of 1/%" PRIu32,
                              (int)(length < 40 ? length : 40), at, transfers->ticks);
    return entry->time < SCHEDULE_MAX_TIME ||
           document_wrong(transfers->document, at, err, ERR_FIELD_RANGE,
                          "time %.*s; expected less than %" PRIu64, (int)length, at,
                          SCHEDULE_MAX_TIME / transfers->ticks);
}

static bool take_time(struct transfers *transfers, const char *at, size_t length,
                      struct listed *entry, struct err *err)
{
    struct listed read = {0};
    if (transfers->ticks > 0)
        return take_ticks(transfers, at, length, entry, err);
    if (!read_time(at, length, &read))
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected a round or a time, 0 or more",
                              (int)(length < 40 ? length : 40), at);
    if (read.time >= SCHEDULE_MAX_TIME)
        return document_wrong(transfers->document, at, err, ERR_FIELD_RANGE,
                              "round %" PRIu64 "; expected less than %" PRIu64, read.time,
                              SCHEDULE_MAX_TIME);
    transfers->fraction = transfers->fraction || read.part > 0;
    entry->time = read.time;
    entry->part = read.part;
    return true;
}

/* Reads a node of the topology: a processor, or a router "level:index" of a tree. */
static bool take_node_of(struct transfers *transfers, const char *at, size_t length, uint32_t *node,
                         struct err *err)
{
    const struct topology *topology = transfers->topology;
    const char *next = at, *end = at + length;
    const bool routers = topology_has_routers(topology);
    uint64_t number, level = 0;
    bool read = text_number(&next, end, &number);
    if (read && routers && next < end && *next == ':') {
        level = number;
        next++;
        read = text_number(&next, end, &number);
    }
    if (!read || next < end)
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected the number of a node, from 0%s",
                              (int)(length < 40 ? length : 40), at,
                              routers ? ", or a router level:index" : "");
    const bool found =
        level <= topology->height &&
        number < (level > 0 || routers ? topology->first[level + 1] - topology->first[level]
                                       : topology->nodes);
    if (!found)
        return document_wrong(transfers->document, at, err, ERR_FIELD_RANGE,
                              "node %.*s; expected one of the %" PRIu32 " nodes%s",
                              (int)(length < 40 ? length : 40), at, topology->nodes,
                              routers ? ", or a router" : "");
    *node = routers ? topology_node(topology, (unsigned)level, (uint32_t)number) : (uint32_t)number;
    return true;
}

static bool take_node(struct transfers *transfers, const char *at, size_t length, uint32_t *node,
                      struct err *err)
{
    const char *next = at;
    uint64_t number;
    if (transfers->topology != NULL)
        return take_node_of(transfers, at, length, node, err);
    if (!text_number(&next, at + length, &number) || next < at + length)
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected the number of a node, from 0",
                              (int)(length < 40 ? length : 40), at);
    if (number >= SCHEDULE_MAX_NODES)
        return document_wrong(transfers->document, at, err, ERR_FIELD_RANGE,
                              "node %" PRIu64 "; expected 0 … %" PRIu32, number,
                              SCHEDULE_MAX_NODES - 1);
    *node = (uint32_t)number;
    return true;
}

static bool take_packet(struct transfers *transfers, const char *at, size_t length, uint32_t *label,
                        struct err *err)
{
    const char *next = at;
    struct label read = {0};
    if (length == 0)
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "no packet; expected its number or name");
    if (!text_number(&next, at + length, &read.number) || next < at + length) {
        read = (struct label){.text = at, .length = (uint32_t)length};
        for (size_t k = 0; k < length; k++)
            read.number = (read.number ^ (unsigned char)at[k]) * UINT64_C(0x100000001b3);
    }
    return transfers_label(transfers, at, &read, label, err);
}

static bool take_combine(struct transfers *transfers, const char *at, size_t length,
                         unsigned *combining, struct err *err)
{
    return transfers_read_combine(at, length, combining) ||
           document_wrong(transfers->document, at, err, ERR_SYNTAX,
                          "'%.*s'; expected combine, received, replace or received+replace",
                          (int)(length < 40 ? length : 40), at);
}

/* Reads the lane of a tree's branch; lists of other topologies may use the name for anything. */
static bool take_lane(struct transfers *transfers, const char *at, size_t length, uint32_t *lane,
                      struct err *err)
{
    const char *next = at;
    uint64_t number = 0;
    const bool lanes = transfers->topology != NULL && topology_has_routers(transfers->topology);
    if (lanes && length > 0 &&
        (!text_number(&next, at + length, &number) || next < at + length ||
         number > TOPOLOGY_MAX_CAPACITY))
        return document_wrong(transfers->document, at, err, ERR_SYNTAX,
                              "'%.*s'; expected the number of a lane, from 0",
                              (int)(length < 40 ? length : 40), at);
    *lane = (uint32_t)number;
    return true;
}

bool transfers_value(struct transfers *transfers, enum transfers_column column, const char *at,
                     size_t length, struct listed *entry, struct err *err)
{
    switch (column) {
    case COLUMN_TIME:
        return take_time(transfers, at, length, entry, err);
    case COLUMN_SOURCE:
        return take_node(transfers, at, length, &entry->source, err);
    case COLUMN_DESTINATION:
        return take_node(transfers, at, length, &entry->destination, err);
    case COLUMN_PACKET:
        return take_packet(transfers, at, length, &entry->label, err);
    case COLUMN_COMBINE:
        return take_combine(transfers, at, length, &entry->combining, err);
    case COLUMN_REDUCTION:
        transfers->reduction = length > 0 ? at : NULL;
        transfers->reduction_length = (uint32_t)length;
        return true;
    case COLUMN_LANE:
        return take_lane(transfers, at, length, &entry->lane, err);
    default:
        return true;
    }
}
