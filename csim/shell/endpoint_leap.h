/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_leap: endpoints receive whole packets of a row, and begin to send the next one
 * (sequencer.h says when rows leap). */
#ifndef ROUNDCAST_ENDPOINT_LEAP_H
#define ROUNDCAST_ENDPOINT_LEAP_H

#include "csim/shell/endpoint.h"

/* Move the packets of `row` from those who send to those who receive, where source[nodes] says from
 * whom each lane comes (nodes: from nobody), observe them, and send the first flits of row `next`.
 * False with nothing changed that anybody could see if the row must be done flit by flit: something
 * would raise a flag, or has; or a node receives what it sends, so that it matters which flit is
 * first. Precondition: the row has been fetched for sending, and nothing of it has been received.
 */
bool endpoint_leap(struct endpoint *e, uint32_t row, uint32_t next, const uint32_t source[]);

#endif
