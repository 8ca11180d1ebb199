/* SPDX-License-Identifier: Apache-2.0 */
/* clos_any: routes Clos networks of any size by edge colouring. The circuits between the crossbars
 * of the two outer stages are the edges of a graph, and each colour is a middle network.
 *
 * An outer crossbar has n inputs, so n circuits leave it if idle inputs are connected to idle
 * outputs; n circuits also arrive at each crossbar of the last stage. A middle network passes one
 * circuit from each outer crossbar to each crossbar of the last stage; likewise each vertex has one
 * edge of a colour. clos:2,2,2, to = 2 0 3 1; crossbars have the ports 0, 2 and 1, 3:
 *
 *     circuit               0→2    2→3    1→0    3→1
 *     from crossbar, input  0, 0   0, 1   1, 0   1, 1
 *     to crossbar, output   0, 1   1, 1   0, 0   1, 0
 *     colour                0      1      1      0
 *
 *     stage 0               lanes 0 1 (to middle 0) get inputs 0 and 3, lanes 2 3 (to middle 1)
 *                           inputs 2 and 1
 *     stage 1               middle 0: output 0 gets input 0, 1 gets 1;
 *                           middle 1: output 0 gets input 1, 1 gets 0
 *     stage 2               output 2 gets crossbar 0's input 0, 0 its input 1; output 1 crossbar
 *                           1's input 0, 3 its 1
 *     row, by field         1 2 2 1 | 1 2 2 1 | 2 1 1 2
 *
 * Each middle network then routes a permutation of crossbars; in a network of more than three
 * stages it is a Clos network, too.
 */
#include "sched/network/clos.h"

#include "sched/base/arena.h"
#include "sched/network/colour.h"
#include "sched/network/network_kind.h"

#include <stdlib.h>
#include <string.h>

#define DUMMY (UINT32_C(1) << 31) /* set in the output of a circuit that only connects idle ports */

/* The fields of a stage, to write to. */
struct column {
    uint32_t *setting;
    unsigned bits;
    uint32_t in_word;
    /* of in_word, in units of 2^-32: lane · inverse is exact for all lanes below 2^28 */
    uint64_t inverse;
};

struct clos_any {
    struct multistage net;
    struct colour *work;
    void *memory;          /* of all arrays (arena.h) */
    struct column *column; /* [stages] */
    /* [levels]  of the number of a level's outer crossbars, in units of 2^-63 */
    uint64_t *inverse;
    uint32_t *from;       /* [ports + 1]  the input of each output; a partial round is completed */
    uint32_t *to, *inner; /* [ports]  outputs by lane, before a level and after it */
    uint32_t *right;      /* [ports]  for the graph */
    uint32_t *colour;     /* [ports] */
};

void clos_any_free(struct clos_any *router)
{
    if (router == NULL)
        return;
    colour_free(router->work);
    free(router->memory);
    free(router);
}

static bool allocate(struct clos_any *router)
{
    size_t ports = router->net.ports;
    router->work = colour_new(router->net.ports / router->net.radix, router->net.ports, NULL);
    const struct arena_array arrays[] = {ARENA(router->column, multistage_stages(&router->net)),
                                         ARENA(router->inverse, router->net.levels),
                                         ARENA(router->from, ports + 1),
                                         ARENA(router->to, ports),
                                         ARENA(router->inner, ports),
                                         ARENA(router->right, ports),
                                         ARENA(router->colour, ports)};
    router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return router->work != NULL && router->memory != NULL;
}

bool clos_any_passes(const struct multistage *net, struct err *err)
{
    return net->middle >= net->radix ||
           err_set(err, ERR_NETWORK,
                   "clos: %u middle crossbars for %u inputs of each outer one; expected %u at "
                   "least, so that any permutation passes",
                   net->middle, net->radix, net->radix);
}

