/* SPDX-License-Identifier: Apache-2.0 */
/* groups: writes the groups of a save file (listed in save.h). */
#ifndef ROUNDCAST_GROUPS_H
#define ROUNDCAST_GROUPS_H

#include "waves/layout.h"

/* Writes the group `run`. */
void groups_run(const struct layout *layout);
void groups_switch(const struct layout *layout); /* for machines with reconfiguration */

/* Writes the groups sends, receives, observation and endpoints: a line or a group per node. */
void groups_nodes(const struct layout *layout);

/* Writes the network of a multistage machine, stage by stage. Precondition: layout_inside. */
void groups_stages(const struct layout *layout);

/* Writes the routers of a fat tree, level by level from the root. Precondition: layout_inside. */
void groups_tree(const struct layout *layout);

/* Writes the arcs of a hypercube, dimension by dimension. Precondition: layout_inside. */
void groups_cube(const struct layout *layout);

/* Writes a line for the packet that an endpoint receives. */
void groups_put_receives(const struct layout *layout, const char *label, uint32_t node);

#endif
