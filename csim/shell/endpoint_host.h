/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_host: the host's accesses to the programs, packet memories and flags of the
 * endpoints. */
#ifndef ROUNDCAST_ENDPOINT_HOST_H
#define ROUNDCAST_ENDPOINT_HOST_H

#include "csim/shell/endpoint.h"

/* Serves the access of this cycle, if there is one; O(1), or O(nodes) if all nodes are addressed.
 * flags[nodes]: their values in the next cycle, NULL if all are 0. */
void endpoint_host(struct endpoint *e, const uint32_t *flags);

#endif
