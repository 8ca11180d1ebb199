/* SPDX-License-Identifier: Apache-2.0 */
/* plan: predicted results of algorithms, lower bounds, and the best division of a message into
 * packets.
 *
 * Texts of rows are statically allocated. Free each table with its own function.
 */
#ifndef ROUNDCAST_PLANS_H
#define ROUNDCAST_PLANS_H

#include "roundcast/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_request;

/* The duration of rounds and settings on a machine whose changes of settings take time; in
 * cycles. */
struct roundcast_price {
    uint64_t makespan, bound;
    uint64_t rounds, settings;
    uint64_t round_cycles, change_cycles; /* cycles of a round, and of a change of settings */
    uint32_t planes;                      /* number of parallel networks */
};

/* --- bounds ---------------------------------------------------------------------------------- */

/* Gets the lower bound, in ticks, of the end of any schedule for the collective of
 * request->algorithm; with `reconfigure`, in cycles. E101, E102, E103, E104, E2xx. O(log n), in the
 * postal model O(λ n). */
bool roundcast_bound(const struct roundcast_request *request, uint64_t *end,
                     struct roundcast_error *error);

/* A lower bound of a collective in a model. */
struct roundcast_bound_row {
    const char *model, *collective;
    const char *name, *formula, *source; /* the paper and its theorem */
    bool times;                          /* the model has times */
    uint32_t ticks;                      /* ticks in a unit of time; 1 in models with rounds */
    uint64_t end;                        /* in ticks; in a priced table in cycles */
    bool tightest;                       /* no other bound of the collective in the model is
                                          * larger */
};

struct roundcast_plan_row;

/* The functions on which bounds are based: F(argument), the number of nodes that can be reached by
 * a time, or f(argument), the time to reach a number of nodes; the subscript is a degree or λ. */
struct roundcast_function {
    char name;                           /* 'F' or 'f' */
    uint32_t subscript, subscript_ticks; /* subscript/subscript_ticks */
    uint32_t argument, argument_ticks;   /* argument/argument_ticks */
    bool large;                          /* the value is at least `value` = 2^62 */
    uint64_t value;
    uint32_t value_ticks; /* value/value_ticks */

    /* The guarantee of a theorem: a lower bound of F, an upper bound of f; source NULL: none. */
    uint64_t guarantee; /* guarantee/value_ticks */
    const char *guarantee_source;
};

/* The broadcast of K packets of different nodes of a hypercube in which each node knows only its
 * own packets: rounds for the worst sources, and the random trees of cube-broadcast. */
struct roundcast_sources {
    uint32_t dimensions, packets;
    uint64_t worst_least, worst_most; /* rounds for the worst sources: lower bound of any algorithm,
                                       * and upper bound of one */
    const char *worst_source;         /* the algorithm of the upper bound; NULL: K exceeds the
                                       * number of nodes */
    uint32_t largest;    /* packets of the largest tree drawn from the seed; 0: sources are not
                          * given */
    double largest_tail; /* upper bound of the probability of at least this number */
    uint32_t unlikely;   /* the least number with a probability of at most 1 %; 0: none above
                          * `largest` */
    double unlikely_tail;
};

struct roundcast_bound_table {
    uint32_t nodes;
    uint64_t packets;
    bool several; /* the rows are bounds of several collectives */
    bool priced;  /* changes of settings take time: */
    uint64_t round_cycles, change_cycles;
    bool functions_only; /* only functions were requested */
    size_t count;
    struct roundcast_bound_row *row;
    size_t function_count;
    struct roundcast_function function[4];
    bool has_sources; /* packets are broadcast in a hypercube */
    struct roundcast_sources sources;
    size_t guarantee_count; /* guarantees of theorems for algorithms; rows without an end */
    struct roundcast_plan_row *guarantee;
};

/* A time numerator/denominator. */
struct roundcast_time {
    uint32_t numerator, denominator;
};

#define ROUNDCAST_TIME_MAX 65535 /* maximum of numerator and denominator */

/* Reads "P/Q" or "P", digits only; false for any other text. */
bool roundcast_time_parse(const char *text, struct roundcast_time *time);

/* Lists every lower bound that applies: of the model of the request, or of every model. If a degree
 * or λ is given, also computes f of the nodes and F of `time`, which may be NULL. A time without
 * nodes, packets and topology requests functions only. request->algorithm is ignored. E101, E102,
 * E103, E104, E2xx. Free it with roundcast_bound_table_free. */
bool roundcast_bounds(const struct roundcast_request *request, const struct roundcast_time *time,
                      struct roundcast_bound_table *table, struct roundcast_error *error);
void roundcast_bound_table_free(struct roundcast_bound_table *table);

/* --- plans ----------------------------------------------------------------------------------- */

