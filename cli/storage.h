/* SPDX-License-Identifier: Apache-2.0 */
/* storage: the bits of table that an image uses on a multistage network, before and after rounds
 * share them. */
#ifndef ROUNDCAST_STORAGE_H
#define ROUNDCAST_STORAGE_H

#include "sched/image/image.h"

#include <jansson.h>
#include <stdio.h>

/* Prints a table of the memory of a run: settings and programs with an entry for each round, and,
 * if they are stored in another way, also those. Precondition: of a multistage machine. E104.
 * O(words). */
bool storage_print(FILE *to, const struct image *image, uint32_t nodes, struct err *err);

/* {"full", "now"}: bits of both. */
json_t *storage_json(const struct image *image, uint32_t nodes);

#endif
