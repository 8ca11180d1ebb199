/* SPDX-License-Identifier: Apache-2.0 */
/* roundcast: schedules of collective communications, compiled to the settings of switches.
 *
 *     request ─► roundcast_build ──┐
 *                                  ├─► roundcast_route ──┐
 *     file ────► roundcast_read ───┘                     │
 *     request ─► roundcast_compile ──────────────────────┼─► roundcast_simulate ─► report
 *     folder ──► roundcast_image_read ───────────────────┘   roundcast_each_setting, …
 *
 * Requests. A struct roundcast_request holds what is asked for: a problem, a machine for it and a
 * run. One request serves all functions; each ignores the members that it does not need, so that
 * the same request can be planned, built, routed and simulated. Members have the names of the
 * program's options. Texts are borrowed: they must live as long as the request is used.
 *
 * Errors. A function that can fail returns false or NULL on failure and fills *error, which may be
 * NULL. What it would have returned through pointers stays as it was. The library does not print
 * and does not end the program; only a compiled engine that has to be built prints what `make`
 * prints, on standard error.
 *
 * Ownership. A function that returns a handle names the function that frees it. Handles do not
 * refer to the request or to other handles.
 *
 * Threads. There is no state outside of handles. Several threads may call any functions at the same
 * time, also for one handle or request that none of them changes. A handle is freed once, after its
 * last use. Of two threads that write the same file at the same time one may get E202. Reading,
 * writing and verifying large schedules and routing start threads of their own by OpenMP
 * (OMP_NUM_THREADS).
 *
 * Times. A time is counted in ticks: in the models with rounds a tick is a round, counted from 1.
 * In the postal model with λ = P/Q in lowest terms it is 1/Q of a unit, counted from 0.
 */
#ifndef ROUNDCAST_H
#define ROUNDCAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- errors ---------------------------------------------------------------------------------- */

/* What is wrong. The program prints the same as `roundcast: TEXT [Ecode name]`. docs/cli.md lists
 * all codes. */
struct roundcast_error {
    int code;       /* 101 …; the hundreds digit is the error class */
    char field[32]; /* the member of the request that the error is about; "" if it is about none */
    char text[480]; /* "field: what is wrong; what would be right", UTF-8 */
};

/* Returns the name of a code, such as "one-port" for 301; "?" for any other number. Statically
 * allocated. */
const char *roundcast_error_name(int code);

/* Returns the version, such as "0.2.0". Statically allocated. */
const char *roundcast_version(void);

/* --- requests -------------------------------------------------------------------------------- */

#define ROUNDCAST_REQUEST_VERSION 1

/* What is asked for. Initialise it with roundcast_request_init, then set members; a member that
 * has its default is not given. `roundcast run --help` describes each option. */
struct roundcast_request {
    unsigned version; /* set by roundcast_request_init */

    /* the problem */
    const char *algorithm;        /* a name of `roundcast list` */
    const char *collective;       /* of plan, bound and tune: "broadcast", … (default: NULL) */
    uint32_t nodes, packets;      /* 0: not given */
    uint32_t source;              /* (default: 0) */
    uint32_t degree;              /* 0: the best one */
    const char *method;           /* NULL: the first one */
    const char *matrix;           /* a file of traffic; at most one of matrix, entries, pattern */
    const char *entries;          /* a file of traffic, an entry a line */
    const char *pattern;          /* "permutation:K", … */
    uint64_t packet_bytes;        /* traffic is in bytes, this many to a packet; 0: in packets */
    uint64_t total;               /* traffic is in shares of this many packets; 0: in packets */
    const char *demands;          /* a file of a schedule, whose demands are asked for */
    bool exact;                   /* the fewest rounds, of few demands */
    bool stream;                  /* the number of packets is not known in advance */
    const char *sources;          /* nodes of a hypercube that have the packets: "V1,V2,…" */
    int64_t random;               /* so many sources are drawn; -1: none are (default) */
    const char *prefix, *overlap; /* of cube-broadcast; NULL: "tree", no overlap */
    bool randomised;
    uint64_t seed; /* of everything that is drawn (default: 1) */

