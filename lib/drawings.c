/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings of the public library. */
#include "lib/inside.h"
#include "lib/roundcast/drawing.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/base/tool.h"
#include "sched/draw/drawing.h"
#include "sched/request/field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Trees of the papers ----------------------------------------------------------------------- */

/* A tree of the papers, drawn in place of a schedule.
 *
 *     --tree full -d D -t T          FT_d(t)
 *     --tree top  -n N -d D [-i I]   T_i, the treetop that spans group i of n processors
 *     --tree hat  -n N -d D [-i I]   T̂_i, the tree that carries every d-th packet
 *     --tree cube --dim D [-i J]     T(J), the tree of e_J of a hypercube, J = 1 … D
 */

enum { TREE_N, TREE_D, TREE_T, TREE_I, TREE_DIM, TREE_NUMBERS };

#define TREE_NOT_GIVEN UINT32_MAX

struct draw_tree {
    const struct tree_kind *kind;  /* NULL: no --tree */
    uint32_t number[TREE_NUMBERS]; /* TREE_NOT_GIVEN if not given */
};

#define TITLE_ROOM 200

/* The names of the fields of the numbers. */
static const char *const numbers[TREE_NUMBERS] = {"nodes", "degree", "order", "index", "dim"};

/* Bits of numbers. */
#define N (1u << TREE_N)
#define D (1u << TREE_D)
#define T (1u << TREE_T)
#define I (1u << TREE_I)
#define DIM (1u << TREE_DIM)

static bool draw_full(const struct draw_tree *options, struct drawing *drawing, struct err *err);
static bool draw_of_broadcast(const struct draw_tree *options, struct drawing *drawing,
                              struct err *err);
static bool draw_cube(const struct draw_tree *options, struct drawing *drawing, struct err *err);

static const struct tree_kind {
    const char *name;
    unsigned needs, takes;
    bool (*draw)(const struct draw_tree *options, struct drawing *drawing, struct err *err);
    /* makes T_i or T̂_i; NULL for other kinds */
    bool (*make)(uint32_t d, uint32_t n, uint32_t i, struct fibonacci_tree *tree, struct err *err);
    const char *symbol;
} kinds[] = {
    {"full", D | T, D | T, draw_full, NULL, NULL},
    {"top", N | D, N | D | I, draw_of_broadcast, fibonacci_tree_top, "T"},
    {"hat", N | D, N | D | I, draw_of_broadcast, fibonacci_tree_hat, "T̂"},
    {"cube", DIM, DIM | I, draw_cube, NULL, NULL},
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

/* Returns the name of kind `which`; NULL after the last. */
static const char *draw_tree_choice(unsigned which)
{
    return which < KIND_COUNT ? kinds[which].name : NULL;
}

/* Finds the kind by its name. E101. */
static bool draw_tree_kind(const char *name, const struct tree_kind **kind, struct err *err)
{
    unsigned which;
    if (!field_choose("tree", name, draw_tree_choice, &which, err))
        return false;
    *kind = &kinds[which];
    return true;
}

/* Checks that the numbers that the tree needs are given, and no others. E101. */
static bool draw_tree_check(const struct draw_tree *options, struct err *err)
{
    const struct tree_kind *kind = options->kind;
    for (unsigned which = 0; which < TREE_NUMBERS; which++) {
        bool given = options->number[which] != TREE_NOT_GIVEN;
        if (given && kind == NULL)
            return err_requires(err, numbers[which], "tree");
        if (given && !(kind->takes >> which & 1))
            return field_reject(err, ERR_OPTION, numbers[which],
                                ": {tree} %s has no such number; expected none", kind->name);
        if (!given && kind != NULL && kind->needs >> which & 1)
            return field_reject(err, ERR_OPTION, numbers[which], " is required with {tree} %s",
                                kind->name);
    }
    return true;
}

static bool draw_full(const struct draw_tree *options, struct drawing *drawing, struct err *err)
{
    uint32_t d = options->number[TREE_D], t = options->number[TREE_T];
    struct fibonacci_tree tree;
    if (!fibonacci_tree_full(d, t, &tree, err))
        return false;
    char title[TITLE_ROOM];
    snprintf(title, sizeof title, "FT_%" PRIu32 "(%" PRIu32 ")\nbase-0 labels", d, t);
    bool drawn = drawing_fibonacci(&tree, NULL, title, drawing, err);
    fibonacci_tree_free(&tree);
    return drawn;
}

static bool draw_of_broadcast(const struct draw_tree *options, struct drawing *drawing,
                              struct err *err)
{
    uint32_t n = options->number[TREE_N], d = options->number[TREE_D];
    uint32_t i = options->number[TREE_I] != TREE_NOT_GIVEN ? options->number[TREE_I] : 0;
    struct fibonacci_shape shape;
    struct fibonacci_tree tree;
    if (!fibonacci_shape_of(d, n, &shape, err))
        return false;
    if (i >= d)
        return err_out_of_range(err, "index", i, 0, d - 1);
    if (!options->kind->make(d, n, i, &tree, err))
        return false;
    char title[TITLE_ROOM];
    snprintf(title, sizeof title,
             "%s_%" PRIu32 ", n = %" PRIu32 ", d = %" PRIu32 "\nprocessors over base-%" PRIu32
             " labels",
             options->kind->symbol, i, n, d, i);
    bool drawn = drawing_fibonacci(&tree, &shape, title, drawing, err);
    fibonacci_tree_free(&tree);
    return drawn;
}

static bool draw_cube(const struct draw_tree *options, struct drawing *drawing, struct err *err)
{
    unsigned d = options->number[TREE_DIM];
    uint32_t tree = options->number[TREE_I] != TREE_NOT_GIVEN ? options->number[TREE_I] : 1;
    if (tree < 1 || tree > d)
        return err_out_of_range(err, "index", tree, 1, d);
    return drawing_cube(d, tree, drawing, err);
}

/* Draws the tree. Precondition: a kind, draw_tree_check. E102, E104. */
static bool draw_tree_draw(const struct draw_tree *options, struct drawing *drawing,
                           struct err *err)
{
    return options->kind->draw(options, drawing, err);
}

/* -- Drawings ---------------------------------------------------------------------------------- */

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
