/* SPDX-License-Identifier: Apache-2.0 */
/* combination: a certificate of the order in which a schedule combines contributions.
 *
 * Plays the transfers of each packet and hashes the trees of the results as
 * sched/schedule/certificate.h defines.
 */
#ifndef ROUNDCAST_COMBINATION_H
#define ROUNDCAST_COMBINATION_H

#include "sched/schedule/schedule.h"

struct combination {
    uint64_t certificate;
    bool packets_alike; /* all packets of a demand are combined by the same trees */
    bool nodes_alike;   /* all nodes that want the same result have it by the same tree */
};

/* Computes the certificate of the combined packets. Preconditions: the schedule is valid (verify.h)
 * and has combined packets. E104. O(transfers + results). */
bool combination_of(const struct schedule *schedule, struct combination *combination,
                    struct err *err);

#endif
