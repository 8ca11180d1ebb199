/* SPDX-License-Identifier: Apache-2.0 */
/* combination: a certificate of the order in which a schedule combines contributions.
 *
 * Plays the transfers of each packet and hashes the trees of the results as
 * sched/schedule/certificate.h defines.
 */
#ifndef ROUNDCAST_COMBINATION_H
#define ROUNDCAST_COMBINATION_H

#include "sched/schedule/schedule.h"

/* When a receiver combines what arrives. */
enum combination_order {
    COMBINATION_ON_ARRIVAL, /* at once; in one step in the order of the schedule */
    /* when it sends, in the order of its ports (port_words.h), as routers of a fat tree do and
     * nodes of a hypercube */
    COMBINATION_BY_PORT
};

struct combination {
    uint64_t certificate;
    bool packets_alike; /* all packets of a demand are combined by the same trees */
    bool nodes_alike;   /* all nodes that want the same result have it by the same tree */
};

/* Computes the certificate of the combined packets. Preconditions: the schedule is valid (verify.h)
 * and has combined packets; by port no node sends or wants what it has received without its own
 * contribution. E104. O(transfers + results), by port times the words of a node. */
bool combination_of(const struct schedule *schedule, enum combination_order order,
                    struct combination *combination, struct err *err);

#endif
