/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/endpoint.h"

#include "sched/machine/machine_address.h"

#include <string.h>

static uint32_t *program_row(const struct endpoint *e, uint32_t *program)
{
    uint32_t row = ports_low(csim_get(&e->host_row_i), machine_log2_program_rows(&e->machine));
    return program + (size_t)row * e->padded;
}

static uint32_t host_flit(const struct endpoint *e)
{
    return csim_get(&e->host_flit_i) >> machine_part_bits(&e->machine);
}

/* Returns the part of a flit that the host accesses. */
static uint32_t host_part(const struct endpoint *e)
{
    return ports_low(csim_get(&e->host_flit_i), machine_part_bits(&e->machine));
}

/* Returns the place of a node's word in the memory. The words of consecutive nodes are one packet
 * apart. */
static uint32_t memory_place(const struct endpoint *e, uint32_t node)
{
    return ((csim_get(&e->host_packet_i) * e->nodes + node) << e->machine.log2_flits) +
           host_flit(e);
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* Returns a word of the memory as the host reads it; of wide flits, the part that it reads. */
static uint32_t held_word(const struct endpoint *e, uint32_t word)
{
    const uint32_t held = word & e->valid ? MACHINE_VALID : 0, flit = word & (e->valid - 1);
    if (e->wide == NULL)
        return held | flit;
    const uint32_t part = host_part(e), bits = wide_words_bits(e->wide, flit, part);
    return part + 1 == machine_parts(&e->machine) ? held | bits : bits;
}

/* Reads words of all nodes, a block of flits at a time, because hosts read flit by flit: the block
 * of the idle transmitters keeps them until a transfer or a write. */
static void read_packets(struct endpoint *e, uint32_t words[])
{
    const uint32_t flit = host_flit(e) % BLOCK_FLITS, block = memory_place(e, 0) - flit;
    const uint32_t *row = e->tx.words + (size_t)flit * e->padded;
    for (uint32_t node = 0; e->arrived != NULL && node < e->nodes; node++)
        words[node] = held_word(e, endpoint_node_word(e, node, memory_place(e, node)));
    if (e->arrived != NULL)
        return;
    if (e->gathered != block + 1)
        block_gather(e->tx.words, e->memory + block, UINT32_C(1) << e->machine.log2_flits, e->nodes,
                     e->padded);
    e->gathered = block + 1;
    for (uint32_t node = 0; node < e->nodes; node++)
        words[node] = held_word(e, row[node]);
}

static void read_flags(const uint32_t *flags, uint32_t begin, uint32_t count, uint32_t words[])
{
    for (uint32_t node = 0; node < count; node++)
        words[node] = flags == NULL ? 0 : flags[begin + node] << MACHINE_OBS_FLAGS;
}

static void read_nodes(struct endpoint *e, const uint32_t *flags, uint32_t begin, uint32_t count,
                       uint32_t words[])
{
    switch (csim_get(&e->host_region_q_i)) {
    case MACHINE_SEND:
        memcpy(words, program_row(e, e->send_program) + begin, count * sizeof *words);
        break;
    case MACHINE_RECEIVE:
        memcpy(words, program_row(e, e->recv_program) + begin, count * sizeof *words);
        break;
    case MACHINE_PACKET:
        if (count == 1 && e->arrived != NULL)
            *words = held_word(e, endpoint_node_word(e, begin, memory_place(e, begin)));
        else if (count == 1)
            *words = held_word(e, e->memory[memory_place(e, begin)]);
        else
            read_packets(e, words);
        break;
    default:
        read_flags(flags, begin, count, words);
    }
}

/* Serves a read: outputs the words of all nodes on the observation port, and their OR, as the tree
 * of the machine computes it. */
static void endpoint_host_read(struct endpoint *e, const uint32_t *flags, uint32_t begin,
                               uint32_t count)
{
    const uint32_t region = csim_get(&e->host_region_q_i);
    if (region < MACHINE_SEND || region > MACHINE_FLAGS)
        return;
    uint32_t one = 0, *words = csim_get(&e->host_show_i) ? csim_write(&e->obs_o) : &one, word = 0;
    if (count > 0)
        read_nodes(e, flags, begin, count, words);
    for (uint32_t node = 0; node < count; node++)
        word |= words[node];
    csim_put(&e->node_rdata_o, word);
}

/* -- Writing ----------------------------------------------------------------------------------- */

static void fill(uint32_t *words, uint32_t count, uint32_t word)
{
    for (uint32_t node = 0; node < count; node++)
        words[node] = word;
}

/* Returns the bits of the receive program besides its valid bit and the packet. */
static uint32_t endpoint_program_bits(const struct endpoint *e)
{
    return e->machine.computed    ? 0
           : e->machine.keeps_own ? MACHINE_MORE | MACHINE_COMBINE | MACHINE_OWN
           : e->machine.combines  ? MACHINE_MORE | MACHINE_COMBINE
                                  : MACHINE_MORE;
}

/* Returns the bits of the send program besides the packet and its member. */
static uint32_t endpoint_send_bits(const struct endpoint *e)
{
    return MACHINE_VALID | (e->machine.keeps_own ? MACHINE_RECEIVED | MACHINE_COMBINE : 0);
}

/* Returns the flit of a memory after the host has written `word` to it, or to a part of it. */
static uint32_t flit_written(struct endpoint *e, uint32_t flit, uint32_t word)
{
    const uint32_t held = word & MACHINE_VALID ? e->valid : 0, part = host_part(e);
    if (e->wide == NULL)
        return held | ports_low(word, e->machine.width);
    const uint32_t number = wide_words_replace(e->wide, flit & (e->valid - 1), part, word);
    return number | (part + 1 == machine_parts(&e->machine) ? held : flit & e->valid);
}

static void endpoint_host_write(struct endpoint *e, uint32_t begin, uint32_t count)
{
    uint32_t word = csim_get(&e->host_data_i);
    uint32_t program = (word & MACHINE_VALID) | ports_low(word, machine_program_bits(&e->machine));
    if (csim_get(&e->host_we_send_i))
        fill(program_row(e, e->send_program) + begin, count,
             (word & endpoint_send_bits(e)) |
                 ports_low(word,
                           machine_program_bits(&e->machine) + machine_member_bits(&e->machine)));
    if (csim_get(&e->host_we_recv_i) && !e->headers)
        fill(program_row(e, e->recv_program) + begin, count,
             (word & endpoint_program_bits(e)) | program);
    if (!csim_get(&e->host_we_packet_i))
        return;
    e->gathered = 0;
    uint32_t *to = e->memory + memory_place(e, begin);
    for (uint32_t node = 0; node < count; node++, to += UINT32_C(1) << e->machine.log2_flits) {
        *to = flit_written(e, *to, word);
        if (e->arrived != NULL)
            endpoint_node_clear(e, (uint32_t)(to - e->memory));
    }
}

void endpoint_host(struct endpoint *e, const uint32_t *flags)
{
    bool re = csim_get(&e->host_re_memory_i);
    bool we = csim_get(&e->host_we_send_i) || csim_get(&e->host_we_recv_i) ||
              csim_get(&e->host_we_packet_i);
    if (!re && !we)
        return;
    bool all = csim_get(&e->host_all_q_i);
    uint32_t begin = all ? 0 : csim_get(&e->host_node_q_i);
    uint32_t count = all ? e->nodes : begin < e->nodes;
    if (re)
        endpoint_host_read(e, flags, begin, count);
    if (e->lists && csim_get(&e->host_we_send_i))
        endpoint_list_write(e, begin, begin + count);
    if (we)
        endpoint_host_write(e, begin, count);
}
