/* SPDX-License-Identifier: Apache-2.0 */
/* test_decompose: decomposition of traffic into settings when a reconfiguration takes time.
 *
 * Every method on every 3×3 matrix whose rows and columns have at most 4 packets (a sample of them;
 * `make test-all` runs all), for prices 0, 1 and 3, and on random matrices of 2 … 12 nodes (printed
 * seed). Each result is checked by the definition (`wrong`): settings are partial permutations, and
 * together they hold each circuit for exactly as many rounds as it has packets, which a second,
 * dense table counts down to 0. The least makespan of a 3×3 matrix is found by exhaustive search
 * (`least`, a table over the remaining packets, independent of the methods): the bound does not
 * exceed it, no method is below it, and the best method reaches it. Counter-cases, which `wrong`
 * must detect: a missing setting, a missing round, a receiver with two senders.
 *
 * On several planes each setting must have all its rounds, and the ends are counted again; the
 * least makespan of up to three settings on two planes is found by trying every cut.
 *
 * The schedules pass verify, take the rounds of the settings, and need the number of settings that
 * is counted here again from the transfers (`changes`).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/decompose/decompose.h"
#include "sched/decompose/match.h"
#include "sched/schedule/schedule_settings.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261123)
#define MOST 12 /* nodes */

/* -- The plain definition ---------------------------------------------------------------------- */

/* Returns the fault of the settings for the traffic, or NULL. */
static const char *wrong(const struct traffic *traffic, const struct decomposition *made)
{
    uint64_t left[MOST][MOST] = {0};
    for (size_t k = 0; k < traffic->count; k++)
        left[traffic->entry[k].source][traffic->entry[k].destination] = traffic->entry[k].packets;
    for (size_t k = 0; k < made->count; k++) {
        unsigned into[MOST] = {0};
        if (made->duration[k] == 0)
            return "a setting is held for no round";
        for (uint32_t node = 0; node < traffic->nodes; node++) {
            uint32_t to = made->to[k * traffic->nodes + node];
            if (to == DECOMPOSE_IDLE)
                continue;
            if (to >= traffic->nodes || into[to]++ > 0)
                return "two send to one";
            uint64_t *packets = &left[node][to];
            *packets -= MIN(*packets, made->duration[k]);
        }
    }
    for (uint32_t i = 0; i < MOST; i++)
        for (uint32_t j = 0; j < MOST; j++)
            if (left[i][j] > 0)
                return "packets are left";
    return NULL;
}

static uint64_t makespan(const struct decomposition *made, uint64_t price)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < made->count; k++)
        sum += made->duration[k] + price;
    return sum;
}

/* Returns the largest number of packets of a row or column plus the price of its entries, by the
 * definition. */
static uint64_t lower_bound(const struct traffic *traffic, uint64_t price)
{
    uint64_t sum[2][MOST] = {{0}}, entries[2][MOST] = {{0}}, most = 0, many = 0;
    for (size_t k = 0; k < traffic->count; k++) {
        uint32_t port[2] = {traffic->entry[k].source, traffic->entry[k].destination};
        for (unsigned side = 0; side < 2; side++) {
            uint64_t *s = &sum[side][port[side]], *e = &entries[side][port[side]];
            *s += traffic->entry[k].packets;
            most = MAX(most, *s);
            many = ++*e > many ? *e : many;
        }
    }
    return most + price * many;
}

/* Returns the bound under test, after checking that it is not below that one. */
static uint64_t our_bound(const struct traffic *traffic, uint64_t price)
{
    struct traffic_load load;
    struct err err = {0};
    support_true(traffic_load(traffic, &load, &err), &err);
    assert_int_equal(traffic_makespan(&load, (struct traffic_cost){1, price}),
                     lower_bound(traffic, price));
    support_true(traffic_load_settings(traffic, &load, &err), &err);
    assert_true(traffic_makespan(&load, (struct traffic_cost){1, price}) >=
                lower_bound(traffic, price));
    return traffic_makespan(&load, (struct traffic_cost){1, price});
}

/* -- The least makespan of three nodes --------------------------------------------------------- */

/* Entries 0 … 5 are 0>1 0>2 1>0 1>2 2>0 2>1; these are the settings to which no circuit can be
 * added. */
static const uint8_t widest[][3] = {{0, 3, 4}, {1, 2, 5}, {0, 2}, {1, 4}, {3, 5}};
static const uint8_t wide[] = {3, 3, 2, 2, 2};

