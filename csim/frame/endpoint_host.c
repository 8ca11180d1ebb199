/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/frame/endpoint_host.h"

#include "csim/frame/endpoint_list.h"

/* As host_region_i chooses: lanes of host_words, and the flags, which are read as they are then. */
enum { SEND, RECV, PACKET, WORDS, FLAGS = WORDS };

static uint32_t *memory_word(const struct endpoint *e, uint32_t node)
{
    uint32_t packet = csim_get(&e->host_packet_i) << e->machine.log2_flits;
    return &e->memory[node * e->node_words + packet + csim_get(&e->host_flit_i)];
}

static uint32_t *program_word(const struct endpoint *e, uint32_t *program, uint32_t node)
{
    uint32_t row = ports_low(csim_get(&e->host_row_i), machine_log2_program_rows(&e->machine));
    return &program[(size_t)row * e->padded + node];
}

static void write_node(struct endpoint *e, uint32_t node)
{
    uint32_t word = csim_get(&e->host_data_i);
    unsigned bits =
        e->machine.computed ? machine_offset_bits(&e->machine) : e->machine.log2_packets;
    uint32_t program = (word & MACHINE_VALID) | ports_low(word, bits);
    if (csim_get(&e->host_we_send_i))
        *program_word(e, e->send_program, node) = program;
    if (csim_get(&e->host_we_recv_i) && !e->headers)
        *program_word(e, e->recv_program, node) =
            (e->machine.computed ? 0 : word & MACHINE_MORE) | program;
    if (csim_get(&e->host_we_packet_i))
        *memory_word(e, node) =
            (word & MACHINE_VALID ? e->valid : 0) | ports_low(word, e->machine.width);
}

/* All nodes' words are ORed, as by the tree of the machine. */
static void read_node(const struct endpoint *e, uint32_t node, uint32_t words[WORDS])
{
    uint32_t packet = *memory_word(e, node);
    words[SEND] |= *program_word(e, e->send_program, node);
    words[RECV] |= *program_word(e, e->recv_program, node);
    words[PACKET] |= (packet & e->valid ? MACHINE_VALID : 0) | ports_low(packet, e->machine.width);
}

void endpoint_host(struct endpoint *e)
{
    bool re = csim_get(&e->host_re_memory_i);
    bool we = csim_get(&e->host_we_send_i) || csim_get(&e->host_we_recv_i) ||
              csim_get(&e->host_we_packet_i);
    if (!re && !we)
        return;
    bool all = csim_get(&e->host_all_q_i);
    uint32_t begin = all ? 0 : csim_get(&e->host_node_q_i);
    uint32_t end = all || begin >= e->nodes ? e->nodes : begin + 1;
    if (re) {
        uint32_t *words = csim_write(&e->host_words);
        for (unsigned region = 0; region < WORDS; region++)
            words[region] = 0;
        for (uint32_t node = begin; node < end; node++)
            read_node(e, node, words);
        uint32_t *nodes = csim_write(&e->host_nodes);
        nodes[0] = begin;
        nodes[1] = end;
    }
    if (e->lists && csim_get(&e->host_we_send_i))
        endpoint_list_write(e, begin, end);
    for (uint32_t node = begin; we && node < end; node++)
        write_node(e, node);
}

static void endpoint_host_read(void *state)
{
    struct endpoint *e = state;
    uint32_t region = csim_get(&e->host_region_i);
    uint32_t word = region == FLAGS ? 0 : csim_read(&e->host_words)[region];
    const uint32_t *nodes = csim_read(&e->host_nodes);
    for (uint32_t node = nodes[0]; region == FLAGS && node < nodes[1]; node++)
        word |= csim_read(&e->flags_q)[node];
    csim_put(&e->node_rdata_o, word);
}

void endpoint_host_new(struct endpoint *self, struct csim_module *module, struct csim_process *edge)
{
    csim_signal(module, &self->host_words, 32, WORDS, "host_words");
    csim_signal(module, &self->host_nodes, 32, 2, "host_nodes");
    csim_input(module, &self->host_region_i, 2, 1, "host_region_i");
    csim_output(module, &self->node_rdata_o, 32, 1, "node_rdata_o");
    csim_writes(edge, &self->host_words);
    csim_writes(edge, &self->host_nodes);
    struct csim_process *read = csim_combinational(module, "host_read", endpoint_host_read);
    csim_reads(read, &self->host_words);
    csim_reads(read, &self->host_nodes);
    csim_reads(read, &self->host_region_i);
    csim_reads(read, &self->flags_q);
    csim_writes(read, &self->node_rdata_o);
}
