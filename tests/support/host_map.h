/* SPDX-License-Identifier: Apache-2.0 */
/* host_map: what a host reads of a machine, by the address map at the head of
 * sched/machine/machine.h and nothing else: the words that it wrote, each with the bits that are
 * kept there, and 0 where the machine has nothing (rtl/shell/rc_host_port.sv).
 *
 * This and test_machine.c are the map's oracles, and take addresses apart by hand; tests of
 * anything else ask sched/machine/machine_address.h. */
#ifndef ROUNDCAST_HOST_MAP_H
#define ROUNDCAST_HOST_MAP_H

#include "sched/machine/machine.h"

#define HOST_MAP_REGIONS 8
#define HOST_MAP_REGISTERS 16

struct host_map {
    struct machine machine;
    uint32_t nodes, units; /* endpoints; stages and the setting index, or routers */
    uint32_t reg[HOST_MAP_REGISTERS];
    uint32_t *word[HOST_MAP_REGIONS]; /* of the regions that keep what is written */
};

/* -- Fields ------------------------------------------------------------------------------------ */

/* Bits of an address below the region that the machine looks at. */
unsigned host_map_bits(const struct host_map *map, uint32_t region);

/* -- Words ------------------------------------------------------------------------------------- */

/* The host writes. */
void host_map_write(struct host_map *map, uint32_t address, uint32_t word);

/* What it reads. Of all nodes the words are ORed. No flag is up. */
uint32_t host_map_read(const struct host_map *map, uint32_t address);

/* What it shows of a node at a read of all: a word of its memories; no flag is up. */
uint32_t host_map_shown(const struct host_map *map, uint32_t address, uint32_t node);

/* After a reset: memories are as they were. */
void host_map_reset(struct host_map *map);

/* A machine at power-up, all words 0. */
struct host_map host_map_open(const struct machine *machine);

void host_map_close(struct host_map *map);

#endif
