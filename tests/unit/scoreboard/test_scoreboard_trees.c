/* SPDX-License-Identifier: Apache-2.0 */
/* test_scoreboard_trees: the certificate of the arrivals of a run.
 *
 * No engine is used. The observations are constructed here: the reduction 2→0, 3→1 in round 1,
 * 1→0 in round 2, whose tree is ((0 2) (1 3)). Hashes are computed from trees written by hand, by
 * tests/support/tree_hash.h. The perfect run has the certificate of that tree. If a receipt is not
 * observed, or a round late, the certificate is that of the tree without it; a receipt that the
 * schedule does not predict gives another certificate than all these. A broadcast has none.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/scoreboard_play.h"
#include "tests/support/tree_hash.h"

enum { NODES = 4, FLITS = 2, RECEIPTS = 3 };

static const struct receipt {
    uint32_t round, node;
} receipts[RECEIPTS] = {{1, 0}, {1, 1}, {2, 0}};

static uint64_t due(const struct scoreboard_play *play, uint32_t round)
{
    return (uint64_t)round * play->job.image.run.row_cycles - 1;
}

/* Plays a run without receipt `lost`, if there is one. */
static struct scoreboard_play *play_without(void **state, unsigned lost)
{
    struct scoreboard_play *play = *state;
    scoreboard_play_begin(play, due(play, 2) + 1);
    for (unsigned k = 0; k < RECEIPTS; k++)
        if (k != lost)
            scoreboard_play_show(play, due(play, receipts[k].round), receipts[k].node, 1);
    return play;
}

static uint64_t certificate(struct scoreboard_play *play)
{
    scoreboard_play_judge(play);
    return play->report.certificate;
}

static void the_perfect_run(void **state)
{
    const uint64_t tree =
        hash_join(hash_join(hash_leaf(0), hash_leaf(2)), hash_join(hash_leaf(1), hash_leaf(3)));
    assert_true(certificate(play_without(state, RECEIPTS)) == hash_mix(tree));
}

static void receipts_that_are_missing(void **state)
{
    const uint64_t trees[RECEIPTS] = {
        hash_join(hash_leaf(0), hash_join(hash_leaf(1), hash_leaf(3))),
        hash_join(hash_join(hash_leaf(0), hash_leaf(2)), hash_leaf(1)),
        hash_join(hash_leaf(0), hash_leaf(2))};
    for (unsigned k = 0; k < RECEIPTS; k++)
        assert_true(certificate(play_without(state, k)) == hash_mix(trees[k]));
}

static void receipts_that_are_not_predicted(void **state)
{
    const uint64_t perfect = certificate(play_without(state, RECEIPTS));
    for (uint32_t round = 1; round <= 2; round++)
        for (uint64_t early = 1; early < 3; early++) {
            struct scoreboard_play *more = play_without(state, RECEIPTS);
            scoreboard_play_show(more, due(more, round) - early, 0, 1);
            assert_true(certificate(more) != perfect);
        }
    struct scoreboard_play *play = play_without(state, 2);
    const uint64_t lost = certificate(play);
    play = play_without(state, 2);
    scoreboard_play_show(play, due(play, 2) - 1, 0, 1); /* a cycle early */
    assert_true(certificate(play) != lost && certificate(play) != perfect);
}

/* Plays a run of a reduction alone, with a receipt in one cycle, and returns its certificate. */
static uint64_t certificate_of_one(const struct collective *asked, uint64_t early, uint32_t node,
                                   uint32_t packet)
{
    struct scoreboard_play *play = scoreboard_play_new();
    struct machine machine = support_machine(3, 1, 0);
    machine.combines = true;
    support_job(support_algorithm("reduce"), asked, &machine, FLITS, 1, &play->job);
    scoreboard_play_begin(play, due(play, 1) + 1);
    if (packet > 0)
        scoreboard_play_show(play, due(play, 1) - early, node, packet);
    const uint64_t seen = certificate(play);
    void *end = play;
    scoreboard_play_tear_down(&end);
    return seen;
}

/* Receipts of nodes and packets that the schedule does not have are in no tree. */
static void receipts_of_others(void **state)
{
    const struct collective two = {
        .kind = COLLECTIVE_REDUCE, .n = NODES, .m = 2, .model = MODEL_SEND_RECEIVE};
    for (uint32_t node = NODES; node < SCOREBOARD_PLAY_PORTS; node++)
        for (uint32_t packet = 1; packet <= 2; packet++)
            assert_true(certificate_of_one(&two, 1, node, packet) ==
                        certificate_of_one(&two, 1, 0, 0));
    const uint64_t perfect = certificate(play_without(state, RECEIPTS));
    for (uint32_t node = 0; node < SCOREBOARD_PLAY_PORTS; node++)
        for (uint32_t packet = 1; packet <= SCOREBOARD_PLAY_PACKETS; packet++) {
            struct scoreboard_play *play = play_without(state, RECEIPTS);
            scoreboard_play_show(play, due(play, 1) - 1, node, packet);
            assert_int_equal(certificate(play) == perfect, node >= NODES || packet > 1);
            assert_int_equal(play->report.wrong, 1);
        }
}

/* Node 1 receives from node 0 alone, a cycle early: what then arrives is no contribution of it. */
static void what_is_not_predicted_is_no_contribution(void **state)
{
    (void)state;
    const struct collective asked = {
        .kind = COLLECTIVE_REDUCE, .n = 2, .m = 1, .source = 1, .model = MODEL_SEND_RECEIVE};
    const uint64_t predicted = certificate_of_one(&asked, 0, 1, 1);
    assert_true(predicted == hash_mix(hash_join(hash_leaf(1), hash_leaf(0))));
    assert_true(certificate_of_one(&asked, 1, 1, 1) != predicted);
}

static void a_broadcast(void **state)
{
    (void)state;
    struct scoreboard_play *play = scoreboard_play_new();
    const struct collective asked = {.n = NODES, .m = 1, .model = MODEL_SEND_RECEIVE};
    const struct machine machine = support_machine(3, 1, 0);
    support_job(support_algorithm("path"), &asked, &machine, FLITS, 1, &play->job);
    scoreboard_play_begin(play, due(play, 3) + 1);
    for (uint32_t node = 1; node < NODES; node++)
        scoreboard_play_show(play, due(play, node), node, 1);
    assert_true(scoreboard_play_judge(play));
    assert_int_equal(play->report.certificate, 0);
    void *end = play;
    scoreboard_play_tear_down(&end);
}

static int set_up(void **state)
{
    struct scoreboard_play *play = scoreboard_play_new();
    const struct collective asked = {.n = NODES, .m = 1, .model = MODEL_SEND_RECEIVE};
    struct machine machine = support_machine(3, 1, 0);
    machine.combines = true;
    support_job(support_algorithm("reduce"), &asked, &machine, FLITS, 1, &play->job);
    *state = play;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_perfect_run),
        cmocka_unit_test(receipts_that_are_missing),
        cmocka_unit_test(receipts_that_are_not_predicted),
        cmocka_unit_test(receipts_of_others),
        cmocka_unit_test(what_is_not_predicted_is_no_contribution),
        cmocka_unit_test(a_broadcast),
    };
    return cmocka_run_group_tests(tests, set_up, scoreboard_play_tear_down);
}
