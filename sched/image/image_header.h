/* SPDX-License-Identifier: Apache-2.0 */
/* image_header: the lines at the head of an image's text: its form, the machine and the run.
 *
 *     // roundcast-image 1
 *     // machine benes:32,… rows=64 settings=indexed tables=8 programs=stored beats=64
 *     // run rows=12 flits=4 row-cycles=13 period=12 first=0 packets=8
 *     // tree … or // cube …, for a machine of routers (image.h)
 *
 * The fields settings, tables, programs, beats (the maximum number of setting phases), period,
 * first and packets are absent for a machine without a setting period. With reconfiguration the
 * line of the machine ends with order=held, and that of the run with reconfigure=CYCLES.
 */
#ifndef ROUNDCAST_IMAGE_HEADER_H
#define ROUNDCAST_IMAGE_HEADER_H

#include "sched/image/image.h"

#include <stdio.h>

#define IMAGE_HEADER_LINE 1024 /* bytes of a line, including its newline and the final 0 */

void image_header_write(FILE *to, const struct image *image, enum image_form form);

/* Reads the lines strictly: the values that were read are written again and compared. E203, E205,
 * E207, E401 as `name:line: …`, and the errors of machine_check and machine_check_run. */
bool image_header_read(FILE *from, const char *name, struct image *image, enum image_form *form,
                       struct err *err);

#endif
