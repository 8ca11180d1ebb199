/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: runs the points of a study and stores their reports in an SQLite database.
 *
 *     study file ─► roundcast_study_read ─► roundcast_sweep ─► database ─► roundcast_sweep_csv
 *
 * docs/sweep.md describes studies and the table of results.
 */
#ifndef ROUNDCAST_LIB_SWEEP_H
#define ROUNDCAST_LIB_SWEEP_H

#include "roundcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROUNDCAST_MAX_JOBS 256         /* processes or jobs in parallel */
#define ROUNDCAST_SWEEP_MAX_PARTS 1000 /* jobs of a sweep */

struct roundcast_study; /* the points: combinations of values of the members of a request */

/* Reads a study (`-`: standard input). Each value is checked as roundcast_set checks it. NULL with
 * E101, E102, E103, E201, E203 … E207, E401, whose messages name line and column; E104 if it is too
 * large. Free it with roundcast_study_free. O(bytes). */
struct roundcast_study *roundcast_study_read(const char *path, struct roundcast_error *error);

/* Calls visit(with, number, command) for each point that no condition excludes, in order, until it
 * returns false. `command` is the point's command for a shell, "roundcast run …", valid until visit
 * returns. The return value does not reflect the result of visit(). E104. O(points). */
bool roundcast_study_each(const struct roundcast_study *study,
                          bool (*visit)(void *with, uint64_t number, const char *command),
                          void *with, struct roundcast_error *error);

/* Frees a study; NULL is allowed. */
void roundcast_study_free(struct roundcast_study *study);

#define ROUNDCAST_SWEEP_VERSION 1

/* Options of a sweep. Every member except `version` and `database` may be zero. Texts are
 * borrowed. */
struct roundcast_sweep_options {
    unsigned version;     /* ROUNDCAST_SWEEP_VERSION */
    const char *database; /* the file; created if it does not exist */
    uint32_t jobs;        /* points run in parallel, 1 … ROUNDCAST_MAX_JOBS; 0: one per core. With
                           * `via`: jobs in parallel on each host; 0: one per core, or as the
                           * cluster allows
                           *                              jobs at a time on each host; 0: one a
                           * core, or as the cluster allows */
    bool again;           /* also runs points whose row has an error */
    bool mixed_versions;  /* accepts a database with rows of another version or commit */
    const char *via;      /* "parallel" or "slurm": points run in jobs; NULL: on this machine */
    uint32_t parts;       /* jobs, 1 … ROUNDCAST_SWEEP_MAX_PARTS; 0: 64 */
    const char *sshlogin; /* hosts of GNU parallel; NULL: this machine */
    const char *program;  /* the command line program on the hosts of the jobs; NULL: "roundcast" */
};

struct roundcast_sweep_report {
    uint64_t points;   /* points that no condition excludes */
    uint64_t left_out; /* points excluded by conditions */
    uint64_t before;   /* points that already had a row */
    uint64_t done;     /* points run now */
    uint64_t failed;   /* points whose row has an error */
    double seconds;
};

/* Checks the numbers, and that members for jobs are given only with `via`. Does not check the
 * database or a study. E101, E102. */
bool roundcast_sweep_check(const struct roundcast_sweep_options *options,
                           struct roundcast_error *error);

/* Runs the points of a study that have no row yet, and adds their rows to the database. Processes
 * are forked for the points; on a terminal, a line on standard error shows progress. A point that
 * fails becomes a row with an error; the sweep continues. E101, E102 for the options; E104, E201 …
 * E203 for files; E501 for a missing program, a process that cannot be started, or points that have
 * no row after all jobs. */
bool roundcast_sweep(const struct roundcast_study *study,
                     const struct roundcast_sweep_options *options,
                     struct roundcast_sweep_report *report, struct roundcast_error *error);

/* Writes the rows of a database as CSV, in the order of the study, without the reports: to a file
 * (`-`: standard output), which is complete or absent. E201, E202, E203. */
bool roundcast_sweep_csv(const char *database, const char *output, struct roundcast_error *error);

/* Returns the name of job system `index`, "parallel" or "slurm"; NULL after the last. Statically
 * allocated. */
const char *roundcast_sweep_via(unsigned index);

/* Checks that a job system has this name: E101 suggests the nearest name. */
bool roundcast_sweep_check_via(const char *name, struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
