/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_leap: endpoints receive whole packets of a row, and begin to send the next row
 * (sequencer.h defines when rows leap). */
#ifndef ROUNDCAST_ENDPOINT_LEAP_H
#define ROUNDCAST_ENDPOINT_LEAP_H

#include "csim/shell/endpoint.h"

/* Moves the packets of `row` from senders to receivers, observes them, and sends the first flits of
 * row `next`. source[nodes] is the sender of each lane (`nodes`: none). Returns false without an
 * observable change if the row must be simulated flit by flit: a flag is set or would be set, or a
 * node receives the packet that it sends, so that the order of the flits matters. Precondition: the
 * row has been fetched for sending, and nothing of it has been received.
 */
bool endpoint_leap(struct endpoint *e, uint32_t row, uint32_t next, const uint32_t source[]);

#endif
