/* SPDX-License-Identifier: Apache-2.0 */
/* problem: checks a request as a whole, and converts it for the core.
 *
 *     request.problem ─► struct instance: a collective, and the topology, traffic, demands and
 *                        sources that it points to
 *
 * Messages mark fields, such as `{tree}`. A tree or a hypercube, traffic and a schedule's demands
 * each determine the number of nodes; {nodes} may repeat it. */
#ifndef ROUNDCAST_PROBLEM_H
#define ROUNDCAST_PROBLEM_H

#include "sched/algorithms/algorithm.h"
#include "sched/request/request.h"
#include "sched/route/compile.h"

/* Contains pointers to its own members: do not copy it. Must be zero before it is filled. */
struct instance {
    const struct algorithm *algorithm; /* NULL: all algorithms that apply */
    struct collective collective;
    struct topology topology; /* the tree or hypercube */
    struct traffic traffic;
    struct schedule demands; /* owned: the demands of the file, or those made from the traffic */
    uint32_t *sources;       /* [collective.m], owned; NULL: not given */
    /* the machine has a price for changes of settings, for any collective */
    bool priced_machine;
    bool has_model; /* the request gives collective.model */
    bool unweighed; /* the algorithm ignores the price of a change of settings */
};

void instance_free(struct instance *instance);

/* Finds the algorithm of the request. Returns NULL with E101 if none is given, E103 if it is
 * unknown. */
const struct algorithm *problem_algorithm(const struct request *request, struct err *err);

/* Makes the problem of a schedule that is built without a machine. λ must be given in a model with
 * times; a seed only if something is drawn; the cycles of a round only with a price. E101 … E104,
 * E401, E402, and the errors of files. Free the instance, also after an error. */
bool problem_for_schedule(const struct request *request, struct instance *instance,
                          struct err *err);

/* Makes the problem of all algorithms that apply, for plans and bounds. The errors of
 * problem_for_schedule, and E101 for fields that apply to a single algorithm. */
bool problem_for_models(const struct request *request, struct instance *instance, struct err *err);

/* Makes the problem of a schedule that a machine runs, with the machine and its payload. λ may
 * follow from the machine, and a change of settings has a price for any collective. The errors of
 * problem_for_schedule and of compile_machine. Free the instance, and the payload if it returns
 * true. */
bool problem_for_machine(const struct request *request, struct instance *instance,
                         struct compile_request *compile, struct machine *machine,
                         struct payload *payload, struct err *err);

struct exchange_reading;

/* Finds the rules by which a request reads a schedule, and sets them in `how`: the model, the
 * topology, λ and the ports. `topology` has the topology, unless it is a complete graph, and must
 * outlive `how`. The default model is postal if λ is given, else send-receive, and on other
 * topologies the first in which a node uses all its links. E101, E102. */
bool problem_rules(const struct request *request, struct topology *topology,
                   struct exchange_reading *how, struct err *err);

/* Makes only the traffic of the request and its price; does nothing if no traffic is given. E101,
 * E102, E104, and those of traffic_read.h. */
bool problem_traffic(const struct request *request, struct instance *instance, struct err *err);

/* Returns the field that defines the traffic: "matrix", "entries" or "pattern"; NULL if no traffic
 * is given. */
const char *problem_traffic_name(const struct problem *problem);

/* Returns the value of that field, a file or a pattern, for messages; NULL if no traffic is
 * given. */
const char *problem_traffic_source(const struct problem *problem);

/* Checks that a seed is given only if something is drawn. E101. */
bool problem_check_seed(const struct request *request, bool draws, struct err *err);

/* Converts the instance's traffic to demands, one for each entry, for algorithms that schedule any
 * demands. E104. */
bool problem_demands_of_traffic(struct instance *instance, struct err *err);

/* -- The parts of problem.c -------------------------------------------------------------------- */

/* The checks that problem.c combines; internal to this folder. */

/* Returns the model of the request. The field `ports` names a model of trees; it selects the
 * corresponding model of the topology, if the topology has such models. */
enum model problem_model(const struct problem *problem);

/* Fills and checks the collective of instance->algorithm: its demands, method, model and λ, which
 * is required in a model with times only with `needs_lambda`. If the request names a collective of
 * complete graphs that no algorithm is named after, selects the algorithm that ends first. E101,
 * E103, E104, and the errors of problem_check_collective. */
bool problem_check_algorithm(const struct request *request, struct instance *instance,
                             bool needs_lambda, struct err *err);

/* Fills and checks the part of a collective that does not depend on the algorithm. E101 … E104, and
 * the errors of files. */
bool problem_check_collective(const struct request *request, struct instance *instance,
                              struct err *err);

/* Check that the model has λ, and that its nodes may have several ports: E101. */
bool problem_check_times(enum model model, struct err *err);
bool problem_check_several_ports(enum model model, struct err *err);

/* Reports that {lambda} is missing: E101. Returns false. */
bool problem_require_lambda(struct err *err);

/* Sets n, m, the topology and the sources of a hypercube. {sources} and {random} require {dim}.
 * E101, E102, E104. */
bool problem_cube(const struct request *request, struct instance *instance, struct err *err);

/* Sets n, m and the topology of a tree, if one is given. A tree has as many nodes as leaves, and
 * one packet. E101, E102. */
bool problem_tree(const struct problem *problem, struct instance *instance, struct err *err);

/* Returns the topology that the problem selects; the complete graph if it selects none. */
enum topology_kind problem_topology(const struct problem *problem);

/* Checks that the fields select at most one topology. E101. */
bool problem_one_topology(const struct problem *problem, struct err *err);

/* Sets n, m and the topology, if the problem selects a direct topology. E101, E102. */
bool problem_direct(const struct problem *problem, struct instance *instance, struct err *err);

/* Completes a collective on a hypercube: a broadcast has d packets unless their number is known. */
void problem_cube_packets(const struct request *request, struct collective *collective);

/* Finds the method that {prefix}, {overlap} and {randomised} select; 0 if none is given. E103 for
 * algorithms without that method. */
bool problem_cube_method(const struct request *request, const struct algorithm *algorithm,
                         unsigned *method, struct err *err);

/* Checks that none of the three is given, because `what` does not support them. E103. */
bool problem_no_cube_variant(const struct request *request, const char *what, struct err *err);

/* Reads {demands} and sets n, m, kind and load, and also model and λ unless they are given. E101,
 * E102, those of schedule_read. */
bool problem_demands(const struct request *request, struct instance *instance, struct err *err);

/* -- Machines and runs ------------------------------------------------------------------------- */

/* Converts the request for a machine for the compiler. */

/* Converts a request to that of compile.h: machine, payload, seed, and the cycles that a change of
 * settings takes. E101, E102. */
bool machine_request(const struct request *request, struct compile_request *compile,
                     struct err *err);

/* Reads {reconfigure} with {clock}: the cycles of a change of settings, 0 if {reconfigure} is not
 * given. E101, E102. */
bool machine_request_change(const struct problem *problem, uint32_t *cycles, struct err *err);

/* Sets collective->cost.round of a collective with a price: {round-cycles}, or the cycles of the
 * machine that a run would use. E101 for fields of a machine without a price, or together with
 * {round-cycles}; E102, E401 and E402 for a machine that cannot be built. */
bool machine_request_round(const struct request *request, struct collective *collective,
                           struct err *err);

/* Checks the request for a run: a window of rounds requires a trace, and without an engine there
 * are no options of a machine or a simulation. E101. */
bool run_request_check(const struct request *request, struct err *err);

#endif
