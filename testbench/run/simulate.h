/* SPDX-License-Identifier: Apache-2.0 */
/* simulate: runs an image on engines and checks the result.
 *
 *     load image ─► run, every cycle to the scoreboard ─► read flags and packet memories ─► verdict
 */
#ifndef ROUNDCAST_SIMULATE_H
#define ROUNDCAST_SIMULATE_H

#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"
#include "testbench/run/testbench.h"
#include "testbench/scoreboard/scoreboard.h"

/* Callbacks during a simulation; a function that is NULL is not called. */
struct simulate_watch {
    void *with;

    /* `packet` has arrived completely at a node in this cycle of the run, counted from 0. Called in
     * the order of cycles and nodes, also for arrivals that the scoreboard then rejects. */
    void (*arrival)(void *with, uint64_t cycle, uint32_t node, uint32_t packet);

    /* `done` of `all` predicted cycles have run; about a hundred times in a run. */
    void (*progress)(void *with, uint64_t done, uint64_t all);
};

struct simulate_options {
    unsigned engine_count;
    enum engine_kind engine[TESTBENCH_MAX_ENGINES];
    const char *waves; /* .fst file to write, a trace of the last engine; NULL: none */
    /* The window: rounds from 1, or units of time from 0 (postal). From 0: the first; to 0: the
     * last. */
    uint64_t waves_from, waves_to;
    bool shows_progress;          /* on a terminal (progress.h) */
    uint32_t stop_after;          /* packets after which the host stops a stream; 0: none */
    struct engine_store *engines; /* opened engines that the process keeps; NULL: none */
    struct simulate_watch watch;
};

/* The contents of the trace; cycles are those of the testbench, counted from the cycle in which the
 * trace was opened. */
struct simulate_trace {
    bool written;
    enum engine_kind engine;     /* the engine that wrote it */
    uint64_t first_row, end_row; /* rows of the window: the first, and one past the last */
    uint64_t zero;               /* the cycle in which the first flit of row 0 leaves */
    uint64_t from, to;           /* first and last cycle of the window */
};

struct simulate_report {
    struct scoreboard_report checks;
    struct simulate_trace trace;
    uint64_t expected_cycles; /* predicted cycles of the run */
    bool reconfigures;        /* the machine has reconfiguration */
    uint32_t setting_changes; /* number of setting changes on such a machine */
    uint64_t run_cycles;      /* cycles that the run took */
    uint64_t host_cycles;     /* to load and read back */
    double build_seconds;     /* to build or open the engines */
    double run_seconds;       /* to load, run and read back */
};

/* Simulates the image. If the host stops a stream, the schedule is that of the stopped stream
 * (schedule_stop). The payload replaces that of the image at the sources of the schedule's
 * demands. Returns false with the first violation (the report is then also filled), or with the
 * error that prevented the simulation. Errors: E401, E404, E501, E601 … E608, E202 and E102 for the
 * waves. */
bool simulate(const struct image *image, const struct schedule *schedule,
              const struct payload *payload, const struct simulate_options *options,
              struct simulate_report *report, struct err *err);

#endif
