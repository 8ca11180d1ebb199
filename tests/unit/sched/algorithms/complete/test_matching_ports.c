/* SPDX-License-Identifier: Apache-2.0 */
/* test_matching_ports: broadcasts and other collectives by nodes of several ports, and broadcasts
 * of packets whose number is not known.
 *
 * State space: algorithm × ports × n × m. Each schedule is played here, without the verifier: a
 * sender holds the packet that it sends, a node sends and receives no more packets in a round than
 * it has ports, and every packet arrives once at every node that wants it. The number of rounds is
 * compared with formulas: for n a power of k + 1 and for all n of at least 3k nodes of 2 ports,
 * ⌈(m-1)/k⌉ + ⌈log n / log (k+1)⌉; for all other n at most two more; for the other collectives
 * ⌈m(n-1)/k⌉, in the telephone model ⌈mn/k⌉ for odd n and k. Exhaustive for n ≤ 40, k ≤ 5; sampled
 * for more ports, including more ports than nodes.
 *
 * Streams: for all n ≤ 64 and m ≤ 40, with one port and with several, the schedule of m + 1 packets
 * transfers the first m packets in the same rounds as the schedule of m packets.
 *
 * Roles: for all n ≤ 200 and k ≤ 70 the sizes meet their definition, or there are none.
 *
 * Counter-cases: a schedule for k ports is rejected for k - 1 ports; roles with a changed size.
 */
#include "sched/algorithms/complete/ports_roles.h"
#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Plays a broadcast from node 0. Returns whether nodes with this number of ports can execute it. */
static bool plays(const struct schedule *schedule, uint32_t ports)
{
    size_t n = schedule->nodes, m = schedule->packets;
    uint64_t *arrived = calloc(n * (m + 1), sizeof *arrived);
    uint32_t *sent = calloc(2 * n, sizeof *sent), *received = sent + n;
    size_t receipts = 0;
    bool legal = true;
    for (size_t k = 0; k < schedule->step_count; k++) {
        uint64_t round = schedule->step[k].time;
        memset(sent, 0, 2 * n * sizeof *sent);
        for (size_t i = schedule->step[k].first; i < schedule_step_end(schedule, k); i++) {
            struct transfer now = schedule->transfer[i];
            uint64_t *to = &arrived[now.destination * (m + 1) + now.packet];
            uint64_t from = arrived[now.source * (m + 1) + now.packet];
            legal = legal && (now.source == 0 || (from > 0 && from < round)) &&
                    now.destination != 0 && *to == 0 && ++sent[now.source] <= ports &&
                    ++received[now.destination] <= ports;
            *to = round;
            receipts++;
        }
    }
    free(arrived);
    free(sent);
    return legal && receipts == (n - 1) * m;
}

static unsigned rounds_of_packet(uint32_t n, uint32_t ports)
{
    unsigned rounds = 0;
    for (uint64_t reached = 1; reached < n; reached *= ports + UINT64_C(1))
        rounds++;
    return rounds;
}

static bool is_power(uint32_t n, uint32_t of)
{
    while (n % of == 0)
        n /= of;
    return n == 1;
}

static void broadcast(const char *name, uint32_t n, uint32_t m, uint32_t ports)
{
    const struct algorithm *algorithm = support_algorithm(name);
    const struct collective asked = {
        .n = n, .m = m, .ports = ports, .model = MODEL_SEND_RECEIVE, .source = 0};
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(algorithm_build(algorithm, &asked, &schedule, &err), &err);
    if (!plays(&schedule, ports))
        fail_msg("%s of %u nodes, %u packets, %u ports", name, n, m, ports);
    assert_int_equal(schedule.end, algorithm_end(algorithm, &asked));
    assert_int_equal(schedule.ports, ports);
    if (strcmp(name, "matching") == 0) {
        uint64_t least = (m - 1 + ports - 1) / ports + rounds_of_packet(n, ports);
        uint64_t more = is_power(n, ports + 1) || (ports == 2 && n >= 6) ? 0 : 2;
        assert_true(schedule.end <= least + more);
    }
    schedule_free(&schedule);
}

static void test_matching(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 5; ports++)
        for (uint32_t n = 2; n <= 40; n++)
            for (uint32_t m = 1; m <= 13; m++)
                broadcast("matching", n, m, ports);
    static const uint32_t nodes[] = {2, 3, 8, 17, 64, 65, 81, 100, 257};
    static const uint32_t ports[] = {6, 7, 15, 16, 31, 100};
    for (size_t a = 0; a < sizeof nodes / sizeof *nodes; a++)
        for (size_t b = 0; b < sizeof ports / sizeof *ports; b++)
            for (uint32_t m = 1; m <= 3 * ports[b]; m += m < 4 ? 1 : ports[b] / 2)
                broadcast("matching", nodes[a], m, ports[b]);
}

