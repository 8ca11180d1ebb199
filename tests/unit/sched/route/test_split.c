/* SPDX-License-Identifier: Apache-2.0 */
/* test_split: schedules rewritten so that an omega network passes every round.
 *
 * All algorithms of complete graphs in all round models, 2 … 40 nodes and 1 … 5 packets, on the
 * smallest omega network and one twice as large; and rounds made by hand, with empty ones between
 * them.
 *
 * Checked: verify accepts the schedule; the demands are unchanged; the parts of a round are
 * consecutive, contain each of its transfers once, and start as early as the parts of earlier
 * rounds and the empty rounds allow; omega_route passes every part, and did not pass the rounds
 * that were split; the report has the same counts. Counter-cases: a schedule without split rounds
 * stays as it is; the unsplit rounds are blocked; rejections by code and text.
 */
#include "sched/base/bits.h"
#include "sched/network/omega.h"
#include "sched/route/rewrite.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

/* Returns whether the network passes the transfers of a step. */
static bool passes(struct omega_router *router, const struct multistage *net,
                   const struct schedule *schedule, size_t k)
{
    uint32_t to[128], row[128];
    struct err err = {0};
    assert_true(net->ports <= 128 && multistage_stages(net) * multistage_row_words(net) <= 128);
    memset(to, 0xff, sizeof to);
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
        to[schedule->transfer[t].source] = schedule->transfer[t].destination;
    bool passed = omega_route(router, to, row, NULL, &err);
    assert_true(passed || err.code == ERR_BLOCKED);
    return passed;
}

/* Returns whether transfer i of `split` is in step k. */
static bool has(const struct schedule *schedule, size_t k, const struct schedule *split, size_t i)
{
    size_t found = 0;
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
        found += support_same_transfer(schedule, t, split, i);
    return found == 1;
}

/* Compares the parts of all rounds with the report. */
static bool check_parts(const struct schedule *schedule, const struct multistage *net,
                        const struct schedule *split, const struct split_report *report)
{
    struct err err = {0};
    struct omega_router *router = omega_router_new(net, &err);
    size_t part = 0, transfers = 0;
    uint64_t added = 0, rounds = 0;
    bool right = router != NULL && split->transfer_count == schedule->transfer_count;
    for (size_t k = 0; right && k < schedule->step_count; k++) {
        size_t begin = part, size = schedule_step_end(schedule, k) - schedule->step[k].first;
        for (transfers += size;
             right && part < split->step_count && split->step[part].first < transfers; part++) {
            right = passes(router, net, split, part) &&
                    split->step[part].time == schedule->step[k].time + added + (part - begin);
            for (size_t t = split->step[part].first; t < schedule_step_end(split, part); t++)
                right = right && has(schedule, k, split, t);
        }
        right = right && (part - begin == 1) == passes(router, net, schedule, k);
        rounds += part - begin > 1;
        added += part - begin - 1;
    }
    omega_router_free(router);
    return right && part == split->step_count && rounds == report->rounds_split &&
           added == report->rounds_added && split->end == schedule->end + added;
}

static void check_demands(const struct schedule *a, const struct schedule *b)
{
    assert_int_equal(a->packets, b->packets);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->model, b->model);
    assert_int_equal(a->demand_count, b->demand_count);
    for (size_t d = 0; d < a->demand_count; d++) {
        const struct demand *left = &a->demand[d], *right = &b->demand[d];
        assert_true(left->first_packet == right->first_packet &&
                    left->last_packet == right->last_packet && left->source == right->source &&
                    left->wanted_count == right->wanted_count);
        for (uint32_t which = 0; which < left->wanted_count; which++)
            assert_int_equal(left->wanted[which], right->wanted[which]);
    }
}

static struct split_report check_schedule(const struct schedule *schedule,
                                          const struct multistage *net)
{
    struct schedule split = {0};
    struct split_report report;
    struct verify_report verified;
    struct err err = {0};
    support_true(split_schedule(schedule, net, &split, &report, &err), &err);
    support_true(verify_schedule("split", &split, &verified, &err), &err);
    check_demands(schedule, &split);
    assert_true(check_parts(schedule, net, &split, &report));
    assert_true(report.rounds_bound <= report.rounds_added);
    report.rounds_added++;
    assert_false(check_parts(schedule, net, &split, &report));
    report.rounds_added--;
    if (split.step_count > 1) { /* a round too late */
        split.step[split.step_count - 1].time++;
        assert_false(check_parts(schedule, net, &split, &report));
    }
    if (report.rounds_split > 0) /* rounds that were not split are blocked */
        assert_false(check_parts(schedule, net, schedule, &report));
    schedule_free(&split);
    return report;
}

