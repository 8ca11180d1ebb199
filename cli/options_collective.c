/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_collective.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"
#include "sched/base/text.h"
#include "sched/decompose/decompose.h"
#include "sched/schedule/schedule.h"

#include <inttypes.h>
#include <string.h>

bool options_model(const char *name, enum model *model, struct err *err)
{
    struct text_nearest nearest = {0};
    char hint[TEXT_HINT];
    for (unsigned which = 0; which < MODEL_COUNT; which++)
        text_look(&nearest, name, model_name((enum model)which));
    return model_parse(name, model) ||
           err_set(err, ERR_ALGORITHM,
                   "--model: '%.40s' does not exist%s; expected one of" MODEL_NAMES, name,
                   text_hint(&nearest, hint));
}

/* Is a name not enough, as sources or a matrix go with it? */
static bool needs_more(enum collective_kind kind)
{
    return collective_rows[kind].listed || collective_rows[kind].weighed;
}

bool options_kind(const char *name, enum collective_kind *kind, struct err *err)
{
    char names[100] = "", hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    if (collective_parse(name, kind) && !needs_more(*kind))
        return true;
    for (unsigned which = 0; which < COLLECTIVE_KINDS; which++) {
        const char *known = collective_name((enum collective_kind)which);
        if (needs_more((enum collective_kind)which))
            continue;
        text_append(names, sizeof names, " %s", known);
        text_look(&nearest, name, known);
    }
    return err_set(err, ERR_ALGORITHM, "--collective: '%.40s' does not exist%s; expected one of%s",
                   name, text_hint(&nearest, hint), names);
}

bool options_lambda(const char *text, struct rational *lambda, struct err *err)
{
    if (rational_parse(text, lambda) && lambda->numerator >= lambda->denominator)
        return true;
    return err_set(err, ERR_RANGE,
                   "--lambda: '%.40s'; expected P/Q or P, at least 1, P and Q at most %d", text,
                   RATIONAL_MAX);
}

static bool parse_ports(const char *text, struct options_collective *options)
{
    static const char *const name[] = {"single", "multi"};
    unsigned which;
    if (text[0] >= '0' && text[0] <= '9')
        return options_number32("--ports", text, 1, SCHEDULE_MAX_PORTS, &options->collective.ports,
                                options->err);
    if (!options_choice("--ports", text, name, 2, &which, options->err))
        return false;
    options->has_model = true;
    options->collective.model = which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
    return true;
}

