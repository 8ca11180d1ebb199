/* SPDX-License-Identifier: Apache-2.0 */
/* graphviz: writes a drawing to a file, in the language of Graphviz or as a picture made by its
 * program `dot`. */
#ifndef ROUNDCAST_GRAPHVIZ_H
#define ROUNDCAST_GRAPHVIZ_H

#include "sched/draw/drawing.h"

/* `dot` takes 5 seconds for this number of nodes of a broadcast tree, and minutes for twice as
 * many. */
#define GRAPHVIZ_MAX_NODES 4096

/* Writes the text; the file is complete or absent. E202. */
bool graphviz_write_dot(const char *path, const struct drawing *drawing, struct err *err);

/* Writes the picture in a format of `dot`, "svg" or "png"; the file is complete or absent. E104 for
 * more than GRAPHVIZ_MAX_NODES nodes, E202, E501. */
bool graphviz_write_picture(const char *path, const char *format, const struct drawing *drawing,
                            struct err *err);

#endif
