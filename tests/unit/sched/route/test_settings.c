/* SPDX-License-Identifier: Apache-2.0 */
/* test_settings: which rows share settings.
 *
 * State space. Rows by hand: equal, compatible, clashing at an input or an output, idle. Sampled
 * with a printed seed: rows of random partial permutations, against a first-fit that compares
 * circuits pair by pair; rounds of algorithms. For circulant, n = 2 … 200 and several m: exactly
 * ⌈log2 n⌉ settings, because the source sends in each round and repeats a receiver every ⌈log2 n⌉
 * rounds. Each row's circuits are searched for in its setting, transfer by transfer; in the postal
 * model, in all rows that a packet takes. Periods of all words of up to 9 letters from an alphabet
 * of three, compared with the definition.
 *
 * All pairs of maps of a network of four ports that copies, compared with the circuits that the
 * network would carry.
 *
 * Counter-cases. Rows that clash; a row that is not a partial permutation (E403); a setting with a
 * changed circuit, which no longer contains its rows.
 */
#include "sched/base/rng.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule_settings.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

#define SEED UINT64_C(20261122)
#define NONE UINT32_MAX

static struct machine machine_of(uint32_t ports)
{
    struct machine machine = support_machine(1, 1, 0);
    machine.network = multistage_benes(ports);
    return machine;
}

static void new_schedule(struct schedule *schedule, uint32_t nodes)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(support_broadcast(
                     schedule, "rows",
                     &(struct collective){.n = nodes, .m = 1, .model = MODEL_SEND_RECEIVE}, &err),
                 &err);
}

/* Appends a round, from 1, of `count` transfers {source, destination}. */
static void append_round(struct schedule *schedule, uint64_t round, const uint32_t pair[][2],
                         uint32_t count)
{
    struct err err = {0};
    struct transfer *transfer = schedule_open_step(schedule, round, count, &err);
    assert_non_null(transfer);
    for (uint32_t k = 0; k < count; k++)
        transfer[k] = (struct transfer){pair[k][0], pair[k][1], 1};
    schedule_close_step(schedule, count);
}

/* Returns the number of circuits of rows that are not in their settings. Checks that each setting
 * is a partial permutation. */
static uint64_t absent(const struct schedule *schedule, const struct settings *settings)
{
    uint64_t rows = model_has_times(schedule->model) ? schedule->lambda.denominator : 1,
             missing = 0;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            for (uint64_t row = schedule_row(schedule, k); row < schedule_row(schedule, k) + rows;
                 row++) {
                assert_true(row < settings->rows && settings->index[row] < settings->count);
                const uint32_t *to =
                    settings->circuit + (size_t)settings->index[row] * settings->circuits;
                missing += to[schedule->transfer[t].source] != schedule->transfer[t].destination;
            }
    for (uint32_t which = 0; which < settings->count; which++)
        for (uint32_t port = 0; port < settings->circuits; port++) {
            uint32_t output = settings->circuit[(size_t)which * settings->circuits + port];
            uint32_t input = settings->back[(size_t)which * settings->circuits + port];
            assert_true(output == NONE ||
                        settings->back[(size_t)which * settings->circuits + output] == port);
            assert_true(input == NONE ||
                        settings->circuit[(size_t)which * settings->circuits + input] == port);
        }
    return missing;
}

static void find(const struct schedule *schedule, uint32_t ports, struct settings *settings)
{
    struct err err = {0};
    const struct machine machine = machine_of(ports);
    support_true(settings_find(schedule, &machine, NULL, settings, &err), &err);
    assert_true(settings->rows == schedule->end && settings->circuits == ports);
    assert_int_equal(absent(schedule, settings), 0);
}