static void every_algorithm(void **state)
{
    (void)state;
    uint64_t schedules = 0, split = 0, whole = 0, added = 0, bound = 0;
    for (const struct algorithm *const *at = support_routable(); *at != NULL; at++)
        for (int model = 0; model < MODEL_COUNT; model++) {
            if ((*at)->topology != TOPOLOGY_COMPLETE || model_has_times((enum model)model) ||
                model_copies((enum model)model) || !((*at)->models & 1u << model))
                continue;
            for (uint32_t n = 2; n <= 40; n++)
                for (uint32_t m = 1; m <= 5; m += 2) {
                    struct err err = {0};
                    struct schedule schedule = {0};
                    struct collective collective = {.n = n,
                                                    .m = m,
                                                    .source = n / 3,
                                                    .model = (enum model)model,
                                                    .kind = (*at)->kind,
                                                    .lambda = {1, 1}};
                    collective = algorithm_choose(*at, &collective);
                    if (!algorithm_check(*at, &collective, &err))
                        continue;
                    support_schedule(*at, &collective, &schedule);
                    for (uint32_t larger = 0; larger < 2; larger++) {
                        const struct multistage net =
                            multistage_omega(1u << (bits_log2_up(n) + larger));
                        struct split_report report = check_schedule(&schedule, &net);
                        schedules++;
                        split += report.rounds_split > 0;
                        whole += report.rounds_split == 0;
                        added += report.rounds_added;
                        bound += report.rounds_bound;
                    }
                    schedule_free(&schedule);
                }
        }
    print_message("%llu schedules, %llu split; %llu rounds added, %llu at least\n",
                  (unsigned long long)schedules, (unsigned long long)split,
                  (unsigned long long)added, (unsigned long long)bound);
    assert_true(schedules > 1000 && split > 100 && whole > 100);
}

static uint32_t bit_reversal(uint32_t node)
{
    return (node & 1) << 3 | (node & 2) << 1 | (node & 4) >> 1 | (node & 8) >> 3;
}

/* Bit reversal in round 2, then its inverse in round 5. The four nodes whose last two bits are
 * equal need one lane in the middle, and one of the four is a palindrome, which sends to itself:
 * three passes each, so four additional rounds. */
static void rounds_by_hand(void **state)
{
    (void)state;
    struct err err = {0};
    struct schedule schedule = {0};
    const struct topology topology = topology_complete(16);
    static const uint64_t time[] = {2, 5};
    support_true(schedule_init_empty(&schedule, "by hand", &topology, MODEL_SEND_RECEIVE, &err),
                 &err);
    for (uint32_t node = 0; node < 16; node++) {
        uint32_t to = bit_reversal(node);
        support_true(schedule_add_demand(&schedule, 1, node, &to, 1, &err), &err);
    }
    for (unsigned round = 0; round < 2; round++) {
        struct transfer *put = schedule_open_step(&schedule, time[round], 16, &err);
        size_t count = 0;
        assert_non_null(put);
        for (uint32_t node = 0; node < 16; node++) {
            uint32_t to = schedule.demand[node].wanted[0];
            if (to != node)
                put[count++] = (struct transfer){node, to, round == 0 ? node + 1 : to + 1};
        }
        schedule_close_step(&schedule, count);
    }
    const struct multistage net = multistage_omega(16);
    struct split_report report = check_schedule(&schedule, &net);
    assert_int_equal(report.rounds_split, 2);
    assert_int_equal(report.rounds_added, 4);
    assert_int_equal(report.rounds_bound, 4);
    schedule_free(&schedule);
}

/* With bit reversal, as above, each node reports the packets that start there and gets the same
 * numbers back. Rounds are later, but in order, so that the parts of a value still precede it. */
static void values_stay_in_time(void **state)
{
    (void)state;
    struct err err = {0};
    struct schedule schedule = {0};
    const struct topology topology = topology_complete(16);
    support_true(schedule_init_empty(&schedule, "by hand", &topology, MODEL_SEND_RECEIVE, &err),
                 &err);
    for (uint32_t round = 0; round < 2; round++) {
        support_true(schedule_open_step(&schedule, round + 1, 16, &err) != NULL, &err);
        for (uint32_t node = 0; node < 16; node++) {
            uint32_t to = bit_reversal(node);
            uint32_t reported = to + 1;
            const struct control control = {.first_node = round == 0 ? node : to,
                                            .node_count = 1,
                                            .part_count = round == 1 && to != node,
                                            .part = &reported};
            support_true(schedule_add_control(&schedule, &control, node, &to, 1, &err), &err);
            const struct transfer transfer = {node, to, schedule.packets};
            support_true(to == node || schedule_append(&schedule, transfer, &err), &err);
        }
        schedule_close_step(&schedule, 0);
    }
    const struct multistage net = multistage_omega(16);
    struct split_report report = check_schedule(&schedule, &net);
    assert_int_equal(report.rounds_split, 2);
    schedule_free(&schedule);
}

