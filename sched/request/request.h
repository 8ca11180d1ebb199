/* SPDX-License-Identifier: Apache-2.0 */
/* request: a problem, a machine for it, and a run.
 *
 *     struct request request = request_default();
 *     field_set(&request, "nodes", "8", &err) && field_set(&request, "network", "benes:8", &err)
 *
 * or, by its members,
 *
 *     request.problem.nodes = 8;
 *     request_mark(&request, problem.nodes);
 *
 * The three parts are plain data. problem.h checks them as a whole and converts them to the input
 * of the core: struct collective, struct compile_request. */
#ifndef ROUNDCAST_REQUEST_H
#define ROUNDCAST_REQUEST_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"
#include "sched/request/field.h"
#include "sched/schedule/collective.h"

/* cube-broadcast: how a node computes its rank, and which packets use an arc that two packets
 * need. */
enum problem_prefix { PROBLEM_PREFIX_TREE, PROBLEM_PREFIX_EXCHANGE };
enum problem_overlap { PROBLEM_OVERLAP_GATHER, PROBLEM_OVERLAP_SPREAD, PROBLEM_OVERLAP_DETECT };

/* A collective, its topology and its model. Texts are borrowed. */
struct problem {
    const char *algorithm; /* name in algorithm_table; NULL: none */
    enum collective_kind collective;
    uint32_t nodes, packets; /* 0: not given */
    uint32_t source;         /* a processor, or router number `source` of … */
    unsigned source_level;   /* … this level of the tree; 0: a processor */
    uint32_t degree;         /* 0: the best degree */
    const char *method;
    const char *by; /* name of the algorithm that a reduction reverses */
    uint64_t seed;  /* seed of all random choices */

    /* traffic, by at most one of these three fields */
    const char *matrix, *entries; /* files */
    const char *pattern;          /* NAME:K */
    uint64_t packet_bytes, total; /* 0: not given */

    const char *demands; /* a schedule file, whose demands are requested */
    bool exact;
    bool stream; /* the number of packets is not known in advance */
    bool order;  /* reductions combine all packets in the same order */

    /* sources of a hypercube's packets */
    const char *sources; /* "V1,V2,…" */
    uint32_t random;     /* number of sources that are drawn */

    enum problem_prefix prefix;
    enum problem_overlap overlap;
    bool randomised;

    enum model model;
    struct rational lambda;      /* 0/0: not given */
    const char *tree, *capacity; /* "K1,…,KH"; "C1,…,CH", "const" or "exp" */
    const char *parents;         /* "P0,P1,…": any tree; NULL: not given */
    bool half_duplex;            /* links of the tree carry packets in one direction at a time */
    uint32_t dim;                /* dimensions of a hypercube; 0: not given */
    /* the numbers of a direct topology, such as "4,4", by kind (topology.h); NULL: not given */
    const char *direct[TOPOLOGY_KINDS];
    /* number of packets that a node sends or receives in a round; 0 means 1 */
    uint32_t ports;

    /* the price of a change of settings */
    const char *reconfigure; /* cycles, or a time in us or ns with the clock */
    uint64_t clock;          /* MHz; 0: not given */
    uint32_t round_cycles;   /* 0: those of the machine */
    uint32_t planes;         /* networks side by side; 0: not given */
};

/* The machine that a schedule is routed for. */
struct machine_request {
    struct machine machine; /* network, settings, programs, width and memories, if given */
    bool has_latency;       /* pipe or pad was given with the network */
    uint32_t operation;     /* enum machine_operator: how reductions combine */
    bool split;             /* a round that the network blocks may be split into several */
    uint32_t flits;         /* flits of a packet; 0: as many as the payload needs */
};

/* Engines by name. RUN_BOTH runs csim and rtl in lockstep; RUN_NONE checks the schedule only. */
enum run_engine { RUN_CSIM, RUN_RTL, RUN_NETLIST, RUN_BOTH, RUN_NONE, RUN_ENGINES };

/* The run of an image on an engine, and the files to write. */
struct run_request {
    enum run_engine engine;
    const char *payload;           /* a file or a folder; NULL: pseudo-random bytes */
    uint32_t stop_after;           /* packets after which the host stops a stream; 0: none */
    const char *waves;             /* name of the trace, F.fst; NULL: no trace */
    uint32_t waves_from, waves_to; /* first and last round; 0: the first, the last */
    const char *view;              /* name of the page, F.html; NULL: no page */
};

struct request {
    struct problem problem;
    struct machine_request machine;
    struct run_request run;
    uint64_t given; /* a bit for each given field; read it with request_has */
};

/* All fields, in the order of help. A name may have several rows, for commands in which its range
 * or its help differs; these rows have the same offset in struct request. */
extern const struct field request_fields[];
extern const size_t request_field_count;

/* Returns a request without given fields: the defaults that the help states. */
struct request request_default(void);

/* Reads a field by its name, for readers of text: studies, batches, the library. A flag accepts ""
 * or "yes". Texts are borrowed. E101 for an unknown name, with the nearest one, and the errors of
 * field_parse. O(fields). */
bool field_set(struct request *request, const char *name, const char *text, struct err *err);

/* Sets the value of a row of request_fields, like field_set. */
bool request_set(struct request *request, const struct field *field, const char *text,
                 struct err *err);

/* Returns whether the member was given: request_has(&request, problem.model). */
#define request_has(asked, member) request_has_at((asked), offsetof(struct request, member))

/* Records that the member was given. */
#define request_mark(asked, member) request_mark_at((asked), offsetof(struct request, member))

/* The functions that implement the two macros. Precondition: a row has this offset. O(fields). */
bool request_has_at(const struct request *request, size_t offset);
void request_mark_at(struct request *request, size_t offset);

/* Returns "csim", "rtl", "netlist", "both" or "none"; NULL for RUN_ENGINES. */
const char *run_engine_name(unsigned engine);

#endif