#define STATES 15625 /* 5^6: remaining packets of each entry, 0 … 4 */

static void find_least(uint64_t price, uint64_t least[STATES])
{
    static const unsigned power[] = {1, 5, 25, 125, 625, 3125};
    least[0] = 0;
    for (unsigned state = 1; state < STATES; state++) {
        least[state] = UINT64_MAX;
        for (size_t which = 0; which < sizeof wide; which++)
            for (unsigned duration = 1; duration <= 4; duration++) {
                unsigned next = state;
                for (unsigned k = 0; k < wide[which]; k++) {
                    unsigned entry = widest[which][k], left = state / power[entry] % 5;
                    next -= power[entry] * MIN(left, duration);
                }
                if (next < state && least[next] + duration + price < least[state])
                    least[state] = least[next] + duration + price;
            }
    }
}

/* -- Methods ----------------------------------------------------------------------------------- */

static uint64_t check_method(const struct decompose_method *method, const struct traffic *traffic,
                             uint64_t price)
{
    struct decomposition made = {0};
    struct err err = {0};
    support_true(decompose(method, traffic, (struct traffic_cost){1, price}, 1, &made, &err), &err);
    const char *what = wrong(traffic, &made);
    if (what != NULL)
        fail_msg("%s, price %" PRIu64 ": %s", method != NULL ? method->name : "best", price, what);
    uint64_t took = decomposition_makespan(&made, (struct traffic_cost){1, price});
    assert_int_equal(took, makespan(&made, price));
    assert_true(took >= our_bound(traffic, price));
    decomposition_free(&made);
    return took;
}

static void set_three(unsigned state, struct traffic *traffic)
{
    struct err err = {0};
    *traffic = (struct traffic){.nodes = 3};
    for (uint32_t entry = 0; entry < 6; entry++, state /= 5) {
        uint32_t from = entry / 2, to = entry % 2 < from ? entry % 2 : entry % 2 + 1;
        support_true(traffic_add(traffic, from, to, state % 5, &err), &err);
    }
    support_true(traffic_finish(traffic, &err), &err);
}

static void all_of_three_nodes(void **context)
{
    (void)context;
    static uint64_t least[STATES];
    unsigned looked = 0, met = 0, step = running_exhaustive() ? 1 : 11;
    for (uint64_t price = 0; price <= 3; price += 1 + price) {
        find_least(price, least);
        for (unsigned state = 1 + (unsigned)price; state < STATES; state += step) {
            struct traffic traffic;
            set_three(state, &traffic);
            if (lower_bound(&traffic, 0) <= 4) {
                assert_true(our_bound(&traffic, price) <= least[state]);
                met += our_bound(&traffic, price) == least[state];
                for (size_t k = 0; decompose_methods[k] != NULL; k++)
                    assert_true(decompose_methods[k]->solver != NULL ||
                                check_method(decompose_methods[k], &traffic, price) >=
                                    least[state]);
                if (looked % 16 == 0)
                    assert_int_equal(check_method(decompose_find("exact", NULL), &traffic, price),
                                     least[state]);
                assert_int_equal(check_method(NULL, &traffic, price), least[state]);
                looked++;
            }
            traffic_free(&traffic);
        }
    }
    assert_true(looked > 100 && met * 10 > looked * 9);
}

static void draw(struct rng *rng, uint32_t nodes, struct traffic *traffic)
{
    struct err err = {0};
    uint32_t most = rng_below(rng, 2) == 0 ? 5 : 1000, fill = 10 + rng_below(rng, 91);
    *traffic = (struct traffic){.nodes = nodes};
    support_true(traffic_add(traffic, 0, 1, 1 + rng_below(rng, most), &err), &err);
    for (uint32_t from = 0; from < nodes; from++)
        for (uint32_t to = 0; to < nodes; to++)
            if (from != to && rng_below(rng, 100) < fill)
                support_true(traffic_add(traffic, from, to, 1 + rng_below(rng, most), &err), &err);
    support_true(traffic_finish(traffic, &err), &err);
}

static void drawn_ones(void **context)
{
    (void)context;
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned run = 0; run < (running_exhaustive() ? 200 : 12); run++) {
        struct traffic traffic;
        draw(&rng, 2 + run % (MOST - 1), &traffic);
        uint64_t price = (uint64_t[]){0, 1, 10, 300}[run % 4], best = UINT64_MAX;
        for (size_t k = 0; decompose_methods[k]->solver == NULL; k++) {
            uint64_t took = check_method(decompose_methods[k], &traffic, price);
            best = MIN(best, took);
        }
        assert_int_equal(check_method(NULL, &traffic, price), best);
        traffic_free(&traffic);
    }
}

