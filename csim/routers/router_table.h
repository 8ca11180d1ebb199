/* SPDX-License-Identifier: Apache-2.0 */
/* router_table: what routers send, by their tables (machine.h, region 1); rtl/routers/rc_router.sv.
 * Fetched at fetch_i in cycle c-2, a row is `setting` from c-1 on.
 *
 *     setting of output o      {valid, source}       sends what read port `source` of the router
 *                                                    gives
 *     setting of read port s   address               gives the packet there, of input s / reads
 *
 * The flags are those of machine.h: not held, twice.
 */
#ifndef ROUNDCAST_ROUTER_TABLE_H
#define ROUNDCAST_ROUTER_TABLE_H

#include "csim/routers/router_level.h"

/* Its memory. False if there is none. */
bool router_table_new(struct router_level *level, struct csim_module *module);

/* The row of row_i becomes the setting. */
void router_table_fetch(struct router_level *level);

/* Aim the outputs at the packets of the setting. Does any lane send? O(ports of the level). */
bool router_table_aim(struct router_level *level);

/* The word that the host addresses in the router's table, NULL if there is none. */
uint32_t *router_table_word(const struct router_level *level, uint32_t router);

/* What the hardware keeps of a word for the column that the host addresses. */
uint32_t router_table_mask(const struct router_level *level, uint32_t word);

#endif
