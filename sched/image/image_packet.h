/* SPDX-License-Identifier: Apache-2.0 */
/* image_packet: the words of a packet in the memory of an endpoint. */
#ifndef ROUNDCAST_IMAGE_PACKET_H
#define ROUNDCAST_IMAGE_PACKET_H

#include "sched/image/image.h"
#include "sched/schedule/payload.h"

/* Where a packet is stored: at an endpoint of a node, which decides the flits that differ from node
 * to node, in a slot. */
struct image_packet {
    uint32_t node, endpoint, slot, packet;
};

/* Number of words of a packet in a memory: the parts of its flits. */
static inline uint32_t image_packet_words(const struct machine *machine,
                                          const struct payload *payload)
{
    return payload->flits * machine_parts(machine);
}

/* Returns word `which` of a packet as a memory has it: part which % parts of flit which / parts,
 * with the held bit of the flit. */
uint32_t image_packet_word(const struct machine *machine, const struct payload *payload,
                           uint32_t node, uint32_t packet, uint32_t which);

/* Appends all words of a packet. E104. O(words). */
bool image_packet_append(struct image *image, const struct payload *payload, struct image_packet at,
                         struct err *err);

#endif
