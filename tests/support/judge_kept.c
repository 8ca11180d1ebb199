/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_kept.h"

#include "sched/machine/machine_address.h"
#include "sched/route/self_timed.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"
#include "tests/support/tree_machine.h"

#include <stdlib.h>
#include <string.h>

/* -- Schedules from hops ----------------------------------------------------------------------- */

struct judge_kept_hops judge_kept_hops_of(const struct schedule *schedule)
{
    return (struct judge_kept_hops){rule_reference_hops(schedule), schedule->transfer_count};
}

void judge_kept_schedule(const struct schedule *like, struct rule_reference_hop hop[], size_t count,
                         struct schedule *schedule)
{
    struct err err = {0};
    support_true(schedule_init_empty(schedule, "hops", &like->topology, like->model, &err), &err);
    support_true(schedule_copy_demands(like, schedule, &err), &err);
    qsort(hop, count, sizeof *hop, rule_reference_compare);
    for (size_t k = 0; k < count; k++) {
        const struct transfer transfer = {hop[k].source, hop[k].destination, hop[k].packet};
        if (k == 0 || hop[k - 1].step != hop[k].step)
            assert_non_null(schedule_open_step(schedule, hop[k].step, 1, &err));
        support_true(schedule_append_lane(schedule, transfer, hop[k].lane, &err), &err);
        if (k + 1 == count || hop[k + 1].step != hop[k].step)
            schedule_close_step(schedule, 0);
    }
}

/* -- Leaves with random sends
 * --------------------------------------------------------------------- */

/* Draws packets from any leaf to another leaf or to all leaves, sent in any order and with
 * pauses. */
static void draw_sends(const struct topology *tree, enum model model, struct rng *rng,
                       struct schedule *asked)
{
    struct err err = {0};
    struct judge_kept_hops hops = {room_of(64, sizeof *hops.hop), 0};
    uint32_t packets = 2 + rng_below(rng, 3 * tree->nodes), order[64], free_at[16] = {0};
    uint32_t source[64], many = rng_below(rng, 3) * 50, pause = 1 + rng_below(rng, 3);
    support_true(schedule_init_empty(asked, "sends", tree, model, &err), &err);
    for (uint32_t packet = 0; packet < packets; packet++) {
        source[packet] = rng_below(rng, tree->nodes);
        uint32_t to = (source[packet] + 1 + rng_below(rng, tree->nodes - 1)) % tree->nodes;
        bool all = rng_below(rng, 100) < many;
        support_true(schedule_add_demand(asked, 1, source[packet], &to, all ? 0 : 1, &err), &err);
    }
    rng_permutation(rng, packets, order);
    for (uint32_t k = 0; k < packets; k++) {
        uint32_t leaf = source[order[k]];
        free_at[leaf] += 1 + rng_below(rng, pause);
        hops.hop[hops.count++] = (struct rule_reference_hop){
            free_at[leaf], leaf, topology_parent(tree, 0, leaf), 0, order[k] + 1};
    }
    struct schedule demands = *asked;
    judge_kept_schedule(&demands, hops.hop, hops.count, asked);
    schedule_free(&demands);
    free(hops.hop);
}

void judge_kept_draw(const struct topology *tree, enum model model, struct rng *rng,
                     struct schedule *schedule)
{
    struct schedule asked;
    struct rule_reference rule;
    draw_sends(tree, model, rng, &asked);
    rule_reference_run(&rule, &asked, model == MODEL_SINGLE_PORT);
    judge_kept_schedule(&asked, rule.hop, rule.hops, schedule);
    rule_reference_free(&rule);
    schedule_free(&asked);
}

/* -- Judges ------------------------------------------------------------------------------------ */

/* Stores the receipts of leaves up to the end, sorted by step and leaf. Returns their number. */
static size_t keep_receipts(const struct schedule *schedule, struct rule_reference_hop hop[],
                            size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (hop[k].destination < schedule->nodes && hop[k].step <= schedule->end)
            hop[kept++] = hop[k];
    qsort(hop, kept, sizeof *hop, rule_reference_compare);
    return kept;
}

