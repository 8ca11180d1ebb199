/* SPDX-License-Identifier: Apache-2.0 */
/* payload: the bytes that are broadcast, cut into packets of flits.
 *
 * A packet of F flits of W bits carries B = floor(F·W/8) bytes; packet p (from 1) carries bytes
 * (p-1)·B … p·B-1. Its bytes are one string of bits, lowest bit first, and flit f is bits f·W …
 * f·W+W-1 of it. Bits after the last byte are zero.
 *
 * A packet may begin with header flits, which carry none of the bytes (packet_header.h): then F, f
 * and B above count the flits after the header.
 *
 * Control packets carry none of the bytes: their first flit after the header is the lowest W bits
 * of their value, and the others are zero.
 */
#ifndef ROUNDCAST_PAYLOAD_H
#define ROUNDCAST_PAYLOAD_H

#include "sched/base/err.h"

#include <stddef.h>
#include <stdint.h>

struct payload {
    uint8_t *bytes;
    size_t size;           /* at least 1 */
    uint32_t header_flits; /* of a packet; to be set before the cut, 0 unless there are headers */
    uint32_t *header;      /* header[packets][header_flits]; owned; NULL until they are written */
    /* values of the packets after `data`; owned; NULL until they are written, or if there are
     * none */
    uint32_t *control;
    uint32_t data; /* packets without such a value; valid only if there are values */
    /* the cut */
    uint32_t packets;
    uint32_t flits; /* of a packet, header and all */
    unsigned width; /* bits of a flit */
};

/* B: the bytes that a packet carries. */
static inline size_t payload_packet_bytes(const struct payload *payload)
{
    return (size_t)(payload->flits - payload->header_flits) * payload->width / 8;
}

/* Read a whole file (`-`: standard input). Errors: E201; E405 if it is empty or larger than
 * `max_size` bytes. Free it with payload_free. */
bool payload_read(const char *path, size_t max_size, struct payload *payload, struct err *err);

/* `size` seeded pseudo-random bytes, the same on every machine. E104. */
bool payload_random(uint64_t seed, size_t size, struct payload *payload, struct err *err);

/* Cut the bytes into packets of `flits` flits of `width` bits, or, with flits 0, of as many as are
 * needed; both with the header. E405 if they do not fit, or if a packet would have more than
 * max_flits flits. */
bool payload_cut(struct payload *payload, uint32_t packets, uint32_t flits, uint32_t max_flits,
                 unsigned width, struct err *err);

/* Flit `flit` (from 0) of packet `packet` (from 1). Precondition: headers, if there are any, are
 * written. O(1). */
uint32_t payload_word(const struct payload *payload, uint32_t packet, uint32_t flit);

void payload_free(struct payload *payload);

#endif
