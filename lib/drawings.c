/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings of the public library. */
#include "lib/draw_tree.h"
#include "lib/graphviz.h"
#include "lib/inside.h"
#include "lib/roundcast/drawing.h"

#include <stdlib.h>
#include <string.h>

struct roundcast_drawing {
    struct drawing drawing;
};

_Static_assert(ROUNDCAST_TREE_NOT_GIVEN == TREE_NOT_GIVEN, "what is not given is one number");

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
