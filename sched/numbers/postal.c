/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/numbers/postal.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_STEPS (UINT64_C(1) << 22) /* 100 MB */

static bool make_room(struct postal *postal, size_t *room, uint64_t reach, struct err *err)
{
    if (postal->count < *room)
        return true;
    size_t wanted = *room == 0 ? 64 : 2 * *room;
    struct postal_step *larger =
        wanted > MAX_STEPS ? NULL : realloc(postal->step, wanted * sizeof *postal->step);
    if (larger == NULL)
        return err_set(err, ERR_TOO_BIG,
                       "postal: λ = %" PRIu64 "/%" PRIu64
                       " needs a table of more than %zu step%s to reach "
                       "%" PRIu64 " node%s; expected fewer",
                       postal->a, postal->b, *room, text_s(*room), reach, text_s(reach));
    postal->step = larger;
    *room = wanted;
    return true;
}

/* Lists the steps in order of time. Each step is λ later than an earlier step, or one unit later
 * than an earlier step other than the first. Both kinds are in order of time, so they are merged:
 * `unit` and `latency` are the first steps whose successors are still missing. */
static bool tabulate(struct postal *postal, uint64_t reach, struct err *err)
{
    size_t room = 0, unit = 1, latency = 0;
    if (!make_room(postal, &room, reach, err))
        return false;
    postal->step[postal->count++] = (struct postal_step){.tick = 0, .reached = 1, .unit_before = 1};
    while (postal->step[postal->count - 1].reached < reach) {
        if (!make_room(postal, &room, reach, err))
            return false;
        const struct postal_step *step = postal->step;
        uint64_t tick = step[latency].tick + postal->a;
        if (unit < postal->count && step[unit].tick + postal->b < tick)
            tick = step[unit].tick + postal->b;
        while (unit < postal->count && step[unit].tick + postal->b <= tick)
            unit++;
        latency += step[latency].tick + postal->a <= tick;
        uint64_t unit_before = step[unit - 1].reached, latency_before = step[latency - 1].reached;
        postal->step[postal->count++] =
            (struct postal_step){.tick = tick,
                                 .reached = unit_before + postal->ports * latency_before,
                                 .unit_before = unit_before};
    }
    return true;
}

bool postal_init(struct postal *postal, uint64_t a, uint64_t b, uint64_t reach, struct err *err)
{
    return postal_init_ports(postal, a, b, 1, reach, err);
}

bool postal_init_ports(struct postal *postal, uint64_t a, uint64_t b, uint64_t ports,
                       uint64_t reach, struct err *err)
{
    *postal = (struct postal){.a = a, .b = b, .ports = ports};
    if (!tabulate(postal, reach, err)) {
        postal_free(postal);
        return false;
    }
    postal->index = postal->step[postal->count - 1].tick;
    return true;
}

void postal_free(struct postal *postal)
{
    free(postal->step);
    *postal = (struct postal){0};
}

/* Returns the first step with F_λ ≥ n. */
static const struct postal_step *find(const struct postal *postal, uint64_t n)
{
    size_t low = 0, high = postal->count - 1; /* step[high].reached ≥ n */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (postal->step[middle].reached >= n)
            high = middle;
        else
            low = middle + 1;
    }
    return &postal->step[low];
}

uint64_t postal_index(const struct postal *postal, uint64_t n)
{
    return find(postal, n)->tick;
}

uint64_t postal_split(const struct postal *postal, uint64_t n)
{
    return find(postal, n)->unit_before;
}

uint64_t postal_size(const struct postal *postal, uint64_t tick)
{
    size_t low = 0, high = postal->count; /* step[low].tick ≤ tick */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (postal->step[middle].tick <= tick)
            low = middle;
        else
            high = middle;
    }
    return tick <= postal->index ? postal->step[low].reached : UINT64_MAX;
}

double postal_size_least(struct rational lambda, struct rational t)
{
    uint64_t twos = (uint64_t)t.numerator * lambda.denominator /
                    (2 * (uint64_t)t.denominator * lambda.numerator);
    return pow(ceil(rational_value(lambda)) + 1, (double)twos);
}

double postal_index_most(struct rational lambda, uint64_t n)
{
    double value = rational_value(lambda);
    return 2 * value + 2 * value * log2((double)n) / log2(ceil(value) + 1);
}