struct clos_any *clos_any_new(const struct multistage *net, struct err *err)
{
    if (!clos_any_passes(net, err))
        return NULL;
    struct clos_any *router = calloc(1, sizeof *router);
    if (router != NULL)
        router->net = *net;
    if (router == NULL || !allocate(router)) {
        clos_any_free(router);
        err_no_memory(err, "a Clos network of %u ports", net->ports);
        return NULL;
    }
    uint32_t crossbars = net->ports / net->radix;
    for (unsigned level = 0; level < net->levels; level++, crossbars /= net->radix)
        router->inverse[level] = crossbars > 0 ? (UINT64_C(1) << 63) / crossbars + 1 : 0;
    for (unsigned stage = 0; stage < multistage_stages(net); stage++) {
        unsigned bits = multistage_field_bits(net, stage);
        uint32_t in_word = 32 / bits;
        router->column[stage] = (struct column){
            .bits = bits, .in_word = in_word, .inverse = (UINT64_C(1) << 32) / in_word + 1};
    }
    return router;
}

/* Sets a field. Precondition: it is 0. */
static inline void put(const struct column *column, uint32_t lane, uint32_t value)
{
    uint32_t word = (uint32_t)(lane * column->inverse >> 32);
    column->setting[word] |= value << (lane - word * column->in_word) * column->bits;
}

/* Returns the crossbar of an output of a level with `crossbars` outer crossbars. */
static inline uint32_t crossbar_of(uint32_t output, uint32_t crossbars, uint64_t inverse)
{
    return output - crossbars * (uint32_t)((unsigned __int128)output * inverse >> 63);
}

/* Sets the crossbars of the middle stage, of `size` ports each, on neighbouring lanes. */
static void set_middle(const struct clos_any *router, uint32_t base, uint32_t size,
                       const uint32_t to[])
{
    const struct column *column = &router->column[router->net.levels - 1];
    for (uint32_t input = 0; input < size; input++)
        if (!(to[base + input] & DUMMY))
            put(column, base + to[base + input], input + 1);
}

/* Routes the network of `ports` ports from lane `base` on, at a level that is not the last; to[] is
 * overwritten. */
static void route_level(const struct clos_any *router, unsigned level, uint32_t base,
                        uint32_t ports, uint32_t to[], uint32_t inner[])
{
    uint32_t radix = router->net.radix, edges = ports / radix;
    uint64_t inverse = router->inverse[level];
    const struct column *first = &router->column[level];
    const struct column *last = &router->column[2 * router->net.levels - 2 - level];
    for (uint32_t crossbar = 0, edge = 0; crossbar < edges; crossbar++)
        for (uint32_t input = 0; input < radix; input++)
            router->right[edge++] =
                crossbar_of(to[base + input * edges + crossbar] & ~DUMMY, edges, inverse);
    colour_edges(router->work, edges, radix, router->right, router->colour);
    for (uint32_t crossbar = 0, edge = 0; crossbar < edges; crossbar++)
        for (uint32_t input = 0; input < radix; input++, edge++) {
            uint32_t output = to[base + input * edges + crossbar], middle = router->colour[edge];
            uint32_t lane = base + middle * edges + crossbar;
            inner[lane] = router->right[edge] | (output & DUMMY);
            if (output & DUMMY)
                continue;
            put(first, lane, input + 1);
            put(last, base + output, middle + 1);
        }
    for (uint32_t middle = 0; middle < radix; middle++) {
        if (level + 2 == router->net.levels)
            set_middle(router, base + middle * edges, edges, inner);
        else
            route_level(router, level + 1, base + middle * edges, edges, inner, to);
    }
}

bool clos_any_route(struct clos_any *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    uint32_t ports = router->net.ports, words = multistage_row_words(&router->net), live;
    unsigned stages = multistage_stages(&router->net);
    const struct partial_round round = {"clos", ports, to, router->right, router->from};
    if (!partial_permutation(&round, &live, err))
        return false;
    for (uint32_t output = 0; output < ports; output++) {
        uint32_t input = router->from[output];
        router->to[input] = output | (to[input] == MULTISTAGE_IDLE ? DUMMY : 0);
    }
    memset(row, 0, (size_t)stages * words * sizeof row[0]);
    for (unsigned stage = 0; stage < stages; stage++)
        router->column[stage].setting = row + (size_t)stage * words;
    route_level(router, 0, 0, ports, router->to, router->inner);
    return true;
}

NETWORK_KIND(clos_any, clos_any_new, clos_any_free, clos_any_route, NULL);
