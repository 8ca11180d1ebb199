/* SPDX-License-Identifier: Apache-2.0 */
/* run: the simulation of an image, and its report. */
#ifndef ROUNDCAST_LIB_RUN_H
#define ROUNDCAST_LIB_RUN_H

#include "roundcast/error.h"

#include <stddef.h>

struct roundcast_image;
struct roundcast_request;

#ifdef __cplusplus
extern "C" {
#endif

/* Callbacks during a simulation; a function that is NULL is not called. */
struct roundcast_watch {
    void *with; /* passed to both functions */

    /* `packet` has arrived completely at a port in this cycle of the run, counted from 0. Called in
     * order of cycles and ports, also for wrong arrivals. */
    void (*arrival)(void *with, uint64_t cycle, uint32_t port, uint32_t packet);

    /* `done` of `all` predicted cycles have run; about a hundred times in a run. */
    void (*progress)(void *with, uint64_t done, uint64_t all);

    bool shows_progress; /* on standard error, if that is a terminal and the run takes seconds */
};

struct roundcast_report {
    bool holds;               /* every check passed */
    uint64_t run_cycles;      /* cycles of the run */
    uint64_t expected_cycles; /* predicted cycles of the run */
    uint64_t host_cycles;     /* cycles to load the image and read back */
    uint64_t expected, seen;  /* predicted receipts; of these, receipts in their exact cycle */
    uint64_t wrong;           /* receipts in another cycle, or that were not predicted */
    uint64_t flags;           /* nodes and routers that report an error */
    uint64_t packets_wanted;  /* packets that the nodes must have after the run */
    uint64_t packets_checked; /* of these, compared byte for byte */
    uint64_t packets_corrupt; /* of these, different */
    /* hash of the trees by which packets are combined, of the schedule and as the arrivals of
     * the run show it; 0: no packets are combined there */
    uint64_t trees_expected, trees_seen;
    bool reconfigures;    /* changes of settings take time on the machine */
    uint64_t changes;     /* number of changes of settings on such a machine; otherwise 0 */
    double build_seconds; /* time to build or open the engines */
    double run_seconds;   /* time to load, run and read back */
    double megabytes;     /* peak memory of the process, in units of 2^20 bytes */
    const char *engine;   /* "csim", or "csim and rtl, in lockstep"; statically allocated */
    struct roundcast_error breach; /* the first check that failed; code 0: all passed */
};

/* Runs an image on the engine of the request and checks every arrival in its cycle, every flag and
 * every byte. csim is part of the library; "rtl" and "netlist" are compiled on first use. `watch`
 * may be NULL. Returns true if every check passes. Otherwise returns false: with E6xx a check
 * failed, and the report is filled; with other codes nothing was simulated: E101, E104, E202, E401,
 * E404, E501. O(cycles · ports) on csim. */
bool roundcast_simulate(const struct roundcast_image *image,
                        const struct roundcast_request *request,
                        const struct roundcast_watch *watch, struct roundcast_report *report,
                        struct roundcast_error *error);

/* Builds or reads the schedule of a request whose engine is "none", and verifies it. Such a request
 * has no options of a machine or a simulation (E101), and any topology and model. The errors are
 * those of roundcast_build, roundcast_load and roundcast_verify. Free it with
 * roundcast_schedule_free. */
struct roundcast_schedule *roundcast_unrun(const struct roundcast_request *request,
                                           struct roundcast_error *error);

/* Checks that an algorithm has this name: E103 suggests the nearest name. */
bool roundcast_check_algorithm(const char *name, struct roundcast_error *error);

/* Checks a request to compile and run as far as possible without a schedule, including the files of
 * its payload and traffic. The errors are those of roundcast_compile except E3xx. */
bool roundcast_check(const struct roundcast_request *request, struct roundcast_error *error);

/* Checks the members of a request for a machine, as far as that is possible without a schedule, and
 * without reading the payload. E101, E102. */
bool roundcast_check_machine(const struct roundcast_request *request,
                             struct roundcast_error *error);

/* Checks only the members of a request that roundcast_simulate uses: a window of a trace requires a
 * trace. E101, E102. */
bool roundcast_check_run(const struct roundcast_request *request, struct roundcast_error *error);

/* The result of a request that ran in its own process. */
struct roundcast_outcome {
    struct roundcast_error error; /* code 0: every check passed */
    const char *json;             /* the report of docs/formats.md, or {"error": …}; size bytes */
    size_t size;                  /* 0, and json NULL: the process died */
    double seconds;
};

/* Compiles and runs request[count] in separate processes with one thread each, `jobs` at a time, 1
 * … 256 (0: one per core), and calls done(with, which, outcome) for each request when it has ended,
 * in any order, until it returns false. The outcome is valid until done returns. A request that
 * fails produces an outcome with an error. On a terminal, a line on standard error shows progress.
 * E501 if no process can be started, E104. Precondition: the process has used no OpenMP threads
 * (roundcast_threads). */
bool roundcast_run_each(const struct roundcast_request request[], size_t count, uint32_t jobs,
                        bool (*done)(void *with, size_t which,
                                     const struct roundcast_outcome *outcome),
                        void *with, struct roundcast_error *error);

/* Sets the number of threads that library functions called by this thread use from now on, as
 * OMP_NUM_THREADS does. */
void roundcast_threads(unsigned count);

#ifdef __cplusplus
}
#endif

#endif
