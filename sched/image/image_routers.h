/* SPDX-License-Identifier: Apache-2.0 */
/* image_routers: the line of an image's header that describes a machine of routers (image.h); for
 * image.c. */
#ifndef ROUNDCAST_IMAGE_ROUTERS_H
#define ROUNDCAST_IMAGE_ROUTERS_H

#include "sched/image/image.h"

#include <stdio.h>

#define IMAGE_ROUTERS_LINE 1024

/* Precondition: machine_hops. */
void image_routers_line(const struct image *image, char line[IMAGE_ROUTERS_LINE]);

/* Read it, which is line 4, into topology, depths, queues and reads of the machine whose kind is
 * set, and the run's single_port. The line is strict. E203 and those of machine_check. */
bool image_routers_read(FILE *from, const char *name, struct image *image, struct err *err);

#endif
