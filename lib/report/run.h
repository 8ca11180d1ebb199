/* SPDX-License-Identifier: Apache-2.0 */
/* run: a request, from the problem to the report of its simulation.
 *
 *     request ─► run_compile ─► schedule, image, payload ─► run_simulate ─► report
 *
 * `roundcast run`, sweeps, batches and the library all use these steps.
 */
#ifndef ROUNDCAST_RUN_H
#define ROUNDCAST_RUN_H

#include "sched/base/rational.h"
#include "sched/bundle/bundle.h"
#include "sched/machine/machine.h"
#include "sched/request/request.h"
#include "sched/schedule/schedule.h"
#include "testbench/run/simulate.h"

struct run_report {
    struct bundle bundle; /* schedule, image and payload */
    struct simulate_options options;
    bool has_seed;
    uint64_t seed; /* seed of all random values, if known */
    struct simulate_report simulated;
    /* of the trees by which the schedule combines packets; 0 if the run shows none to compare */
    uint64_t certificate;
    const char *engines; /* the engines that ran: "csim", or "csim and rtl, in lockstep" */
    struct err breach;   /* the first check that failed; ERR_NONE: all passed */
    double megabytes;    /* peak memory of the process, in units of 2^20 bytes */
};

/* Checks a request as far as it can be checked before there is a schedule, including the files of
 * its payload and traffic. Errors: those of run_compile except E3xx. */
bool run_check_request(const struct request *request, struct err *err);

/* Checks that a request names an engine, which runs images. E101. */
bool run_has_engine(const struct request *request, struct err *err);

/* Chooses the machine, builds the schedule, verifies it and compiles it into report->bundle. The
 * report must be zero. Errors: those of problem_for_machine, algorithm_build, verify_schedule and
 * compile_schedule. Free it with run_report_free, also after an error. */
bool run_compile(const struct request *request, struct run_report *report, struct err *err);

/* Builds or reads the schedule of a request without an engine, and verifies it. E101 for options of
 * a machine or a simulation; the errors of problem_for_schedule, algorithm_build,
 * given_schedule_read and verify_schedule. Free the schedule, also after an error; it must be zero
 * before. */
bool run_schedule(const struct request *request, struct schedule *schedule, struct err *err);

/* Returns the options of the simulation that the request describes. */
struct simulate_options run_options(const struct request *request);

/* Simulates report->bundle by report->options, and fills `simulated` and `breach`. A trace is moved
 * into place together with the files that open it. Returns false with err, and without a report, if
 * nothing could be simulated or the trace could not be written; returns true also if a check
 * failed. Errors: E104, E202, E401, E404, E501, and E102 for the window of the trace. */
bool run_simulate(struct run_report *report, struct err *err);

/* Frees the bundle. */
void run_report_free(struct run_report *report);

/* -- Descriptions ------------------------------------------------------------------------------ */

/* Describes schedules and machines in a few words, for reports and pages. */

#define DESCRIBE_END_TEXT (RATIONAL_TEXT + 8)

/* Writes when a schedule ends, "12 rounds" or "time 15/2". Returns text. */
const char *describe_end(const struct schedule *schedule, char text[DESCRIBE_END_TEXT]);

#define DESCRIBE_MACHINE_TEXT 400

/* Writes "benes:32, 9 stages, latency 9 cycles" or "fat-tree 4,4,4 capacity 1,4,16, 21 routers,
 * latency 0 cycles". Returns text. */
const char *describe_machine(const struct machine *machine, char text[DESCRIBE_MACHINE_TEXT]);

/* -- Pages ------------------------------------------------------------------------------------- */

/* Writes the HTML pages of commands (view/view.h), and their index. */

/* Writes the page of a schedule, complete or not at all. `image` may be NULL: no machine; `run` is
 * the report of a run of the image, NULL if there was none. The page shows whether the schedule is
 * legal. E102, E104, E202. */
bool page_write(const char *path, const struct schedule *schedule, const struct image *image,
                const struct run_report *run, struct err *err);

/* Writes the index of pages that page_write wrote; links are as seen from the index's folder. E104,
 * E201, E202, E204. */
bool page_write_index(const char *path, const char *const page[], size_t count, struct err *err);

#endif
