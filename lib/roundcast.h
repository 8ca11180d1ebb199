/* SPDX-License-Identifier: Apache-2.0 */
/* roundcast: schedules of collective communications, compiled to the settings of switches.
 *
 *     request ─► roundcast_build ──┐
 *                                  ├─► roundcast_route ──┐
 *     file ────► roundcast_read ───┘                     │
 *     request ─► roundcast_compile ──────────────────────┼─► roundcast_simulate ─► report
 *     folder ──► roundcast_image_read ───────────────────┘   roundcast_each_setting, …
 *
 * Requests. A struct roundcast_request describes a problem, a machine for it and a run. One request
 * serves all functions; each ignores the members that it does not need, so that the same request
 * can be planned, built, routed and simulated. Members have the names of the program's options.
 * Texts are borrowed: they must live as long as the request is used.
 *
 * Errors. A function that can fail returns false or NULL on failure and fills *error, which may be
 * NULL. Results returned through pointers are then unchanged. The library does not end the program.
 * It prints only the output that a function documents; on standard error it prints the output of
 * `make` while an engine is compiled, and on a terminal the progress of many runs.
 *
 * Ownership. A function that returns a handle names the function that frees it. Handles do not
 * refer to the request or to other handles.
 *
 * Threads. All state is in handles. Several threads may call any functions at the same time, also
 * for the same handle or request if no thread changes it. A handle is freed once, after its last
 * use. If two threads write the same file at the same time, one of them may get E202. Reading,
 * writing and verifying large schedules and routing start threads of their own by OpenMP
 * (OMP_NUM_THREADS).
 *
 * Times. A time is counted in ticks: in the models with rounds a tick is a round, counted from 1.
 * In the postal model with λ = P/Q in lowest terms it is 1/Q of a unit, counted from 0.
 */
#ifndef ROUNDCAST_H
#define ROUNDCAST_H

#include "roundcast/error.h"
#include "roundcast/field.h"
#include "roundcast/list.h"
#include "roundcast/plan.h"
#include "roundcast/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version, such as "0.2.0". Statically allocated. */
const char *roundcast_version(void);

/* Returns the commit that the library was built from, such as "0123456789ab", with "-dirty" if
 * files differed from it; "unknown" outside of a repository. Statically allocated. */
const char *roundcast_commit(void);

/* --- requests -------------------------------------------------------------------------------- */

#define ROUNDCAST_REQUEST_VERSION 2

/* A request. Initialise it with roundcast_request_init, then set members; a member with its default
 * value counts as not given. `roundcast run --help` describes each option. */
struct roundcast_request {
    unsigned version; /* set by roundcast_request_init */
    bool strict;      /* reject members that are set but not used (default: ignore them) */
    uint64_t given;   /* members that roundcast_set has set; for the library only */

    /* the problem */
    const char *algorithm;        /* a name that `roundcast list` prints */
    const char *collective;       /* for plan, bound and tune: "broadcast", … (default: NULL) */
    uint32_t nodes, packets;      /* 0: not given */
    uint32_t source;              /* (default: 0) */
    uint32_t source_level;        /* above 0: the source is router `source` of this tree level */
    uint32_t degree;              /* 0: the best one */
    const char *method;           /* NULL: the first one */
    const char *by;               /* the algorithm that a reduction reverses; NULL: the best one */
    bool order;                   /* a reduction combines all packets in the same order */
    const char *matrix;           /* a file of traffic; at most one of matrix, entries, pattern */
    const char *entries;          /* a file of traffic, one entry per line */
    const char *pattern;          /* "permutation:K", … */
    uint64_t packet_bytes;        /* traffic is in bytes, with this packet size; 0: traffic is in
                                   * packets */
    uint64_t total;               /* traffic is in shares of this number of packets; 0: traffic is
                                   * in packets */
    const char *demands;          /* a file of a schedule whose demands are the problem */
    bool exact;                   /* the fewest rounds; few demands only */
    bool stream;                  /* the number of packets is not known in advance */
    const char *sources;          /* nodes of a hypercube that have the packets: "V1,V2,…" */
    int64_t random;               /* number of random sources; -1: none (default) */
    const char *prefix, *overlap; /* of cube-broadcast; NULL: "tree", no overlap */
    bool randomised;
    uint64_t seed; /* of all random values (default: 1) */