    /* topology and model */
    const char *model;           /* NULL: the algorithm's */
    const char *lambda;          /* of the postal model: "P/Q", at least 1; NULL: of the machine */
    const char *tree, *capacity; /* "K1,…,KH"; "C1,…,CH", "const" or "exp" */
    uint32_t dim;                /* of a hypercube; 0: none */
    const char *ports;           /* "single", "multi", or a number of ports of a node */

    /* the machine */
    const char *reconfigure; /* what a change of settings takes: cycles, or a time as "20us" */
    uint64_t clock;          /* MHz, for a time; 0: not given */
    uint32_t round_cycles;   /* of no machine; 0: those of the machine */
    uint32_t planes;         /* of plan: networks side by side; 0: one */
    const char *network;     /* "benes:32", …; NULL: the smallest that fits */
    const char *settings;    /* NULL: "full" */
    const char *programs;    /* NULL: "stored" */
    bool split;              /* rounds that an omega network blocks become several */
    uint32_t width;          /* bits of a flit (default: 16) */
    uint32_t flits;          /* of a packet; 0: as many as the payload needs, or 4 */
    const char *memory;      /* "packets=K,flits=F,rows=R[,depth=D]"; NULL: as needed */

    /* the run */
    const char *engine;            /* "csim", "rtl", "netlist" or "both" (default: NULL, both) */
    const char *payload;           /* a file; NULL: pseudo-random bytes */
    const char *waves;             /* a file F.fst to write; NULL: none */
    uint32_t waves_from, waves_to; /* rounds or units of time; 0: the first, the last */
};

/* Fills in the defaults. `version` is ROUNDCAST_REQUEST_VERSION of the header that the caller was
 * compiled with. E102 for a version that this library does not know. */
bool roundcast_request_init(struct roundcast_request *request, unsigned version,
                            struct roundcast_error *error);

/* Sets a member from a text: by its name or by the option's, such as "packet-bytes" or "n". `value`
 * is borrowed if the member is a text; a flag takes "" or "yes". E101 for an unknown name or a
 * malformed value, E102 for a number out of range, E103 for an unknown model or collective, E401
 * for an unknown network. */
bool roundcast_set(struct roundcast_request *request, const char *name, const char *value,
                   struct roundcast_error *error);

/* A member of the request. */
struct roundcast_field {
    const char *name;          /* as roundcast_set takes it */
    const char *type;          /* "number", "bytes", "text", "file", "choice" or "flag" */
    uint64_t minimum, maximum; /* of numbers; 0 and 0 otherwise */
};

/* Gets member `index`, from 0; false after the last. Names are statically allocated. */
bool roundcast_field_at(size_t index, struct roundcast_field *field);

/* --- schedules ------------------------------------------------------------------------------- */

struct roundcast_schedule; /* transfers in order of time, with their model and demand */

/* Builds the schedule of request->algorithm. NULL with E101, E102, E103 for a request that is
 * incomplete or contradicts itself, E104 without memory, E2xx for a file of a demand. Free it with
 * roundcast_schedule_free. Takes as long as the algorithm, mostly O(transfers). */
struct roundcast_schedule *roundcast_build(const struct roundcast_request *request,
                                           struct roundcast_error *error);

/* Gets the least end, in ticks, that any schedule of the collective of request->algorithm can have;
 * with `reconfigure`, in cycles. E101, E102, E103, E104, E2xx. O(log n), in the postal model
 * O(λ n). */
bool roundcast_bound(const struct roundcast_request *request, uint64_t *end,
                     struct roundcast_error *error);

/* What an algorithm achieves. Texts are statically allocated. */
struct roundcast_plan_row {
    const char *algorithm, *model;
    const char *method;       /* NULL: it has one */
    uint32_t degree;          /* the best one; 0: it has none */
    uint32_t ticks;           /* in a unit of time: Q; 1 in models with rounds */
    bool has_end;             /* false: only a long build would tell the end */
    uint64_t end;             /* in ticks; 0 without one */
    uint64_t bound;           /* the least end of any algorithm, in ticks */
    const char *bound_source; /* the paper and its theorem; NULL for one node */
};

