/* SPDX-License-Identifier: Apache-2.0 */
/* storage: the bits of table that an image uses on a multistage network, before and after rounds
 * share them. */
#ifndef ROUNDCAST_STORAGE_H
#define ROUNDCAST_STORAGE_H

#include "sched/image/image.h"

#include <jansson.h>
#include <stdio.h>

/* A table of what the run uses: settings and programs with an entry for each round, and, if they
 * are not, those that there are instead. Precondition: of a multistage machine. E104. O(words). */
bool storage_print(FILE *to, const struct image *image, uint32_t nodes,
                   struct roundcast_error *err);

/* {"full", "now"}: bits of both. */
json_t *storage_json(const struct image *image, uint32_t nodes);

#endif
