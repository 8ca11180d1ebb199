/* SPDX-License-Identifier: Apache-2.0 */
/* room: zeroed memory for tests; a test that gets none fails. The caller frees it. */
#ifndef ROUNDCAST_ROOM_H
#define ROUNDCAST_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* Allocates memory for exactly that many elements, so that a sanitizer detects an overrun; never
 * returns NULL, even for 0. */
void *room_of(size_t count, size_t size);
uint32_t *room_words(size_t count);

#endif
