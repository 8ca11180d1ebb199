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
    size_t size;    /* at least 1 */
    uint32_t files; /* equal files of nodes 0, 1, … that were read; 0: they are of one file */
    uint32_t header_flits; /* header flits of a packet; set before payload_cut, 0 without headers */
    /* header[packets][header_flits]; owned; NULL until the headers are written */
    uint32_t *header;
    /* of_node[nodes]: flit 0 of every packet at each node, in place of `header`; owned; NULL unless
     * it differs from node to node */
    uint32_t *of_node;
    /* values of the packets after `data`; owned; NULL until they are written, or if there are
     * none */
    uint32_t *control;
    uint32_t data; /* number of packets without a control value; valid only if `control` is set */
    /* with reductions: packets of the schedule. The payload has so many packets for each node, node
     * 0 first, because each node has a contribution of its own; 0: a packet is the same at all
     * nodes */
    uint32_t node_packets;
    /* results of payload_cut */
    uint32_t packets;
    uint32_t flits; /* flits of a packet, including the header */
    unsigned width; /* bits of a flit */
};

/* Returns B, the number of bytes that a packet carries. */
static inline size_t payload_packet_bytes(const struct payload *payload)
{
    return (size_t)(payload->flits - payload->header_flits) * payload->width / 8;
}

/* Reads a whole file (`-`: standard input). E201; E405 if it is empty or larger than `max_size`
 * bytes. Free it with payload_free. */
bool payload_read(const char *path, size_t max_size, struct payload *payload, struct err *err);

/* Reads the payload at `path`: a file, or, if `nodes` > 1 nodes have packets of their own, a folder
 * with a file NODE.bin of each node, all of the same size. `max_size` limits their total. E104;
 * E201, also for a folder if nodes have no packets of their own; E405 as payload_read, and for a
 * file of another size than 0.bin, or of a node that does not exist. Free it with payload_free. */
bool payload_load(const char *path, uint32_t nodes, size_t max_size, struct payload *payload,
                  struct err *err);

/* Returns the size of the file at `path`, or of the files of `nodes` nodes in a folder, if each is
 * as long as 0.bin; 0 if there is none. */
uint64_t payload_size_at(const char *path, uint32_t nodes);

/* Generates `size` seeded pseudo-random bytes, the same on every machine. E104. */
bool payload_random(uint64_t seed, size_t size, struct payload *payload, struct err *err);

/* Cuts the bytes into packets of `flits` flits of `width` bits, including the header. With flits 0
 * a packet has as many flits as needed. E405 if the bytes do not fit, or if a packet would have
 * more than max_flits flits. */
bool payload_cut(struct payload *payload, uint32_t packets, uint32_t flits, uint32_t max_flits,
                 unsigned width, struct err *err);

/* Moves the bytes of each node's file to the packets of that node, and clears the rest of them.
 * Changes nothing without files of nodes. Precondition: payload_cut. E104. O(size). */
bool payload_spread(struct payload *payload, struct err *err);

/* Returns the packet of the schedule that a packet of the payload belongs to. */
static inline uint32_t payload_schedule_packet(const struct payload *payload, uint32_t packet)
{
    return payload->node_packets > 0 ? (packet - 1) % payload->node_packets + 1 : packet;
}

/* Returns whether a flit differs from node to node: payload->of_node[node] at each of them. */
static inline bool payload_is_of_node(const struct payload *payload, uint32_t flit)
{
    return flit == 0 && payload->of_node != NULL;
}

/* A part of a flit: bits 32·part … 32·part + 31, or fewer at its end. */
struct payload_part {
    uint32_t flit, part; /* from 0 */
};

/* Returns a part of a flit of packet `packet` (from 1). Preconditions: headers, if used, are
 * written; the flit is the same at all nodes. O(1). */
uint32_t payload_bits(const struct payload *payload, uint32_t packet, struct payload_part at);

/* Returns a part of a flit of packet `packet` of the schedule as node `node` begins with it: also
 * for a flit that differs from node to node, and for the contributions to a reduction. */
uint32_t payload_bits_at(const struct payload *payload, uint32_t node, uint32_t packet,
                         struct payload_part at);

void payload_free(struct payload *payload);

#endif
