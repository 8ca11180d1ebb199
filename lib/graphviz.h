/* SPDX-License-Identifier: Apache-2.0 */
/* graphviz: a drawing as a file, in the language of Graphviz or as a picture that its `dot`
 * makes. */
#ifndef ROUNDCAST_GRAPHVIZ_H
#define ROUNDCAST_GRAPHVIZ_H

#include "sched/draw/drawing.h"

/* `dot` takes 5 seconds for so many nodes of a broadcast tree, and minutes for twice as many. */
#define GRAPHVIZ_MAX_NODES 4096

/* Write the text, whole or not at all. E202. */
bool graphviz_write_dot(const char *path, const struct drawing *drawing, struct err *err);

/* Write the picture in a format of dot's, "svg" or "png", whole or not at all. E104 for more than
 * GRAPHVIZ_MAX_NODES nodes, E202, E501. */
bool graphviz_write_picture(const char *path, const char *format, const struct drawing *drawing,
                            struct err *err);

#endif
