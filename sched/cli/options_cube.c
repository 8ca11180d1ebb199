#include "options_cube.h"

#include "cube_sources.h"

#include <inttypes.h>
#include <stdlib.h>

void options_collective_free(struct options_collective *options)
{
    free(options->sources);
    options->sources = NULL;
}

/* --sources or --random, and how many that are. */
static bool find_sources(struct options_collective *options, uint32_t *count)
{
    uint32_t nodes = options->topology.nodes;
    *count = options->random;
    if (options->sources_text != NULL && options->has_random)
        return err_set(options->err, ERR_OPTION, "--random: with --sources; expected one of both");
    return options->has_random
               ? cube_sources_random(nodes, *count, options->seed, &options->sources, options->err)
               : cube_sources_parse(options->sources_text, nodes, &options->sources, count, options->err);
}

static bool check_packets(struct options_collective *options)
{
    struct collective *asked = &options->collective;
    uint32_t count;
    if (options->sources_text == NULL && !options->has_random) {
        asked->m = asked->m == 0 ? 1 : asked->m;
        return true;
    }
    if (!find_sources(options, &count))
        return false;
    if (asked->m != 0 && asked->m != count)
        return err_set(options->err, ERR_RANGE,
                       "-m: %" PRIu32 " packets; expected %" PRIu32 ", one for each source", asked->m, count);
    asked->m = count;
    asked->sources = options->sources;
    return true;
}

bool options_cube_check(struct options_collective *options)
{
    struct collective *asked = &options->collective;
    if (options->dimensions == 0)
        return (options->sources_text == NULL && !options->has_random) ||
               err_set(options->err, ERR_OPTION, "%s: of no hypercube; expected --dim with it",
                       options->has_random ? "--random" : "--sources");
    if (options->tree != NULL)
        return err_set(options->err, ERR_OPTION, "--dim: with --tree; expected one of both");
    if (!topology_hypercube(options->dimensions, &options->topology, options->err))
        return false;
    if (asked->n != 0 && asked->n != options->topology.nodes)
        return err_set(options->err, ERR_RANGE,
                       "-n: %" PRIu32 "; expected the %" PRIu32 " nodes of the hypercube", asked->n,
                       options->topology.nodes);
    asked->n = options->topology.nodes;
    asked->topology = &options->topology;
    options->counted = asked->m != 0;
    return check_packets(options);
}

void options_cube_default(const struct options_collective *options, struct collective *collective)
{
    bool counted = options->counted || collective->sources != NULL;
    if (options->dimensions != 0 && collective->kind == COLLECTIVE_BROADCAST && !counted)
        collective->m = options->dimensions;
}
