/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/algorithm.h"

#include "sched/algorithms/placement.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The algorithms of a direct topology. */
#define DIRECT_MOVES(enumerator, name, argument, help, routing, source, X) \
    X(name##_broadcast)                                                    \
    X(name##_scatter)                                                      \
    X(name##_gather)                                                       \
    X(name##_all_gather)                                                   \
    X(name##_total_exchange)
#define DIRECT_REDUCE(enumerator, name, argument, help, routing, source, X) X(name##_reduce)
#define DIRECT_REDUCE_SCATTER(enumerator, name, argument, help, routing, source, X) \
    X(name##_reduce_scatter)
#define DIRECT_ALL_REDUCE(enumerator, name, argument, help, routing, source, X) X(name##_all_reduce)

/* All algorithms: each is algorithm_NAME in NAME.c of one of the folders below. */
#define ALGORITHM_TABLE(X)                          \
    X(binomial)                                     \
    X(path)                                         \
    X(binary_tree)                                  \
    X(dary_trees)                                   \
    X(hypercube_trees)                              \
    X(fibonacci)                                    \
    X(matching)                                     \
    X(circulant)                                    \
    X(telegraph)                                    \
    X(fabric_broadcast)                             \
    X(scatter)                                      \
    X(gather)                                       \
    X(all_gather)                                   \
    X(total_exchange)                               \
    X(traffic)                                      \
    X(general)                                      \
    X(postal_bcast)                                 \
    X(postal_repeat)                                \
    X(postal_pack)                                  \
    X(postal_pipeline)                              \
    X(postal_dtree)                                 \
    X(postal_block)                                 \
    X(postal_swarm)                                 \
    X(tree_broadcast)                               \
    X(tree_scatter)                                 \
    X(tree_gather)                                  \
    X(tree_all_gather)                              \
    X(tree_total_exchange)                          \
    X(cube_single)                                  \
    X(cube_trees)                                   \
    X(cube_ranked)                                  \
    X(cube_all_gather)                              \
    X(cube_unbalanced)                              \
    X(cube_reserved)                                \
    X(cube_broadcast)                               \
    TOPOLOGY_DIRECT_TABLE(DIRECT_MOVES, X)          \
    X(reduce)                                       \
    X(fabric_reduce)                                \
    X(fabric_all_reduce)                            \
    X(tree_reduce)                                  \
    X(cube_reduce)                                  \
    TOPOLOGY_DIRECT_TABLE(DIRECT_REDUCE, X)         \
    X(reduce_scatter)                               \
    X(tree_reduce_scatter)                          \
    X(tree_pipelined_reduce_scatter)                \
    X(cube_reduce_scatter)                          \
    TOPOLOGY_DIRECT_TABLE(DIRECT_REDUCE_SCATTER, X) \
    X(circulant_reduce_scatter)                     \
    X(reduce_broadcast)                             \
    X(tree_all_reduce)                              \
    X(cube_all_reduce)                              \
    TOPOLOGY_DIRECT_TABLE(DIRECT_ALL_REDUCE, X)     \
    X(circulant_all_reduce)                         \
    X(halving_all_reduce)                           \
    X(cube_doubling_all_reduce)                     \
    X(cube_blocks_all_reduce)                       \
    X(window_all_reduce)                            \
    X(blocks_all_reduce)                            \
    X(scan)                                         \
    X(path_scan)                                    \
    X(exclusive_scan)                               \
    X(path_exclusive_scan)

#define ALGORITHM_DECLARE(name) extern const struct algorithm algorithm_##name;
ALGORITHM_TABLE(ALGORITHM_DECLARE)
#undef ALGORITHM_DECLARE

const struct algorithm *const algorithm_table[] = {
#define ALGORITHM_ENTRY(name) &algorithm_##name,
    ALGORITHM_TABLE(ALGORITHM_ENTRY)
#undef ALGORITHM_ENTRY
        NULL,
};

const struct algorithm *algorithm_find(const char *name, struct err *err)
{
    char hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (strcmp((*entry)->name, name) == 0 ||
            ((*entry)->alias != NULL && strcmp((*entry)->alias, name) == 0))
            return *entry;
        text_look(&nearest, name, (*entry)->name);
    }
    err_set(err, ERR_ALGORITHM,
            "algorithm '%.40s' does not exist%s; expected one of 'roundcast list'", name,
            text_hint(&nearest, hint));
    return NULL;
}

/* Returns the bit of a model; for NULL, the bit of the first model of the topology. */
static unsigned model_bit(enum topology_kind topology, const enum model *model)
{
    enum model first = model != NULL ? *model : 0;
    while (model == NULL && model_topology(first) != topology)
        first++;
    return 1u << first;
}

const struct algorithm *algorithm_find_on(const char *name, enum topology_kind topology,
                                          const enum model *model, bool reverses, struct err *err)
{
    enum collective_kind kind;
    const struct algorithm *only = NULL, *usual = NULL, *other = NULL;
    unsigned count = 0;
    bool is_collective = collective_parse(name, &kind);
    unsigned bit = model_bit(topology, model);
    for (const struct algorithm *const *entry = algorithm_table; is_collective && *entry != NULL;
         entry++) {
        const struct algorithm *algorithm = *entry;
        if (algorithm->kind != kind || algorithm->topology != topology)
            continue;
        if (reverses && algorithm->best_by != NULL)
            return algorithm;
        if (!(algorithm->models & bit)) {
            other = algorithm->because != NULL ? algorithm : other;
            continue;
        }
        count++;
        only = algorithm;
        usual = algorithm->usual_models & bit ? algorithm : usual;
    }
    if (count == 1 || usual != NULL)
        return count == 1 ? only : usual;
    return other != NULL ? other : algorithm_find(name, err);
}

unsigned algorithm_methods(const struct algorithm *algorithm)
{
    unsigned count = 0;
    while (algorithm->methods != NULL && algorithm->methods[count] != NULL)
        count++;
    return count > 0 ? count : 1;
}

const char *algorithm_method_name(const struct algorithm *algorithm, enum model model,
                                  unsigned method)
{
    bool choice = algorithm->method_models == 0 || algorithm->method_models >> model & 1;
    return algorithm->methods != NULL && choice ? algorithm->methods[method] : NULL;
}

enum model algorithm_model(const struct algorithm *algorithm)
{
    return (enum model)__builtin_ctz(algorithm->models);
}

struct collective algorithm_choose(const struct algorithm *algorithm,
                                   const struct collective *collective)
{
    struct collective chosen = *collective;
    chosen.kind = algorithm->kind;
    if (algorithm->best_degree != NULL && chosen.degree == 0 && chosen.n > 1) {
        const struct collective stripe = stripes_of(algorithm, &chosen);
        chosen.degree = algorithm->best_degree(&stripe);
    }
    if (algorithm->best_by != NULL && chosen.by == NULL && chosen.n > 1)
        chosen.by = algorithm->best_by(&chosen);
    return chosen;
}

static bool check_model(const struct algorithm *algorithm, const struct collective *collective,
                        struct err *err)
{
    if ((algorithm->models & 1u << collective->model) == 0) {
        char kept[100] = "";
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            if ((algorithm->models & 1u << model) != 0)
                text_append(kept, sizeof kept, " %s", model_name((enum model)model));
        const char *because = algorithm->because;
        return err_set(err, ERR_ALGORITHM, "%s does not keep the model %s; expected one of%s%s%s",
                       algorithm->name, model_name(collective->model), kept,
                       because != NULL ? ", because " : "", because != NULL ? because : "");
    }
    const struct rational lambda = collective->lambda;
    if (!model_has_times(collective->model) ||
        (lambda.denominator > 0 && lambda.numerator >= lambda.denominator &&
         lambda.numerator <= RATIONAL_MAX))
        return true;
    return err_set(
        err, ERR_RANGE,
        "λ is %u/%u; expected a rational of at least 1, such as 5/2, of numbers of at most %d",
        lambda.numerator, lambda.denominator, RATIONAL_MAX);
}

bool algorithm_check_range(const struct collective *collective, struct err *err)
{
    bool cube = collective->topology != NULL && collective->topology->dimensions > 0;
    uint32_t m = cube && collective->m == 0 ? 1 : collective->m; /* a cube may have no packets */
    const struct topology *topology = collective->topology;
    bool router = collective->source >= collective->n && topology != NULL &&
                  topology->nodes == collective->n && collective->source < topology->all;
    if (!schedule_check_range(collective->n, m, router ? 0 : collective->source, err))
        return false;
    for (uint32_t p = 0; cube && collective->sources != NULL && p < collective->m; p++) {
        uint32_t least = p > 0 ? collective->sources[p - 1] : 0, node = collective->sources[p];
        if (node < least || node >= collective->n)
            return err_set(err, ERR_RANGE, "source %u of packet %u; expected %u … %u", node, p + 1,
                           least, collective->n - 1);
    }
    return true;
}

/* Checks that the model supports several ports, and that the algorithm uses them itself or is a
 * broadcast that can be built of stripes. E103. */
static bool check_ports(const struct algorithm *algorithm, const struct collective *collective,
                        struct err *err)
{
    if (collective->ports <= 1)
        return true;
    if (!model_row(collective->model)->ports)
        return err_set(err, ERR_ALGORITHM,
                       "{ports}: a node has one port in the model %s; expected 1, or {model} "
                       "send-receive, telephone or postal",
                       model_name(collective->model));
    return algorithm->several_ports >> collective->model & 1 ||
           stripes_are_built(algorithm, collective) ||
           err_set(err, ERR_ALGORITHM, "{ports}: %s sends over one port; expected 1",
                   algorithm->name);
}

/* Returns whether the algorithm keeps a model of that topology. */
static bool keeps_one_of(const struct algorithm *algorithm, enum topology_kind kind)
{
    bool keeps = false;
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        keeps =
            keeps || (algorithm->models >> model & 1 && model_topology((enum model)model) == kind);
    return keeps;
}

static bool check_topology(const struct algorithm *algorithm, const struct collective *collective,
                           struct err *err)
{
    enum topology_kind kind = collective_topology_kind(collective);
    enum topology_kind home = model_topology(collective->model);
    if (kind == home)
        return true;
    if (home != algorithm->topology || keeps_one_of(algorithm, kind))
        return err_set(err, ERR_ALGORITHM, "%s: the model %s is of a %s; expected one of a %s",
                       algorithm->name, model_name(collective->model), topology_rows[home]->title,
                       topology_rows[kind]->title);
    bool complete = topology_rows[algorithm->topology]->joins == NULL;
    char format[80];
    snprintf(format, sizeof format, "%%s runs on a %%s; expected %s{%.31s}", complete ? "no " : "",
             topology_rows[complete ? kind : algorithm->topology]->field);
    return err_set(err, ERR_ALGORITHM, format, algorithm->name,
                   topology_rows[algorithm->topology]->title);
}

/* Checks that a reduction combines all packets by the same trees, if that is requested. The
 * algorithm that is reversed decides. E103. */
static bool check_trees(const struct algorithm *algorithm, const struct collective *chosen,
                        struct err *err)
{
    const struct algorithm *by = algorithm->best_by != NULL ? chosen->by : algorithm;
    if (!chosen->same_trees || by == NULL)
        return true;
    if (!collective_rows[algorithm->kind].combined)
        return err_set(err, ERR_ALGORITHM,
                       "{order}: %s combines no packets; expected a reduction, such as reduce",
                       algorithm->name);
    const char *other = by == algorithm ? "reduce or scan" : "binomial";
    if (chosen->topology != NULL && !topology_joins_all(chosen->topology))
        other = "reduce-scatter of a tree or a hypercube";
    return algorithm_has_same_trees(by, chosen) ||
           err_set(err, ERR_ALGORITHM,
                   "{order}: %s combines packets in an order that depends on their number or "
                   "differs between nodes; expected another algorithm, such as %s",
                   by->name, other);
}

bool algorithm_check(const struct algorithm *algorithm, const struct collective *collective,
                     struct err *err)
{
    if (!algorithm_check_range(collective, err) || !check_model(algorithm, collective, err) ||
        !check_topology(algorithm, collective, err))
        return false;
    if (!check_ports(algorithm, collective, err))
        return false;
    if (collective->stream && !algorithm->streams)
        return err_set(err, ERR_ALGORITHM,
                       "{stream}: %s requires the number of packets in advance; expected matching, "
                       "path, binary-tree or binomial",
                       algorithm->name);
    if (collective->degree != 0 && algorithm->best_degree == NULL)
        return err_set(err, ERR_ALGORITHM, "{degree}: %s has no degree; expected none",
                       algorithm->name);
    if (collective->by != NULL && algorithm->best_by == NULL)
        return err_set(err, ERR_ALGORITHM,
                       "{by}: %s reverses no other schedule; expected reduce, reduce-scatter or "
                       "all-reduce with it",
                       algorithm->name);
    if (collective->method >= algorithm_methods(algorithm))
        return err_set(err, ERR_ALGORITHM, "%s has %u methods; expected method 0 … %u",
                       algorithm->name, algorithm_methods(algorithm),
                       algorithm_methods(algorithm) - 1);
    struct collective chosen = algorithm_choose(algorithm, collective);
    if (chosen.n == 1 && collective_packets(&chosen) == 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s: a single node has no receiver; expected at least 2 nodes",
                       algorithm->name);
    const struct collective stripe = stripes_of(algorithm, &chosen);
    return chosen.n == 1 || ((algorithm->accepts == NULL || algorithm->accepts(&stripe, err)) &&
                             check_trees(algorithm, &chosen, err));
}

bool algorithm_keeps_ports(const struct algorithm *algorithm, const struct collective *collective)
{
    return collective->ports <= 1 || stripes_are_built(algorithm, collective) ||
           (algorithm->keeps_ports != NULL && algorithm->keeps_ports(collective));
}

uint64_t algorithm_end(const struct algorithm *algorithm, const struct collective *collective)
{
    struct collective chosen = algorithm_choose(algorithm, collective);
    const struct collective stripe = stripes_of(algorithm, &chosen);
    if (collective_is_half_duplex(&chosen) && !collective_rows[chosen.kind].combined &&
        !placement_is_unidirectional(chosen.kind))
        return ALGORITHM_UNKNOWN;
    return chosen.n == 1 ? 0 : algorithm->end(&stripe);
}

bool algorithm_guarantee(const struct algorithm *algorithm, const struct collective *collective,
                         struct guarantee *guarantee)
{
    struct collective chosen = algorithm_choose(algorithm, collective);
    /* The theorems assume one port per node and full-duplex links. */
    return algorithm->guarantee != NULL && !collective_is_half_duplex(&chosen) &&
           chosen.ports <= 1 && chosen.n > 1 && algorithm->guarantee(&chosen, guarantee);
}

/* -- Guarantees -------------------------------------------------------------------------------- */

/* Larger than the rounding errors of the formulas, and smaller than a tick. */
#define ROUNDING 1e-9

bool guarantee_set(struct guarantee *guarantee, uint64_t end, const char *formula,
                   const char *source)
{
    *guarantee = (struct guarantee){end, formula, source};
    return true;
}

bool guarantee_set_real(struct guarantee *guarantee, double units, uint32_t ticks,
                        const char *formula, const char *source)
{
    double end = floor(units * ticks * (1 + ROUNDING));
    return end < (double)(UINT64_C(1) << 62) &&
           guarantee_set(guarantee, (uint64_t)end, formula, source);
}