/* Rows 1 … 8 on 6 ports; row 5 is idle. */
static void rows_by_hand(void **state)
{
    (void)state;
    static const uint32_t first[][2] = {{0, 1}, {2, 3}}, compatible[][2] = {{4, 5}},
                          other_output[][2] = {{0, 2}}, other_input[][2] = {{3, 1}},
                          subset[][2] = {{2, 3}}, joint[][2] = {{3, 1}, {0, 2}};
    static const uint32_t index[] = {0, 0, 1, 1, 0, 0, 1, 0},
                          shared[] = {1, NONE, 3, NONE, 5, NONE},
                          second[] = {2, NONE, NONE, 1, NONE, NONE};
    struct schedule schedule;
    struct settings settings;
    new_schedule(&schedule, 6);
    append_round(&schedule, 1, first, 2);
    append_round(&schedule, 2, compatible, 1);
    append_round(&schedule, 3, other_output, 1); /* clashes at input 0 */
    /* conflicts at output 1, but not with the row before */
    append_round(&schedule, 4, other_input, 1);
    append_round(&schedule, 6, subset, 1);
    append_round(&schedule, 7, joint, 2);
    append_round(&schedule, 8, first, 2);
    find(&schedule, 6, &settings);
    assert_int_equal(settings.count, 2);
    assert_memory_equal(settings.index, index, sizeof index);
    assert_memory_equal(settings.circuit, shared, sizeof shared);
    assert_memory_equal(settings.circuit + 6, second, sizeof second);
    settings.circuit[2] = 4; /* counter-case: of rows 1, 6 and 8 */
    settings.back[3] = NONE, settings.back[4] = 2;
    assert_int_equal(absent(&schedule, &settings), 3);
    settings_free(&settings);
    schedule_free(&schedule);
}

/* In a network that copies, a sender with an additional circuit would send a copy over it. */
static void rows_of_a_network_that_copies(void **state)
{
    (void)state;
    static const uint32_t first[][2] = {{0, 1}, {0, 2}}, other_order[][2] = {{0, 2}, {0, 1}},
                          compatible[][2] = {{3, 0}}, subset[][2] = {{0, 2}},
                          more[][2] = {{0, 1}, {0, 2}, {0, 3}},
                          joint[][2] = {{0, 1}, {0, 2}, {3, 0}}, other_input[][2] = {{3, 1}};
    static const uint32_t index[] = {0, 0, 0, 1, 2, 0, 0, 1}, from[] = {3, 0, 0, NONE};
    struct schedule schedule = {0};
    struct settings settings;
    struct err err = {0};
    const struct machine machine = {.network = multistage_multicast(4), .pipe = 1};
    support_true(support_broadcast(
                     &schedule, "settings",
                     &(struct collective){.n = 4, .m = 1, .model = MODEL_FABRIC_MULTICAST}, &err),
                 &err);
    append_round(&schedule, 1, first, 2);
    append_round(&schedule, 2, other_order, 2);
    append_round(&schedule, 3, compatible, 1);
    append_round(&schedule, 4, subset, 1);
    append_round(&schedule, 5, more, 3);
    append_round(&schedule, 6, first, 2);
    append_round(&schedule, 7, joint, 3);
    append_round(&schedule, 8, other_input, 1);
    support_true(settings_find(&schedule, &machine, NULL, &settings, &err), &err);
    assert_int_equal(settings.count, 3);
    assert_memory_equal(settings.index, index, sizeof index);
    assert_memory_equal(settings.circuit, from, sizeof from);
    settings_free(&settings);
    schedule_free(&schedule);
    support_true(support_broadcast(
                     &schedule, "settings",
                     &(struct collective){.n = 4, .m = 1, .model = MODEL_FABRIC_MULTICAST}, &err),
                 &err);
    append_round(&schedule, 1, (const uint32_t[][2]){{0, 1}, {2, 1}}, 2);
    assert_false(settings_find(&schedule, &machine, NULL, &settings, &err));
    support_error(&err, ERR_NOT_PERMUTATION, "round 1: ", "node 1 receives twice",
                  "one packet for each node");
    schedule_free(&schedule);
}

/* Decodes map number `map` into from[4]: its digit for each output is the distance to the output's
 * sender; 0: the output is idle. */
static void digits(uint32_t map, uint32_t from[4])
{
    for (uint32_t port = 0; port < 4; port++, map /= 4)
        from[port] = map % 4 == 0 ? NONE : (port + map) % 4;
}

/* Returns whether a network set to all[4] carries exactly the row if only the senders of the row
 * send. */
static bool carries(const uint32_t all[4], const uint32_t row[4])
{
    for (uint32_t port = 0; port < 4; port++) {
        bool sent = false;
        for (uint32_t other = 0; other < 4; other++)
            sent = sent || (all[port] != NONE && row[other] == all[port]);
        if ((sent ? all[port] : NONE) != row[port])
            return false;
    }
    return true;
}

