/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_trace: traffic of a recorded run of MPI, as otf2-print prints an OTF2 trace.
 *
 *     === OTF2-PRINT ===
 *     …
 *     MPI_ISEND   0   1025   Receiver: 1 ("Master thread" <7>), Communicator: …, Length: 4096, …
 *
 * A send (MPI_SEND, MPI_ISEND) from a location to the location in angle brackets is an amount: one
 * packet, or its bytes. Locations with an event of MPI are nodes, in ascending order. Messages of a
 * location to itself, and collectives, whose events name no receivers, are left out. */
#ifndef ROUNDCAST_TRAFFIC_TRACE_H
#define ROUNDCAST_TRAFFIC_TRACE_H

#include "sched/traffic/traffic_read.h"

/* Returns whether a file begins as a trace. It must be at its start; empty lines are skipped. */
bool traffic_trace_is(struct scan *scan);

/* Checks that a file is no report of mpiP, which has sums for each call, but no receivers. It must
 * be at its start. E208. */
bool traffic_trace_is_no_report(struct scan *scan, struct err *err);

/* Reads a trace: amount[count], which the caller frees, between `nodes` nodes. Each pair of nodes
 * has one amount. E104; E201; E204 for a send without its receiver or its length;
 * E207 for a trace without events of MPI. O(bytes + sends ·
 * log sends). */
bool traffic_trace_read(struct scan *scan, struct traffic_scale scale,
                        struct traffic_amount **amount, size_t *count, uint32_t *nodes,
                        struct err *err);

#endif
