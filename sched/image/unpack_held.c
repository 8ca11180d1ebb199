/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_held: follows the packets in memories that ports share (unpack.h). */
#include "sched/image/unpack.h"

#include <inttypes.h>
#include <stdlib.h>

#define WORD_BITS 64

static bool is_held(const struct unpack_held *held, uint32_t port, uint32_t packet)
{
    uint64_t bit = port * held->packets + packet - 1;
    return held->word[bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

static void set_held(struct unpack_held *held, uint32_t port, uint32_t packet)
{
    uint64_t bit = port * held->packets + packet - 1;
    held->word[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
}

bool unpack_held_new(const struct unpacked *unpacked, struct unpack_held *held, struct err *err)
{
    *held = (struct unpack_held){.shared = unpacked->machine.shared,
                                 .ports = machine_ports(&unpacked->machine),
                                 .packets = UINT64_C(1) << unpacked->machine.log2_packets};
    if (held->shared == 0)
        return true;
    held->word = calloc(held->ports * held->packets / WORD_BITS + 1, sizeof *held->word);
    return held->word != NULL ||
           err_no_memory(err, "the packets of %" PRIu32 " ports", held->ports);
}

bool unpack_held_sends(struct unpack_held *held, const struct circuit *circuit)
{
    if (held->shared == 0)
        return true;
    uint32_t first = circuit->source - circuit->source % held->shared;
    uint32_t end = first + held->shared < held->ports ? first + held->shared : held->ports;
    bool starts = circuit->memory < end;
    if (starts && is_held(held, circuit->memory, circuit->sent))
        return true;
    for (uint32_t port = first; port < end; port++)
        starts = starts && !is_held(held, port, circuit->sent);
    if (starts)
        set_held(held, circuit->memory, circuit->sent);
    return starts;
}

void unpack_held_receive(struct unpack_held *held, const struct circuit circuit[], uint32_t count)
{
    for (uint32_t k = 0; held->shared > 0 && k < count; k++)
        if (circuit[k].received > 0)
            set_held(held, circuit[k].destination, circuit[k].received);
}

void unpack_held_free(struct unpack_held *held)
{
    free(held->word);
    *held = (struct unpack_held){0};
}
