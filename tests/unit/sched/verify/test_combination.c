/* SPDX-License-Identifier: Apache-2.0 */
/* test_combination: certificates of the order in which contributions are combined.
 *
 * By hand: the hash of two small trees, by tests/support/tree_hash.h. Sums: all reductions of 2 … 9
 * nodes and 1 … 4 packets are played with random floating-point contributions, whose sums depend on
 * the order. Schedules with equal certificates have equal bits; packets and nodes that are reported
 * alike have equal bits, and those that are not differ for some contributions. Order: with
 * `same_trees` every algorithm, in every model and for every number of packets, has one
 * certificate. Counter-case: without it a certificate depends on the number of packets.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "sched/verify/combination.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_hash.h"

#include <stdio.h>
#include <string.h>

#define MOST_NODES 9
#define MOST_PACKETS 4

static struct schedule read_text(const char *body)
{
    char text[400];
    struct schedule schedule = {0};
    struct err err = {0};
    snprintf(text, sizeof text,
             "roundcast-schedule 1\nalgorithm x\ntopology complete 4\nmodel send-receive\n%s",
             body);
    FILE *file = fmemopen(text, strlen(text), "r");
    assert_non_null(file);
    support_true(schedule_read(file, "c.sched", &schedule, &err), &err);
    fclose(file);
    return schedule;
}

static void test_by_hand(void **state)
{
    (void)state;
    struct combination found;
    uint64_t leaf[4];
    for (uint64_t node = 0; node < 4; node++)
        leaf[node] = hash_leaf(node);
    struct schedule schedule =
        read_text("reduce 1 0 *\nround 1\n2 0 1\n3 1 1\nround 2\n1 0 1\nend 2\n");
    assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
    assert_int_equal(found.certificate,
                     hash_mix(hash_join(hash_join(leaf[0], leaf[2]), hash_join(leaf[1], leaf[3]))));
    schedule_free(&schedule);
    /* nodes 0 and 1 of three contributors have ((0 1) 2) and (0 (1 2)); node 3 replaces */
    schedule = read_text("reduce 1 * 0,1,2\nround 1\n1 0 1\n2 1 1\nround 2\n2 0 1\n1 3 1\nround "
                         "3\n0 2 1 replace\nround 4\n2 1 1 replace\n0 3 1 replace\nend 4\n");
    uint64_t tree = hash_join(hash_join(leaf[0], leaf[1]), leaf[2]), hash = 0;
    for (unsigned node = 0; node < 4; node++)
        hash = hash_mix(hash + tree);
    assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
    assert_int_equal(found.certificate, hash);
    assert_true(found.nodes_alike && found.packets_alike);
    schedule_free(&schedule);
    /* an exclusive scan: node 0 wants nothing, node 3 has ((2 1) 0) */
    schedule = read_text("reduce 1-2 exclusive *\nround 1\n0 1 1\nround 2\n1 2 1\n0 1 2\nround "
                         "3\n2 3 1\n1 2 2\nround 4\n2 3 2\nend 4\n");
    hash = hash_mix(0);
    hash = hash_mix(hash + leaf[0]);
    hash = hash_mix(hash + hash_join(leaf[0], leaf[1]));
    hash = hash_mix(hash + hash_join(hash_join(leaf[0], leaf[1]), leaf[2]));
    assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
    assert_int_equal(found.certificate, hash);
    schedule_free(&schedule);
    /* node 3 contributes to the first packet, and passes on the second */
    schedule = read_text("reduce 1 0 *\nreduce 2 0 1\nround 1\n2 0 1\n3 1 1\nround 2\n1 0 1\nround "
                         "3\n1 3 2\nround 4\n3 0 2\nend 4\n");
    tree = hash_join(hash_join(leaf[0], leaf[2]), hash_join(leaf[1], leaf[3]));
    assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
    assert_int_equal(found.certificate, hash_mix(hash_mix(tree) + hash_mix(leaf[1])));
    schedule_free(&schedule);
    /* node 2 passes on what it has received last, which replaces what it had received before */
    schedule = read_text("reduce 1 3 0,1\nround 1\n1 2 1\nround 2\n1 0 1\nround "
                         "3\n0 2 1 replace\nround 4\n2 3 1 received\nend 4\n");
    assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
    assert_int_equal(found.certificate, hash_mix(hash_join(leaf[0], leaf[1])));
    schedule_free(&schedule);
}