/* For up to five nodes no method is below the result of the solver, and the best method reaches it,
 * with few exceptions. */
static void the_least_of_five(void **context)
{
    (void)context;
    struct rng rng = {SEED};
    struct err err = {0};
    unsigned met = 0, runs = running_exhaustive() ? 60 : 12;
    for (unsigned run = 0; run < runs; run++) {
        struct traffic traffic;
        draw(&rng, 2 + run % 4, &traffic);
        uint64_t price = (uint64_t[]){0, 1, 10, 300}[run / 4 % 4];
        uint64_t least = check_method(decompose_find("exact", NULL), &traffic, price);
        uint64_t best = check_method(NULL, &traffic, price);
        assert_true(best >= least);
        met += best == least;
        traffic_free(&traffic);
    }
    print_message("%u of %u are the least\n", met, runs);
    assert_true(met * 4 > runs * 3);

    struct traffic large;
    struct decomposition made = {0};
    draw(&rng, 6, &large);
    assert_false(decompose(decompose_find("exact", NULL), &large, (struct traffic_cost){1, 1}, 1,
                           &made, &err));
    support_error(&err, ERR_RANGE, "6 nodes", "at most 5");
    traffic_free(&large);
}

static void what_is_wrong_is_seen(void **context)
{
    (void)context;
    struct traffic traffic;
    struct decomposition made = {.nodes = 3};
    struct err err = {0};
    set_three(2 + 5 * 1, &traffic); /* 0>1: 2, 0>2: 1 */
    support_true(decomposition_add(&made, (uint32_t[]){1, DECOMPOSE_IDLE, 0}, 2, &err), &err);
    assert_string_equal(wrong(&traffic, &made), "packets are left");
    support_true(decomposition_add(&made, (uint32_t[]){2, DECOMPOSE_IDLE, 1}, 1, &err), &err);
    assert_null(wrong(&traffic, &made));
    made.duration[0] = 1;
    assert_string_equal(wrong(&traffic, &made), "packets are left");
    made.duration[0] = 2;
    made.to[1] = 1;
    assert_string_equal(wrong(&traffic, &made), "two send to one");
    decomposition_free(&made);
    traffic_free(&traffic);
}

/* Two compatible settings are merged; circuits and rounds that carry no packets are removed. */
static void tidying(void **context)
{
    (void)context;
    struct traffic traffic;
    struct decomposition made = {.nodes = 3};
    struct err err = {0};
    set_three(2 + 125 * 1, &traffic); /* 0>1: 2, 1>2: 1 */
    support_true(decomposition_add(&made, (uint32_t[]){1, DECOMPOSE_IDLE, 0}, 7, &err), &err);
    support_true(decomposition_add(&made, (uint32_t[]){2, DECOMPOSE_IDLE, 1}, 9, &err), &err);
    support_true(decomposition_add(&made, (uint32_t[]){DECOMPOSE_IDLE, 2, DECOMPOSE_IDLE}, 1, &err),
                 &err);
    support_true(decomposition_tidy(&traffic, &made, &err), &err);
    assert_null(wrong(&traffic, &made));
    assert_int_equal(made.count, 1);
    assert_int_equal(made.duration[0], 2);
    assert_int_equal(made.to[2], DECOMPOSE_IDLE);
    decomposition_free(&made);
    traffic_free(&traffic);
}

static void unknown_methods(void **context)
{
    (void)context;
    struct err err = {0};
    assert_null(decompose_find("solstise", &err));
    support_error(&err, ERR_ALGORITHM, "'solstise'", "'solstice'", "birkhoff");
    assert_string_equal(decompose_find("slack", &err)->name, "slack");
}

/* -- Matchings --------------------------------------------------------------------------------- */

static int64_t best_of(const int64_t weight[], uint32_t nodes, uint32_t row, unsigned taken)
{
    int64_t best = INT64_MIN;
    if (row == nodes)
        return 0;
    for (uint32_t column = 0; column < nodes; column++) {
        if (taken >> column & 1)
            continue;
        int64_t sum =
            weight[row * nodes + column] + best_of(weight, nodes, row + 1, taken | 1u << column);
        best = MAX(best, sum);
    }
    return best;
}