    /* topology and model */
    const char *model;           /* NULL: the algorithm's */
    const char *lambda;          /* of the postal model: "P/Q", at least 1; NULL: of the machine */
    const char *tree, *capacity; /* "K1,…,KH"; "C1,…,CH", "const" or "exp" */
    const char *parents;         /* any tree: "P0,P1,…"; NULL: none */
    bool half_duplex;            /* links of the tree carry packets in one direction at a time */
    uint32_t dim;                /* of a hypercube; 0: none */
    const char *torus;           /* "K1,…,KN" */
    const char *mesh;            /* "K1,…,KN" */
    const char *ports;           /* "single", "multi", or a number of ports of a node */

    /* the machine */
    const char *reconfigure; /* time of a change of settings: cycles, or a time such as "20us" */
    uint64_t clock;          /* MHz, for a reconfiguration time; 0: not given */
    uint32_t round_cycles;   /* cycles of a round without a machine; 0: those of the machine */
    uint32_t planes;         /* for plan: number of parallel networks; 0: one */
    const char *network;     /* "benes:32", …; NULL: the smallest that fits */
    const char *settings;    /* NULL: "full" */
    const char *programs;    /* NULL: "stored" */
    const char *combine;     /* operator of reductions, such as "max"; NULL: the first built */
    const char *operators;   /* those that are built, such as "sum,max"; NULL: all */
    bool split;              /* split rounds that an omega network blocks */
    uint32_t width;          /* bits of a flit (default: 16) */
    uint32_t flits;          /* flits of a packet; 0: as many as the payload needs, or 4 */
    const char *memory;      /* "packets=K,flits=F,rows=R[,depth=D]"; NULL: as needed */

    /* the run */
    const char *engine;            /* "csim", "rtl", "netlist" or "both" (default: NULL, both) */
    const char *payload;           /* a file or a folder; NULL: pseudo-random bytes */
    uint32_t stop_after;           /* packets after which the host stops a stream; 0: none */
    const char *waves;             /* a file F.fst to write; NULL: none */
    uint32_t waves_from, waves_to; /* rounds or units of time; 0: the first, the last */
    const char *view;              /* a page F.html to write; NULL: none */
};

/* Fills in the defaults. `version` is ROUNDCAST_REQUEST_VERSION of the header that the caller was
 * compiled with. E102 for a version that this library does not support. */
bool roundcast_request_init(struct roundcast_request *request, unsigned version,
                            struct roundcast_error *error);

/* Sets a member from a text. `name` is the name of the member or of its option, such as
 * "packet-bytes" or "n". `value` is borrowed if the member is a text; a flag accepts "" or "yes".
 * E101 for an unknown name or a malformed value, E102 for a number out of range, E103 for an
 * unknown model or collective, E401 for an unknown network. */
bool roundcast_set(struct roundcast_request *request, const char *name, const char *value,
                   struct roundcast_error *error);

/* Returns whether a member selects a topology other than the complete graph. */
bool roundcast_has_topology(const struct roundcast_request *request);

/* Returns whether a member describes demands: the collective, the packets, the source, traffic or a
 * schedule with demands; not only nodes, a topology or a model. */
bool roundcast_has_demands(const struct roundcast_request *request);

/* Sets the member of row `index` of roundcast_field_at from a text, with the range of that row. The
 * errors are those of roundcast_set. */
bool roundcast_set_row(struct roundcast_request *request, size_t index, const char *value,
                       struct roundcast_error *error);

/* --- schedules ------------------------------------------------------------------------------- */

struct roundcast_schedule; /* transfers in order of time, with their model and demands */