/* For all other broadcasts, k ports take as many rounds as one port takes for ⌈m/k⌉ packets. */
static void test_stripes(void **state)
{
    (void)state;
    static const char *const names[] = {"binomial",  "path",      "binary-tree",
                                        "circulant", "fibonacci", "dary-trees"};
    for (size_t which = 0; which < sizeof names / sizeof *names; which++)
        for (uint32_t ports = 2; ports <= 4; ports++)
            for (uint32_t m = 1; m <= 9; m++) {
                broadcast(names[which], 13, m, ports);
                const struct algorithm *algorithm = support_algorithm(names[which]);
                struct collective asked = {
                    .n = 13, .m = m, .ports = ports, .model = MODEL_SEND_RECEIVE};
                uint64_t end = algorithm_end(algorithm, &asked);
                asked.m = (m + ports - 1) / ports;
                asked.ports = 1;
                if (algorithm->several_ports == 0)
                    assert_int_equal(end, algorithm_end(algorithm, &asked));
            }
}

static void test_too_few_ports(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 5; ports++) {
        const struct collective asked = {
            .n = 30, .m = 12, .ports = ports, .model = MODEL_SEND_RECEIVE};
        struct schedule schedule = {0};
        assert_true(algorithm_build(support_algorithm("matching"), &asked, &schedule, NULL));
        assert_true(plays(&schedule, ports));
        assert_false(plays(&schedule, ports - 1));
        schedule_free(&schedule);
    }
}

/* In the telephone model a node makes k calls in a round: all-gather and total exchange take as
 * many rounds as their receipts require, for even n and for even k. */
static void test_telephone(void **state)
{
    (void)state;
    static const char *const names[] = {"all-gather", "total-exchange", "matching", "binomial"};
    for (size_t which = 0; which < sizeof names / sizeof *names; which++)
        for (uint32_t n = 2; n <= 9; n++)
            for (uint32_t m = 1; m <= 4; m++)
                for (uint32_t ports = 2; ports <= 7; ports++) {
                    const struct collective asked = {
                        .n = n, .m = m, .ports = ports, .model = MODEL_TELEPHONE};
                    struct schedule schedule;
                    support_schedule(support_algorithm(names[which]), &asked, &schedule);
                    uint32_t calls = n % 2 != 0 && ports % 2 != 0 ? n : n - 1;
                    if (which < 2)
                        assert_int_equal(schedule.end, (m * calls + ports - 1) / ports);
                    schedule_free(&schedule);
                }
}

static void test_collectives(void **state)
{
    (void)state;
    static const char *const names[] = {"scatter", "gather", "all-gather", "total-exchange"};
    for (size_t which = 0; which < sizeof names / sizeof *names; which++)
        for (uint32_t n = 2; n <= 9; n++)
            for (uint32_t m = 1; m <= 4; m++)
                for (uint32_t ports = 2; ports <= 7; ports++) {
                    const struct algorithm *algorithm = support_algorithm(names[which]);
                    const struct collective asked = {
                        .n = n, .m = m, .ports = ports, .model = MODEL_SEND_RECEIVE};
                    struct schedule schedule;
                    support_schedule(algorithm, &asked, &schedule);
                    assert_int_equal(schedule.end, (m * (n - 1) + ports - 1) / ports);
                    for (size_t k = 0; k < schedule.step_count; k++)
                        for (uint32_t node = 0; node < n; node++) {
                            uint32_t sent = 0, received = 0;
                            size_t end = schedule_step_end(&schedule, k);
                            for (size_t i = schedule.step[k].first; i < end; i++) {
                                sent += schedule.transfer[i].source == node;
                                received += schedule.transfer[i].destination == node;
                            }
                            assert_in_range(sent, 0, ports);
                            assert_in_range(received, 0, ports);
                        }
                    schedule_free(&schedule);
                }
}

/* --- Streams -------------------------------------------------------------------------------- */

static void stream(uint32_t n, uint32_t m, uint32_t ports, enum model model,
                   struct schedule *schedule)
{
    const struct collective asked = {
        .n = n, .m = m, .ports = ports, .model = model, .stream = true};
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(algorithm_build(support_algorithm("matching"), &asked, schedule, &err), &err);
    assert_true(plays(schedule, ports));
    assert_int_equal(schedule->end, algorithm_end(support_algorithm("matching"), &asked));
}

/* Finds the step of a round; returns an empty range if the round has no step. */
static void step_of(const struct schedule *schedule, uint64_t round, size_t *first, size_t *end)
{
    *first = *end = 0;
    for (size_t k = 0; k < schedule->step_count; k++)
        if (schedule->step[k].time == round) {
            *first = schedule->step[k].first;
            *end = schedule_step_end(schedule, k);
        }
}