/* With bit reversal, as above, each node combines its packet at the node to which it sends it, and
 * gets the result back, which replaces its own. */
static void results_keep_their_options(void **state)
{
    (void)state;
    struct err err = {0};
    struct schedule schedule = {0};
    const struct topology topology = topology_complete(16);
    support_true(schedule_init_empty(&schedule, "by hand", &topology, MODEL_SEND_RECEIVE, &err),
                 &err);
    for (uint32_t node = 0; node < 16; node++) {
        uint32_t to = bit_reversal(node);
        const uint32_t both[] = {node < to ? node : to, node < to ? to : node};
        const struct reduction reduction = {.contributor_count = to == node ? 1 : 2,
                                            .contributor = (uint32_t *)both};
        support_true(schedule_add_reduction(&schedule, 1, &reduction, &node, &err), &err);
    }
    for (uint32_t round = 0; round < 2; round++) {
        support_true(schedule_open_step(&schedule, round + 1, 16, &err) != NULL, &err);
        for (uint32_t node = 0; node < 16; node++) {
            uint32_t to = bit_reversal(node);
            const struct transfer transfer = {node, to, (round == 0 ? node : to) + 1};
            const size_t index = schedule.transfer_count;
            support_true(to == node || (schedule_append(&schedule, transfer, &err) &&
                                        schedule_set_combining(&schedule, index,
                                                               round * COMBINING_REPLACE, &err)),
                         &err);
        }
        schedule_close_step(&schedule, 0);
    }
    const struct multistage net = multistage_omega(16);
    struct split_report report = check_schedule(&schedule, &net);
    assert_int_equal(report.rounds_split, 2);
    schedule_free(&schedule);
}

static void what_cannot_be_split_is_refused(void **state)
{
    (void)state;
    struct err err = {0};
    struct schedule schedule = {0}, split = {0};
    struct split_report report;
    const struct multistage net = multistage_omega(8);
    struct collective collective = {.n = 9, .m = 1, .model = MODEL_SEND_RECEIVE, .lambda = {1, 1}};
    support_schedule(support_algorithm("binomial"), &collective, &schedule);
    assert_false(split_schedule(&schedule, &net, &split, &report, &err));
    support_error(&err, ERR_TOO_SMALL,
                  "split: 9 nodes on a network of 8 ports; expected at least as many ports");
    schedule_free(&schedule);
    collective = (struct collective){.n = 8, .m = 1, .model = MODEL_POSTAL, .lambda = {3, 1}};
    support_schedule(support_algorithm("postal-bcast"), &collective, &schedule);
    assert_false(split_schedule(&schedule, &net, &split, &report, &err));
    support_error(
        &err, ERR_UNSUPPORTED,
        "split: the schedule has the model postal; expected a model of rounds whose packets "
        "the network neither copies nor combines");
    schedule_free(&schedule);
    collective = (struct collective){.n = 8, .m = 1, .model = MODEL_FABRIC_MULTICAST};
    support_schedule(support_algorithm("fabric-broadcast"), &collective, &schedule);
    assert_false(split_schedule(&schedule, &net, &split, &report, &err));
    support_error(&err, ERR_UNSUPPORTED, "split: the schedule has the model fabric-multicast");
    schedule_free(&schedule);
    static const char reduction[] =
        "roundcast-schedule 1\nalgorithm x\ntopology complete 4\nmodel fabric-reduction\n"
        "reduce 1 0 *\nround 1\n1 0 1\n2 0 1\n3 0 1\nend 1\n";
    support_true(support_read(reduction, "x.sched", &schedule, &err), &err);
    assert_false(split_schedule(&schedule, &net, &split, &report, &err));
    support_error(&err, ERR_UNSUPPORTED, "split: the schedule has the model fabric-reduction");
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm),
        cmocka_unit_test(rounds_by_hand),
        cmocka_unit_test(values_stay_in_time),
        cmocka_unit_test(results_keep_their_options),
        cmocka_unit_test(what_cannot_be_split_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