static void append_map(struct schedule *schedule, uint64_t round, const uint32_t from[4])
{
    uint32_t pair[4][2], count = 0;
    for (uint32_t sender = 0; sender < 4; sender++)
        for (uint32_t port = 0; port < 4; port++)
            if (from[port] == sender)
                memcpy(pair[count++], (const uint32_t[2]){sender, port}, sizeof *pair);
    append_round(schedule, round, (const uint32_t(*)[2])pair, count);
}

/* All pairs of maps of a network that copies, one round each: they share a setting if their union
 * carries each of them; a machine that holds settings then reconfigures or not. */
static void pairs_of_a_network_that_copies(void **state)
{
    (void)state;
    const struct machine machine = {.network = multistage_multicast(4), .pipe = 1};
    unsigned shared = 0;
    for (uint32_t pair = 0; pair < 1u << 16; pair++) {
        uint32_t one[4], other[4], all[4], setting_changes[2];
        struct schedule schedule = {0};
        struct settings settings;
        struct err err = {0};
        if ((pair & 255) == 0 || pair >> 8 == 0)
            continue; /* nothing is sent */
        digits(pair & 255, one);
        digits(pair >> 8, other);
        for (uint32_t port = 0; port < 4; port++)
            all[port] = one[port] != NONE ? one[port] : other[port];
        bool share = carries(all, one) && carries(all, other);
        support_true(
            support_broadcast(&schedule, "maps",
                              &(struct collective){.n = 4, .m = 1, .model = MODEL_FABRIC_MULTICAST},
                              &err),
            &err);
        append_map(&schedule, 1, one);
        append_map(&schedule, 2, other);
        support_true(settings_find(&schedule, &machine, NULL, &settings, &err), &err);
        assert_int_equal(settings.count, share ? 1 : 2);
        support_true(schedule_setting_changes(&schedule, &machine.network, setting_changes, &err),
                     &err);
        assert_int_equal(setting_changes[1], share ? 1 : 2);
        shared += share;
        settings_free(&settings);
        schedule_free(&schedule);
    }
    print_message("%u pairs share\n", shared);
    assert_true(shared > 255); /* more than equal ones */
}

/* Returns whether two circuits of an omega network of 8 ports meet at a port or leave a stage by
 * the same link. The number of a link consists of the last bits of the input, one for each later
 * stage, and the first bits of the output, one for each earlier stage (Lawrie). */
static bool omega_meet(const uint32_t one[2], const uint32_t other[2])
{
    bool meet = false;
    for (unsigned stage = 0; stage <= 3; stage++)
        meet |= ((one[0] << stage | one[1] >> (3 - stage)) & 7) ==
                ((other[0] << stage | other[1] >> (3 - stage)) & 7);
    return meet;
}

/* All pairs of circuits of a network that blocks, one round each: they share a setting if they are
 * equal or do not meet; in one round they pass or are rejected. */
static void rows_of_a_network_that_blocks(void **state)
{
    (void)state;
    struct machine machine = machine_of(8);
    struct err err = {0};
    machine.network = multistage_omega(8);
    for (uint32_t pair = 0; pair < 1u << 12; pair++) {
        const uint32_t one[2] = {pair & 7, pair >> 3 & 7}, other[2] = {pair >> 6 & 7, pair >> 9};
        const bool same = one[0] == other[0] && one[1] == other[1];
        struct schedule rounds, round;
        struct settings settings;
        if (one[0] == one[1] || other[0] == other[1])
            continue; /* no node sends to itself */
        new_schedule(&rounds, 8);
        append_round(&rounds, 1, &one, 1);
        append_round(&rounds, 2, &other, 1);
        support_true(settings_find(&rounds, &machine, NULL, &settings, &err), &err);
        assert_null(settings.passes);
        assert_int_equal(settings.count, same || !omega_meet(one, other) ? 1 : 2);
        assert_int_equal(settings.circuit[one[0]], one[1]);
        assert_int_equal(settings.circuit[(settings.count - 1) * 8 + other[0]], other[1]);
        settings_free(&settings);
        schedule_free(&rounds);
        if (one[0] == other[0] || one[1] == other[1])
            continue;
        new_schedule(&round, 8);
        append_round(&round, 1, (const uint32_t[][2]){{one[0], one[1]}, {other[0], other[1]}}, 2);
        if (settings_find(&round, &machine, NULL, &settings, &err)) {
            assert_false(omega_meet(one, other));
            settings_free(&settings);
        } else {
            assert_true(omega_meet(one, other));
            support_error(&err, ERR_BLOCKED, "round 1: ", "");
            err = (struct err){0};
        }
        schedule_free(&round);
    }
}

