/* SPDX-License-Identifier: Apache-2.0 */
/* inside: the structures of the handles of roundcast.h, for this folder only. */
#ifndef ROUNDCAST_INSIDE_H
#define ROUNDCAST_INSIDE_H

#include "lib/report/run.h"
#include "lib/roundcast.h"
#include "sched/bundle/bundle.h"
#include "sched/plan/plan.h"
#include "sched/request/problem.h"

struct roundcast_schedule {
    struct schedule schedule;
    char *name;      /* for messages; owned */
    char ports[12];  /* number of ports of a node */
    char lambda[24]; /* λ of a model with times, as "P/Q" */
};

struct roundcast_image {
    struct bundle bundle; /* its schedule is empty if only the tables were read */
    bool has_seed;
    uint64_t seed; /* seed of all random values, if known */
};

/* Copies an error to the caller's, which may be NULL. Returns false. */
bool inside_fail(const struct err *err, struct roundcast_error *error);

/* Returns the error as a struct err. */
struct err inside_err(const struct roundcast_error *error);
/* Returns the report of a run of the image as a struct run_report, with the bundle of the image. */
struct run_report inside_report(const struct roundcast_image *image,
                                const struct roundcast_report *report);

/* The parts of a request that a function needs, as bits. */
enum inside_part { INSIDE_PROBLEM = 1, INSIDE_MACHINE = 2, INSIDE_RUN = 4, INSIDE_ALL = 7 };

/* The members of the problem that describe its demands, a subset of INSIDE_PROBLEM. */
#define INSIDE_DEMANDS (8 | INSIDE_PROBLEM)

/* Converts the `parts` of a public request to the internal request; the other parts keep their
 * defaults. Texts are borrowed. E101, E102, E103, E401. */
bool inside_request(const struct roundcast_request *from, unsigned parts, struct request *request,
                    struct err *err);

/* Makes the instance of a problem without a machine, by problem_for_schedule or problem_for_models.
 * The members of the machine are used only if a change of settings takes time, because that is
 * counted in cycles. Errors: those of `problem`. Free the instance, also after an error. */
bool inside_ask(const struct roundcast_request *from,
                bool (*problem)(const struct request *request, struct instance *instance,
                                struct err *err),
                struct request *request, struct instance *instance, struct err *err);

/* Returns a handle that owns the schedule. Returns NULL with E104 after freeing the schedule. */
struct roundcast_schedule *inside_wrap(struct schedule *schedule, const char *name,
                                       struct err *err);

/* Returns the numbers that describe a schedule; its texts are the schedule's. O(1). */
struct roundcast_schedule_info inside_describe(const struct schedule *schedule);

/* Checks that the image has a schedule. E208. */
bool inside_has_schedule(const struct roundcast_image *image, struct err *err);

/* Reads a schedule of one port from its text in memory. E104, E203 … E211. */
bool inside_read_text(const char *name, const char *text, size_t size, struct schedule *schedule,
                      struct err *err);

/* -- Plans ------------------------------------------------------------------------------------- */

/* Plans the requested problem. */

/* Plans the problem of problem_for_models in its model, or in every model if none was requested.
 * Traffic in a model whose algorithms for traffic do not apply is planned as general demands. E101
 * for a degree that no algorithm has, and the errors of plan_make. Free the plan, also after an
 * error; it must be zero before. */
bool plan_of_instance(struct instance *instance, struct plan *plan, struct err *err);

/* Converts a row to the row of the public library. */
struct roundcast_plan_row plan_row_shown(const struct plan_row *row, struct rational lambda);

/* -- Problems ---------------------------------------------------------------------------------- */

/* The problem that a schedule solves. */
struct inside_problem {
    struct collective collective;
    uint32_t *sources; /* of simultaneous broadcasts; else NULL */
};

/* Finds the collective of a schedule, whose topology and demands it borrows; the topology of a
 * complete graph is NULL, and λ is 0/0 in a model of rounds. Returns false without an error if it
 * is none; E104. Free it with inside_problem_free in all cases. O(demands + packets). */
bool inside_problem_of(const struct schedule *schedule, struct inside_problem *problem,
                       struct err *err);
void inside_problem_free(struct inside_problem *problem);

/* Returns the collective as arbitrary demands, and whether algorithms for these apply besides those
 * for the collective: on trees and other topologies, and for traffic. */
struct collective inside_any_demands(const struct schedule *schedule,
                                     const struct collective *collective);
bool inside_is_any(const struct schedule *schedule, const struct collective *collective);

/* Inserts a row after the rows of its model that end no later. The table must have room for it. */
void inside_insert_row(const struct roundcast_plan_row *row, struct roundcast_plan_table *table);

#endif
