/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/postal_reference.h"

#include "sched/base/compare.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>

/* Binomial coefficients, UINT64_MAX if larger. Each factor leaves a binomial coefficient. */
static uint64_t reference_choose(uint64_t n, uint64_t k)
{
    unsigned __int128 product = 1;
    for (uint64_t factor = 1; factor <= k; factor++) {
        product = product * (n - k + factor) / factor;
        if (product >= UINT64_MAX)
            return UINT64_MAX;
    }
    return (uint64_t)product;
}

uint64_t postal_reference_reached(uint64_t a, uint64_t b, uint64_t t)
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

uint64_t postal_reference_index(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t low = 0, high = 64 * a;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (postal_reference_reached(a, b, middle) >= n)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint64_t postal_reference_bound(uint64_t a, uint64_t b, uint64_t n, uint64_t m)
{
    uint64_t end = n == 1 ? 0 : (m - 1) * b + postal_reference_index(a, b, n);
    for (bool enough = n == 1; !enough; end += !enough) {
        uint64_t sent = 0;
        for (uint64_t unit = 0; unit * b + a <= end; unit++)
            sent += MIN(postal_reference_reached(a, b, end - a - unit * b), n - 1);
        enough = sent >= m * (n - 1);
    }
    return end;
}

void postal_reference_judge(const struct schedule *s, uint32_t source, bool ordered)
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
            assert_true(t->source < s->nodes && t->destination < s->nodes &&
                        t->destination != source);
            assert_true(t->packet >= 1 && t->packet <= s->packets);
            uint64_t held = arrival[t->source * row + t->packet];
            assert_true(t->source == source || (held > 0 && held <= time));
            bool copy = s->model == MODEL_FABRIC_POSTAL && index > s->step[k].first &&
                        t[-1].source == t->source && t[-1].packet == t->packet;
            assert_true(sends_until[t->source] <= time || copy);
            assert_true(receives_until[t->destination] <= time + a - b);
            assert_true(arrival[t->destination * row + t->packet] == 0);
            assert_true(!ordered || t->packet == 1 ||
                        arrival[t->destination * row + t->packet - 1] > 0);
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
