/* SPDX-License-Identifier: Apache-2.0 */
/* gates: limits of the gate lists of IEEE 802.1Qbv (clause 8.6.8.4), and the times of frames at
 * 1 Gbit/s, for formats of time-aware networks. */
#ifndef ROUNDCAST_GATES_H
#define ROUNDCAST_GATES_H

#include "sched/base/compare.h"
#include "sched/base/err.h"
#include "sched/base/text.h"

#include <inttypes.h>

#define GATES_MOST_ENTRIES 1024 /* of a gate list; switches have room for 8 to 1024 */
#define GATES_MOST_NANOSECONDS (UINT64_C(1) << 31)
#define GATES_NANOSECONDS_OF_BYTE 8

#define GATES_PAYLOAD_LEAST 46    /* minimum payload of a frame */
#define GATES_PAYLOAD_OVERHEAD 38 /* preamble, header, check sequence and gap, in bytes */

/* Returns the bytes that a frame with this payload occupies on a link. */
static inline uint64_t gates_link_bytes(uint64_t payload)
{
    return MAX(payload, GATES_PAYLOAD_LEAST) + GATES_PAYLOAD_OVERHEAD;
}

/* Checks the time of a schedule whose rounds have this length; messages name the format. E104. */
static inline bool gates_check_time(const char *format, uint64_t rounds, uint64_t round,
                                    struct err *err)
{
    if (round <= GATES_MOST_NANOSECONDS && rounds <= GATES_MOST_NANOSECONDS / round)
        return true;
    return err_set(err, ERR_TOO_BIG,
                   "%s: %" PRIu64 " round%s of %" PRIu64 " ns; expected at most 2^31 ns", format,
                   rounds, text_s(rounds), round);
}

/* Checks the number of entries of a gate list of a node; messages name the format. E104. */
static inline bool gates_check_entries(const char *format, uint32_t node, uint32_t entries,
                                       struct err *err)
{
    return entries <= GATES_MOST_ENTRIES ||
           err_set(err, ERR_TOO_BIG,
                   "%s: node %" PRIu32 " has %" PRIu32 " gate entries; expected at most %d", format,
                   node, entries, GATES_MOST_ENTRIES);
}

#endif
