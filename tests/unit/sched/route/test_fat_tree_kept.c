/* SPDX-License-Identifier: Apache-2.0 */
/* test_fat_tree_kept: self-timed routers execute a schedule if and only if `route` accepts it.
 *
 * The three judges of judge_kept.h. State space: nine trees and capacities × both models × (the
 * collectives with all methods and sources; seeded runs of the rule with packets for one leaf and
 * for all, sent by the leaves with pauses in any order) × seeded changes of each that verify
 * accepts: a transfer earlier, later or on another lane, two swapped transfers, a packet later on
 * the rest of its path, or all packets later from a round on. Most changed schedules are
 * counter-cases; the routers execute the others, too. Every 3rd of the changes of collectives and
 * every 5th of the seeded runs; `make test-all` runs all.
 */
#include "sched/route/self_timed.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_kept.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <stdlib.h>
#include <string.h>

static const char *const shapes[][2] = {{"3", "const"},     {"2,2", "const"}, {"2,2", "exp"},
                                        {"3,2", "const"},   {"3,2", "exp"},   {"2,2,2", "const"},
                                        {"2,2,2", "1,2,1"}, {"2,2,2", "exp"}, {"2,3", "1,3"}};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* -- Changes ----------------------------------------------------------------------------------- */

static void exchange(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Changes hops in one of seven ways. */
static void change(const struct topology *tree, struct judge_kept_hops *hops, struct rng *rng)
{
    struct rule_reference_hop *one = &hops->hop[rng_below(rng, (uint32_t)hops->count)],
                              *other = &hops->hop[rng_below(rng, (uint32_t)hops->count)];
    uint32_t from = one->step;
    switch (rng_below(rng, 7)) {
    case 0:
        one->step += 1 + rng_below(rng, 2);
        break;
    case 1:
        one->step -= one->step > 1;
        break;
    case 2:
        one->lane =
            rng_below(rng, tree->capacity[topology_branch(tree, one->source, one->destination)]);
        break;
    case 3: /* two packets on one branch are swapped */
        if (one->source == other->source && one->destination == other->destination)
            exchange(&one->packet, &other->packet);
        break;
    case 4: /* two sends of one router, to one child or two, swap step and lane */
        if (one->source == other->source) {
            exchange(&one->step, &other->step);
            exchange(&one->lane, &other->lane);
        }
        break;
    case 5: /* the packet is later on the rest of its path */
        for (size_t k = 0; k < hops->count; k++)
            hops->hop[k].step += hops->hop[k].packet == one->packet && hops->hop[k].step >= from;
        break;
    default:
        for (size_t k = 0; k < hops->count; k++)
            hops->hop[k].step += hops->hop[k].step >= from;
    }
}

/* Judges a schedule, and up to `mutants` legal schedules, each one or two changes away from it. */
static void judge_mutants(const struct schedule *schedule, unsigned mutants, struct rng *rng,
                          struct judge_kept_counts *counts)
{
    for (unsigned mutant = 0; mutant < mutants; mutant++) {
        struct judge_kept_hops hops = judge_kept_hops_of(schedule);
        struct schedule changed;
        struct verify_report verified;
        for (uint32_t changes = 1 + rng_below(rng, 2); changes > 0; changes--)
            change(&schedule->topology, &hops, rng);
        judge_kept_schedule(schedule, hops.hop, hops.count, &changed);
        if (verify_schedule("changed", &changed, &verified, NULL))
            judge_kept(&changed, counts);
        schedule_free(&changed);
        free(hops.hop);
    }
}

static void print_counts(const struct judge_kept_counts *counts, const char *what)
{
    print_message(
        "%s: %u schedules are kept, %u of them otherwise between routers, and %u refused\n", what,
        counts->kept, counts->moved, counts->refused);
}

/* -- Collectives ------------------------------------------------------------------------------- */

/* Only the all-gathers without queues send a packet twice; the routers execute all other
 * schedules. */
static bool sends_again(const struct algorithm *algorithm, const struct collective *asked)
{
    return strcmp(algorithm->name, "tree-all-gather") == 0 && asked->method > 0;
}

static void judge_collective(const struct algorithm *algorithm, const struct collective *asked,
                             struct rng *rng, struct judge_kept_counts *counts,
                             struct judge_kept_counts *mutants)
{
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(algorithm_build(algorithm, asked, &schedule, &err), &err);
    if (sends_again(algorithm, asked)) {
        assert_false(fat_tree_auto_check(&schedule, &err));
        support_error(&err, ERR_UNSUPPORTED, "network fat-tree-auto: a leaf sends packet ",
                      "more than once; expected a schedule that self-timed routers follow");
        counts->refused++;
    } else {
        if (!judge_kept(&schedule, counts))
            fail_msg("%s is refused", schedule.algorithm);
        judge_mutants(&schedule, 12 / running_stride(3), rng, mutants);
    }
    schedule_free(&schedule);
}

static void all_collectives(void **state)
{
    (void)state;
    struct judge_kept_counts counts = {0}, mutants = {0};
    struct rng rng = {JUDGE_KEPT_SEED};
    print_message("seed %llu\n", (unsigned long long)JUDGE_KEPT_SEED);
    for (size_t shape = 0; shape < SHAPES; shape++)
        for (const struct algorithm *const *a = support_routable(); *a != NULL; a++) {
            const struct topology tree = tree_lab_parse(shapes[shape][0], shapes[shape][1]);
            if ((*a)->topology != TOPOLOGY_TREE)
                continue;
            for (int model = MODEL_SINGLE_PORT; model <= MODEL_MULTIPORT; model++)
                for (unsigned method = 0; method < algorithm_methods(*a); method++)
                    for (uint32_t source = 0; source < tree.nodes; source++) {
                        struct collective asked = tree_lab_ask(&tree, (enum model)model, method);
                        asked.source = source;
                        if (algorithm_check(*a, &asked, NULL))
                            judge_collective(*a, &asked, &rng, &counts, &mutants);
                    }
        }
    print_counts(&counts, "collectives");
    print_counts(&mutants, "changed");
    const unsigned stride = running_stride(3);
    assert_true(counts.kept > 300 && counts.moved > 0 && counts.refused > 0);
    assert_true(mutants.kept > 200 / stride && mutants.moved > 100 / stride &&
                mutants.refused > 1000 / stride);
}

/* -- Leaves that send as they like ------------------------------------------------------------- */

/* For any sends of the leaves, the routers execute the schedule that their rule produces, and it
 * needs no larger memories than the compiler reports. */
static void any_sends(void **state)
{
    (void)state;
    struct judge_kept_counts counts = {0}, mutants = {0};
    const unsigned stride = running_stride(5), runs = 60 / stride * SHAPES;
    print_message("seeds %llu …\n", (unsigned long long)JUDGE_KEPT_SEED);
    for (unsigned run = 0; run < runs; run++) {
        struct rng rng = {JUDGE_KEPT_SEED + run};
        const char *const *shape = shapes[run % SHAPES];
        const struct topology tree = tree_lab_parse(shape[0], shape[1]);
        enum model model = run / SHAPES % 2 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
        struct schedule schedule;
        judge_kept_draw(&tree, model, &rng, &schedule);
        if (!judge_kept(&schedule, &counts))
            fail_msg("seed %llu", (unsigned long long)(JUDGE_KEPT_SEED + run));
        judge_mutants(&schedule, 12, &rng, &mutants);
        schedule_free(&schedule);
    }
    print_counts(&counts, "any sends");
    print_counts(&mutants, "changed");
    assert_true(counts.kept == runs && counts.moved == 0);
    assert_true(mutants.kept > 200 / stride && mutants.moved > 100 / stride &&
                mutants.refused > 1000 / stride);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_collectives),
        cmocka_unit_test(any_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
