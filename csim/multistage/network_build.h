/* SPDX-License-Identifier: Apache-2.0 */
/* network_build: how a multistage_network is put together; what its processes do. */
#ifndef ROUNDCAST_NETWORK_BUILD_H
#define ROUNDCAST_NETWORK_BUILD_H

/* Clocked. */
void network_edge(void *state);

/* Combinational: lanes_o if no register follows the last stage; the other outputs. */
void network_exit(void *state);
void network_outputs(void *state);

/* The view. */
void network_show(void *state);

void network_reset(void *state);

#endif
