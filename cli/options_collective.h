/* SPDX-License-Identifier: Apache-2.0 */
/* options_collective: the collective that is asked for. */
#ifndef ROUNDCAST_OPTIONS_COLLECTIVE_H
#define ROUNDCAST_OPTIONS_COLLECTIVE_H

#include "cli/options_cube.h"
#include "cli/options_demands.h"
#include "cli/options_seed.h"
#include "cli/options_traffic.h"
#include "sched/algorithms/algorithm.h"

#include <argp.h>

/* -n, -m, --model, --lambda, -d, --source, --tree, --capacity, --ports, --method, and those of
 * options_cube.h, options_traffic.h and options_demands.h: what is asked for. Free it with
 * options_collective_free. */
struct options_collective {
    struct err *err;
    struct collective collective; /* n, m: 0 if not given; lambda 0/0 if not given */
    bool has_model;
    bool has_kind;      /* collective.kind was given, not that of an algorithm */
    bool several_ports; /* may be asked for: the command takes such schedules */
    const char *tree, *capacity, *method, *by; /* texts, NULL if not given */
    /* of the tree or hypercube, after options_collective_check */
    struct topology topology;

    struct options_cube cube;
    struct options_traffic traffic;
    struct options_demands demands;
    struct options_seed seed; /* of all that is drawn; 1 unless the command sets it */
};

#define OPTIONS_COLLECTIVE(error)                                                            \
    {                                                                                        \
        .err = (error), .cube.err = (error), .traffic.err = (error), .demands.err = (error), \
        .seed = OPTIONS_SEED(error)                                                          \
    }

void options_collective_free(struct options_collective *options);

extern const struct argp options_collective_argp;

/* Finds the algorithm that a name means on the topology and in the model that were given. NULL with
 * E103. */
const struct algorithm *options_collective_find(const struct options_collective *options,
                                                const char *name);

/* Is there something that needs a seed, whatever the algorithm? */
bool options_collective_draws(const struct options_collective *options);

/* Check what was parsed. It must have -n and -m, or a tree or hypercube, from which n follows.
 * Sources must be its nodes, and --lambda goes with the postal model. E101, E102. */
bool options_collective_check(struct options_collective *options);

/* The same for a command that covers several models: --model postal needs a --lambda, and
 * --collective goes with a complete graph. E101, E102. */
bool options_collective_check_models(struct options_collective *options);

/* The same for an algorithm's collective, which takes the algorithm's model unless one was given.
 * With `needs_lambda`, the postal model needs a --lambda. E101, E102. */
bool options_collective_of(struct options_collective *options, const struct algorithm *algorithm,
                           bool needs_lambda, struct collective *collective);

/* Find a model by its name, for --model. E103 lists the names. */
bool options_model(const char *name, enum model *model, struct err *err);

/* Read λ, for --lambda. E102 if it is less than 1, or no number. */
bool options_lambda(const char *text, struct rational *lambda, struct err *err);

/* Find a collective of complete graphs by its name, for --collective. E103 lists the names. */
bool options_kind(const char *name, enum collective_kind *kind, struct err *err);

#define OPTIONS_KIND_HELP                                                                   \
    "on a complete graph: broadcast, scatter, gather, all-gather, total-exchange, reduce, " \
    "reduce-scatter, all-reduce or scan (broadcast)"

#endif
