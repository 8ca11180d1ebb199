/* SPDX-License-Identifier: Apache-2.0 */
/* router_table: the tables that select what routers send (machine.h, region 1);
 * rtl/routers/rc_router.sv. A row fetched at fetch_i in cycle c-2 is in `setting` from cycle c-1
 * on.
 *
 *     setting of output o      {valid, source}       sends the packet of read port `source` of the
 *                                                    router
 *     setting of read port s   address               reads the packet there, of input s / reads
 *
 * The flags are those of machine.h: not held, twice.
 */
#ifndef ROUNDCAST_ROUTER_TABLE_H
#define ROUNDCAST_ROUTER_TABLE_H

#include "csim/routers/router_level.h"

/* Allocates the tables. False if there is no memory. */
bool router_table_new(struct router_level *level, struct csim_module *module);

/* Loads the row of row_i into `setting`. */
void router_table_fetch(struct router_level *level);

/* Aims the outputs at the packets of the setting. Returns whether any lane sends. O(ports of the
 * level). */
bool router_table_aim(struct router_level *level);

/* Returns the word that the host addresses in the router's table, NULL if there is none. */
uint32_t *router_table_word(const struct router_level *level, uint32_t router);

/* Returns the bits of a word that the hardware stores in the column that the host addresses. */
uint32_t router_table_mask(const struct router_level *level, uint32_t word);

#endif
