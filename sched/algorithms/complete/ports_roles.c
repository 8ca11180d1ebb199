/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/ports_roles.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stddef.h>

unsigned ports_rounds(uint32_t n, uint32_t ports)
{
    unsigned rounds = 0;
    for (uint64_t reached = 1; reached < n; reached *= (uint64_t)ports + 1)
        rounds++;
    return rounds;
}

/* The sizes of the sets before T_{L-1}, and the minimum and maximum of each. */
struct sizes {
    unsigned count; /* L - 1 */
    uint64_t least[PORTS_ROLES_MAX_STAGES], most[PORTS_ROLES_MAX_STAGES];
};

/* Sets the limits: each size is at most the next one, which is at most k + 1 times as large. */
static void limit_sizes(uint32_t ports, unsigned count, uint64_t last, struct sizes *sizes)
{
    sizes->count = count;
    uint64_t least = last, most = 1;
    for (unsigned i = count; i-- > 0;) {
        least = bits_divide_up(least, (uint64_t)ports + 1);
        sizes->least[i] = least;
    }
    for (unsigned i = 0; i < count; i++) {
        sizes->most[i] = MIN(most, last);
        most = MIN(most * (ports + UINT64_C(1)), last);
    }
}

/* Returns size i if all sizes are as near to `level` as permitted; such sizes are legal. */
static uint64_t size_at(const struct sizes *sizes, unsigned i, uint64_t level)
{
    return MAX(sizes->least[i], MIN(sizes->most[i], level));
}

static uint64_t sum_at(const struct sizes *sizes, uint64_t level)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < sizes->count; i++)
        sum += size_at(sizes, i, level);
    return sum;
}

/* Result of trying a number of relays: too few make T_{L-1} too large for the sets before it, too
 * many make it too small. */
enum outcome { FITS, MORE_RELAYS, TOO_MANY_RELAYS };

/* Returns whether sizes before a T_{L-1} of `last` nodes can have the given sum. */
static enum outcome limit_sum(uint32_t ports, unsigned count, uint64_t sum, int64_t last,
                              struct sizes *sizes)
{
    if (last < 1)
        return TOO_MANY_RELAYS;
    limit_sizes(ports, count, (uint64_t)last, sizes);
    if (sum > sum_at(sizes, (uint64_t)last))
        return TOO_MANY_RELAYS;
    return (count == 0 || sizes->least[0] == 1) && sum_at(sizes, 1) <= sum ? FITS : MORE_RELAYS;
}

/* Fills the sizes of a line, and distributes the relays over the sends that the nodes have left. */
static void fill_line(const struct ports_roles *roles, const struct sizes *sizes, uint64_t sum,
                      uint32_t last, struct ports_line *line)
{
    uint64_t low = 1, high = last;
    while (low < high) { /* find the last level whose sum does not exceed `sum` */
        uint64_t level = low + (high - low + 1) / 2;
        if (sum_at(sizes, level) <= sum)
            low = level;
        else
            high = level - 1;
    }
    uint64_t rest = sum - sum_at(sizes, low);
    for (unsigned i = sizes->count; i-- > 0;) {
        uint64_t next = size_at(sizes, i, low + 1), size = size_at(sizes, i, low);
        bool larger = rest > 0 && next > size;
        line->size[i] = (uint32_t)(size + larger);
        rest -= larger;
    }
    line->size[sizes->count] = last;
    uint64_t relays = roles->relays;
    line->relay[0] = 0;
    for (unsigned i = 0; i < sizes->count; i++) {
        uint64_t free = ((uint64_t)roles->ports + 1) * line->size[i] - line->size[i + 1];
        uint64_t taken = MIN(free, relays);
        line->relay[i + 1] = (uint32_t)taken;
        relays -= taken;
    }
}

/* Tries a number Y of relays. The sets before T_{L-1} then have S nodes, and all sends except E ≤ k
 * are used:
 *
 *     n - 1 = (k+1) S - (k-1) Y + k - E,    τ_{L-1}^c = k Σ_{i<L-1} τ_i^c + 1 - Y - e^c
 *
 * where S and E are spread over the c as evenly as possible. The relays must compensate for each
 * T_{L-1}^c that cannot reach all other nodes; spare sends of another T_{L-1}^c are lost.
 * Precondition: n > k. */
static enum outcome try_relays(struct ports_roles *roles)
{
    int64_t n = roles->nodes, k = roles->ports, relays = roles->relays;
    int64_t sends = n - 1 - k + (k - 1) * relays;
    int64_t before = (int64_t)bits_divide_up((uint64_t)sends, (uint64_t)k + 1);
    int64_t slack = (k + 1) * before - sends;
    int64_t help = 0;
    roles->longer = (uint32_t)(before % k);
    roles->slack = (uint32_t)slack;
    for (unsigned kind = 0; kind < 4; kind++) {
        uint32_t from = MAX(kind & 2 ? 0 : roles->longer, kind & 1 ? 0 : roles->slack);
        uint32_t to =
            MIN(kind & 2 ? roles->longer : roles->ports, kind & 1 ? roles->slack : roles->ports);
        int64_t sum = before / k + (kind >> 1), last = k * sum + 1 - relays - (kind & 1);
        int64_t short_of = n - 1 - relays - (k + 1) * last;
        struct sizes sizes;
        if (from >= to)
            continue;
        enum outcome outcome =
            limit_sum(roles->ports, roles->stages - 1, (uint64_t)sum, last, &sizes);
        if (outcome != FITS)
            return outcome;
        help += short_of > 0 ? short_of * (to - from) : 0;
        fill_line(roles, &sizes, (uint64_t)sum, (uint32_t)last, &roles->line[kind]);
    }
    return help <= k * relays ? FITS : MORE_RELAYS;
}

bool ports_roles(uint32_t n, uint32_t ports, struct ports_roles *roles)
{
    *roles = (struct ports_roles){.nodes = n, .ports = ports, .stages = ports_rounds(n, ports)};
    enum outcome outcome = n > ports ? MORE_RELAYS : TOO_MANY_RELAYS;
    while (outcome == MORE_RELAYS) { /* n - 1 relays are too many */
        outcome = try_relays(roles);
        roles->relays += outcome == MORE_RELAYS;
    }
    return outcome == FITS;
}
