/* SPDX-License-Identifier: Apache-2.0 */
/* drawing_lab: compares drawings in unit tests: their text, their nodes, and rejected schedules. */
#ifndef ROUNDCAST_DRAWING_LAB_H
#define ROUNDCAST_DRAWING_LAB_H

#include "sched/draw/drawing.h"

#define DRAWING_LAB_HEAD                                                                         \
    "digraph roundcast {\n"                                                                      \
    "  graph [ordering=out, ranksep=\"0.2 equally\", nodesep=0.15, labelloc=b, "                 \
    "fontname=Helvetica, "                                                                       \
    "fontsize=11];\n"                                                                            \
    "  node [shape=ellipse, width=0.45, height=0.45, margin=\"0.03,0.02\", fontname=Helvetica, " \
    "fontsize=10];\n"                                                                            \
    "  edge [arrowsize=0.5, fontname=Helvetica, fontsize=9, labeldistance=1.6, labelangle=40];\n"

void drawing_lab_expect_text(const struct drawing *drawing, const char *expected);

/* Reads a schedule from a text. */
void drawing_lab_read(const char *text, struct schedule *schedule);

/* The drawing of a schedule has these nodes: {number, parent's number, time, kind}. */
struct drawing_lab_node {
    uint32_t number, parent;
    uint64_t time;
    enum drawing_kind kind;
};

void drawing_lab_expect_nodes(const struct schedule *schedule, uint32_t packet, uint64_t last,
                              const struct drawing_lab_node expected[], size_t count);
void drawing_lab_refuse(const char *text, uint32_t packet, uint64_t last, enum err_code code,
                        const char *part);

#endif
