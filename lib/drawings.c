/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings of the public library. */
#include "lib/draw_tree.h"
#include "lib/inside.h"
#include "lib/roundcast/drawing.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/base/tool.h"
#include "sched/draw/drawing.h"

#include <stdlib.h>
#include <string.h>

struct roundcast_drawing {
    struct drawing drawing;
};

_Static_assert(ROUNDCAST_TREE_NOT_GIVEN == TREE_NOT_GIVEN, "what is not given is one number");

/* -- Pictures drawn by Graphviz ---------------------------------------------------------------- */

/* Writes a drawing to a file, in the language of Graphviz or as a picture made by its program
 * `dot`. */

/* `dot` takes 5 seconds for this number of nodes of a broadcast tree, and minutes for twice as
 * many. */
#define GRAPHVIZ_MAX_NODES 4096

/* Writes the text; the file is complete or absent. E202. */
static bool graphviz_write_dot(const char *path, const struct drawing *drawing, struct err *err)
{
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    drawing_write(output.file, drawing);
    return files_commit(&output, err);
}

static bool draw(const char *format, const struct drawing *drawing, FILE *picture, struct err *err)
{
    char name[] = "dot", option[16], *arguments[] = {name, option, NULL}, what[24];
    snprintf(option, sizeof option, "-T%s", format);
    snprintf(what, sizeof what, "%s %s", name, option);
    const struct filter dot = {what, "Graphviz (the package graphviz)", arguments};
    FILE *text = filter_input(err);
    if (text == NULL)
        return false;
    drawing_write(text, drawing);
    bool drawn = filter_run(&dot, text, picture, err);
    fclose(text);
    return drawn;
}

/* Writes the picture in a format of `dot`, "svg" or "png"; the file is complete or absent. E104 for
 * more than GRAPHVIZ_MAX_NODES nodes, E202, E501. */
static bool graphviz_write_picture(const char *path, const char *format,
                                   const struct drawing *drawing, struct err *err)
{
    if (drawing->count > GRAPHVIZ_MAX_NODES)
        return err_set(err, ERR_TOO_BIG,
                       "{format} %s: %zu node%s; expected at most %d ({format} dot takes more)",
                       format, drawing->count, text_s(drawing->count), GRAPHVIZ_MAX_NODES);
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    if (!draw(format, drawing, output.file, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}

/* Returns a handle that owns the drawing if it was `drawn`; NULL with an error otherwise. */
static struct roundcast_drawing *wrap(bool drawn, struct drawing *drawing, struct err *err,
                                      struct roundcast_error *error)
{
    struct roundcast_drawing *wrapped = drawn ? malloc(sizeof *wrapped) : NULL;
    if (wrapped != NULL) {
        wrapped->drawing = *drawing;
        return wrapped;
    }
    if (drawn)
        err_no_memory(err, "a drawing");
    drawing_free(drawing);
    inside_fail(err, error);
    return NULL;
}

static bool draw_packet(const struct roundcast_schedule *from, uint32_t packet, uint32_t last,
                        struct drawing *drawing, struct err *err)
{
    const struct schedule *schedule = &from->schedule;
    if (schedule->packets == 0)
        return err_set(err, ERR_RANGE, "%.200s: has no packet; expected one to draw", from->name);
    if (packet < 1 || packet > schedule->packets)
        return err_out_of_range(err, "packet", packet, 1, schedule->packets);
    const uint64_t end = last != 0 ? (uint64_t)last * schedule->lambda.denominator : UINT64_MAX;
    if (schedule_demand_of(schedule, packet)->reduction != NULL)
        return drawing_reduction(from->name, schedule, packet, end, drawing, err);
    return drawing_broadcast(from->name, schedule, packet, end, drawing, err);
}

struct roundcast_drawing *roundcast_draw_packet(const struct roundcast_schedule *schedule,
                                                uint32_t packet, uint32_t last,
                                                struct roundcast_error *error)
{
    struct err err = {0};
    struct drawing drawing = {0};
    bool drawn = draw_packet(schedule, packet, last, &drawing, &err);
    return wrap(drawn, &drawing, &err, error);
}

const char *roundcast_tree_kind(unsigned which)
{
    return draw_tree_choice(which);
}

/* Finds the kind, and checks the numbers. */
static bool find_tree(const struct roundcast_tree *from, struct draw_tree *tree, struct err *err)
{
    *tree = (struct draw_tree){.number = {[TREE_N] = from->nodes,
                                          [TREE_D] = from->degree,
                                          [TREE_T] = from->order,
                                          [TREE_I] = from->index,
                                          [TREE_DIM] = from->dim}};
    return (from->kind == NULL || draw_tree_kind(from->kind, &tree->kind, err)) &&
           draw_tree_check(tree, err);
}

bool roundcast_tree_check(const struct roundcast_tree *tree, struct roundcast_error *error)
{
    struct err err = {0};
    struct draw_tree found;
    return find_tree(tree, &found, &err) || inside_fail(&err, error);
}

struct roundcast_drawing *roundcast_draw_tree(const struct roundcast_tree *tree,
                                              struct roundcast_error *error)
{
    struct err err = {0};
    struct draw_tree found;
    struct drawing drawing = {0};
    bool drawn = find_tree(tree, &found, &err) &&
                 (found.kind != NULL || err_missing(&err, "tree", "the kind of tree")) &&
                 draw_tree_draw(&found, &drawing, &err);
    return wrap(drawn, &drawing, &err, error);
}

struct roundcast_drawing_info roundcast_drawing_describe(const struct roundcast_drawing *drawing)
{
    const struct drawing *it = &drawing->drawing;
    return (struct roundcast_drawing_info){.title = it->title,
                                           .nodes = it->count,
                                           .depth = drawing_depth(it),
                                           .last = it->node[it->count - 1].time,
                                           .ticks = it->denominator};
}

bool roundcast_drawing_write(const struct roundcast_drawing *drawing, const char *format,
                             const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    bool written = strcmp(format, "dot") == 0
                       ? graphviz_write_dot(path, &drawing->drawing, &err)
                       : graphviz_write_picture(path, format, &drawing->drawing, &err);
    return written || inside_fail(&err, error);
}

void roundcast_drawing_free(struct roundcast_drawing *drawing)
{
    if (drawing == NULL)
        return;
    drawing_free(&drawing->drawing);
    free(drawing);
}