/* Calls visit(with, row) for every algorithm that applies, by model and then by end, until it
 * returns false. request->algorithm is not looked at; without request->model all models are
 * planned. With request->reconfigure there is a row for each method of traffic instead, the fastest
 * first, whose end and bound are in cycles, on request->planes networks. E101, E102, E103, E104,
 * E2xx, and with `reconfigure` E401, E402. */
bool roundcast_plan(const struct roundcast_request *request,
                    bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                    struct roundcast_error *error);

/* The best cut of a message, or of traffic, into packets. Texts are statically allocated. */
struct roundcast_tune_row {
    const char *algorithm, *model;
    const char *method;     /* of settings that are held; NULL: there are none */
    uint32_t packets;       /* of each demand; of traffic, of all */
    uint32_t packet_bytes;  /* of traffic; 0 of a message */
    uint32_t flits;         /* of a packet */
    uint32_t degree;        /* 0: it has none */
    uint32_t lambda, ticks; /* λ = lambda/ticks; 1/1 in models with rounds */
    uint64_t end;           /* in ticks */
    uint64_t settings;      /* that are held; 0 without `method` */
    uint64_t cycles;        /* from the first flit sent to the last one stored */
    uint64_t bound;         /* cycles that no algorithm and no cut undercuts */
};

/* Finds the fastest cut of each algorithm for a message of so many bytes; 0: for the traffic of the
 * request, whose numbers are bytes. Calls visit(with, row), the fastest first, until it returns
 * false. Algorithms whose end only a long build would tell are left out. E101, E102, E103, E104,
 * E2xx, E401, E402. */
bool roundcast_tune(const struct roundcast_request *request, uint64_t bytes,
                    bool (*visit)(void *with, const struct roundcast_tune_row *row), void *with,
                    struct roundcast_error *error);

/* Read a schedule's text (roundcast-schedule(5)) from a file (`-`: standard input), or from
 * text[size], which messages call `name`. A schedule that has been read is well formed, but not
 * verified: see roundcast_verify. NULL with E104, E201, E203 … E211. Free it with
 * roundcast_schedule_free. O(size). */
struct roundcast_schedule *roundcast_read(const char *path, struct roundcast_error *error);
struct roundcast_schedule *roundcast_read_text(const char *name, const char *text, size_t size,
                                               struct roundcast_error *error);

/* Write the schedule's text: to a file (`-`: standard output), which is complete or absent: E202;
 * or to memory that the caller frees with free(), with *size bytes and a 0 after them: NULL with
 * E104. O(size). */
bool roundcast_write(const struct roundcast_schedule *schedule, const char *path,
                     struct roundcast_error *error);
char *roundcast_write_text(const struct roundcast_schedule *schedule, size_t *size,
                           struct roundcast_error *error);

struct roundcast_schedule_info {
    const char *algorithm, *model; /* valid as long as the schedule */
    uint32_t nodes;                /* processors, numbered from 0 */
    uint32_t packets;              /* numbered from 1 */
    uint32_t ticks;                /* in a unit of time: Q; 1 in models with rounds */
    uint64_t end;                  /* the last round, or the tick of the last arrival */
    size_t transfers;
};

/* Returns the numbers that describe a schedule. O(1). */
struct roundcast_schedule_info
roundcast_schedule_describe(const struct roundcast_schedule *schedule);

struct roundcast_transfer {
    uint64_t time;                /* in ticks */
    uint32_t source, destination; /* nodes; in trees also routers, numbered after the nodes */
    uint32_t packet;
    uint32_t lane; /* of a tree's branch, from 0; 0 elsewhere */
};

/* Gets transfer `index`, 0 … transfers - 1, in order of time. E102 after the last one.
 * O(log rounds). */
bool roundcast_transfer_at(const struct roundcast_schedule *schedule, size_t index,
                           struct roundcast_transfer *transfer, struct roundcast_error *error);