/* A packet with a single contributor needs no transfer: its result is the contribution, or, of an
 * exclusive scan, nothing. */
static void test_unsent(void **state)
{
    (void)state;
    uint64_t leaf[4];
    for (uint64_t node = 0; node < 4; node++)
        leaf[node] = hash_leaf(node);
    const uint64_t tree = hash_join(hash_join(leaf[0], leaf[2]), hash_join(leaf[1], leaf[3]));
    const struct {
        const char *text;
        uint64_t certificate;
    } cases[] = {{"reduce 1-2 2 2\nend 0\n", hash_mix(leaf[2])},
                 {"reduce 1-2 prefix 3\nend 0\n", hash_mix(leaf[3])},
                 {"reduce 1-2 exclusive 3\nend 0\n", hash_mix(0)},
                 {"reduce 1 0 *\nreduce 2 1 1\nround 1\n2 0 1\n3 1 1\nround 2\n1 0 1\nend 2\n",
                  hash_mix(hash_mix(tree) + hash_mix(leaf[1]))}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule = read_text(cases[which].text);
        struct combination found;
        struct verify_report report;
        struct err err = {0};
        support_true(verify_schedule("c.sched", &schedule, &report, &err), &err);
        assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
        assert_int_equal(found.certificate, cases[which].certificate);
        assert_true(found.nodes_alike && found.packets_alike);
        schedule_free(&schedule);
    }
}

/* Results of all packets at all nodes, as bits. */
struct sums {
    float all[MOST_PACKETS * MOST_NODES][MOST_NODES],
        received[MOST_PACKETS * MOST_NODES][MOST_NODES];
};

/* Plays a schedule of rounds: contributions of a node are the same for all packets. Nothing that
 * has been received is a negative zero, which changes no sum. */
static void play(const struct schedule *schedule, const float contribution[], struct sums *sums)
{
    static float sent[MOST_NODES * MOST_NODES];
    for (uint32_t packet = 0; packet < schedule->packets; packet++)
        for (uint32_t node = 0; node < schedule->nodes; node++) {
            sums->all[packet][node] = contribution[node];
            sums->received[packet][node] = -0.0f;
        }
    for (size_t k = 0; k < schedule->step_count; k++) {
        size_t first = schedule->step[k].first, end = schedule_step_end(schedule, k);
        for (size_t i = first; i < end; i++) {
            const struct transfer *now = &schedule->transfer[i];
            bool received = schedule_combining(schedule, i) & COMBINING_RECEIVED;
            sent[i - first] = received ? sums->received[now->packet - 1][now->source]
                                       : sums->all[now->packet - 1][now->source];
        }
        for (size_t i = first; i < end; i++) {
            const struct transfer *now = &schedule->transfer[i];
            float *all = &sums->all[now->packet - 1][now->destination];
            float *received = &sums->received[now->packet - 1][now->destination];
            bool replaces = schedule_combining(schedule, i) & COMBINING_REPLACE;
            *all = replaces ? sent[i - first] : *all + sent[i - first];
            *received = replaces ? sent[i - first] : *received + sent[i - first];
        }
    }
}

/* Returns whether the results of two packets, or at two nodes, have equal bits. */
static bool are_same(float one, float other)
{
    return memcmp(&one, &other, sizeof one) == 0;
}

static void draw(struct rng *rng, float contribution[])
{
    for (unsigned node = 0; node < MOST_NODES; node++)
        contribution[node] = (float)(rng_next(rng) % 1000003) / (float)(1 + rng_below(rng, 9999));
}

/* Plays one schedule of a demand with many contributions and compares its packets and nodes with
 * the report. */
