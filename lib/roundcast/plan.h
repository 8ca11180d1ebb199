/* SPDX-License-Identifier: Apache-2.0 */
/* plan: what algorithms achieve, what no algorithm can, and how to cut a message into packets.
 *
 * Texts of rows are statically allocated. A table that was filled is freed by its own function.
 */
#ifndef ROUNDCAST_PLANS_H
#define ROUNDCAST_PLANS_H

#include "roundcast/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_request;

/* What rounds and settings take on a machine whose changes of settings take time; in cycles. */
struct roundcast_price {
    uint64_t makespan, bound;
    uint64_t rounds, settings;
    uint64_t round_cycles, change_cycles; /* of a round; of a change of settings */
    uint32_t planes;                      /* networks side by side */
};

/* --- bounds ---------------------------------------------------------------------------------- */

/* Gets the least end, in ticks, that any schedule of the collective of request->algorithm can have;
 * with `reconfigure`, in cycles. E101, E102, E103, E104, E2xx. O(log n), in the postal model
 * O(λ n). */
bool roundcast_bound(const struct roundcast_request *request, uint64_t *end,
                     struct roundcast_error *error);

/* A lower bound of a collective in a model. */
struct roundcast_bound_row {
    const char *model, *collective;
    const char *name, *formula, *source; /* the paper and its theorem */
    bool times;                          /* the model has times */
    uint32_t ticks;                      /* in a unit of time; 1 in models with rounds */
    uint64_t end;                        /* in ticks; in a priced table in cycles */
    bool tightest;                       /* no other bound of the collective in the model is more */
};

/* The functions that bounds are made of: F(argument), the nodes that can be reached by a time, or
 * f(argument), the time to reach so many nodes; the subscript is a degree or λ. */
struct roundcast_function {
    char name;                           /* 'F' or 'f' */
    uint32_t subscript, subscript_ticks; /* subscript/subscript_ticks */
    uint32_t argument, argument_ticks;   /* argument/argument_ticks */
    bool large;                          /* the value is at least `value` = 2^62 */
    uint64_t value;
    uint32_t value_ticks; /* value/value_ticks */
};

struct roundcast_bound_table {
    uint32_t nodes;
    uint64_t packets;
    bool several; /* there are bounds of several collectives */
    bool priced;  /* changes of settings take time: */
    uint64_t round_cycles, change_cycles;
    bool functions_only; /* nothing but functions was asked for */
    size_t count;
    struct roundcast_bound_row *row;
    size_t function_count;
    struct roundcast_function function[4];
};

/* A time numerator/denominator. */
struct roundcast_time {
    uint32_t numerator, denominator;
};

#define ROUNDCAST_TIME_MAX 65535 /* of numerator and denominator */

/* Reads "P/Q" or "P", digits only; false for any other text. */
bool roundcast_time_parse(const char *text, struct roundcast_time *time);

/* Lists every lower bound that applies: of the model of the request, or of every model. With a
 * degree or λ also f of the nodes and F of `time`, which may be NULL. A time without nodes, packets
 * and topology asks for functions only. request->algorithm is ignored. E101, E102, E103, E104,
 * E2xx. Free it with roundcast_bound_table_free. */
bool roundcast_bounds(const struct roundcast_request *request, const struct roundcast_time *time,
                      struct roundcast_bound_table *table, struct roundcast_error *error);
void roundcast_bound_table_free(struct roundcast_bound_table *table);

/* --- plans ----------------------------------------------------------------------------------- */

/* What an algorithm achieves. */
struct roundcast_plan_row {
    const char *algorithm, *model;
    const char *method;           /* NULL: it has one */
    const char *summary;          /* of the method, in a priced table; else NULL */
    uint32_t degree;              /* the best one; 0: it has none */
    bool times;                   /* the model has times; false: rounds */
    uint32_t ticks;               /* in a unit of time: Q; 1 in models with rounds */
    bool has_end;                 /* false: only a long build would tell the end */
    uint64_t end;                 /* in ticks; 0 without one */
    uint64_t bound;               /* the least end of any algorithm, in ticks */
    const char *bound_formula;    /* NULL for one node, and in a priced table */
    const char *bound_source;     /* the paper and its theorem; NULL as above */
    struct roundcast_price price; /* in a priced table, if it has an end */
};

