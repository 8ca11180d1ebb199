/* postal_reference: what the tests of the postal model compare with. It shares nothing with sched/ but the
 * layout of a schedule. */
#ifndef ROUNDCAST_POSTAL_REFERENCE_H
#define ROUNDCAST_POSTAL_REFERENCE_H

#include "sched/schedule/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Binomial coefficients, UINT64_MAX if larger. Each factor leaves a binomial coefficient. */
static inline uint64_t reference_choose(uint64_t n, uint64_t k)
{
    unsigned __int128 product = 1;
    for (uint64_t factor = 1; factor <= k; factor++) {
        product = product * (n - k + factor) / factor;
        if (product >= UINT64_MAX)
            return UINT64_MAX;
    }
    return (uint64_t)product;
}

/* F_λ(t), ticks of 1/b, λ = a/b: a node at depth i has the packet after i latencies and j units of waiting,
 * shared out among the i callers above it. The number of those with ia + jb ≤ t is C(⌊(t - ia)/b⌋ + i, i). */
static inline uint64_t reference_reached(uint64_t a, uint64_t b, uint64_t t)
{
    uint64_t sum = 0;
    for (uint64_t depth = 0; depth * a <= t; depth++) {
        uint64_t term = reference_choose((t - depth * a) / b + depth, depth);
        if (term > UINT64_MAX - sum)
            return UINT64_MAX;
        sum += term;
    }
    return sum;
}

/* f_λ(n) in ticks: F_λ at least doubles in λ. */
static inline uint64_t reference_index(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t low = 0, high = 64 * a;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (reference_reached(a, b, middle) >= n)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The postal model, with a table of when each packet arrives at each node: a sender is busy in [t, t + b], a
 * receiver in [t + a - b, t + a], what arrives at t + a can be sent from then on. Besides, packets arrive in
 * order and once. Copies, in the fabric-postal model, are of one packet at one time. Fails on any breach. */
static inline void reference_judge(const struct schedule *s, uint32_t source)
{
    size_t row = s->packets + 1;
    uint64_t a = s->lambda.numerator, b = s->lambda.denominator, end = 0;
    uint64_t *arrival = calloc(s->nodes * row, sizeof *arrival); /* 0: not yet */
    uint64_t *sends_until = calloc(s->nodes, sizeof *sends_until);
    uint64_t *receives_until = calloc(s->nodes, sizeof *receives_until);
    assert_true(arrival != NULL && sends_until != NULL && receives_until != NULL);
    for (size_t k = 0; k < s->step_count; k++) {
        uint64_t time = s->step[k].time;
        assert_true(k == 0 || time > s->step[k - 1].time);
        for (size_t index = s->step[k].first; index < schedule_step_end(s, k); index++) {
            const struct transfer *t = &s->transfer[index];
            assert_true(t->source < s->nodes && t->destination < s->nodes && t->destination != source);
            assert_true(t->packet >= 1 && t->packet <= s->packets);
            uint64_t held = arrival[t->source * row + t->packet];
            assert_true(t->source == source || (held > 0 && held <= time));
            bool copy = s->model == MODEL_FABRIC_POSTAL && index > s->step[k].first &&
                        t[-1].source == t->source && t[-1].packet == t->packet;
            assert_true(sends_until[t->source] <= time || copy);
            assert_true(receives_until[t->destination] <= time + a - b);
            assert_true(arrival[t->destination * row + t->packet] == 0);
            assert_true(t->packet == 1 || arrival[t->destination * row + t->packet - 1] > 0);
            sends_until[t->source] = time + b;
            receives_until[t->destination] = end = time + a;
            arrival[t->destination * row + t->packet] = end;
        }
    }
    /* Every receipt was the first of its kind; so many of them are all there can be. */
    assert_int_equal(s->transfer_count, (size_t)(s->nodes - 1) * s->packets);
    assert_int_equal(s->end, end);
    free(arrival);
    free(sends_until);
    free(receives_until);
}

#endif
