/* SPDX-License-Identifier: Apache-2.0 */
/* problem_parts: the checks that problem.c combines; internal to this folder. */
#ifndef ROUNDCAST_PROBLEM_PARTS_H
#define ROUNDCAST_PROBLEM_PARTS_H

#include "sched/request/problem.h"

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

#endif
