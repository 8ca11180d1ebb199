/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/draw.h"

#define MOST_NODES 16

/* Values of λ for models with times. */
static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {5, 2}, {7, 3}, {5, 1}};
#define LAMBDAS (sizeof lambdas / sizeof *lambdas)

static const struct {
    const char *children, *capacity;
} trees[] = {{"2", "1"},         {"4", "1"},         {"2,2", "1,1"}, {"3,2", "1,2"},
             {"2,2,2", "1,2,4"}, {"2,2,2", "1,1,1"}, {"4,4", "1,4"}};
#define TREES (sizeof trees / sizeof *trees)

/* numbers of direct topologies */
static const char *const sides[] = {"2", "4", "3,3", "2,4", "2,2,3"};
#define SIDES (sizeof sides / sizeof *sides)

static enum model draw_model(struct fuzz_bytes *bytes, unsigned models)
{
    unsigned model = fuzz_take(bytes, MODEL_COUNT);
    while (!(models >> model & 1))
        model = (model + 1) % MODEL_COUNT;
    return (enum model)model;
}

/* Draws a topology of at most 16 processors. */
static void draw_topology(struct fuzz_bytes *bytes, struct draw_asked *asked)
{
    struct err err = {0};
    unsigned tree = fuzz_take(bytes, TREES);
    if (asked->algorithm->topology == TOPOLOGY_COMPLETE)
        return;
    bool made = asked->algorithm->topology == TOPOLOGY_TREE
                    ? topology_parse_tree(trees[tree].children, trees[tree].capacity,
                                          &asked->topology, &err)
                : topology_rows[asked->algorithm->topology]->make != NULL
                    ? topology_parse_direct(asked->algorithm->topology, sides[tree % SIDES],
                                            &asked->topology, &err)
                    : topology_hypercube(1 + tree % 4, &asked->topology, &err);
    fuzz_holds(made, &err, "a topology");
    asked->collective.topology = &asked->topology;
    asked->collective.n = asked->topology.nodes;
}

/* Draws sources in ascending order. */
static void draw_sources(struct fuzz_bytes *bytes, struct draw_asked *asked)
{
    const struct collective *collective = &asked->collective;
    for (uint32_t p = 0, least = 0; p < collective->m; p++)
        asked->sources[p] = least += fuzz_take(bytes, collective->n - least);
    asked->collective.sources = asked->sources;
}

bool draw_collective(struct fuzz_bytes *bytes, struct draw_asked *asked)
{
    unsigned algorithms = 0;
    while (algorithm_table[algorithms] != NULL)
        algorithms++;
    *asked = (struct draw_asked){.algorithm = algorithm_table[fuzz_take(bytes, algorithms)]};
    const struct algorithm *algorithm = asked->algorithm;
    struct collective *collective = &asked->collective;
    collective->kind = algorithm->kind;
    collective->model = draw_model(bytes, algorithm->models);
    collective->lambda = lambdas[fuzz_take(bytes, LAMBDAS)];
    collective->n = 1 + fuzz_take(bytes, MOST_NODES);
    draw_topology(bytes, asked);
    collective->m =
        collective_rows[algorithm->kind].counted ? 1 + fuzz_take(bytes, DRAW_MOST_PACKETS) : 1;
    collective->source = fuzz_take(bytes, collective->n);
    collective->degree = algorithm->best_degree ? fuzz_take(bytes, 6) : 0;
    collective->method = fuzz_take(bytes, algorithm_methods(algorithm));
    collective->seed = fuzz_take(bytes, 256);
    if (collective_rows[algorithm->kind].listed)
        draw_sources(bytes, asked);
    return algorithm_check(algorithm, collective, NULL);
}
