/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_sums: executes XML of MSCCL that combines, with numbers, in a random order of its blocks.
 *
 * It shares no code with the code under test. Each chunk of an input is a random number; combining
 * adds numbers modulo 2^64, so that a result is right only if each contribution is in it once. A
 * block executes its steps one by one and moves chunks one by one; a connection holds 2 chunks, or
 * 8 under LL and LL128; a step waits until the counter of another block, the number of its last
 * step with hasdep="1" that has ended, has come to `deps`.
 */
#ifndef ROUNDCAST_MSCCL_SUMS_H
#define ROUNDCAST_MSCCL_SUMS_H

#include <stdbool.h>
#include <stdint.h>

struct msccl_sums {
    bool malformed; /* a step has an operand outside of its buffer, or a peer is missing */
    bool stuck;     /* some block does not come to its end */
    /* outputs are not the sums that the collective defines: of all inputs for allreduce, reduce and
     * reduce_scatter, of lower GPUs and its own for custom */
    bool wrong;
    uint64_t outputs; /* a hash of all outputs */
};

/* Executes a text in an order that the seed draws; the numbers of the inputs do not depend on
 * it. */
struct msccl_sums msccl_sums(const char *text, uint64_t seed);

/* Programs in place, as public builders write them. The caller frees them.
 *
 *     ring    each of n GPUs adds and passes on `count` chunks at a time: rrs, rrcs, rcs;
 *            the protocol is LL, so that a connection holds a step
 *     pairs   each GPU adds the parts of all others, in scratch: re with cnt, and sends the sum
 */
char *msccl_sums_ring(int n, int count);
char *msccl_sums_pairs(int n, int count);

#endif