static void matchings(void **context)
{
    (void)context;
    struct rng rng = {SEED};
    struct err err = {0};
    struct match *work = match_new(6, &err);
    assert_non_null(work);
    for (unsigned run = 0; run < 600; run++) {
        uint32_t nodes = 1 + run % 6, to[6], table[36], least = rng_below(&rng, 4);
        int64_t weight[36], sum = 0, reach[36];
        for (uint32_t k = 0; k < nodes * nodes; k++) {
            weight[k] = (int64_t)rng_below(&rng, 20) - 10;
            table[k] = rng_below(&rng, 6);
            reach[k] = table[k] >= least ? 0 : -1;
        }
        match_best(work, nodes, weight, to);
        for (uint32_t row = 0; row < nodes; row++)
            sum += weight[row * nodes + to[row]];
        assert_int_equal(sum, best_of(weight, nodes, 0, 0));
        memset(to, 0xff, sizeof to);
        bool there = match_least(work, nodes, table, least, to);
        assert_int_equal(there, best_of(reach, nodes, 0, 0) == 0);
        for (uint32_t row = 0; there && row < nodes; row++)
            assert_true(table[row * nodes + to[row]] >= least);
    }
    match_free(work);
}

/* -- Schedules --------------------------------------------------------------------------------- */

/* Returns the number of settings that the rounds need, one after another, from a dense table of
 * circuits. */
static uint64_t changes(const struct schedule *schedule)
{
    uint32_t to[MOST], from[MOST];
    uint64_t settings = 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        bool fits = settings > 0;
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint32_t s = transfer->source, d = transfer->destination;
            fits = fits && (to[s] == d || (to[s] == MOST && from[d] == MOST));
        }
        for (uint32_t node = 0; !fits && node < MOST; node++)
            to[node] = from[node] = MOST;
        settings += !fits;
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            to[schedule->transfer[t].source] = schedule->transfer[t].destination;
            from[schedule->transfer[t].destination] = schedule->transfer[t].source;
        }
    }
    return settings;
}

static void schedules(void **context)
{
    (void)context;
    struct rng rng = {SEED + 1};
    for (unsigned run = 0; run < 24; run++) {
        struct traffic traffic;
        struct schedule schedule = {0};
        struct decomposition made = {0};
        struct verify_report report;
        struct err err = {0};
        uint64_t settings = 0;
        draw(&rng, 2 + run % (MOST - 1), &traffic);
        struct collective asked = {.n = traffic.nodes,
                                   .m = 1,
                                   .kind = COLLECTIVE_TRAFFIC,
                                   .traffic = &traffic,
                                   .priced = true,
                                   .cost = {1, run},
                                   .decompose = decompose_methods[run % 7]};
        support_true(traffic_load(&traffic, &asked.load, &err), &err);
        support_true(decompose(asked.decompose, &traffic, asked.cost, 0, &made, &err), &err);
        support_true(algorithm_build(support_algorithm("traffic"), &asked, &schedule, &err), &err);
        support_true(verify_schedule("priced", &schedule, &report, &err), &err);
        support_true(schedule_settings(&schedule, &settings, &err), &err);
        assert_int_equal(schedule.transfer_count, traffic.packets);
        assert_int_equal(schedule.end, decomposition_rounds(&made));
        assert_int_equal(settings, made.count);
        assert_int_equal(settings, changes(&schedule));
        schedule_free(&schedule);
        decomposition_free(&made);
        traffic_free(&traffic);
    }
}

/* -- Several planes ---------------------------------------------------------------------------- */

/* Makes settings of one circuit with these durations. */
static void make_settings(const uint64_t duration[], size_t count, struct decomposition *made)
{
    struct err err = {0};
    *made = (struct decomposition){.nodes = 2};
    for (size_t k = 0; k < count; k++)
        support_true(decomposition_add(made, (uint32_t[]){1, DECOMPOSE_IDLE}, duration[k], &err),
                     &err);
}

/* Returns the fault of the parts, or NULL. */
static const char *parts_wrong(const struct decomposition *made, uint64_t price, uint32_t count,
                               const struct planes *planes)
{
    uint64_t held[8] = {0}, end[8] = {0}, last = 0;
    for (size_t k = 0; k < planes->count; k++) {
        const struct plane_part *part = &planes->part[k];
        if (part->plane >= count || part->duration == 0 || part->setting >= made->count)
            return "a part of nothing";
        held[part->setting] += part->duration;
        end[part->plane] += price + part->duration;
        last = MAX(last, end[part->plane]);
    }
    for (size_t k = 0; k < made->count; k++)
        if (held[k] != made->duration[k])
            return "a setting is not held for all its rounds";
    return last == planes->makespan ? NULL : "another makespan";
}

