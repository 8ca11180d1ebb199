/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/draw_tree.h"

#include <inttypes.h>
#include <string.h>

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

const char *draw_tree_choice(unsigned which)
{
    return which < KIND_COUNT ? kinds[which].name : NULL;
}

bool draw_tree_kind(const char *name, const struct tree_kind **kind, struct err *err)
{
    unsigned which;
    if (!field_choose("tree", name, draw_tree_choice, &which, err))
        return false;
    *kind = &kinds[which];
    return true;
}

bool draw_tree_check(const struct draw_tree *options, struct err *err)
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

bool draw_tree_draw(const struct draw_tree *options, struct drawing *drawing, struct err *err)
{
    return options->kind->draw(options, drawing, err);
}