struct roundcast_verdict {
    bool holds;
    bool has_bound;      /* the bound of the collective is known */
    uint64_t bound;      /* the least end of that collective, in ticks; 0 without one */
    uint64_t transfers;  /* checked */
    uint64_t arrivals;   /* first receipts of a packet by a node */
    uint64_t redundant;  /* receipts of a packet that the node has already */
    uint64_t violations; /* of rules; the error is the first one */
};

/* Checks that the schedule keeps its model and meets its demand, and fills the verdict. Returns
 * false with the first violation, by line of its text, round and node: E301 … E309; or with E104,
 * and then the verdict is not filled. O(transfers + nodes). */
bool roundcast_verify(const struct roundcast_schedule *schedule, struct roundcast_verdict *verdict,
                      struct roundcast_error *error);

/* Frees a schedule; NULL is allowed. */
void roundcast_schedule_free(struct roundcast_schedule *schedule);

/* --- images ---------------------------------------------------------------------------------- */

struct roundcast_image; /* all tables of a machine, for one schedule and payload */

/* Verifies a schedule and compiles it for the machine of the request. The schedule is copied and
 * not changed. NULL with E101, E102, E104, E3xx, E401 … E409, E2xx for the payload's file. Free it
 * with roundcast_image_free. O(rows · ports · log ports + transfers). */
struct roundcast_image *roundcast_route(const struct roundcast_schedule *schedule,
                                        const struct roundcast_request *request,
                                        struct roundcast_error *error);

/* Chooses the machine, builds the schedule of request->algorithm for it, verifies it and compiles
 * it, as `roundcast run` does: λ of the postal model and the cycles of a round are the machine's.
 * The errors are those of roundcast_build and roundcast_route. Free it with
 * roundcast_image_free. */
struct roundcast_image *roundcast_compile(const struct roundcast_request *request,
                                          struct roundcast_error *error);

/* Returns a copy of the schedule that the image runs. NULL with E104. Free it with
 * roundcast_schedule_free. O(transfers). */
struct roundcast_schedule *roundcast_image_schedule(const struct roundcast_image *image,
                                                    struct roundcast_error *error);

/* Write the folder of `roundcast route -o`: image.hex, schedule.sched and payload.bin, all of them
 * or none: E202. Or read one: NULL with E104, E2xx, E4xx. O(words). */
bool roundcast_image_write(const struct roundcast_image *image, const char *folder,
                           struct roundcast_error *error);
struct roundcast_image *roundcast_image_read(const char *folder, struct roundcast_error *error);

struct roundcast_image_info {
    char network[64];    /* "benes:32,pipe=1,pad=0" */
    uint32_t ports;      /* endpoints */
    uint32_t stages;     /* of a multistage network; 0: routers, which have no settings */
    uint32_t routers;    /* of a tree or hypercube; 0: stages */
    uint32_t latency;    /* registers from endpoint to endpoint */
    uint32_t rows;       /* of the run: a row is a round or a tick */
    uint32_t row_cycles; /* clock cycles of a row */
    uint32_t flits;      /* of a packet */
    uint32_t width;      /* bits of a flit */
    size_t words;        /* loaded into all memories before the run */
    uint64_t table_bits; /* of the tables of a multistage network; 0 of routers */
    uint64_t full_bits;  /* the same with an entry for each round */
};

/* Returns the numbers that describe an image. O(words). */
struct roundcast_image_info roundcast_image_describe(const struct roundcast_image *image);

/* The setting of a switch in a row, 0 … rows - 1 of the run: round - 1, or the tick.
 *
 *     2×2 switches              field: the switch; value: 0 straight, 1 crossed
 *     2×2 switches that copy    field: the lane after the stage; value: 0 if it has what is on the
 *                               same lane before the stage, 1 if it has what is on the other lane
 *                               of its switch
 *     crossbars                 field: the lane after the stage; value: i if it has what is on
 *                               input i - 1 of its crossbar, 0 nothing
 *
 * If the number of ports is no power of two, some fields belong to no switch; ignore them. */
