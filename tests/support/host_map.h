/* SPDX-License-Identifier: Apache-2.0 */
/* host_map: predicts what a host reads from a machine, from the address map in
 * sched/machine/machine.h alone: the words that it wrote, each with the bits that are stored there,
 * and 0 at unimplemented addresses (rtl/shell/rc_host_port.sv).
 *
 * This and test_machine.c are the oracles of the address map, and decode addresses by hand; other
 * tests use sched/machine/machine_address.h. */
#ifndef ROUNDCAST_HOST_MAP_H
#define ROUNDCAST_HOST_MAP_H

#include "sched/machine/machine.h"

#define HOST_MAP_REGIONS 8
#define HOST_MAP_REGISTERS 64
#define HOST_MAP_EVENTS 48 /* the first register of events */

struct host_map {
    struct machine machine;
    uint32_t nodes, banks; /* endpoints; stages and the setting index, or routers */
    uint32_t reg[HOST_MAP_REGISTERS];
    uint32_t *word[HOST_MAP_REGIONS]; /* of the regions that store words */
};

/* -- Fields ------------------------------------------------------------------------------------ */

/* Number of address bits below the region that the machine decodes. */
unsigned host_map_bits(const struct host_map *map, uint32_t region);

/* -- Words ------------------------------------------------------------------------------------- */

/* Reports whether the write is of an operator that is not built, which the machine rejects. */
bool host_map_rejects(const struct host_map *map, uint32_t address, uint32_t word);

/* Records a write of the host. */
void host_map_write(struct host_map *map, uint32_t address, uint32_t word);

/* Predicts a read. The words of a read of all nodes are ORed. Precondition: no flag is set. */
uint32_t host_map_read(const struct host_map *map, uint32_t address);

/* Predicts the observation of a node at a read of all nodes: a word of its memories. Precondition:
 * no flag is set. */
uint32_t host_map_shown(const struct host_map *map, uint32_t address, uint32_t node);

/* Reports whether a run changes a register of events. */
static inline bool host_map_is_counted(uint32_t reg)
{
    return reg == 48 || (reg >= 51 && reg <= 53);
}

/* Records a reset, which does not change memories. */
void host_map_reset(struct host_map *map);

/* Returns the map of a machine at power-up, with all words 0. */
struct host_map host_map_open(const struct machine *machine);

void host_map_close(struct host_map *map);

#endif
