/* SPDX-License-Identifier: Apache-2.0 */
/* verify: does a schedule keep the rules of its model and meet its demand?
 *
 * Knows the models and nothing of the algorithms. A packet received in round r may be sent on from
 * round r+1. In the postal model a packet that is sent at time t has arrived, and may be sent on,
 * at t + λ. Receiving a packet that is held already is legal (it is counted as redundant). What
 * packets of control carry is counted again from the demands of data.
 *
 * On a complete graph a large schedule is checked by two threads, if there are as many: one looks
 * at who holds what, the other at who sends and receives. If either finds a breach all is checked
 * again by one, who tells the first: the same for any number of threads.
 */
#ifndef ROUNDCAST_VERIFY_H
#define ROUNDCAST_VERIFY_H

#include "sched/schedule/schedule.h"

struct verify_report {
    uint64_t end;       /* the last round used, or the tick of the last arrival */
    uint64_t transfers; /* checked */
    uint64_t arrivals;  /* first receipts of a packet by a node */
    uint64_t redundant; /* receipts of a packet already held */
};

/* Check every rule. The first breach is told by line (schedule_line), round, node and rule:
 *
 *     b.sched:14: round 3: node 5 receives packets 1 and 9; at most 1 per round [E301 one-port]
 *
 * and the others are counted in err->further: a transfer that breaks rules counts once, a packet
 * missing at a node once. `report` is filled in any case. `name` is what messages call the
 * schedule.
 *
 * E301 one-port         a node sends or receives two packets in a round, or at times less than 1
 *                       apart (postal); where the network copies it may send one to several nodes
 *                       at once
 * E302 not-held         a node sends what has not arrived there before
 * E303 unmet            a demanded packet never arrives; told at the `end` line
 * E304 pairing          telephone: a node has two partners in a round
 * E305 half-duplex      telegraph: a node sends and receives in a round
 * E306 lane             two packets on a lane of a tree, or on an arc of a hypercube, in a round
 * E307 value            a packet of control carries another number than that of the packets which
 *                       it counts; told, as E308, at its `control` line
 * E308 parts            its source and its parts do not make up the nodes whose packets it counts,
 *                       each once and in order
 * E309 early            it leaves its source when a part has not come there in an earlier round; a
 *                       packet of data of the source's own is there, its own packet of control is
 *                       once it has left in an earlier round
 * E310 uncounted        the result of a reduction lacks the contribution of a node; told at the
 *                       `end` line
 * E311 twice            it has that contribution twice; told where it is combined again
 * E312 unordered        an ordered reduction combines contributions that are no neighbours
 * E104                  no memory
 * O(transfers + nodes + parts · log demands), memory O(transfers + nodes + demands), in a hypercube
 * O(transfers + arcs + demands). */
bool verify_schedule(const char *name, const struct schedule *schedule,
                     struct verify_report *report, struct err *err);

/* The same for operators to which counting a contribution again makes no difference, such as min,
 * max, and, or: without E311. */
bool verify_idempotent(const char *name, const struct schedule *schedule,
                       struct verify_report *report, struct err *err);

#endif
