/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/subject.h"

#include "sched/base/compare.h"

#include <mpi.h>
#include <stdlib.h>

bool subject_agree(bool well, struct err *err)
{
    int rank, ranks, mine, first;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = well ? ranks : rank;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first < ranks)
        MPI_Bcast(err, sizeof *err, MPI_BYTE, first, MPI_COMM_WORLD);
    return first == ranks;
}

/* Executes the subject once, after a barrier. *seconds is the time of the slowest rank, at rank 0
 * only. */
static bool measure_once(const struct subject *subject, uint32_t repetition, double *seconds,
                         struct err *err)
{
    subject->fill(subject->with, repetition);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    int error = subject->call(subject->with);
    double mine = MPI_Wtime() - begin;
    MPI_Reduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    bool well = error == MPI_SUCCESS
                    ? subject->check(subject->with, repetition, err)
                    : err_set(err, ERR_TOOL, "MPI: error %d; expected none", error);
    return subject_agree(well, err);
}

bool subject_measure(const struct subject *subject, uint32_t repeat, struct subject_times *times,
                     struct err *err)
{
    double *seconds = calloc(repeat, sizeof *seconds);
    bool well = subject_agree(seconds != NULL || err_no_memory(err, "%u times", repeat), err);
    for (uint32_t repetition = 0; well && repetition < repeat; repetition++)
        well = measure_once(subject, repetition, &seconds[repetition], err);
    if (well) {
        qsort(seconds, repeat, sizeof *seconds, compare_double);
        *times = (struct subject_times){seconds[0], seconds[repeat / 2]};
    }
    free(seconds);
    return well;
}