/* Builds the schedule of request->algorithm. NULL with E101, E102, E103 for a request that is
 * incomplete or contradicts itself, E104 without memory, E2xx for a file of a demand. Free it with
 * roundcast_schedule_free. The time is that of the algorithm, mostly O(transfers). */
struct roundcast_schedule *roundcast_build(const struct roundcast_request *request,
                                           struct roundcast_error *error);

/* Results of building a schedule from a request. */
struct roundcast_built {
    uint64_t bound; /* lower bound of the end of any schedule, in ticks; with `priced` in cycles */
    uint64_t local; /* packets of traffic from a node to itself, which need no transfer */
    bool priced;    /* a change of settings takes time, and `price` is filled: */
    struct roundcast_price price;
};

/* As roundcast_build, and fills *built. `progress`, which may be NULL, is called from time to time
 * with the number of transfers found so far and the approximate total `all`. */
struct roundcast_schedule *
roundcast_build_reported(const struct roundcast_request *request,
                         void (*progress)(void *with, size_t done, size_t all), void *with,
                         struct roundcast_built *built, struct roundcast_error *error);

/* Read a schedule from a file (`-`: standard input) in any format, as roundcast_load does with
 * defaults, or from text[size] (roundcast-schedule(5)), whose name in messages is `name`. A
 * schedule that has been read is well formed, but not verified: see roundcast_verify. NULL with
 * E104, E201, E203 … E211; E208 for a schedule that combines packets, which only roundcast_read_any
 * accepts. Free it with roundcast_schedule_free. O(size), more for other formats. */
struct roundcast_schedule *roundcast_read(const char *path, struct roundcast_error *error);
struct roundcast_schedule *roundcast_read_any(const char *path, struct roundcast_error *error);
struct roundcast_schedule *roundcast_read_text(const char *name, const char *text, size_t size,
                                               struct roundcast_error *error);

/* Write the text of the schedule: to a file (`-`: standard output), which is complete or absent,
 * with E202 on failure; or to *size bytes of memory with a 0 after them, which the caller frees
 * with free(), NULL with E104 on failure. O(size). */
bool roundcast_write(const struct roundcast_schedule *schedule, const char *path,
                     struct roundcast_error *error);
char *roundcast_write_text(const struct roundcast_schedule *schedule, size_t *size,
                           struct roundcast_error *error);

struct roundcast_schedule_info {
    const char *algorithm, *model; /* valid as long as the schedule */
    uint32_t nodes;                /* numbered from 0 */
    uint32_t packets;              /* numbered from 1 */
    bool times;                    /* the model has times; false: rounds */
    uint32_t lambda;               /* λ = lambda/ticks; 1/1 in models with rounds */
    uint32_t ticks;                /* ticks in a unit of time: Q; 1 in models with rounds */
    uint64_t end;                  /* the last round, or the tick of the last arrival */
    size_t transfers;
    uint32_t dimensions; /* dimensions of a hypercube; 0: another topology */
    bool combines;       /* packets are combined */
    uint32_t shared;     /* nodes 0 … shared-1, shared … 2·shared-1, … are the endpoints of one
                          * processor each; 1: every node is a processor */
};

/* Returns the numbers that describe a schedule. O(1). */
struct roundcast_schedule_info
roundcast_schedule_describe(const struct roundcast_schedule *schedule);

/* Gets the lower bound, in ticks, of the end of any schedule for the same demands. Returns false if
 * it is not known. O(log n); O(λ n) in the postal model. */
bool roundcast_schedule_bound(const struct roundcast_schedule *schedule, uint64_t *end);

/* The demands of a schedule: the packets, their sources and destinations. */
struct roundcast_demands {
    size_t count;
    uint32_t source; /* source of the packets of the first demand; for a reduction, the first node
                      * that requires its result */
    char source_text[16]; /* source in the notation of files: "5", or "2:1" for a router of a
                           * tree */
    uint32_t wanted;      /* number of receivers that the first demand names; 0: all nodes */
    bool reduces;         /* packets are combined */
};

