/* SPDX-License-Identifier: Apache-2.0 */
/* test_calendar: the times at which ports and links are in use, against a list of all uses.
 *
 * A seed gives random uses that begin and end: of each capacity 1 … 3 and duration 1 … 5, with tags
 * that share a time, and in calls. After each change, the first time, the calls of a round and the
 * rounds that are free are compared with those that the definitions in calendar.h give when every
 * time is tried.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/exchange/calendar.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <string.h>

#define SEED UINT64_C(20261128)
#define CHANGES 400
#define MOST 64
#define LAST 40 /* of the times from which a place is searched */

/* All uses that are going on. */
struct uses {
    unsigned count;
    struct {
        uint64_t start;
        uint32_t tag;
        bool back;
    } use[MOST];
};

static void add(struct uses *uses, uint64_t start, uint32_t tag, bool back)
{
    assert_true(uses->count < MOST);
    uses->use[uses->count].start = start;
    uses->use[uses->count].tag = tag;
    uses->use[uses->count++].back = back;
}

static void drop(struct uses *uses, unsigned which)
{
    uses->use[which] = uses->use[--uses->count];
}

/* Returns whether a use can begin, because at each moment of it there are fewer than `capacity`. */
static bool fits(const struct uses *uses, uint64_t start, struct calendar_rule rule)
{
    for (uint64_t moment = start; moment < start + rule.lasts; moment++) {
        uint32_t together = 0;
        for (unsigned k = 0; k < uses->count; k++)
            together += uses->use[k].start <= moment && moment < uses->use[k].start + rule.lasts;
        if (together >= rule.capacity)
            return false;
    }
    return true;
}

/* --- uses without tags ------------------------------------------------------------------------ */

static void check_places(struct calendar_rule rule, struct rng *rng)
{
    struct calendar calendar = {0};
    struct uses uses = {0};
    for (unsigned change = 0; change < CHANGES; change++) {
        const uint64_t ready = rng_below(rng, LAST);
        uint64_t first = MAX(ready, rule.origin);
        while (!fits(&uses, first, rule))
            first++;
        assert_int_equal(calendar_first(&calendar, ready, rule), first);
        if (uses.count < MOST / 2 && rng_below(rng, 5) < 3) {
            assert_true(calendar_take(&calendar, first, rule));
            add(&uses, first, 0, false);
        } else if (uses.count > 0) {
            const unsigned which = rng_below(rng, uses.count);
            calendar_release(&calendar, uses.use[which].start, rule);
            drop(&uses, which);
        }
    }
    calendar_free(&calendar);
}

static void test_places(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (uint32_t capacity = 1; capacity <= 3; capacity++)
        for (uint32_t lasts = 1; lasts <= 5; lasts++)
            for (uint32_t origin = 0; origin < 2; origin++) {
                running("capacity %u, lasts %u, from %u", capacity, lasts, origin);
                check_places((struct calendar_rule){capacity, lasts, origin}, &rng);
            }
}

/* --- uses with tags --------------------------------------------------------------------------- */

static bool shares(const struct uses *uses, uint64_t start, uint32_t tag)
{
    for (unsigned k = 0; k < uses->count; k++)
        if (tag != 0 && uses->use[k].tag == tag && uses->use[k].start == start)
            return true;
    return false;
}

static void check_tags(struct calendar_rule rule, struct rng *rng)
{
    struct calendar calendar = {0};
    struct uses uses = {0};
    for (unsigned change = 0; change < CHANGES; change++) {
        const uint64_t ready = rng_below(rng, LAST);
        const uint32_t tag = rng_below(rng, 4);
        uint64_t first = MAX(ready, rule.origin);
        while (!fits(&uses, first, rule) && !shares(&uses, first, tag))
            first++;
        assert_int_equal(calendar_first_shared(&calendar, ready, tag, rule), first);
        if (uses.count < MOST / 2 && rng_below(rng, 5) < 3) {
            struct calendar_use *use = calendar_add(&calendar, first, tag);
            assert_non_null(use);
            assert_int_equal(use->count > 0, shares(&uses, first, tag));
            use->count++;
            add(&uses, first, tag, false);
        } else if (uses.count > 0) {
            const unsigned which = rng_below(rng, uses.count);
            calendar_release_shared(&calendar, uses.use[which].start, uses.use[which].tag);
            drop(&uses, which);
        }
    }
    calendar_free(&calendar);
}

static void test_tags(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (uint32_t lasts = 1; lasts <= 5; lasts++) {
        running("lasts %u", lasts);
        check_tags((struct calendar_rule){1, lasts, lasts % 2}, &rng);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Counts the packets of a call in one direction. */
static uint32_t packets_of(const struct uses *uses, uint64_t round, uint32_t tag, bool back)
{
    uint32_t packets = 0;
    for (unsigned k = 0; k < uses->count; k++)
        packets +=
            uses->use[k].start == round && uses->use[k].tag == tag && uses->use[k].back == back;
    return packets;
}

static void test_calls(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct calendar calendar = {0};
    struct uses uses = {0};
    for (unsigned change = 0; change < CHANGES; change++) {
        const uint64_t round = rng_below(&rng, 4);
        const uint32_t tag = 1 + rng_below(&rng, 3);
        const bool back = rng_below(&rng, 2) == 0;
        running("change %u", change);
        if (uses.count < MOST / 2 && rng_below(&rng, 2) == 0) {
            struct calendar_use *use = calendar_add(&calendar, round, tag);
            assert_non_null(use);
            use->count += !back;
            use->other += back;
            add(&uses, round, tag, back);
        } else if (uses.count > 0) {
            const unsigned which = rng_below(&rng, uses.count);
            calendar_release_call(&calendar, uses.use[which].start, uses.use[which].tag,
                                  uses.use[which].back);
            drop(&uses, which);
        }
        for (uint64_t at = 0; at < 5; at++) {
            uint32_t calls = 0;
            for (uint32_t with = 1; with <= 3; with++) {
                const uint32_t sent = packets_of(&uses, at, with, false),
                               received = packets_of(&uses, at, with, true);
                const struct calendar_use *use = calendar_find(&calendar, at, with);
                assert_int_equal(use != NULL, sent + received > 0);
                assert_true(use == NULL || (use->count == sent && use->other == received));
                calls += MAX(sent, received);
            }
            assert_int_equal(calendar_calls(&calendar, at), calls);
        }
    }
    calendar_free(&calendar);
}

/* --- rounds that are free in two sets --------------------------------------------------------- */

#define ROUNDS 260 /* more than four words */

static void test_busy(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct calendar one = {0}, other = {0}; /* for calendar_free */
    bool set[2][ROUNDS + 1] = {{false}};
    for (unsigned change = 0; change < 4 * ROUNDS; change++) {
        const uint32_t which = rng_below(&rng, 2), round = rng_below(&rng, ROUNDS);
        struct busy *busy = which == 0 ? &one.full : &other.full;
        const bool clear = set[which][round] && rng_below(&rng, 3) == 0;
        if (clear)
            busy_clear(busy, round);
        else
            assert_true(busy_set(busy, round));
        set[which][round] = !clear;
        assert_int_equal(busy_has(busy, round), !clear);
        const uint32_t ready = rng_below(&rng, ROUNDS);
        uint64_t first = ready;
        while (first < ROUNDS && (set[0][first] || set[1][first]))
            first++;
        assert_int_equal(busy_first(&one.full, &other.full, ready), first);
        assert_false(busy_has(busy, UINT64_C(1) << 40));
    }
    calendar_free(&one);
    calendar_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