/* Returns the least makespan on two planes, by trying every cut of every setting. */
static uint64_t least_of_two(const struct decomposition *made, uint64_t price, size_t from,
                             uint64_t one, uint64_t other)
{
    if (from == made->count)
        return MAX(one, other);
    uint64_t least = UINT64_MAX, all = made->duration[from];
    for (uint64_t first = 0; first <= all; first++) {
        uint64_t end = least_of_two(made, price, from + 1, one + first + (first > 0 ? price : 0),
                                    other + all - first + (first < all ? price : 0));
        least = MIN(least, end);
    }
    return least;
}

/* Checks that everything takes three times as long in a unit of a third of a round. */
static void check_thirds(const struct decomposition *made, uint64_t price, uint32_t planes,
                         const struct planes *shared)
{
    struct planes other;
    struct err err = {0};
    support_true(planes_share(made, (struct traffic_cost){3, 3 * price}, planes, &other, &err),
                 &err);
    assert_int_equal(other.count, shared->count);
    assert_int_equal(other.makespan, 3 * shared->makespan);
    planes_free(&other);
}

/* Rounds of 5 cycles, reconfigurations of 7: three rounds take 22; on two planes, two rounds take
 * 17 and the third takes 12. Two settings of one round take 12 each, each on its own plane. */
static void planes_of_cycles(void **state)
{
    (void)state;
    static const uint64_t three[] = {3}, ones[] = {1, 1};
    static const struct {
        const uint64_t *duration;
        size_t count;
        uint32_t planes;
        uint64_t makespan;
    } cases[] = {{three, 1, 1, 22}, {three, 1, 2, 17}, {three, 1, 3, 12},
                 {ones, 2, 1, 24},  {ones, 2, 2, 12},  {ones, 2, 5, 12}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct decomposition made;
        struct planes shared;
        struct err err = {0};
        make_settings(cases[k].duration, cases[k].count, &made);
        support_true(
            planes_share(&made, (struct traffic_cost){5, 7}, cases[k].planes, &shared, &err), &err);
        assert_int_equal(shared.makespan, cases[k].makespan);
        planes_free(&shared);
        decomposition_free(&made);
    }
}

static void several_planes(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct err err = {0};
    unsigned met = 0, cases = 0;
    for (unsigned round = 0; round < 2000; round++) {
        uint64_t duration[3], price = rng_below(&rng, 4);
        size_t count = 1 + rng_below(&rng, 3);
        uint32_t planes = 1 + rng_below(&rng, 5);
        for (size_t k = 0; k < count; k++)
            duration[k] = 1 + rng_below(&rng, 9);
        struct decomposition made;
        struct planes shared;
        make_settings(duration, count, &made);
        support_true(planes_share(&made, (struct traffic_cost){1, price}, planes, &shared, &err),
                     &err);
        const char *what = parts_wrong(&made, price, planes, &shared);
        if (what != NULL)
            fail_msg("%s", what);
        uint64_t all = makespan(&made, price);
        assert_true(shared.makespan * planes >= all);
        assert_true(shared.makespan <= (all + planes - 1) / planes + price + 1);
        if (planes == 1)
            assert_int_equal(shared.makespan, all);
        if (planes == 2) {
            uint64_t least = least_of_two(&made, price, 0, 0, 0);
            assert_true(shared.makespan >= least && shared.makespan <= least + price);
            met += shared.makespan == least;
            cases++;
        }
        shared.part[0].duration++;
        assert_non_null(parts_wrong(&made, price, planes, &shared));
        check_thirds(&made, price, planes, &shared);
        planes_free(&shared);
        decomposition_free(&made);
    }
    print_message("%u of %u on two planes are the least\n", met, cases);
    assert_true(cases > 200 && met * 2 > cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_three_nodes),
                                       cmocka_unit_test(drawn_ones),
                                       cmocka_unit_test(the_least_of_five),
                                       cmocka_unit_test(what_is_wrong_is_seen),
                                       cmocka_unit_test(tidying),
                                       cmocka_unit_test(unknown_methods),
                                       cmocka_unit_test(matchings),
                                       cmocka_unit_test(several_planes),
                                       cmocka_unit_test(planes_of_cycles),
                                       cmocka_unit_test(schedules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
