/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_range: endpoints that split ranges in place of programs (sched/schedule/ranges.h); N
 * times rtl/shell/rc_range_program.sv, which documents the behaviour cycle by cycle, and the table
 * of splits, rtl/shell/rc_range_table.sv.
 *
 * Each endpoint counts its own flits, so packets move flit by flit, without blocks.
 */
#ifndef ROUNDCAST_ENDPOINT_RANGE_H
#define ROUNDCAST_ENDPOINT_RANGE_H

#include "csim/shell/endpoint.h"

/* Ports that only endpoints with ranges have. */
#define ENDPOINT_RANGE_PORTS(INPUT, OUTPUT)      \
    INPUT(wave_fetch, 1)                         \
    INPUT(packets, machine->log2_packets + 1)    \
    INPUT(host_we_table, 1)                      \
    INPUT(host_bank, machine_bank_bits(machine)) \
    OUTPUT(splits_rdata, 32)

struct endpoint_range_node; /* the registers of a node */

struct endpoint_range {
    ENDPOINT_RANGE_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct endpoint_range_node *node; /* [nodes] */
    uint32_t *split;                  /* split[2^log2_splits]: words of the table */
    size_t node_size, split_size;     /* bytes */
};

/* Allocates the registers and the table. Returns NULL if a building call failed. */
struct endpoint_range *endpoint_range_new(struct csim_module *module,
                                          const struct machine *machine);

/* Declares the ports, which `process` reads and writes. */
void endpoint_range_declare(struct endpoint_range *self, struct csim_module *module,
                            struct csim_process *process, const struct machine *machine);

/* The process of all endpoints, in place of the one that follows programs. */
void endpoint_range_edge(void *endpoint);

/* Resets the registers and the table. */
void endpoint_range_reset(struct endpoint *e);

#endif
