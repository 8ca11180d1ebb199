/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image_packet.h"

#include "sched/machine/machine_address.h"

uint32_t image_packet_word(const struct machine *machine, const struct payload *payload,
                           uint32_t node, uint32_t packet, uint32_t which)
{
    const uint32_t parts = machine_parts(machine);
    const struct payload_part at = {which / parts, which % parts};
    return machine_part_word(machine, at.part, payload_bits_at(payload, node, packet, at));
}

bool image_packet_append(struct image *image, const struct payload *payload, struct image_packet at,
                         struct err *err)
{
    const struct machine *machine = &image->machine;
    for (uint32_t k = 0; k < image_packet_words(machine, payload); k++) {
        const uint32_t address = machine_packet_word_address(machine, at.endpoint, at.slot, k);
        const uint32_t word = image_packet_word(machine, payload, at.node, at.packet, k);
        if (!image_append(image, address, word, err))
            return false;
    }
    return true;
}
