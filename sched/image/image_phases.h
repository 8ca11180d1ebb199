/* image_phases: what the lines of an image's header say of a machine with phases besides; for
 * image.c.
 *
 *     // machine benes:32,… rows=64 settings=indexed tables=8 programs=stored phases=64
 *     // run rows=12 flits=4 row-cycles=13 period=12 first=0 packets=8
 */
#ifndef ROUNDCAST_IMAGE_PHASES_H
#define ROUNDCAST_IMAGE_PHASES_H

#include "sched/machine/machine.h"

#define IMAGE_PHASES_TEXT 120

/* With a space before; empty of a machine without phases. Return text. */
const char *image_phases_of_machine(const struct machine *machine, char text[IMAGE_PHASES_TEXT]);
const char *image_phases_of_run(const struct machine *machine, const struct run *run,
                                char text[IMAGE_PHASES_TEXT]);

/* Take over what the rest of a line says, if it says so; who writes it again sees whether that was
 * all of it. */
void image_phases_read_machine(const char *rest, struct machine *machine);
void image_phases_read_run(const char *rest, struct run *run);

#endif
