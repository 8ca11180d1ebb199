/* SPDX-License-Identifier: Apache-2.0 */
/* options: what commands share of reading their options with argp.
 *
 * argp's own messages and exits are switched off; whatever is wrong becomes our `struct err`. A
 * command's argp has options_common_argp among its children, its input begins with the values of
 * these:
 *
 *     struct my_options {
 *         struct options_common common;          first
 *         struct options_collective collective;  where wanted
 *         …
 *     };
 *     parser, at ARGP_KEY_INIT:
 *         state->child_inputs[0] = &options->common;
 *         state->child_inputs[1] = &options->collective;
 *
 * A parser reports what is wrong with options_refuse(err_set(…)).
 */
#ifndef ROUNDCAST_OPTIONS_H
#define ROUNDCAST_OPTIONS_H

#include "cli/options_cube.h"
#include "cli/options_traffic.h"
#include "cli/options_value.h"
#include "sched/algorithms/algorithm.h"

/* --help and --json, which every command has. */
struct options_common {
    struct err *err;
    bool help;
    bool json;
    const char *manual; /* a form of manual.h; NULL unless that is asked for */
};

/* -n, -m, --model, --lambda, -d, --source, --tree, --capacity, --ports, --method, and those of
 * options_cube.h and options_traffic.h: what is asked for. Free it with options_collective_free. */
struct options_collective {
    struct err *err;
    struct collective collective; /* n, m: 0 if not given; lambda 0/0 if not given */
    bool has_model;
    bool has_kind;                        /* collective.kind was given, not that of an algorithm */
    const char *tree, *capacity, *method; /* texts, NULL if not given */
    /* of the tree or hypercube, after options_collective_check */
    struct topology topology;

    struct options_cube cube;
    struct options_traffic traffic;
    uint64_t seed; /* of all that is drawn; 1 unless the command sets it */
};

#define OPTIONS_COLLECTIVE(error)                                              \
    {                                                                          \
        .err = (error), .cube.err = (error), .traffic.err = (error), .seed = 1 \
    }

void options_collective_free(struct options_collective *options);

extern const struct argp options_common_argp, options_collective_argp;

enum options_outcome {
    OPTIONS_PARSED,
    OPTIONS_HELPED, /* the help has been printed: nothing is left to do */
    OPTIONS_REFUSED /* err is set */
};

/* Parse a command's options. `input` is the command's options, `common` (with err set by the
 * caller) the part that options_common_argp fills. Errors: E101, E102, and what the parsers set. */
enum options_outcome options_parse(const struct argp *argp, int argc, char **argv, void *input,
                                   struct options_common *common);

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

/* Find a collective of complete graphs by its name, for --collective. E103 lists the names. */
bool options_kind(const char *name, enum collective_kind *kind, struct err *err);

#define OPTIONS_KIND_HELP                                                                  \
    "on a complete graph: broadcast, scatter, gather, multinode (all-gather) or exchange " \
    "(broadcast)"

#endif
