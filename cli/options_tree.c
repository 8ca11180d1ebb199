/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_tree.h"

#include "cli/options_keys.h"

#include <inttypes.h>
#include <string.h>

#define TITLE_ROOM 200

static const struct number {
    int key;
    const char *option;
    uint32_t minimum, maximum;
} numbers[TREE_NUMBERS] = {
    {'n', "-n", 1, SCHEDULE_MAX_NODES},
    {'d', "-d", 1, SCHEDULE_MAX_NODES},
    {'t', "-t", 0, UINT32_MAX},
    {'i', "-i", 0, SCHEDULE_MAX_NODES - 1},
    {KEY_DIM, "--dim", 1, TOPOLOGY_MAX_DIMENSIONS},
};

/* Bits of `given`. */
#define N (1u << TREE_N)
#define D (1u << TREE_D)
#define T (1u << TREE_T)
#define I (1u << TREE_I)
#define DIM (1u << TREE_DIM)

static bool draw_full(const struct options_tree *options, struct drawing *drawing);
static bool draw_of_broadcast(const struct options_tree *options, struct drawing *drawing);
static bool draw_cube(const struct options_tree *options, struct drawing *drawing);

static const struct tree_kind {
    const char *name;
    unsigned needs, takes;
    bool (*draw)(const struct options_tree *options, struct drawing *drawing);
    /* It makes T_i or T̂_i; other kinds have none. */
    bool (*make)(uint32_t d, uint32_t n, uint32_t i, struct fibonacci_tree *tree, struct err *err);
    const char *symbol;
} kinds[] = {
    {"full", D | T, D | T, draw_full, NULL, NULL},
    {"top", N | D, N | D | I, draw_of_broadcast, fibonacci_tree_top, "T"},
    {"hat", N | D, N | D | I, draw_of_broadcast, fibonacci_tree_hat, "T̂"},
    {"cube", DIM, DIM | I, draw_cube, NULL, NULL},
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

static bool parse_kind(const char *name, struct options_tree *options)
{
    const char *known[KIND_COUNT];
    unsigned which;
    for (which = 0; which < KIND_COUNT; which++)
        known[which] = kinds[which].name;
    if (!options_choice("--tree", name, known, KIND_COUNT, &which, options->err))
        return false;
    options->kind = &kinds[which];
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_tree *options = state->input;
    if (key == KEY_TREE)
        return options_refuse(parse_kind(argument, options));
    for (unsigned which = 0; which < TREE_NUMBERS; which++)
        if (numbers[which].key == key) {
            options->given |= 1u << which;
            return options_refuse(options_number32(numbers[which].option, argument,
                                                   numbers[which].minimum, numbers[which].maximum,
                                                   &options->number[which], options->err));
        }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option tree_options[] = {
    {"tree", KEY_TREE, "KIND", 0,
     "a tree instead of a schedule: full (FT_d(t)), top (T_i), hat (T̂_i) or cube (T(i))", 0},
    {"nodes", 'n', "N", 0, "processors of the broadcast: of top and hat", 0},
    {"degree", 'd', "D", 0, "children of a node: of full, top and hat", 0},
    {"order", 't', "T", 0, "the largest label: of full", 0},
    {"index", 'i', "I", 0, "which of the d trees: of top and hat (0), and of cube, from 1 (1)", 0},
    {"dim", KEY_DIM, "D", 0, "dimensions of the hypercube: of cube", 0},
    {0},
};

const struct argp options_tree_argp = {.options = tree_options, .parser = parse};

bool options_tree_check(const struct options_tree *options)
{
    unsigned needs = options->kind != NULL ? options->kind->needs : 0;
    unsigned takes = options->kind != NULL ? options->kind->takes : 0;
    for (unsigned which = 0; which < TREE_NUMBERS; which++) {
        bool given = options->given >> which & 1;
        if (given && options->kind == NULL)
            return err_set(options->err, ERR_OPTION,
                           "%s: a schedule takes none; expected it with --tree",
                           numbers[which].option);
        if (given && !(takes >> which & 1))
            return err_set(options->err, ERR_OPTION,
                           "%s: --tree %s takes none; expected it left out", numbers[which].option,
                           options->kind->name);
        if (!given && needs >> which & 1)
            return err_set(options->err, ERR_OPTION, "%s: not given; expected it with --tree %s",
                           numbers[which].option, options->kind->name);
    }
    return true;
}

static bool draw_full(const struct options_tree *options, struct drawing *drawing)
{
    uint32_t d = options->number[TREE_D], t = options->number[TREE_T];
    struct fibonacci_tree tree;
    if (!fibonacci_tree_full(d, t, &tree, options->err))
        return false;
    char title[TITLE_ROOM];
    snprintf(title, sizeof title, "FT_%" PRIu32 "(%" PRIu32 ")\nbase-0 labels", d, t);
    bool drawn = drawing_fibonacci(&tree, NULL, title, drawing, options->err);
    fibonacci_tree_free(&tree);
    return drawn;
}

static bool draw_of_broadcast(const struct options_tree *options, struct drawing *drawing)
{
    uint32_t n = options->number[TREE_N], d = options->number[TREE_D], i = options->number[TREE_I];
    struct fibonacci_shape shape;
    struct fibonacci_tree tree;
    if (!fibonacci_shape_of(d, n, &shape, options->err))
        return false;
    if (i >= d)
        return err_set(options->err, ERR_RANGE,
                       "-i: %" PRIu32 " is out of range; expected 0 … %" PRIu32, i, d - 1);
    if (!options->kind->make(d, n, i, &tree, options->err))
        return false;
    char title[TITLE_ROOM];
    snprintf(title, sizeof title,
             "%s_%" PRIu32 ", n = %" PRIu32 ", d = %" PRIu32 "\nprocessors over base-%" PRIu32
             " labels",
             options->kind->symbol, i, n, d, i);
    bool drawn = drawing_fibonacci(&tree, &shape, title, drawing, options->err);
    fibonacci_tree_free(&tree);
    return drawn;
}

static bool draw_cube(const struct options_tree *options, struct drawing *drawing)
{
    unsigned d = options->number[TREE_DIM];
    uint32_t tree = (options->given & I) != 0 ? options->number[TREE_I] : 1;
    if (tree < 1 || tree > d)
        return err_set(options->err, ERR_RANGE, "-i: %" PRIu32 " is out of range; expected 1 … %u",
                       tree, d);
    return drawing_cube(d, tree, drawing, options->err);
}

bool options_tree_draw(const struct options_tree *options, struct drawing *drawing)
{
    return options->kind->draw(options, drawing);
}
