/* SPDX-License-Identifier: Apache-2.0 */
/* memory: what this machine can hold. What asks for more is refused, not swapped or ended half
 * way. */
#ifndef ROUNDCAST_MEMORY_H
#define ROUNDCAST_MEMORY_H

#include <stddef.h>

/* How many entries of so many bytes fit in the memory of this machine, whoever else uses it. */
size_t memory_most(size_t entry);

#endif