struct roundcast_plan_table {
    uint32_t nodes;
    uint64_t packets; /* of traffic and demands: of all */
    bool topology;    /* a tree or a hypercube */
    bool unplaced;    /* ends are not known because the sources of a hypercube are not */
    bool priced;      /* a row for each method; ends and bounds are in cycles: */
    uint64_t round_cycles, change_cycles;
    uint32_t planes;
    size_t count;
    struct roundcast_plan_row *row;
};

/* Plans every algorithm that applies, by model and then by end. request->algorithm is ignored;
 * without request->model all models are planned. With request->reconfigure there is a row for each
 * method of traffic instead, the fastest first, whose end and bound are in cycles, on
 * request->planes networks. E101, E102, E103, E104, E2xx, and with `reconfigure` E401, E402. Free
 * it with roundcast_plan_table_free. */
bool roundcast_plan_all(const struct roundcast_request *request, struct roundcast_plan_table *table,
                        struct roundcast_error *error);
void roundcast_plan_table_free(struct roundcast_plan_table *table);

/* Calls visit(with, row) for the rows of roundcast_plan_all, until it returns false. The same
 * errors. */
bool roundcast_plan(const struct roundcast_request *request,
                    bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                    struct roundcast_error *error);

/* --- tunings --------------------------------------------------------------------------------- */

#define ROUNDCAST_TUNE_MAX_BYTES (UINT64_C(1) << 30) /* of a message */

/* The best cut of a message, or of traffic, into packets. */
struct roundcast_tune_row {
    const char *algorithm, *model;
    const char *method;     /* with reconfiguration; NULL: there is none */
    bool usual;             /* it is the usual model of the algorithm */
    bool times;             /* the model has times */
    uint32_t packets;       /* of each demand; of traffic, of all */
    uint32_t packet_bytes;  /* of traffic; 0 of a message */
    uint32_t flits;         /* of a packet */
    uint32_t degree;        /* 0: it has none */
    uint32_t lambda, ticks; /* λ = lambda/ticks; 1/1 in models with rounds */
    uint64_t end;           /* in ticks */
    uint64_t settings;      /* with reconfiguration; 0 without `method` */
    uint64_t cycles;        /* from the first flit sent to the last one stored */
    uint64_t bound;         /* cycles that no algorithm and no cut undercuts */
};

struct roundcast_tune_table {
    uint64_t bytes; /* of the message, or of all entries of the traffic */
    uint32_t nodes;
    const char *collective; /* of a message */
    uint64_t demands;       /* of the collective, which share the message */
    bool traffic;           /* the request has traffic; false: a message */
    bool priced;            /* changes of settings take time: */
    uint64_t change_cycles;
    uint64_t seed;
    char network[64]; /* "benes:32,pipe=1,pad=0" */
    uint32_t latency; /* registers from endpoint to endpoint */
    uint32_t width;   /* bits of a flit */
    uint64_t bound;   /* cycles that no algorithm and no cut undercuts */
    size_t count;     /* rows, the fastest first */
    size_t unknown;   /* rows after them: only algorithm and model are known, as only a long build
                         would tell the end */
    struct roundcast_tune_row *row; /* row[count + unknown] */
};

/* Finds the fastest cut of each algorithm for a message of so many bytes; 0: for the traffic of the
 * request, whose numbers are bytes. E101, E102, E103, E104, E2xx, E401, E402. Free it with
 * roundcast_tune_table_free. */
bool roundcast_tune_all(const struct roundcast_request *request, uint64_t bytes,
                        struct roundcast_tune_table *table, struct roundcast_error *error);
void roundcast_tune_table_free(struct roundcast_tune_table *table);

/* Calls visit(with, row) for the `count` rows of roundcast_tune_all, until it returns false. The
 * same errors. */
bool roundcast_tune(const struct roundcast_request *request, uint64_t bytes,
                    bool (*visit)(void *with, const struct roundcast_tune_row *row), void *with,
                    struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
