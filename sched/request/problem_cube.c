/* SPDX-License-Identifier: Apache-2.0 */
/* problem_cube: hypercubes, by {dim}, {sources}, {random}, and the three fields that select a
 * method of cube-broadcast (cube_variant.h) or, {prefix} alone, of cube-ranked. Each of the three
 * may be given alone; the defaults are
 *
 *     prefix       tree; none for cube-ranked, whose ranks are then known
 *     overlap      none, but gather with {randomised}
 *     randomised   no: packets are ranked */
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/request/problem.h"

#include <inttypes.h>
#include <string.h>

/* value of {sources}: a set that an adversary chooses, instead of nodes */
#define ADVERSARY "adversary"

/* Reads the sources from {sources} or {random}, and counts them. */
static bool find_sources(const struct request *request, struct instance *instance, uint32_t *count,
                         struct err *err)
{
    const struct problem *problem = &request->problem;
    const uint32_t nodes = instance->collective.n;
    bool random = request_has(request, problem.random);
    *count = problem->random;
    if (problem->sources != NULL && random)
        return err_conflict(err, "random", "sources");
    if (!random && strcmp(problem->sources, ADVERSARY) == 0) {
        *count = problem->packets;
        if (*count == 0)
            return err_set(err, ERR_OPTION,
                           "{packets} is required: {sources} adversary places that many packets");
        return cube_sources_adversary(nodes, *count, &instance->sources, err);
    }
    return random ? cube_sources_random(nodes, *count, problem->seed, &instance->sources, err)
                  : cube_sources_parse(problem->sources, nodes, &instance->sources, count, err);
}

static bool check_packets(const struct request *request, struct instance *instance, struct err *err)
{
    struct collective *asked = &instance->collective;
    uint32_t count;
    if (request->problem.sources == NULL && !request_has(request, problem.random)) {
        asked->m = asked->m == 0 ? 1 : asked->m;
        return true;
    }
    if (!find_sources(request, instance, &count, err))
        return false;
    if (asked->m != 0 && asked->m != count)
        return err_set(err, ERR_RANGE,
                       "{packets}: %" PRIu32 " packets; expected %" PRIu32 ", one for each source",
                       asked->m, count);
    asked->m = count;
    asked->sources = instance->sources;
    return true;
}

static bool check_variant(const struct request *request, struct err *err)
{
    bool prefix = request_has(request, problem.prefix);
    bool overlap = request_has(request, problem.overlap), random = request->problem.randomised;
    if (request->problem.method != NULL && prefix)
        return err_conflict(err, "prefix", "method");
    if (request->problem.method != NULL && overlap)
        return err_conflict(err, "overlap", "method");
    if (request->problem.method != NULL && random)
        return err_conflict(err, "randomised", "method");
    if (random && prefix)
        return err_set(err, ERR_OPTION,
                       "{prefix} cannot be used together with {randomised}, which needs no ranks");
    return !overlap || random || request->problem.overlap != PROBLEM_OVERLAP_DETECT ||
           err_set(err, ERR_OPTION,
                   "{overlap} detect requires {randomised}: the roots of ranked packets know the "
                   "end of the gather");
}

bool problem_no_cube_variant(const struct request *request, const char *what, struct err *err)
{
    if (request_has(request, problem.overlap))
        return err_set(err, ERR_ALGORITHM, "{overlap}: not for %s; expected cube-broadcast", what);
    if (request->problem.randomised)
        return err_set(err, ERR_ALGORITHM, "{randomised}: not for %s; expected cube-broadcast",
                       what);
    return !request_has(request, problem.prefix) ||
           err_set(err, ERR_ALGORITHM,
                   "{prefix}: not for %s; expected cube-broadcast or cube-ranked", what);
}

/* Writes the name of the method that the three fields select, such as `exchange-gather`; empty if
 * none of them is given. */
static void name_method(const struct request *request, char name[], size_t size)
{
    static const char *const prefixes[] = {
        [PROBLEM_PREFIX_TREE] = "tree", [PROBLEM_PREFIX_EXCHANGE] = "exchange"};
    static const char *const overlaps[] = {[PROBLEM_OVERLAP_GATHER] = "-gather",
                                           [PROBLEM_OVERLAP_SPREAD] = "-spread",
                                           [PROBLEM_OVERLAP_DETECT] = "-detect"};
    const struct problem *problem = &request->problem;
    bool overlap = request_has(request, problem.overlap), random = problem->randomised;
    bool given = overlap || random || request_has(request, problem.prefix);
    snprintf(name, size, "%s%s", given ? random ? "random" : prefixes[problem->prefix] : "",
             overlap || random ? overlaps[problem->overlap] : "");
}

bool problem_cube_method(const struct request *request, const struct algorithm *algorithm,
                         unsigned *method, struct err *err)
{
    char name[40];
    name_method(request, name, sizeof name);
    *method = 0;
    if (name[0] == '\0')
        return true;
    for (unsigned which = 0; algorithm->methods != NULL && algorithm->methods[which] != NULL;
         which++)
        if (strcmp(algorithm->methods[which], name) == 0) {
            *method = which;
            return true;
        }
    return problem_no_cube_variant(request, algorithm->name, err);
}

bool problem_cube(const struct request *request, struct instance *instance, struct err *err)
{
    const struct problem *problem = &request->problem;
    struct collective *asked = &instance->collective;
    struct topology *topology = &instance->topology;
    if (!check_variant(request, err))
        return false;
    if (problem->dim == 0 && request_has(request, problem.random))
        return err_requires(err, "random", "dim");
    if (problem->dim == 0)
        return problem->sources == NULL || err_requires(err, "sources", "dim");
    if (!topology_hypercube(problem->dim, topology, err))
        return false;
    if (asked->n != 0 && asked->n != topology->nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 "; expected %" PRIu32 ", the nodes of the hypercube",
                       asked->n, topology->nodes);
    asked->n = topology->nodes;
    asked->topology = topology;
    return check_packets(request, instance, err);
}

void problem_cube_packets(const struct request *request, struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    bool counted = request->problem.packets != 0 || collective->sources != NULL;
    if (request->problem.dim != 0 && row->counted && !row->listed && !counted)
        collective->m = request->problem.dim;
}