/* Checks that the transfers of `less` are those of `more`, in order, without its last packet. */
static void assert_restricted(const struct schedule *less, const struct schedule *more)
{
    for (uint64_t round = 1; round <= more->end; round++) {
        size_t a, b, a_end, b_end;
        step_of(less, round, &a, &a_end);
        step_of(more, round, &b, &b_end);
        for (; b < b_end; b++)
            if (more->transfer[b].packet != more->packets) {
                assert_true(a < a_end);
                assert_memory_equal(&less->transfer[a++], &more->transfer[b],
                                    sizeof *more->transfer);
            }
        assert_int_equal(a, a_end);
    }
}

static void play_streams(uint32_t n, uint32_t most, uint32_t ports, enum model model)
{
    struct schedule before = {0}, now;
    for (uint32_t m = 1; m <= most; m++) {
        stream(n, m, ports, model, &now);
        if (ports == 1)
            assert_int_equal(now.end, m + (n > 2 ? rounds_of_packet(n, 1) : 0));
        if (m > 1)
            assert_restricted(&before, &now);
        schedule_free(&before);
        before = now;
    }
    schedule_free(&before);
}

static void test_streams(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 64; n++) {
        play_streams(n, 40, 1, MODEL_SEND_RECEIVE);
        if (n % 2 == 0)
            play_streams(n, 40, 1, MODEL_TELEPHONE);
        if (n % 5 == 0)
            for (uint32_t ports = 2; ports <= 7; ports++)
                play_streams(n, 25, ports, MODEL_SEND_RECEIVE);
    }
}

/* If m is known, the transfers of a packet depend on m: the last packet is sent again. */
static void test_not_a_stream(void **state)
{
    (void)state;
    const struct algorithm *matching = support_algorithm("matching");
    struct collective asked = {.n = 22, .m = 8, .model = MODEL_SEND_RECEIVE};
    assert_int_equal(algorithm_end(matching, &asked), 12);
    asked.stream = true;
    assert_int_equal(algorithm_end(matching, &asked), 13);
    asked.model = MODEL_TELEPHONE;
    assert_int_equal(algorithm_end(matching, &asked), 13);
    struct err err = {0};
    asked.n = 23;
    assert_false(algorithm_check(matching, &asked, &err));
    support_error(&err, ERR_ALGORITHM, "requires the number of packets in advance");
    assert_false(algorithm_check(support_algorithm("circulant"), &asked, &err));
}

/* Returns whether the sizes are legal as ports_roles.h defines it. */
static bool are_legal(const struct ports_roles *roles)
{
    const uint64_t n = roles->nodes, k = roles->ports, relays = roles->relays;
    const unsigned last = roles->stages - 1;
    uint64_t nodes = relays, lacking = 0;
    bool legal = true;
    for (uint32_t c = 0; c < k; c++) {
        const struct ports_line *line = ports_roles_line(roles, c);
        uint64_t helping = 0;
        for (unsigned i = 0; i <= last; i++) {
            legal = legal && line->size[i] >= 1;
            nodes += line->size[i];
            if (i == last)
                break;
            helping += line->relay[i + 1];
            legal = legal && line->size[i] <= line->size[i + 1] &&
                    line->size[i + 1] + line->relay[i + 1] <= (k + 1) * line->size[i];
        }
        legal = legal && line->size[0] == 1 && (last == 0 || helping == relays);
        const uint64_t reached = (k + 1) * line->size[last];
        lacking += n - 1 - relays > reached ? n - 1 - relays - reached : 0;
    }
    return legal && nodes == n - 1 && lacking <= k * relays;
}

/* There are roles for n = k + 1 and, with at most two ports, for all n ≥ 3k. There are none for 15
 * nodes of 3 ports, just below a power of k + 1, and none with as many ports as nodes. */
static void test_roles(void **state)
{
    (void)state;
    struct ports_roles roles;
    unsigned found = 0;
    for (uint32_t k = 1; k <= 70; k++)
        for (uint32_t n = 1; n <= 200; n++) {
            const bool has = ports_roles(n, k, &roles);
            if (has && !are_legal(&roles))
                fail_msg("%u nodes of %u ports", n, k);
            if (n <= k)
                assert_false(has);
            else if (n == k + 1 || (k <= 2 && n >= 3 * k))
                assert_true(has);
            found += has && roles.relays > 0;
        }
    assert_true(found > 1000);
    assert_false(ports_roles(15, 3, &roles));
    assert_true(ports_roles(16, 3, &roles));
    roles.line[0].size[1]++; /* counter-case */
    assert_false(are_legal(&roles));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matching),      cmocka_unit_test(test_stripes),
        cmocka_unit_test(test_too_few_ports), cmocka_unit_test(test_collectives),
        cmocka_unit_test(test_telephone),     cmocka_unit_test(test_streams),
        cmocka_unit_test(test_not_a_stream),  cmocka_unit_test(test_roles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