static void check_alike(const struct schedule *schedule, const struct combination *found)
{
    static struct sums sums;
    struct rng rng = {schedule->transfer_count};
    float contribution[MOST_NODES];
    const struct demand *demand = &schedule->demand[0];
    bool nodes = true, packets = true, prefix = demand->reduction->prefix;
    for (unsigned run = 0; run < 300; run++) {
        draw(&rng, contribution);
        play(schedule, contribution, &sums);
        for (uint32_t packet = 0; packet < schedule->packets; packet++)
            for (uint32_t node = 0; node < schedule->nodes; node++) {
                bool wanted = demand->wanted_count == 0 || *demand->wanted == node;
                float(*result)[MOST_NODES] =
                    demand->reduction->exclusive ? sums.received : sums.all;
                packets = packets && (!wanted || are_same(result[0][node], result[packet][node]));
                nodes = nodes && (demand->wanted_count == 1 || prefix ||
                                  are_same(result[packet][0], result[packet][node]));
            }
    }
    assert_int_equal(nodes, found->nodes_alike);
    assert_int_equal(packets, found->packets_alike);
}

static void test_sums(void **state)
{
    (void)state;
    uint32_t alike = 0, different = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        bool rounds = (*entry)->models & 1u << MODEL_SEND_RECEIVE;
        if (!collective_rows[(*entry)->kind].combined || !rounds ||
            (*entry)->kind == COLLECTIVE_REDUCE_SCATTER)
            continue;
        for (uint32_t n = 2; n <= MOST_NODES; n++)
            for (uint32_t m = 1; m <= MOST_PACKETS; m++) {
                struct collective asked = {.n = n, .m = m, .model = MODEL_SEND_RECEIVE};
                struct schedule schedule = {0};
                struct combination found;
                if (!algorithm_build(*entry, &asked, &schedule, NULL))
                    continue;
                running("%s n=%u m=%u", (*entry)->name, n, m);
                assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, &found, NULL));
                check_alike(&schedule, &found);
                alike += found.nodes_alike && found.packets_alike;
                different += !found.nodes_alike || !found.packets_alike;
                schedule_free(&schedule);
            }
    }
    assert_true(alike > 100 && different > 50);
}

/* Returns the certificate of a schedule; 0 if the algorithm does not accept the collective. */
static uint64_t certificate_of(const struct algorithm *algorithm,
                               const struct collective *collective, struct combination *found)
{
    struct schedule schedule = {0};
    if (!algorithm_build(algorithm, collective, &schedule, NULL))
        return 0;
    assert_true(combination_of(&schedule, COMBINATION_ON_ARRIVAL, found, NULL));
    schedule_free(&schedule);
    return found->certificate;
}

static void test_order(void **state)
{
    (void)state;
    uint32_t kept = 0, changed = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (!collective_rows[(*entry)->kind].combined || (*entry)->topology != TOPOLOGY_COMPLETE)
            continue;
        for (unsigned which = 0; which < MODEL_COUNT * 12 * 2; which++) {
            struct collective asked = {.n = 2 + which % 12,
                                       .m = 1,
                                       .model = (enum model)(which / 12 % MODEL_COUNT),
                                       .lambda = {5, 2},
                                       .ports = 1 + which / 12 / MODEL_COUNT,
                                       .same_trees = true};
            struct combination found;
            uint64_t first = certificate_of(*entry, &asked, &found);
            running("%s %s n=%u ports=%u", (*entry)->name, model_name(asked.model), asked.n,
                    asked.ports);
            for (asked.m = 2; first != 0 && asked.m <= 9; asked.m++) {
                assert_int_equal(certificate_of(*entry, &asked, &found), first);
                assert_true(found.packets_alike && found.nodes_alike);
                kept++;
            }
            asked.same_trees = false;
            asked.m = 1;
            first = certificate_of(*entry, &asked, &found);
            asked.m = 5;
            changed += certificate_of(*entry, &asked, &found) != first;
        }
    }
    assert_true(kept > 500 && changed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_unsent), cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_order)};
    return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