/* Checks that a faulty round after a good one is rejected with this message. */
static void refused(const uint32_t good[2], const uint32_t bad[][2], const char *what)
{
    struct schedule schedule;
    struct settings settings;
    struct err err = {0};
    const struct machine machine = machine_of(6);
    new_schedule(&schedule, 6);
    append_round(&schedule, 1, (const uint32_t[][2]){{good[0], good[1]}}, 1);
    append_round(&schedule, 2, bad, 2);
    assert_false(settings_find(&schedule, &machine, NULL, &settings, &err));
    support_error(&err, ERR_NOT_PERMUTATION, "round 2: ", what, "expected a partial permutation");
    assert_true(settings.index == NULL && settings.circuit == NULL && settings.back == NULL);
    schedule_free(&schedule);
}

static void a_source_twice_is_refused(void **state)
{
    (void)state;
    refused((const uint32_t[]){4, 5}, (const uint32_t[][2]){{0, 2}, {0, 1}}, "node 0 sends twice");
    refused((const uint32_t[]){0, 2}, (const uint32_t[][2]){{0, 2}, {0, 2}}, "node 0 sends twice");
}

/* The error is the same whether or not the round conflicts with the one before. */
static void a_destination_twice_is_refused(void **state)
{
    (void)state;
    const uint32_t bad[][2] = {{0, 2}, {1, 2}};
    refused((const uint32_t[]){0, 3}, bad, "ports 0 and 1 both send to port 2");
    refused((const uint32_t[]){0, 2}, bad, "ports 0 and 1 both send to port 2");
    refused((const uint32_t[]){4, 5}, bad, "ports 0 and 1 both send to port 2");
}

static bool same_port(const uint32_t a[2], const uint32_t b[2])
{
    return (a[0] == b[0]) != (a[1] == b[1]);
}

enum { RANDOM_ROWS = 60, RANDOM_PORTS = 12 };

/* First-fit by definition: a row joins the first set of rows in which no circuit conflicts with its
 * own. Circuits of row r are pair[r][0 … count[r]-1]. Returns the number of sets. */
static uint32_t first_fit(const uint32_t pair[][RANDOM_PORTS][2], const uint32_t count[],
                          uint32_t index[])
{
    uint32_t sets = 0;
    for (uint32_t row = 0; row < RANDOM_ROWS; row++) {
        uint32_t which = 0;
        for (uint32_t before = 0; which < sets && before < row; before++)
            for (uint32_t k = 0; k < count[row] * count[before]; k++)
                if (index[before] == which &&
                    same_port(pair[row][k / count[before]], pair[before][k % count[before]])) {
                    which++;
                    before = UINT32_MAX; /* from the first row on, with the next set */
                    break;
                }
        index[row] = which;
        sets += which == sets;
    }
    return sets;
}

static void random_rows(void **state)
{
    (void)state;
    static uint32_t pair[RANDOM_ROWS][RANDOM_PORTS][2];
    struct rng rng = {SEED};
    uint64_t shared = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t sample = 0; sample < 300; sample++) {
        uint32_t ports = 2 + rng_below(&rng, RANDOM_PORTS - 1), count[RANDOM_ROWS] = {0},
                 index[RANDOM_ROWS];
        struct schedule schedule;
        struct settings settings;
        new_schedule(&schedule, ports);
        for (uint32_t row = 0; row < RANDOM_ROWS; row++) {
            uint32_t to[RANDOM_PORTS], most = 1 + rng_below(&rng, 1 + sample % ports);
            rng_permutation(&rng, ports, to);
            for (uint32_t port = 0; port < ports; port++)
                if (to[port] != port && count[row] < most)
                    memcpy(pair[row][count[row]++], (const uint32_t[2]){port, to[port]},
                           sizeof *pair[row]);
            if (count[row] == 0)
                memcpy(pair[row][count[row]++], (const uint32_t[2]){0, 1}, sizeof *pair[row]);
            append_round(&schedule, row + 1, (const uint32_t(*)[2])pair[row], count[row]);
        }
        find(&schedule, ports, &settings);
        assert_int_equal(settings.count,
                         first_fit((const uint32_t(*)[RANDOM_PORTS][2])pair, count, index));
        assert_memory_equal(settings.index, index, sizeof index);
        shared += RANDOM_ROWS - settings.count;
        settings_free(&settings);
        schedule_free(&schedule);
    }
    assert_true(shared > 1000);
}

