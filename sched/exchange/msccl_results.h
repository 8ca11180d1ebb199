/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_results: the reductions that the outputs of a program contain at its end, and the schedule
 * of a program that combines. */
#ifndef ROUNDCAST_MSCCL_RESULTS_H
#define ROUNDCAST_MSCCL_RESULTS_H

#include "sched/exchange/msccl_run.h"

/* The results of a program, by the number of the chunk that they combine. */
struct msccl_results {
    size_t numbers; /* chunks of the longest input */
    /* [numbers]: the value that combines all contributions, 0 if no output has a combination; and
     * its packet */
    size_t *whole;
    uint32_t *packet;
    void *memory; /* the memory of the arrays */
};

/* Finds the results, and adds their demands to a schedule without demands. E104; E208 for a
 * collective that combines nothing, and for results that a demand cannot describe; E209 if there
 * are none; E303 for outputs of another collective, which is named if it is a common one; E310 for
 * an output that lacks a contribution. O(chunks · GPUs / 64). Free it with msccl_results_free. */
bool msccl_results_find(const struct msccl *msccl, const struct msccl_content content[],
                        const struct msccl_values *values, struct msccl_results *results,
                        struct schedule *schedule, struct err *err);

void msccl_results_free(struct msccl_results *results);

/* Appends the transfers of a program that combines to an initialised schedule, in rounds of its
 * model. E104, E208 as partials_schedule; and the errors of msccl_results_find.
 *
 * A GPU of a program has several chunks for partial results; a node of a schedule has one partial
 * result of each packet. So a receipt counts from the step on that first combines or sends what
 * arrived. */
bool msccl_partial_schedule(const struct msccl *msccl, const struct msccl_content content[],
                            const struct msccl_values *values, struct schedule *schedule,
                            struct err *err);

#endif