/* Returns whether the routers, by the reference, deliver the packets of the schedule, and move a
 * packet in its last step. */
static bool leaves_see_nothing(const struct schedule *schedule, const struct rule_reference *rule)
{
    struct judge_kept_hops asked = judge_kept_hops_of(schedule),
                           seen = {room_of(rule->hops + 1, sizeof *seen.hop), rule->hops};
    bool moves = false;
    memcpy(seen.hop, rule->hop, rule->hops * sizeof *seen.hop);
    for (size_t k = 0; k < seen.count; k++)
        moves |= seen.hop[k].step == schedule->end;
    size_t count = keep_receipts(schedule, asked.hop, asked.count);
    bool same = keep_receipts(schedule, seen.hop, seen.count) == count;
    for (size_t k = 0; same && k < count; k++)
        same = rule_reference_compare(&asked.hop[k], &seen.hop[k]) == 0;
    free(asked.hop);
    free(seen.hop);
    return same && moves;
}

/* Builds the image of the reference's run, to compare it with the schedule. */
static void force_job(const struct schedule *schedule, const struct rule_reference *rule,
                      struct support_job *job)
{
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE_AUTO, &schedule->topology, 0);
    struct schedule run;
    struct err err = {0};
    judge_kept_schedule(schedule, rule->hop, rule->hops, &run);
    tree_machine_fit(&run, JUDGE_KEPT_FLITS, &machine);
    machine.log2_rows++;
    assert_true(schedule->end <= UINT32_C(1) << machine.log2_rows);
    tree_machine_job(&run, &machine, JUDGE_KEPT_FLITS, job);
    schedule_free(&run);
    job->schedule = *schedule;
    job->image.run.rows = (uint32_t)schedule->end;
    support_true(image_append(&job->image, MACHINE_RUN_ROWS, job->image.run.rows, &err), &err);
}

/* Checks that the result equals the reference's run. */
static void check_built(const struct schedule *schedule)
{
    struct schedule built;
    struct err err = {0};
    char text[160];
    support_true(fat_tree_auto_build(schedule, &built, &err), &err);
    if (*rule_reference_differs(&built, schedule->model == MODEL_SINGLE_PORT, text) != '\0')
        fail_msg("built: %s", text);
    schedule_free(&built);
}

static bool holds(const struct support_job *job)
{
    const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    bool held = simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err);
    if (!held)
        assert_in_range(err.code, ERR_LOST, ERR_FLAG);
    return held;
}

static void free_job(struct support_job *job)
{
    job->schedule = (struct schedule){0};
    support_job_free(job);
}

bool judge_kept(const struct schedule *schedule, struct judge_kept_counts *counts)
{
    struct err err = {0};
    struct support_job job;
    struct rule_reference rule;
    char text[160];
    rule_reference_run(&rule, schedule, schedule->model == MODEL_SINGLE_PORT);
    bool kept = fat_tree_auto_check(schedule, &err);
    if (kept != leaves_see_nothing(schedule, &rule))
        fail_msg("the check says '%s', the reference does not", err.text);
    if (kept) {
        struct machine machine = tree_machine_of(MACHINE_FAT_TREE_AUTO, &schedule->topology, 0);
        check_built(schedule);
        tree_machine_fit(schedule, JUDGE_KEPT_FLITS, &machine);
        tree_machine_job(schedule, &machine, JUDGE_KEPT_FLITS, &job);
        tree_machine_run(&job, false, schedule->end);
        counts->kept++;
        counts->moved +=
            *rule_reference_differs(schedule, schedule->model == MODEL_SINGLE_PORT, text) != '\0';
    } else {
        support_error(&err, ERR_UNSUPPORTED, "network fat-tree-auto: round ", "; expected ");
        force_job(schedule, &rule, &job);
        if (holds(&job))
            fail_msg("'%s', but it holds", err.text);
        counts->refused++;
    }
    rule_reference_free(&rule);
    free_job(&job);
    return kept;
}
