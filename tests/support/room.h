/* SPDX-License-Identifier: Apache-2.0 */
/* room: memory for what tests keep, zeroed; a test that gets none fails. To be freed. */
#ifndef ROUNDCAST_ROOM_H
#define ROUNDCAST_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* For exactly so many, so that a sanitizer sees one too many; of 0 there is memory, too. */
void *room_of(size_t count, size_t size);
uint32_t *room_words(size_t count);

#endif