/* Returns the demands of a schedule. O(1). */
struct roundcast_demands roundcast_schedule_demands(const struct roundcast_schedule *schedule);

struct roundcast_transfer {
    uint64_t time;                /* in ticks */
    uint32_t source, destination; /* nodes; in trees also routers, numbered after the nodes */
    uint32_t packet;
    uint32_t lane; /* lane of a branch of a tree, from 0; otherwise 0 */
};

/* Gets transfer `index`, 0 … transfers - 1, in order of time. E102 after the last one.
 * O(log rounds). */
bool roundcast_transfer_at(const struct roundcast_schedule *schedule, size_t index,
                           struct roundcast_transfer *transfer, struct roundcast_error *error);

/* Checks that the schedule obeys its model and meets its demands, and fills the verdict. Returns
 * false with the first violation, by line of its text, round and node: E301 … E309; or with E104,
 * without filling the verdict. O(transfers + nodes). */
bool roundcast_verify(const struct roundcast_schedule *schedule, struct roundcast_verdict *verdict,
                      struct roundcast_error *error);

/* As roundcast_verify, for reductions whose operation may count a contribution twice, such as min,
 * max, and, or. */
bool roundcast_verify_idempotent(const struct roundcast_schedule *schedule,
                                 struct roundcast_verdict *verdict, struct roundcast_error *error);

/* How the packets of a reduction are combined. If two schedules have the same certificate, each
 * result is combined by the same tree, so that floating-point sums have the same bits. */
struct roundcast_combination {
    char certificate[17]; /* 16 hexadecimal digits: a hash of the trees of all results */
    bool packets_alike;   /* all packets of a demand are combined by the same trees */
    bool nodes_alike;     /* all nodes that want the same result have it by the same tree */
};

/* Computes how packets are combined. Precondition: the schedule is valid. E208 if no packet is
 * combined, E104. O(transfers + results). */
bool roundcast_certify(const struct roundcast_schedule *schedule,
                       struct roundcast_combination *combination, struct roundcast_error *error);

/* Checks a schedule like roundcast_verify, and calls visit(with, breach) for each violation, until
 * it returns false: for each transfer the first rule that it breaks, then each packet that a node
 * lacks. Returns false with the first violation. O(transfers + nodes + violations). */
bool roundcast_verify_each(const struct roundcast_schedule *schedule,
                           bool (*visit)(void *with, const struct roundcast_error *breach),
                           void *with, struct roundcast_error *error);

/* The largest number of packets that wait in the routers of a level of a tree, over all steps. */
struct roundcast_queue {
    uint32_t level, routers;
    uint32_t wait;       /* in a router */
    uint32_t one_branch; /* in a router for one of its branches */
    uint32_t stored;     /* in a router, including packets that leave in the next step */
};

/* Calls visit(with, queue) for each level of routers from 1, until it returns false. It is not
 * called without routers. Precondition: the schedule is valid, and no node receives a packet twice.
 * E104. O(transfers · log steps). */
bool roundcast_each_queue(const struct roundcast_schedule *schedule,
                          bool (*visit)(void *with, const struct roundcast_queue *queue),
                          void *with, struct roundcast_error *error);

/* Frees a schedule; NULL is allowed. */
void roundcast_schedule_free(struct roundcast_schedule *schedule);

#ifdef __cplusplus
}
#endif

#include "roundcast/batch.h"
#include "roundcast/drawing.h"
#include "roundcast/engine.h"
#include "roundcast/exchange.h"
#include "roundcast/files.h"
#include "roundcast/image.h"
#include "roundcast/judge.h"
#include "roundcast/mpi.h"
#include "roundcast/page.h"
#include "roundcast/plot.h"
#include "roundcast/progress.h"
#include "roundcast/run.h"
#include "roundcast/sweep.h"
#include "roundcast/text.h"

#endif
