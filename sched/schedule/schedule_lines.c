/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_lines.h"

#include "sched/base/digits.h"

#define LINE_LEAST 6 /* bytes: three digits, two blanks and the newline */
/* The most bytes from a line's start to the last that is looked at. */
#define LINE_ROOM (DIGITS_LOOK + DIGITS_AT_ONCE)

/* The number of the digits in front of the first bit of `others`, which goes, where the byte
 * `behind` must stand; digits and byte are passed over. False if there is another, or no number of
 * at most eight digits. */
static inline bool field(const char **at, uint64_t *others, char behind, uint32_t *number)
{
    unsigned count = (unsigned)__builtin_ctzll(*others);
    const char *start = *at;
    if (count - 1 >= DIGITS_AT_ONCE || start[count] != behind)
        return false;
    *number = digits_value(start, count);
    *others >>= count + 1;
    *at += count + 1;
    return true;
}

/* The transfer of a line, and where the next line begins; NULL if it is no such line. */
static inline const char *line(const char *at, struct transfer *transfer)
{
    /* bits behind those of the text end a number that is too long */
    uint64_t others = digits_others(at) | UINT64_C(7) << DIGITS_LOOK;
    bool read = field(&at, &others, ' ', &transfer->source) &&
                field(&at, &others, ' ', &transfer->destination) &&
                field(&at, &others, '\n', &transfer->packet);
    return read ? at : NULL;
}

static inline bool is_legal(const struct schedule *schedule, bool cube, struct transfer transfer)
{
    return transfer.source < schedule->nodes && transfer.destination < schedule->nodes &&
           transfer.packet - 1 < schedule->packets &&
           (cube ? topology_dimension(transfer.source, transfer.destination) != 0
                 : transfer.source != transfer.destination);
}

bool schedule_read_lines(struct scan *scan, struct schedule *schedule, struct err *err)
{
    if (scan->end - scan->at < LINE_ROOM)
        return true;
    const char *at = scan->at, *last = scan->end - LINE_ROOM;
    struct transfer *first = schedule_room(schedule, (size_t)(last - at) / LINE_LEAST + 1, err);
    if (first == NULL)
        return false;
    const bool cube = schedule->topology.kind == TOPOLOGY_HYPERCUBE;
    struct transfer *transfer = first;
    for (const char *next; at <= last; at = next, transfer++) {
        next = line(at, transfer);
        if (next == NULL || !is_legal(schedule, cube, *transfer))
            break;
    }
    if (transfer > first && !schedule_add_jump(schedule, scan->line, err))
        return false;
    schedule->transfer_count += (size_t)(transfer - first);
    scan->line += (size_t)(transfer - first);
    scan->at = at;
    return true;
}
