/* SPDX-License-Identifier: Apache-2.0 */
/* verify: checks that a schedule keeps the rules of its model and meets its demands.
 *
 * The verifier implements the rules of the models and uses no algorithm. A packet received in round
 * r may be sent on from round r+1. In the postal model a packet that is sent at time t has arrived,
 * and may be sent on, at t + λ. Receiving a packet that is already held is legal (it is counted as
 * redundant). The values of control packets are recomputed from the demands of data packets.
 *
 * Two threads, if available, check a large schedule of a complete graph: one checks which packets
 * are held, the other the ports. If either finds a breach, one thread checks everything again and
 * reports the first breach, so that the report is the same for any number of threads. */
#ifndef ROUNDCAST_VERIFY_H
#define ROUNDCAST_VERIFY_H

#include "sched/schedule/schedule.h"

struct verify_report {
    uint64_t end;       /* the last round used, or the tick of the last arrival */
    uint64_t transfers; /* transfers that were checked */
    uint64_t arrivals;  /* first receipts of a packet by a node */
    uint64_t redundant; /* receipts of a packet already held */
};

/* Checks every rule. The first breach is reported with its line (schedule_line), round, node and
 * rule:
 *
 *     b.sched:14: round 3: node 5 receives packets 1 and 9; at most 1 per round [E301 one-port]
 *
 * and err->further counts the other breaches. A transfer that breaks several rules counts once, and
 * so does a packet that is missing at a node. `report` is filled in any case. Messages call the
 * schedule `name`.
 *
 *     E301 one-port      a node sends or receives two packets in a round, or at times less than 1
 *                        apart (postal); if the network copies, it may send one packet to several
 *                        nodes at once; if the network also combines, it may not copy a packet that
 *                        it combines
 *     E302 not-held      a node sends a packet that has not arrived there before
 *     E303 unmet         a demanded packet never arrives; reported at the `end` line
 *     E304 pairing       telephone: a node has two partners in a round
 *     E305 half-duplex   telegraph: a node sends and receives in a round
 *     E306 lane          two packets on a lane of a tree, or on an arc of a hypercube, in a round
 *     E307 value         a control packet carries a count that differs from the packets it counts;
 *                        reported, like E308, at its `control` line
 *     E308 parts         the source and the parts of a control packet do not form the nodes whose
 *                        packets it counts, each once and in order
 *     E309 early         a control packet leaves its source before a part has arrived in an earlier
 *                        round. A data packet that starts there is available, and a control packet
 *                        of the source is available after it has left in an earlier round.
 *     E310 uncounted     the result of a reduction lacks the contribution of a node; reported at
 *                        the `end` line
 *     E311 twice         a result has a contribution twice; reported where it is combined again
 *     E312 unordered     an ordered reduction combines contributions that are not adjacent
 *     E104               no memory
 *
 * O(transfers + nodes + parts · log demands), memory O(transfers + nodes + demands), in a hypercube
 * O(transfers + arcs + demands). */
bool verify_schedule(const char *name, const struct schedule *schedule,
                     struct verify_report *report, struct err *err);

/* Verifies a schedule like verify_schedule, and calls visit(with, breach) for each breach, in the
 * order of transfers, until it returns false: for each transfer that breaks rules the first rule,
 * then each packet that is missing at a node. For packets that are combined only one breach of each
 * kind is reported. */
bool verify_each(const char *name, const struct schedule *schedule,
                 bool (*visit)(void *with, const struct err *breach), void *with,
                 struct verify_report *report, struct err *err);

/* Verifies a schedule like verify_schedule, without E311: for operators for which a repeated
 * contribution makes no difference, such as min, max, and, or. */
bool verify_idempotent(const char *name, const struct schedule *schedule,
                       struct verify_report *report, struct err *err);

#endif
