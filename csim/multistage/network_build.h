/* SPDX-License-Identifier: Apache-2.0 */
/* network_build: the construction of a multistage_network, and its processes. */
#ifndef ROUNDCAST_NETWORK_BUILD_H
#define ROUNDCAST_NETWORK_BUILD_H

/* The clocked process. */
void network_edge(void *state);

/* Combinational processes: drive lanes_o if no register follows the last stage; the other
 * outputs. */
void network_exit(void *state);
void network_outputs(void *state);

/* The view. */
void network_show(void *state);

void network_reset(void *state);

#endif
