/* SPDX-License-Identifier: Apache-2.0 */
/* via: programs that start the jobs of a sweep, on this machine or on others.
 *
 * A round of jobs runs all parts; points without a row after it are run in another round.
 */
#ifndef ROUNDCAST_SWEEP_VIA_H
#define ROUNDCAST_SWEEP_VIA_H

#include "sweep/results.h"
#include "sweep/sweep.h"

#include <stddef.h>

struct via_options {
    const char *program;  /* path of roundcast on the hosts of the jobs */
    const char *sshlogin; /* hosts of GNU parallel; NULL: this machine */
    unsigned jobs;        /* parallel jobs on each host; 0: one per core, or as the cluster
                           * allows */
    unsigned parts;       /* 1 … PARTS_MAX */
    bool mixed;           /* jobs may have another version */
    bool again;           /* also run points whose row has an error */
    const char *study;    /* the file */
    const char *folder;   /* folder of the parts */
};

/* A round of jobs, for the program that starts them. */
struct via_round {
    const struct via_options *options;
    unsigned count; /* number of parts */

    /* Merges the rows of jobs that have ended. Call it about once a second while jobs run. Returns
     * false with err. */
    bool (*look)(void *context, struct err *err);
    void *context;
};

struct via {
    const char *name, *package;
    const char *programs[2]; /* of the package; NULL: no other */

    /* Waits for jobs of an earlier round that still run. Returns false with err. NULL: not
     * supported. */
    bool (*resume)(const struct via_round *round, struct err *err);

    /* Starts a job for each part and waits for all jobs. A job that fails is not an error. */
    bool (*run)(const struct via_round *round, struct err *err);
};

extern const struct via via_parallel, via_slurm;

/* Returns the job system "parallel" or "slurm"; NULL with E101 for any other name. */
const struct via *via_find(const char *name, struct err *err);

/* Runs the points of a study that have no row, in jobs. E501 if a program is missing, or if
 * points have no row after several rounds; E104, E201 … E203. */
bool via_sweep(const struct via *via, const struct via_options *options, const struct study *study,
               struct results *results, struct sweep_report *report, struct err *err);

/* Prints the shell command of the job of part `part`, with a prefix before its file names. The job
 * uses `jobs` processes. */
void via_command(FILE *to, const struct via_options *options, const char *prefix, const char *part,
                 const char *jobs);

/* -- Parts of a study -------------------------------------------------------------------------- */

/* A study divided into parts, for jobs that other programs start.
 *
 *     FOLDER/K.study     the study, with a line `points` that selects those of the part
 *     FOLDER/K.sqlite    the part's rows
 *     FOLDER/K.json      the report of the sweep of the part, when it has ended
 *
 * for K = 1, 2, …. The files of a part are kept until its rows have been copied. */

#define PARTS_MAX 1000 /* default maximum size of a job array */

struct parts {
    const char *folder;
    const char *study; /* the file */
    unsigned count;
    bool merged[PARTS_MAX + 1];
};

/* Writes the studies of all parts of these points, which must be in ascending order. The folder is
 * created if it does not exist. E104, E201, E202. */
bool parts_write(struct parts *parts, const uint64_t *number, size_t points, struct err *err);

/* Copies the rows of parts that have ended since the last call, or of all parts with rows. E201 …
 * E203. */
bool parts_merge(struct parts *parts, bool all, struct results *results, struct err *err);

/* Removes the files of all parts; other files in the folder stay. */
void parts_remove(const struct parts *parts);

#endif