struct roundcast_setting {
    uint32_t row, stage, field, value;
};

/* Calls visit(with, setting) for every field of every stage, row by row, until it returns false.
 * Settings are read from the image's tables as the hardware reads them, in whatever form
 * request->settings stores them. The return value does not reflect that of visit. E208 for routers,
 * E104. O(rows · fields). */
bool roundcast_each_setting(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_setting *setting),
                            void *with, struct roundcast_error *error);

/* A packet that the tables of an image send through the switches. */
struct roundcast_circuit {
    uint32_t row;
    uint32_t source, destination; /* ports; destination UINT32_MAX: it is routed to no port */
    uint32_t sent, received;      /* packets; received 0: the receiver expects none */
};

/* Calls visit(with, circuit) for every packet of every row in which it begins, until it returns
 * false, as `roundcast unpack` follows them. E208 for routers, E104. O(rows · ports · stages). */
bool roundcast_each_circuit(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                            void *with, struct roundcast_error *error);

/* Returns the schedule that the tables of an image make the machine run, whatever schedule they
 * were made from: transfers between ports, with the packets that the programs send. A packet that
 * is routed to no port has no transfer. NULL with E208 for routers, E104. Free it with
 * roundcast_schedule_free. O(rows · ports · stages). */
struct roundcast_schedule *roundcast_unpack(const struct roundcast_image *image,
                                            struct roundcast_error *error);

/* Words of one size in the tables of a multistage machine. */
struct roundcast_table {
    const char *name; /* as `roundcast route` prints it; statically allocated */
    uint64_t words, bits;
    bool used; /* false: another form of the table is used instead */
};

/* Calls visit(with, table) for the tables that the run uses and for those with an entry for each
 * round, until it returns false. E208 for routers. O(words). */
bool roundcast_each_table(const struct roundcast_image *image,
                          bool (*visit)(void *with, const struct roundcast_table *table),
                          void *with, struct roundcast_error *error);

/* Frees an image; NULL is allowed. */
void roundcast_image_free(struct roundcast_image *image);

/* --- simulation ------------------------------------------------------------------------------ */

/* What a caller follows while a simulation runs; a function that is NULL is not called. */
struct roundcast_watch {
    void *with; /* passed to both */

    /* `packet` has arrived whole at a port, in this cycle of the run, counted from 0. In order of
     * cycles and ports; also an arrival that is wrong. */
    void (*arrival)(void *with, uint64_t cycle, uint32_t port, uint32_t packet);

    /* `done` of `all` predicted cycles have run; about a hundred times in a run. */
    void (*progress)(void *with, uint64_t done, uint64_t all);
};

struct roundcast_report {
    bool holds;               /* every check */
    uint64_t run_cycles;      /* of the run */
    uint64_t expected_cycles; /* as predicted */
    uint64_t host_cycles;     /* to load the image and read back */
    uint64_t expected, seen;  /* receipts: predicted; of these, in their exact cycle */
    uint64_t wrong;           /* receipts in another cycle, or that were not predicted */
    uint64_t flags;           /* nodes and routers that report an error */
    uint64_t packets_wanted;  /* packets that the nodes must have after the run */
    uint64_t packets_checked; /* of these, compared byte for byte */
    uint64_t packets_corrupt; /* of these, different */
    uint64_t changes;         /* of settings, on a machine that reconfigures; 0 on others */
    double build_seconds;     /* to build or open the engines */
    double run_seconds;       /* to load, run and read back */
};

/* Runs an image on the engine of the request and checks every arrival in its cycle, every flag and
 * every byte. csim is part of the library; "rtl" and "netlist" are compiled when they are used
 * first. `watch` may be NULL. Returns true if every check holds. Otherwise false: with E6xx a check
 * failed, and the report is filled; with other codes nothing was simulated: E101, E104, E202, E401,
 * E404, E501. O(cycles · ports) on csim. */
bool roundcast_simulate(const struct roundcast_image *image,
                        const struct roundcast_request *request,
                        const struct roundcast_watch *watch, struct roundcast_report *report,
                        struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
