/* SPDX-License-Identifier: Apache-2.0 */
/* image_held: whether the order of a machine that holds settings says when they change; for
 * image.c. */
#ifndef ROUNDCAST_IMAGE_HELD_H
#define ROUNDCAST_IMAGE_HELD_H

#include "sched/image/image.h"

/* Has each beat of the run a word, and is each word's setting another than that of the one before,
 * as the machine waits before it? True of other machines. E406, E104. O(words + beats). */
bool image_held_check(const struct image *image, const char *name, struct err *err);

#endif
