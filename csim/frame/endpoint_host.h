/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_host: the host's accesses to the programs, packet memories and flags of the
 * endpoints. */
#ifndef ROUNDCAST_ENDPOINT_HOST_H
#define ROUNDCAST_ENDPOINT_HOST_H

#include "csim/frame/endpoint.h"

/* Declare what the host reads, for the edge process that calls endpoint_host. */
void endpoint_host_new(struct endpoint *self, struct csim_module *module,
                       struct csim_process *edge);

/* The access of this cycle, if there is one; O(1), or O(nodes) if all are addressed. */
void endpoint_host(struct endpoint *e);

#endif
