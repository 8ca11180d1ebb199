/* SPDX-License-Identifier: Apache-2.0 */
/* image_beats: what the lines of an image's header say of a machine with beats besides; for
 * image.c.
 *
 *     // machine benes:32,… rows=64 settings=indexed tables=8 programs=stored beats=64
 *     // run rows=12 flits=4 row-cycles=13 period=12 first=0 packets=8
 */
#ifndef ROUNDCAST_IMAGE_BEATS_H
#define ROUNDCAST_IMAGE_BEATS_H

#include "sched/machine/machine.h"

#define IMAGE_BEATS_TEXT 120

/* With a space before; empty of a machine without beats. Return text. */
const char *image_beats_of_machine(const struct machine *machine, char text[IMAGE_BEATS_TEXT]);
const char *image_beats_of_run(const struct machine *machine, const struct run *run,
                               char text[IMAGE_BEATS_TEXT]);

/* Take over what the rest of a line says, if it says so; who writes it again sees whether that was
 * all of it. */
void image_beats_read_machine(const char *rest, struct machine *machine);
void image_beats_read_run(const char *rest, struct run *run);

#endif
