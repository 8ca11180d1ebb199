/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_cube.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_way.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Keep the text if it is one of both. */
static bool parse_word(const char *option, const char *text, const char *one, const char *other,
                       const char **word, struct err *err)
{
    const char *const name[] = {one, other};
    unsigned which;
    if (!options_choice(option, text, name, 2, &which, err))
        return false;
    *word = name[which];
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_cube *options = state->input;
    switch (key) {
    case KEY_DIM:
        return options_refuse(options_number32("--dim", argument, 1, TOPOLOGY_MAX_DIMENSIONS,
                                               &options->dimensions, options->err));
    case KEY_SOURCES:
        options->sources_text = argument;
        return 0;
    case KEY_RANDOM:
        options->has_random = true;
        return options_refuse(options_number32("--random", argument, 0, TOPOLOGY_MAX_NODES,
                                               &options->random, options->err));
    case KEY_PREFIX:
        return options_refuse(
            parse_word("--prefix", argument, "tree", "exchange", &options->prefix, options->err));
    case KEY_OVERLAP:
        return options_refuse(
            parse_word("--overlap", argument, "gather", "spread", &options->overlap, options->err));
    case KEY_RANDOMISED:
        options->randomised = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option cube_options[] = {
    {"dim", KEY_DIM, "D", 0, "a hypercube of so many dimensions, 2^D processors", 0},
    {"sources", KEY_SOURCES, "V1,V2,…", 0,
     "of the hypercube: the nodes that have a packet each; a node may stand there several times",
     0},
    {"random", KEY_RANDOM, "K", 0, "the same for K different nodes, drawn at random", 0},
    {"prefix", KEY_PREFIX, "tree|exchange", 0,
     "of cube-broadcast: ranks by a folded tree, or by exchange in d rounds (tree)", 0},
    {"overlap", KEY_OVERLAP, "gather|spread", 0,
     "of cube-broadcast: roots send on at once; which of both has an arc that both want", 0},
    {"randomised", KEY_RANDOMISED, NULL, 0,
     "of cube-broadcast: no ranks, each packet draws its tree; with --overlap (gather)", 0},
    {0},
};

const struct argp options_cube_argp = {.options = cube_options, .parser = parse};

void options_cube_free(struct options_cube *options)
{
    free(options->sources);
    options->sources = NULL;
}

/* Take the sources from --sources or --random, and count them. */
static bool find_sources(struct options_cube *options, uint32_t nodes, uint64_t seed,
                         uint32_t *count)
{
    *count = options->random;
    if (options->sources_text != NULL && options->has_random)
        return err_set(options->err, ERR_OPTION, "--random: with --sources; expected one of both");
    return options->has_random
               ? cube_sources_random(nodes, *count, seed, &options->sources, options->err)
               : cube_sources_parse(options->sources_text, nodes, &options->sources, count,
                                    options->err);
}

static bool check_packets(struct options_cube *options, uint64_t seed, struct collective *asked)
{
    uint32_t count;
    if (options->sources_text == NULL && !options->has_random) {
        asked->m = asked->m == 0 ? 1 : asked->m;
        return true;
    }
    if (!find_sources(options, asked->n, seed, &count))
        return false;
    if (asked->m != 0 && asked->m != count)
        return err_set(options->err, ERR_RANGE,
                       "-m: %" PRIu32 " packet%s; expected %" PRIu32 ", one for each source",
                       asked->m, text_s(asked->m), count);
    asked->m = count;
    asked->sources = options->sources;
    return true;
}

/* Which of --prefix, --overlap and --randomised is given; NULL: none. */
static const char *way_option(const struct options_cube *options)
{
    if (options->prefix != NULL)
        return "--prefix";
    return options->overlap != NULL ? "--overlap" : options->randomised ? "--randomised" : NULL;
}

static bool check_way(const struct options_cube *options, bool has_method)
{
    const char *option = way_option(options);
    if (option != NULL && has_method)
        return err_set(options->err, ERR_OPTION, "%s: with --method; expected one of both", option);
    return !options->randomised || options->prefix == NULL ||
           err_set(options->err, ERR_OPTION,
                   "--prefix: with --randomised, which needs no ranks; expected one of both");
}

bool options_cube_refuse_way(const struct options_cube *options, const char *what)
{
    const char *option = way_option(options);
    return option == NULL || err_set(options->err, ERR_ALGORITHM,
                                     "%s: of %s; expected cube-broadcast with it", option, what);
}

bool options_cube_method(const struct options_cube *options, const struct algorithm *algorithm,
                         unsigned *method)
{
    if (strcmp(algorithm->name, "cube-broadcast") != 0)
        return options_cube_refuse_way(options, algorithm->name);
    struct cube_way way = {CUBE_PREFIX_TREE, CUBE_APART};
    if (options->randomised)
        way = (struct cube_way){CUBE_PREFIX_NONE, CUBE_GATHER_FIRST};
    else if (options->prefix != NULL && strcmp(options->prefix, "exchange") == 0)
        way.prefix = CUBE_PREFIX_EXCHANGE;
    if (options->overlap != NULL)
        way.overlap =
            strcmp(options->overlap, "gather") == 0 ? CUBE_GATHER_FIRST : CUBE_SPREAD_FIRST;
    *method = cube_way_method(way);
    return true;
}

bool options_cube_check(struct options_cube *options, bool has_tree, bool has_method, uint64_t seed,
                        struct collective *asked, struct topology *topology)
{
    if (!check_way(options, has_method))
        return false;
    if (options->dimensions == 0)
        return (options->sources_text == NULL && !options->has_random) ||
               err_set(options->err, ERR_OPTION, "%s: of no hypercube; expected --dim with it",
                       options->has_random ? "--random" : "--sources");
    if (has_tree)
        return err_set(options->err, ERR_OPTION, "--dim: with --tree; expected one of both");
    if (!topology_hypercube(options->dimensions, topology, options->err))
        return false;
    if (asked->n != 0 && asked->n != topology->nodes)
        return err_set(options->err, ERR_RANGE,
                       "-n: %" PRIu32 "; expected the %" PRIu32 " node%s of the hypercube",
                       asked->n, topology->nodes, text_s(topology->nodes));
    asked->n = topology->nodes;
    asked->topology = topology;
    options->counted = asked->m != 0;
    return check_packets(options, seed, asked);
}

void options_cube_default(const struct options_cube *options, struct collective *collective)
{
    bool counted = options->counted || collective->sources != NULL;
    if (options->dimensions != 0 && collective_rows[collective->kind].counted &&
        !collective_rows[collective->kind].listed && !counted)
        collective->m = options->dimensions;
}
