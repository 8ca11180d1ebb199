/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/draw/drawing.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rows are as far apart as their times, up to this limit: with λ = 65535/2 a picture would be
 * kilometres long. */
#define MAX_GAP 8

static const struct kind {
    const char *attributes, *legend;
} kinds[] = {
#define KIND_ENTRY(name, attributes, legend) {attributes, legend},
    DRAWING_KINDS(KIND_ENTRY)
#undef KIND_ENTRY
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

bool drawing_init(struct drawing *drawing, const char *title, uint32_t denominator, struct err *err)
{
    *drawing = (struct drawing){.title = strdup(title), .denominator = denominator};
    return drawing->title != NULL || err_no_memory(err, "a drawing");
}

void drawing_free(struct drawing *drawing)
{
    for (size_t at = 0; at < drawing->count; at++)
        free(drawing->node[at].text);
    free(drawing->title);
    free(drawing->node);
    free(drawing->arrow);
    *drawing = (struct drawing){0};
}

bool drawing_append(struct drawing *drawing, struct drawing_node node, struct err *err)
{
    struct drawing_node *larger =
        memory_grow(drawing->node, drawing->count + 1, &drawing->room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "a drawing of %zu nodes", drawing->count + 1);
    drawing->node = larger;
    const bool root = drawing->count == 0 || node.parent == DRAWING_NO_PARENT;
    node.depth = root ? 0 : drawing->node[node.parent].depth + 1;
    drawing->node[drawing->count++] = node;
    return true;
}

bool drawing_add_arrow(struct drawing *drawing, struct drawing_arrow arrow, struct err *err)
{
    struct drawing_arrow *larger =
        memory_grow(drawing->arrow, drawing->arrow_count + 1, &drawing->arrow_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "a drawing of %zu arrows", drawing->arrow_count + 1);
    drawing->arrow = larger;
    struct drawing_node *end = &drawing->node[arrow.to];
    end->depth = MAX(end->depth, drawing->node[arrow.from].depth + 1);
    drawing->arrow[drawing->arrow_count++] = arrow;
    return true;
}

uint32_t drawing_depth(const struct drawing *drawing)
{
    uint32_t depth = 0;
    for (size_t at = 0; at < drawing->count; at++)
        depth = MAX(depth, drawing->node[at].depth);
    return depth;
}

/* Writes a text inside a quoted label, in which Graphviz also interprets \x and &x;. */
static void write_escaped(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("\\n", to);
        else if (*text == '&')
            fputs("&amp;", to);
        else
            fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

/* Writes the title, and a legend of the kinds that have nodes. */
static void write_head(FILE *to, const struct drawing *drawing)
{
    bool drawn[KIND_COUNT] = {false};
    for (size_t at = 0; at < drawing->count; at++)
        drawn[drawing->node[at].kind] = true;
    fputs(
        "digraph roundcast {\n"
        "  graph [ordering=out, ranksep=\"0.2 equally\", nodesep=0.15, labelloc=b, "
        "fontname=Helvetica, "
        "fontsize=11];\n"
        "  node [shape=ellipse, width=0.45, height=0.45, margin=\"0.03,0.02\", fontname=Helvetica, "
        "fontsize=10];\n"
        "  edge [arrowsize=0.5, fontname=Helvetica, fontsize=9, labeldistance=1.6, "
        "labelangle=40];\n"
        "  label=\"",
        to);
    write_escaped(to, drawing->title);
    for (size_t kind = 0; kind < KIND_COUNT; kind++)
        if (drawn[kind] && kinds[kind].legend != NULL)
            fprintf(to, "\\n%s", kinds[kind].legend);
    fputs("\";\n", to);
}

static void write_name(FILE *to, const struct drawing *drawing, const struct drawing_node *node)
{
    char text[TOPOLOGY_NODE_TEXT];
    if (node->kind == DRAWING_VIRTUAL)
        fputs("v", to);
    else if (node->kind == DRAWING_ROUTER)
        fputs(topology_node_text(&drawing->tree, node->number, text), to);
    else
        fprintf(to, "%" PRIu32, node->number);
}

static void write_node(FILE *to, const struct drawing *drawing, size_t at)
{
    const struct drawing_node *node = &drawing->node[at];
    bool named = node->kind == DRAWING_VIRTUAL || drawing->shows_numbers;
    fprintf(to, "    n%zu [label=\"", at);
    if (named)
        write_name(to, drawing, node);
    char text[RATIONAL_TEXT];
    if (node->text != NULL)
        fprintf(to, "\\n%s", node->text);
    else if (node->kind != DRAWING_SOURCE)
        fprintf(to, "%s%s", named ? "\\n" : "",
                rational_text(node->time, drawing->denominator, text));
    const char *attributes = kinds[node->kind].attributes;
    fprintf(to, "\"%s%s];\n", attributes[0] != '\0' ? ", " : "", attributes);
}

/* Writes the nodes of one time, beginning with `first`. Returns the index after the last of
 * them. */
static size_t write_row(FILE *to, const struct drawing *drawing, size_t first, size_t row)
{
    uint64_t time = drawing->node[first].time;
    char text[RATIONAL_TEXT];
    fprintf(to, "  { rank=same; t%zu [shape=plaintext, label=\"%s\"];\n", row,
            rational_text(time, drawing->denominator, text));
    size_t at = first;
    for (; at < drawing->count && drawing->node[at].time == time; at++)
        write_node(to, drawing, at);
    fputs("  }\n", to);
    return at;
}

static void write_rows(FILE *to, const struct drawing *drawing)
{
    uint64_t before = 0;
    for (size_t row = 0, at = 0; at < drawing->count; row++) {
        uint64_t time = drawing->node[at].time;
        at = write_row(to, drawing, at, row);
        if (row > 0)
            fprintf(to, "  t%zu -> t%zu [style=invis, minlen=%" PRIu64 "];\n", row - 1, row,
                    time - before < MAX_GAP ? time - before : MAX_GAP);
        before = time;
    }
}

static void write_arrow(FILE *to, const struct drawing_arrow *arrow)
{
    fprintf(to, "  n%" PRIu32 " -> n%" PRIu32, arrow->from, arrow->to);
    if (arrow->dashed)
        fputs(" [style=dashed]", to);
    else if (arrow->text != NULL)
        fprintf(to, " [label=\"%s\"]", arrow->text);
    fputs(";\n", to);
}

void drawing_write(FILE *to, const struct drawing *drawing)
{
    write_head(to, drawing);
    write_rows(to, drawing);
    char text[RATIONAL_TEXT];
    for (size_t at = 1; at < drawing->count; at++) {
        if (drawing->node[at].parent == DRAWING_NO_PARENT)
            continue;
        fprintf(to, "  n%" PRIu32 " -> n%zu", drawing->node[at].parent, at);
        if (drawing->shows_branches)
            fprintf(to, " [headlabel=\"%s\"]",
                    rational_text(drawing->node[at].branch, drawing->denominator, text));
        fputs(";\n", to);
    }
    for (size_t k = 0; k < drawing->arrow_count; k++)
        write_arrow(to, &drawing->arrow[k]);
    fputs("}\n", to);
}
