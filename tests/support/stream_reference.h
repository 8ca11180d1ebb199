/* SPDX-License-Identifier: Apache-2.0 */
/* stream_reference: random images of runs with and without barriers, and their predicted results;
 * for stream_lab.h and test_stage_registers.c, which document what is compared.
 *
 * The reference moves words, cycle by cycle: in cycle k of the run every sender of row k /
 * row_cycles puts a word on the lanes, the switches of that row say where it goes
 * (benes.h), and `latency` cycles later it is stored there. It has no pipeline, no
 * wavefront, no fetch and no forwarding.
 */
#ifndef ROUNDCAST_STREAM_REFERENCE_H
#define ROUNDCAST_STREAM_REFERENCE_H

#include "sched/base/rng.h"
#include "sched/image/image.h"

/* Rates, in percent. */
struct stream_reference_rates {
    uint32_t busy;  /* idle nodes that begin to send in a row, if they find a receiver */
    uint32_t wrong; /* wrong entries and settings */
    uint32_t bare;  /* words that are not held at first */
};

/* What a machine is given, as arrays, and what it must show. */
struct stream_reference {
    struct machine machine;
    struct run run;
    struct rng rng;
    uint32_t nodes, packets, flits; /* packets, flits: capacity */
    uint32_t latency, cycles;       /* cycles: of the run */
    uint32_t *setting;              /* setting[rows][stages][words] */
    uint32_t *send, *receive;       /* program[rows][nodes] */
    uint32_t *memory;               /* memory[nodes][packets][flits]: {held, word} */
    uint32_t *stored_in;            /* stored_in[nodes][packets][flits]: the last cycle, from 1 */
    uint32_t *flags, *whole;        /* [nodes]; whole: nothing wrong so far with the packet */
    uint32_t *sent;                 /* sent[cycles][nodes]: {valid, word} on the lanes */
    uint32_t *obs;                  /* obs[cycles][nodes], where strobe[cycle] */
    uint32_t *due;                  /* due[cycles][nodes]: {valid, packet} as planned */
    uint32_t *strobe;               /* strobe[cycles] */
    uint64_t transfers, receipts, forwarded, raised[3];
};

size_t stream_reference_at(const struct stream_reference *s, uint32_t node, uint32_t packet,
                           uint32_t flit);

/* Returns the number of rows that may send; the other rows drain the network. */
uint32_t stream_reference_senders(const struct stream_reference *s);

/* Returns the lane, after so many stages, of a word that enters at `lane`. */
uint32_t stream_reference_follow(const struct stream_reference *s, uint32_t row, uint32_t lane,
                                 unsigned stages);

/* -- What becomes of it ------------------------------------------------------------------------ */

/* A stream of its own arrays, its image before the run, and its prediction. */
void stream_reference_draw(const struct machine *machine, const struct run *run,
                           const struct stream_reference_rates *rates, uint64_t seed,
                           struct stream_reference *s, struct image *image);

void stream_reference_free(struct stream_reference *s);

#endif
