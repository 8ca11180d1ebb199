/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/matching.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"

extern const struct algorithm algorithm_binomial;

/* Nodes times rounds; a run simulates about 100 million of these per second. Up to this product
 * matching_odd_end runs the algorithm; above it, the end is unknown before the build. */
#define FEW (UINT64_C(1) << 18)
/* If no first choice ends within a round of the bound, which is rare, others are tried until their
 * total reaches this product. */
#define MANY (UINT64_C(1) << 26)

/* A group of choices: LEADS, each with and without the exchange in the last round. Node 0 does not
 * rest in the first group; it rests in the others, once all packets are sent, in the last six main
 * rounds, in all of them, or in the last three, two or one. The first FIRST choices are always
 * tried. Choices after the RESTS groups have lead 1 and start later. */
#define LEADS 5
#define GROUP (2 * LEADS)
#define RESTS 6
#define FIRST (2 * GROUP)

static uint64_t main_rounds(const struct collective *collective)
{
    return (uint64_t)collective->m - 1 + bits_log2_up(collective->n - 1);
}

static struct matching_odd_choice choice_at(const struct collective *collective, uint64_t which)
{
    static const uint32_t lead[LEADS] = {0, 1, 2, 1, 3}, rest[RESTS] = {0, 6, UINT32_MAX, 3, 2, 1};
    uint64_t row = which % GROUP / 2;
    if (which < GROUP * RESTS)
        return (struct matching_odd_choice){.lead = lead[row],
                                            .start = row == 3 ? collective->n : 0,
                                            .last = which % 2 == 0,
                                            .rest = rest[which / GROUP]};
    uint64_t start = main_rounds(collective) + 1 - (which - GROUP * RESTS) / 2;
    return (struct matching_odd_choice){.lead = 1, .start = start, .last = which % 2 != 0};
}

/* Returns the number of choices that may be tried: 1 if Y and Z are empty, so that there is no
 * choice. */
static uint64_t choice_count(const struct collective *collective)
{
    uint32_t n = collective->n;
    if (((n - 1) & (n - 2)) == 0)
        return 1;
    uint64_t all = GROUP * RESTS + 2 * (main_rounds(collective) + 2),
             most = MANY / (n * main_rounds(collective));
    if (most < FIRST)
        return FIRST;
    return MIN(most, all);
}

/* Tries further choices after the first, which took *rounds rounds, until one meets bound_end, or a
 * later one misses it by one round. Returns the best and sets *rounds. */
static struct matching_odd_choice choose(struct matching_odd_run *run,
                                         const struct collective *collective, uint64_t *rounds)
{
    uint64_t bound = bound_end(collective), count = choice_count(collective);
    struct matching_odd_choice best = choice_at(collective, 0);
    for (uint64_t which = 1; which < count; which++) {
        if (*rounds <= bound + (which >= FIRST))
            break;
        struct matching_odd_choice choice = choice_at(collective, which);
        if (matching_odd_is_none(run, choice)) /* the first two have lead 0 */
            continue;
        uint64_t taken = matching_odd_run(run, choice, NULL, NULL);
        if (taken < *rounds) {
            *rounds = taken;
            best = choice;
        }
    }
    return best;
}

uint64_t matching_odd_end(const struct collective *collective)
{
    uint32_t n = collective->n, m = collective->m;
    if (m == 1)
        return bits_log2_up(n);
    if (((n - 1) & (n - 2)) == 0)
        return main_rounds(collective) + ((uint64_t)m + n - 2) / (n - 1);
    struct matching_odd_run run;
    if (n * main_rounds(collective) > FEW || !matching_odd_run_init(&run, collective, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t rounds = matching_odd_run(&run, choice_at(collective, 0), NULL, NULL);
    choose(&run, collective, &rounds);
    matching_odd_run_free(&run);
    return rounds;
}

bool matching_odd_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    if (m == 1)
        return algorithm_binomial.build(collective, schedule, err);
    /* Room for one more round, because a round is opened before its transfers are counted. */
    struct matching_odd_run run;
    if (!schedule_reserve(schedule, main_rounds(collective) + m / 2 + 1, (size_t)(n - 1) * m + n,
                          err) ||
        !matching_odd_run_init(&run, collective, err))
        return false;
    uint64_t first = matching_odd_run(&run, choice_at(collective, 0), schedule, err),
             rounds = first;
    bool built = first > 0;
    if (built) {
        struct matching_odd_choice best = choose(&run, collective, &rounds);
        if (rounds < first) {
            schedule_clear_steps(schedule);
            built = matching_odd_run(&run, best, schedule, err) == rounds;
        }
    }
    matching_odd_run_free(&run);
    return built;
}
