/* SPDX-License-Identifier: Apache-2.0 */
/* problem: checks a request as a whole, and converts it for the core.
 *
 *     request.problem ─► struct instance: a collective, and the topology, traffic, demands and
 *                        sources that it points to
 *
 * Messages name fields, as `{tree}`. A tree or a hypercube, traffic and a schedule's demands each
 * determine the number of nodes; {nodes} may repeat it.
 */
#ifndef ROUNDCAST_PROBLEM_H
#define ROUNDCAST_PROBLEM_H

#include "sched/algorithms/algorithm.h"
#include "sched/request/request.h"
#include "sched/route/compile.h"

/* Points into itself: do not copy it. Zero before it is filled. */
struct instance {
    const struct algorithm *algorithm; /* NULL: all that apply */
    struct collective collective;
    struct topology topology; /* of the tree or hypercube */
    struct traffic traffic;
    struct schedule demands; /* owned: those of the file, or of the traffic */
    uint32_t *sources;       /* [collective.m], owned; NULL: not given */
    bool priced_machine;     /* a machine pays for changes, whatever is scheduled */
    bool has_model;          /* collective.model was asked for */
    bool unweighed;          /* the algorithm ignores the price of a change of settings */
};

void instance_free(struct instance *instance);

/* Finds the algorithm of the request. Returns NULL with E101 if none is given, E103 if it is
 * unknown. */
const struct algorithm *problem_algorithm(const struct request *request, struct err *err);

/* The problem of a schedule that is built without a machine. λ must be given in a model with times;
 * a seed, only if something is drawn; the cycles of a round, only with a price. E101 … E104, E401,
 * E402, and the errors of files. Free the instance, also after an error. */
bool problem_for_schedule(const struct request *request, struct instance *instance,
                          struct err *err);

/* The problem of all algorithms that apply: of plans and bounds. The same errors, and E101 for
 * fields that only one algorithm has. */
bool problem_for_models(const struct request *request, struct instance *instance, struct err *err);

/* The problem of a schedule that a machine runs, with the machine and its payload: λ may follow
 * from the machine, and a change of settings has a price for whatever is scheduled. The same
 * errors, and those of compile_machine. Free the instance, and the payload if it returns true. */
bool problem_for_machine(const struct request *request, struct instance *instance,
                         struct compile_request *compile, struct machine *machine,
                         struct payload *payload, struct err *err);

/* Only the traffic of the request and its price; nothing if no traffic is given. E101, E102, E104,
 * and those of traffic_read.h. */
bool problem_traffic(const struct request *request, struct instance *instance, struct err *err);

/* Returns the field that gives traffic: "matrix", "entries" or "pattern"; NULL: none does. */
const char *problem_traffic_name(const struct problem *problem);

/* Returns what it gives: the file or the pattern, for messages; NULL: none is given. */
const char *problem_traffic_source(const struct problem *problem);

/* Checks that a given seed is used. E101. */
bool problem_check_seed(const struct request *request, bool draws, struct err *err);

/* Makes demands of the instance's traffic, an entry each, for algorithms that schedule any demands.
 * E104. */
bool problem_demands_of_traffic(struct instance *instance, struct err *err);

#endif
