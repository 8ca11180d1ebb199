/* SPDX-License-Identifier: Apache-2.0 */
/* judge: what a schedule performs, the rules that it breaks, and how far it is from the best.
 *
 *     const struct roundcast_reading any = {0};
 *     struct roundcast_schedule *mine = roundcast_load("mine.csv", &any, NULL, &error);
 *     struct roundcast_judgement judgement;
 *     if (mine != NULL && roundcast_judge(mine, &judgement, &error))
 *         printf("%s: %s\n", judgement.collective, judgement.verdict.holds ? "holds" : "fails");
 */
#ifndef ROUNDCAST_LIB_JUDGE_H
#define ROUNDCAST_LIB_JUDGE_H

#include "roundcast/exchange.h"
#include "roundcast/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The aspects of a schedule that are checked:
 *
 *     contents   every node receives the packets that it wants, and combined packets count each
 *                contribution once
 *     order      every node sends only packets that it has
 *     ports      every round obeys the rules of the model for nodes and links */
enum roundcast_aspect { ROUNDCAST_CONTENTS, ROUNDCAST_ORDER, ROUNDCAST_PORTS, ROUNDCAST_ASPECTS };

/* The breaches of the rules of an aspect. */
struct roundcast_breaches {
    uint64_t count;
    struct roundcast_error first; /* code 0: none */
};

struct roundcast_judgement {
    char collective[ROUNDCAST_COLLECTIVE_TEXT]; /* as roundcast_collective_text */
    struct roundcast_verdict verdict;
    struct roundcast_breaches aspect[ROUNDCAST_ASPECTS];
    bool has_compact; /* the rounds after compaction are known: */
    uint64_t compact; /* rounds if each transfer takes place as early as the order permits */
    const char *best; /* the algorithm whose schedule for the collective in the model ends
                           * first; NULL: none is known. Statically allocated */
    /* its method; NULL: its first one, or it has none. Statically allocated */
    const char *best_method;
    uint64_t best_end;   /* its end, in ticks; 0 without an algorithm */
    const char *formula; /* the bound, and its source; NULL: no bound. Statically allocated */
    const char *source;
};

/* Judges a schedule. A schedule that breaks rules is judged, too: see verdict.holds. E104. Takes up
 * to about a second for schedules of algorithms that have to be built to know their end.
 * O(transfers · rounds / 64 + nodes). */
bool roundcast_judge(const struct roundcast_schedule *schedule,
                     struct roundcast_judgement *judgement, struct roundcast_error *error);

struct roundcast_request;

/* Sets the members of a request that describe the problem which a schedule solves: the collective,
 * the numbers of nodes and packets, the source, the model, λ and the ports of a node. Returns
 * false, and sets none, if the demands are not those of a collective on a complete graph. Texts
 * live as long as the schedule. O(demands). */
bool roundcast_request_of(const struct roundcast_schedule *schedule,
                          struct roundcast_request *request);

/* Checks that a schedule solves the problem that a request describes: its topology, collective
 * (NULL: broadcast; on a tree or another topology any one), numbers of nodes and packets, source,
 * sources, traffic or demands, ports and λ; the model may differ. E104; E313 for another problem;
 * the errors of an incorrect request. O(demands + packets). */
bool roundcast_solves(const struct roundcast_schedule *schedule,
                      const struct roundcast_request *request, struct roundcast_error *error);

/* Checks that a schedule solves the same problem as another one: the topology, the demands, ports
 * and λ; the model may differ. E104; E208 for control packets, which are not compared; E313 with
 * the first difference. O(demands · log demands). */
bool roundcast_solves_as(const struct roundcast_schedule *schedule,
                         const struct roundcast_schedule *other, struct roundcast_error *error);

struct roundcast_plan_table;

/* Plans the problem that a schedule solves, as roundcast_plan_all: every algorithm for its
 * collective, on its topology, and algorithms for any demands. Of the request only the model, λ,
 * the degree, `order` and `stream` are used. E101; E103 for a model of another topology; E104; E208
 * for demands that no algorithm has. Free it with roundcast_plan_table_free. */
bool roundcast_plan_for(const struct roundcast_schedule *schedule,
                        const struct roundcast_request *request, struct roundcast_plan_table *table,
                        struct roundcast_error *error);

/* Adds a row for a schedule to a plan, after the rows of its model that end no later. `name` is the
 * algorithm of the row, and must live as long as the table. Precondition: roundcast_verify accepts
 * the schedule. E104. */
bool roundcast_plan_add(const struct roundcast_schedule *schedule, const char *name,
                        struct roundcast_plan_table *table, struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