/* The predicted result of an algorithm. */
struct roundcast_plan_row {
    const char *algorithm, *model;
    const char *method;           /* NULL: the algorithm has a single method */
    const char *summary;          /* summary of the method, in a priced table; else NULL */
    uint32_t degree;              /* the best degree; 0: the algorithm has none */
    bool times;                   /* the model has times; false: rounds */
    uint32_t ticks;               /* in a unit of time: Q; 1 in models with rounds */
    bool has_end;                 /* false: the end is known only after a long build */
    uint64_t end;                 /* in ticks; 0 without one */
    uint64_t bound;               /* lower bound of the end of any algorithm, in ticks */
    const char *bound_formula;    /* NULL for one node, and in a priced table */
    const char *bound_source;     /* the paper and its theorem; NULL as above */
    struct roundcast_price price; /* in a priced table, if it has an end */
    uint64_t guarantee;           /* upper bound of the end by a theorem, in ticks; 0 without one */
    const char *guarantee_formula;
    const char *guarantee_source; /* the paper and its theorem; NULL without a guarantee */
};

struct roundcast_plan_table {
    uint32_t nodes;
    uint64_t packets; /* total number of packets, for traffic and demands */
    bool topology;    /* a tree or hypercube is given */
    bool unplaced;    /* ends are not known, because the sources of a hypercube are not given */
    bool priced;      /* a row for each method; ends and bounds are in cycles: */
    uint64_t round_cycles, change_cycles;
    uint32_t planes;
    size_t count;
    struct roundcast_plan_row *row;
};

/* Plans every algorithm that applies, by model and then by end. request->algorithm is ignored;
 * without request->model all models are planned. With request->reconfigure the table has a row for
 * each method of traffic instead, the fastest first, with end and bound in cycles, on
 * request->planes networks. E101, E102, E103, E104, E2xx, and with `reconfigure` E401, E402. Free
 * it with roundcast_plan_table_free. */
bool roundcast_plan_all(const struct roundcast_request *request, struct roundcast_plan_table *table,
                        struct roundcast_error *error);
void roundcast_plan_table_free(struct roundcast_plan_table *table);

/* Calls visit(with, row) for the rows of roundcast_plan_all, until it returns false. The errors are
 * those of roundcast_plan_all. */
bool roundcast_plan(const struct roundcast_request *request,
                    bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                    struct roundcast_error *error);

/* --- tunings --------------------------------------------------------------------------------- */

#define ROUNDCAST_TUNE_MAX_BYTES (UINT64_C(1) << 30) /* maximum size of a message */

/* The best division of a message, or of traffic, into packets. */
struct roundcast_tune_row {
    const char *algorithm, *model;
    const char *method;     /* with reconfiguration, or of a hypercube's algorithm; NULL: none */
    bool usual;             /* `model` is the default model of the algorithm */
    bool times;             /* the model has times */
    uint32_t packets;       /* number of packets of each demand; for traffic, of all */
    uint32_t packet_bytes;  /* bytes of a packet of traffic; 0 for a message */
    uint32_t flits;         /* flits of a packet */
    uint32_t degree;        /* 0: the algorithm has none */
    uint32_t lambda, ticks; /* λ = lambda/ticks; 1/1 in models with rounds */
    uint64_t end;           /* in ticks */
    uint64_t settings;      /* number of settings, with reconfiguration; 0 without `method` */
    uint64_t cycles;        /* from the first flit sent to the last one stored */
    uint64_t bound;         /* lower bound for all algorithms and divisions, in cycles */
};

struct roundcast_tune_table {
    uint64_t bytes; /* bytes of the message, or of all entries of the traffic */
    uint32_t nodes;
    uint32_t ports;         /* ports of a node; 0 or 1: one */
    uint32_t dimensions;    /* of a hypercube; 0: a complete graph */
    const char *collective; /* collective of a message */
    uint64_t demands;       /* number of demands of the collective, which share the message */
    bool traffic;           /* the request has traffic; false: a message */
    bool priced;            /* changes of settings take time: */
    uint64_t change_cycles;
    uint64_t seed;
    char network[64]; /* "benes:32,pipe=1,pad=0" */
    uint32_t latency; /* pipeline registers from endpoint to endpoint */
    uint32_t width;   /* bits of a flit */
    uint64_t bound;   /* lower bound for all algorithms and divisions, in cycles */
    size_t count;     /* number of rows, the fastest first */
    size_t unknown;   /* number of rows after these with only algorithm and model, because their end
                       * is known only after a long build */
    struct roundcast_tune_row *row; /* row[count + unknown] */
};

/* Finds the fastest division into packets for each algorithm: of a message of `bytes` bytes, or, if
 * `bytes` is 0, of the traffic of the request, whose numbers are bytes. E101, E102, E103, E104,
 * E2xx, E401, E402. Free it with roundcast_tune_table_free. */
bool roundcast_tune_all(const struct roundcast_request *request, uint64_t bytes,
                        struct roundcast_tune_table *table, struct roundcast_error *error);
void roundcast_tune_table_free(struct roundcast_tune_table *table);

/* Calls visit(with, row) for the `count` rows of roundcast_tune_all, until it returns false. The
 * errors are those of roundcast_tune_all. */
bool roundcast_tune(const struct roundcast_request *request, uint64_t bytes,
                    bool (*visit)(void *with, const struct roundcast_tune_row *row), void *with,
                    struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