static error_t parse_collective(int key, char *argument, struct argp_state *state)
{
    struct options_collective *options = state->input;
    struct collective *collective = &options->collective;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->cube;
        state->child_inputs[1] = &options->traffic;
        state->child_inputs[2] = &options->demands;
        return 0;
    case 'n':
        return options_refuse(
            options_number32("-n", argument, 1, SCHEDULE_MAX_NODES, &collective->n, options->err));
    case 'm':
        return options_refuse(options_number32("-m", argument, 1, SCHEDULE_MAX_PACKETS,
                                               &collective->m, options->err));
    case 's':
        return options_refuse(options_number32("--source", argument, 0, SCHEDULE_MAX_NODES - 1,
                                               &collective->source, options->err));
    case 'd':
        return options_refuse(options_number32("-d", argument, 1, SCHEDULE_MAX_NODES,
                                               &collective->degree, options->err));
    case KEY_MODEL:
        options->has_model = true;
        return options_refuse(options_model(argument, &collective->model, options->err));
    case KEY_LAMBDA:
        return options_refuse(options_lambda(argument, &options->collective.lambda, options->err));
    case KEY_TREE:
        options->tree = argument;
        return 0;
    case KEY_CAPACITY:
        options->capacity = argument;
        return 0;
    case KEY_PORTS:
        return options_refuse(parse_ports(argument, options));
    case KEY_METHOD:
        options->method = argument;
        return 0;
    case KEY_BY:
        options->by = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option collective_options[] = {
    {"nodes", 'n', "N", 0, "processors, 1 or more", 0},
    {"packets", 'm', "M", 0,
     "packets to broadcast; of each source, or pair, of other collectives; 1 or more", 0},
    {"model", KEY_MODEL, "MODEL", 0, "one of" MODEL_NAMES, 0},
    {"lambda", KEY_LAMBDA, "P/Q", 0, "λ of the postal model, at least 1", 0},
    {"degree", 'd', "D", 0, "of the trees, for algorithms that have a degree (the best one)", 0},
    {"source", 's', "NODE", 0, "the node that has the packets, or wants them (0)", 0},
    {"tree", KEY_TREE, "K1,…,KH", 0,
     "a tree with so many children at level 1 … h; its leaves are the processors", 0},
    {"capacity", KEY_CAPACITY, "C1,…,CH", 0,
     "of the tree: links of a branch below level 1 … h, const or exp (const)", 0},
    {"ports", KEY_PORTS, "single|multi|K", 0,
     "--model single-port or multiport; of traffic, how many packets a node sends, and receives, "
     "in a round (1)",
     0},
    {"method", KEY_METHOD, "NAME", 0,
     "of an algorithm that has several (the first of 'roundcast list')", 0},
    {"by", KEY_BY, "ALGORITHM", 0,
     "of reduce, reduce-scatter and all-reduce: the broadcast or all-gather to reverse (the one "
     "that ends first)",
     0},
    {0},
};

static const struct argp_child collective_children[] = {{&options_cube_argp, 0, NULL, 0},
                                                        {&options_traffic_argp, 0, NULL, 0},
                                                        {&options_demands_argp, 0, NULL, 0},
                                                        {0}};

const struct argp options_collective_argp = {
    .options = collective_options, .parser = parse_collective, .children = collective_children};

void options_collective_free(struct options_collective *options)
{
    options_cube_free(&options->cube);
    options_traffic_free(&options->traffic);
    options_demands_free(&options->demands);
}

/* The tree, n = its leaves, and one packet. */
static bool check_tree(struct options_collective *options)
{
    struct collective *asked = &options->collective;
    if (options->tree == NULL)
        return options->capacity == NULL ||
               err_set(options->err, ERR_OPTION, "--capacity: of no tree; expected --tree with it");
    const char *capacity = options->capacity != NULL ? options->capacity : "const";
    if (!topology_parse_tree(options->tree, capacity, &options->topology, options->err))
        return false;
    if (asked->n != 0 && asked->n != options->topology.nodes)
        return err_set(options->err, ERR_RANGE,
                       "-n: %" PRIu32 "; expected the %" PRIu32 " leaves of the tree", asked->n,
                       options->topology.nodes);
    if (asked->m > 1)
        return err_set(options->err, ERR_RANGE, "-m: %" PRIu32 "; expected 1 on a tree", asked->m);
    asked->n = options->topology.nodes;
    asked->m = 1;
    asked->topology = &options->topology;
    return true;
}

/* What is held is a setting of one round after the other. */
static bool check_priced(struct options_collective *options)
{
    struct collective *asked = &options->collective;
    if (!asked->priced)
        return true;
    if ((options->has_model && !model_row(asked->model)->ports) || asked->lambda.denominator != 0)
        return err_set(options->err, ERR_OPTION,
                       "--reconfigure: settings are held in the model send-receive only; expected "
                       "no other");
    options->has_model = true;
    asked->model = MODEL_SEND_RECEIVE;
    return options->method == NULL ||
           (asked->decompose = decompose_find(options->method, options->err)) != NULL;
}

/* A number of ports goes with traffic, and makes the model send-receive. */
static bool check_ports(struct options_collective *options)
{
    struct collective *asked = &options->collective;
    if (asked->ports == 0)
        return true;
    if (asked->ports > 1 && !options->several_ports)
        return err_set(options->err, ERR_OPTION,
                       "--ports: %" PRIu32
                       "; expected 1, as no network gives a node several: schedule, plan and bound "
                       "take more",
                       asked->ports);
    if (!options_traffic_given(&options->traffic) || asked->priced)
        return err_set(options->err, ERR_OPTION,
                       asked->priced ? "--ports: with --reconfigure; expected one of them"
                                     : "--ports: a number without traffic; expected --matrix, "
                                       "--entries or --pattern");
    if ((options->has_model && !model_row(asked->model)->ports) || asked->lambda.denominator != 0)
        return err_set(options->err, ERR_OPTION,
                       "--ports: a number in the model send-receive only; expected no other");
    options->has_model = true;
    asked->model = MODEL_SEND_RECEIVE;
    return true;
}

const struct algorithm *options_collective_find(const struct options_collective *options,
                                                const char *name)
{
    static const enum model postal = MODEL_POSTAL;
    bool cube = options->cube.dimensions != 0;
    enum topology_kind topology = options->tree != NULL ? TOPOLOGY_TREE
                                  : cube                ? TOPOLOGY_HYPERCUBE
                                                        : TOPOLOGY_COMPLETE;
    const enum model *model = options->has_model ? &options->collective.model
                              : options->collective.lambda.denominator != 0 ? &postal
                                                                            : NULL;
    return algorithm_find_on(name, topology, model, options->err);
}

bool options_collective_draws(const struct options_collective *options)
{
    return options->cube.has_random || options->traffic.pattern != NULL ||
           options->collective.priced;
}

bool options_collective_check(struct options_collective *options)
{
    const struct collective *asked = &options->collective;
    options->collective.seed = options->seed.value;
    if (!check_tree(options) ||
        !options_cube_check(&options->cube, options->tree != NULL, options->method != NULL,
                            options->seed.value, &options->collective, &options->topology) ||
        !options_traffic_check(&options->traffic, options->seed.value, &options->collective) ||
        !options_demands_check(&options->demands, options->has_model, &options->collective) ||
        !check_priced(options) || !check_ports(options))
        return false;
    if (asked->n == 0)
        return err_set(options->err, ERR_OPTION, "-n: not given; expected the number of nodes");
    if (asked->m == 0 && options->cube.dimensions == 0)
        return err_set(options->err, ERR_OPTION, "-m: not given; expected the number of packets");
    if (asked->source >= asked->n)
        return err_set(options->err, ERR_RANGE,
                       "--source: %" PRIu32 " is out of range; expected 0 … %" PRIu32,
                       asked->source, asked->n - 1);
    if (asked->lambda.denominator != 0 && options->has_model && !model_has_times(asked->model))
        return err_set(options->err, ERR_OPTION,
                       "--lambda: the model %s has none; expected --model postal",
                       model_name(asked->model));
    return true;
}

static bool refuse_no_lambda(struct err *err)
{
    return err_set(err, ERR_OPTION, "--lambda: not given; expected the λ of the postal model");
}

/* Some schedules of demands and of given sources are drawn, whichever algorithm makes them. */
static bool models_draw(const struct options_collective *options)
{
    return options_collective_draws(options) || options->demands.file != NULL ||
           options->collective.sources != NULL;
}

bool options_collective_check_models(struct options_collective *options)
{
    const struct collective *asked = &options->collective;
    if (!options_collective_check(options) ||
        !options_cube_refuse_way(&options->cube, "all algorithms") ||
        !options_seed_check(&options->seed, models_draw(options)))
        return false;
    if (options->has_kind && options_traffic_given(&options->traffic))
        return err_set(options->err, ERR_OPTION,
                       "--collective: with --matrix, --entries or --pattern; expected one");
    if (options->demands.exact || options->method != NULL || options->by != NULL)
        return err_set(options->err, ERR_OPTION,
                       "--%s: without an algorithm; expected schedule or run with it",
                       options->demands.exact    ? "exact"
                       : options->method != NULL ? "method"
                                                 : "by");
    if (options->has_kind && options->demands.file != NULL)
        return err_set(options->err, ERR_OPTION, "--collective: with --demands; expected one");
    if (options->has_kind && asked->topology != NULL)
        return err_set(options->err, ERR_OPTION,
                       "--collective: on a tree or hypercube all are shown; expected a complete "
                       "graph with it");
    bool timed = options->has_model && model_has_times(asked->model);
    return !timed || asked->lambda.denominator != 0 || refuse_no_lambda(options->err);
}

/* The method by its name. */
static bool find_method(const struct options_collective *options, const struct algorithm *algorithm,
                        unsigned *method)
{
    char names[200] = "", hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    *method = 0;
    if (options->collective.priced)
        return true; /* it is the collective's */
    if (options->method == NULL)
        return options_cube_method(&options->cube, algorithm, method);
    for (unsigned which = 0; algorithm->methods != NULL && algorithm->methods[which] != NULL;
         which++) {
        if (strcmp(algorithm->methods[which], options->method) == 0) {
            *method = which;
            return true;
        }
        text_append(names, sizeof names, " %s", algorithm->methods[which]);
        text_look(&nearest, options->method, algorithm->methods[which]);
    }
    if (collective_rows[algorithm->kind].weighed && !options->traffic.unweighed)
        return err_set(options->err, ERR_OPTION,
                       "--method: of traffic without a price; expected --reconfigure with it");
    return err_set(options->err, ERR_ALGORITHM,
                   "--method: '%.40s' of %s does not exist%s; expected%s", options->method,
                   algorithm->name, text_hint(&nearest, hint), names[0] != '\0' ? names : " none");
}

/* The model in which an algorithm runs: one with times if λ is given and the algorithm keeps
 * one. */
static enum model usual_model(const struct algorithm *algorithm, bool has_lambda)
{
    for (unsigned model = 0; has_lambda && model < MODEL_COUNT; model++)
        if (model_has_times((enum model)model) && algorithm->models >> model & 1)
            return (enum model)model;
    return algorithm_model(algorithm);
}

/* A matrix goes with the algorithm that schedules one, and with the one that schedules any demands.
 */
static bool check_demand(const struct options_collective *options,
                         const struct algorithm *algorithm)
{
    bool matrix = options_traffic_given(&options->traffic), file = options->demands.file != NULL;
    const struct collective_row *row = &collective_rows[algorithm->kind];
    if (file && !row->written)
        return err_set(options->err, ERR_OPTION,
                       "%s: with --demands; expected the algorithm general", algorithm->name);
    if (matrix && !row->weighed)
        return err_set(options->err, ERR_OPTION,
                       "%s: with --matrix, --entries or --pattern; expected the algorithm traffic",
                       algorithm->name);
    if (!row->written && options->demands.exact)
        return err_set(options->err, ERR_OPTION, "--exact: of %s; expected the algorithm general",
                       algorithm->name);
    if (row->written && options->traffic.price.reconfigure != NULL && !options->traffic.pays)
        return err_set(options->err, ERR_OPTION,
                       "%s: settings are not held; expected no --reconfigure, or the algorithm "
                       "traffic",
                       algorithm->name);
    return matrix || file || !row->weighed ||
           err_set(options->err, ERR_OPTION,
                   "%s: no demand; expected %s--matrix, --entries or --pattern", algorithm->name,
                   row->written ? "--demands, " : "");
}

/* The model in which it runs if none was given: that of a file of demands, or the algorithm's. */
static void choose_model(const struct options_collective *options,
                         const struct algorithm *algorithm, struct collective *collective)
{
    bool has_lambda = collective->lambda.denominator != 0;
    bool reported =
        options->demands.file != NULL && model_has_times(collective->model) == has_lambda;
    if (!options->has_model && !reported)
        collective->model = usual_model(algorithm, has_lambda);
}

bool options_collective_of(struct options_collective *options, const struct algorithm *algorithm,
                           bool needs_lambda, struct collective *collective)
{
    const struct collective_row *row = &collective_rows[algorithm->kind];
    options->traffic.unweighed = row->written;
    if (!check_demand(options, algorithm) || !options_collective_check(options))
        return false;
    if (row->written && options->demands.file == NULL &&
        !options_demands_of_traffic(&options->demands, &options->collective))
        return false;
    *collective = options->collective;
    collective->kind = algorithm->kind;
    collective->exact = options->demands.exact;
    options_cube_default(&options->cube, collective);
    if (!find_method(options, algorithm, &collective->method))
        return false;
    choose_model(options, algorithm, collective);
    if (options->by != NULL &&
        (collective->by = options_collective_find(options, options->by)) == NULL)
        return false;
    bool timed = model_has_times(collective->model), given = collective->lambda.denominator != 0;
    if (given && !timed)
        return err_set(options->err, ERR_OPTION,
                       "--lambda: %s is not of the postal model; expected no λ", algorithm->name);
    if (timed && !given && needs_lambda)
        return refuse_no_lambda(options->err);
    return true;
}