static void circulant_needs_log_n(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 5, 30};
    for (uint32_t n = 2; n <= 200; n++)
        for (unsigned m = 0; m < 4; m++) {
            struct schedule schedule;
            struct settings settings;
            uint32_t needed = 0;
            while (UINT32_C(1) << needed < n)
                needed++;
            support_schedule(
                support_algorithm("circulant"),
                &(struct collective){
                    .n = n, .m = packets[m], .source = n * 2 / 3, .model = MODEL_SEND_RECEIVE},
                &schedule);
            find(&schedule, n + n % 3, &settings);
            assert_int_equal(settings.count, needed);
            settings_free(&settings);
            schedule_free(&schedule);
        }
}

/* Other algorithms, including postal ones with packets of up to three rows: no more settings than
 * rows, and each row's circuits are in its setting. */
static void rounds_of_algorithms(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {5, 2}, {7, 3}};
    unsigned tried = 0, postal = 0;
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm != NULL;
         algorithm++)
        for (uint32_t n = 2; n <= 40; n += 1 + n % 5) {
            struct schedule schedule;
            struct settings settings;
            const struct collective asked = {
                .n = n, .m = 4, .model = algorithm_model(*algorithm), .lambda = lambdas[n % 3]};
            if ((*algorithm)->topology != TOPOLOGY_COMPLETE || model_copies(asked.model) ||
                !algorithm_check(*algorithm, &asked, NULL))
                continue;
            support_schedule(*algorithm, &asked, &schedule);
            find(&schedule, n, &settings);
            assert_true(settings.count >= 1 && settings.count <= settings.rows);
            tried++, postal += model_has_times(asked.model) && asked.lambda.denominator > 1;
            settings_free(&settings);
            schedule_free(&schedule);
        }
    assert_true(tried > 50 && postal > 10);
}

/* -- Periods ----------------------------------------------------------------------------------- */

static uint32_t period_of(const uint64_t word[], uint32_t count)
{
    for (uint32_t period = 1;; period++) {
        bool repeats = true;
        for (uint32_t at = 0; at + period < count; at++)
            repeats = repeats && word[at] == word[at + period];
        if (repeats)
            return period;
    }
}

static void all_periods(void **state)
{
    (void)state;
    uint32_t seen[10] = {0}, words = 0;
    for (uint32_t count = 0, all = 1; count <= 9; count++, all *= 3)
        for (uint32_t number = 0; number < all; number++, words++) {
            uint64_t word[9] = {0};
            for (uint32_t at = 0, rest = number; at < count; at++, rest /= 3)
                word[at] = rest % 3;
            uint32_t period = settings_period(word, count);
            assert_int_equal(period, period_of(word, count));
            seen[period]++;
        }
    assert_int_equal(words, 29524);       /* (3^10 - 1) / 2 */
    assert_int_equal(seen[1], 1 + 9 * 3); /* of a single letter only */
    assert_true(seen[9] > 0 && seen[0] == 0);
    assert_int_equal(settings_period((const uint64_t[]){0, 1, 0, 0, 1, 0, 0, 1}, 8), 3);
    assert_int_equal(settings_period((const uint64_t[]){0, 1, 0, 0, 1, 0, 0, 2}, 8), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_hand),
        cmocka_unit_test(rows_of_a_network_that_copies),
        cmocka_unit_test(pairs_of_a_network_that_copies),
        cmocka_unit_test(rows_of_a_network_that_blocks),
        cmocka_unit_test(a_source_twice_is_refused),
        cmocka_unit_test(a_destination_twice_is_refused),
        cmocka_unit_test(random_rows),
        cmocka_unit_test(circulant_needs_log_n),
        cmocka_unit_test(rounds_of_algorithms),
        cmocka_unit_test(all_periods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
