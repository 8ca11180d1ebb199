/* SPDX-License-Identifier: Apache-2.0 */
/* tune: tunes the requested message or traffic. */
#ifndef ROUNDCAST_LIB_TUNE_H
#define ROUNDCAST_LIB_TUNE_H

#include "sched/plan/tune.h"
#include "sched/request/problem.h"

/* It contains pointers to its own members: do not copy it. */
struct tuning {
    enum model model;
    struct tune_request request;
    bool of_traffic;
    struct instance instance;  /* of traffic */
    struct tune_demand demand; /* of traffic */
    struct tune tune;          /* the result */
};

/* Tunes a message of `bytes` bytes (0: not given), or the request's traffic, whose numbers are
 * bytes. Without a network, uses the default one. E101 for a request that is incomplete or
 * contradicts itself, the errors of files, of tune_search and of tune_traffic. Free it, also after
 * an error. */
bool tune_of_request(const struct request *asked, uint64_t bytes, struct tuning *tuning,
                     struct err *err);
void tuning_free(struct tuning *tuning);

#endif
