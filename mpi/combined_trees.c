/* SPDX-License-Identifier: Apache-2.0 */
/* combined_trees: the certificate of the trees by which ranks combine packets. The ranks execute
 * the schedule with packets of one hash: a contribution is a leaf, a combination that of two
 * hashes. */
#include "mpi/combined.h"
#include "mpi/subject.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The hashes of all results: tree[nodes][packets]. */
struct trees {
    const struct schedule *schedule;
    const uint64_t *tree;
};

static uint64_t tree_of(const void *with, const struct demand *demand, uint32_t node,
                        uint32_t packet)
{
    const struct trees *trees = with;
    (void)demand;
    return trees->tree[(size_t)node * trees->schedule->packets + packet - 1];
}

/* Reads the hashes of the results of this rank; 0 if it has no result. */
static void read_results(const struct combined *combined, uint64_t mine[])
{
    for (uint32_t packet = 1; packet <= combined->schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(combined->schedule, packet);
        const char *result = combined_result_of(combined, demand, packet);
        mine[packet - 1] = 0;
        if (result != NULL)
            memcpy(&mine[packet - 1], result, sizeof *mine);
    }
}

bool combined_certificate(struct combined *combined, uint64_t *certificate, struct err *err)
{
    const struct schedule *schedule = combined->schedule;
    const size_t packets = schedule->packets;
    const bool root = combined->number == 0;
    struct subject subject;
    struct subject_times none;
    if (!subject_agree(combined_size(combined, sizeof(uint64_t), COMBINED_TREES, err), err))
        return false;
    subject = combined_subject(combined);
    uint64_t *mine = calloc(packets + 1, sizeof *mine);
    uint64_t *all = root ? calloc(schedule->nodes * packets + 1, sizeof *all) : NULL;
    bool allocated = (mine != NULL && (all != NULL || !root)) ||
                     err_no_memory(err, "the trees of %zu packets", packets);
    bool done = subject_agree(allocated, err) && subject_measure(&subject, 1, &none, err);
    if (done) {
        read_results(combined, mine);
        MPI_Gather(mine, (int)packets, MPI_UINT64_T, all, (int)packets, MPI_UINT64_T, 0,
                   MPI_COMM_WORLD);
    }
    if (done && root)
        *certificate = certificate_of(schedule, tree_of, &(struct trees){schedule, all});
    free(mine);
    free(all);
    return done;
}
