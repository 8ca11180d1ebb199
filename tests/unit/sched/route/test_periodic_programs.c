/* SPDX-License-Identifier: Apache-2.0 */
/* test_periodic_programs: programs from which endpoints compute their packets.
 *
 * State space. Exhaustive: circulant for n = 1 … 64 and all m = 1 … 3q, q = ⌈log2 n⌉. The packets
 * that each node sends and receives in each row are computed here from the entries, by the rule of
 * machine.h, and match the schedule; and the words of an image's entries, on the smallest machine
 * that holds it, mean the same. The entries for n = 8 are compared with the table of Träff's paper
 * in algorithms/circulant.c.
 *
 * Some schedules of binomial trees and matching also repeat, n = 3 … 40, m = 1 … 12: the test
 * determines which by trying all entries.
 *
 * A single packet in one round of 1 … 200, among 5 nodes, on machines of 16 and of 128 packets; and
 * one packet in each of up to 200 rounds: the words determine whether entries have enough bits, as
 * their base has as many bits as the machine's counter.
 *
 * Counter-cases. Schedules that do not repeat are rejected (E409), and so are schedules of the
 * postal model, and circulant with any one transfer omitted or carrying another packet.
 */
#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"
#include "sched/route/setting_period.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

enum { SEND, RECEIVE, DIRECTIONS, MOST_NODES = 64, MOST_ROWS = 80 };

static void build(const char *name, enum model model, uint32_t n, uint32_t m, uint32_t source,
                  struct schedule *schedule)
{
    const struct collective asked = {
        .n = n, .m = m, .source = source, .model = model, .lambda = {2, 1}};
    support_schedule(support_algorithm(name), &asked, schedule);
}

static uint32_t log2_of(uint32_t n)
{
    uint32_t q = 0;
    while (UINT32_C(1) << q < n)
        q++;
    return q;
}

/* Computes the packets that every node sends and receives in a row: packet[direction][node], from
 * 1; 0: none. */
static void packets_of_row(const struct schedule *schedule, uint64_t row,
                           uint32_t packet[DIRECTIONS][MOST_NODES])
{
    memset(packet, 0, sizeof(uint32_t[DIRECTIONS][MOST_NODES]));
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first;
             schedule->step[k].time == row + 1 && t < schedule_step_end(schedule, k); t++) {
            packet[SEND][schedule->transfer[t].source] = schedule->transfer[t].packet;
            packet[RECEIVE][schedule->transfer[t].destination] = schedule->transfer[t].packet;
        }
}

/* Returns the packet of an entry, from 1, in a turn. */
static uint32_t packet_of(int32_t offset, int64_t repetition, int64_t period, int64_t packets)
{
    if (offset == PERIODIC_PROGRAMS_NONE || offset + repetition * period < 0)
        return 0;
    int64_t packet = offset + repetition * period;
    return (uint32_t)((packet < packets ? packet : packets - 1) + 1);
}

/* Returns the same for the word of an image. */
static uint32_t packet_of_word(const struct machine *machine, int32_t offset, uint32_t base,
                               uint32_t packets)
{
    uint32_t entry = offset == PERIODIC_PROGRAMS_NONE ? 0 : machine_offset_word(machine, offset);
    uint32_t word = machine_computed(machine, entry, base, packets);
    assert_true((word == 0) == !(word & MACHINE_VALID));
    return word == 0 ? 0 : (word & ~MACHINE_VALID) + 1;
}

/* Returns the number of packets, over all rows, that differ from the schedule's; `seen` counts all
 * packets. */
static uint64_t differ(const struct schedule *schedule, const struct periodic_programs *computed,
                       uint64_t *seen)
{
    const struct machine machine = {
        .log2_packets = schedule->packets < 3 ? 1 : log2_of(schedule->packets),
        .log2_period = computed->period < 3 ? 1 : log2_of(computed->period)};
    uint64_t differing = 0;
    for (uint64_t row = 0; row < schedule->end; row++) {
        uint32_t expected[DIRECTIONS][MOST_NODES];
        uint64_t setting_phase = (computed->first + row) % computed->period,
                 repetition = (computed->first + row) / computed->period;
        packets_of_row(schedule, row, expected);
        for (int direction = 0; direction < DIRECTIONS; direction++)
            for (uint32_t node = 0; node < schedule->nodes; node++) {
                int32_t offset =
                    computed->offset[direction][setting_phase * schedule->nodes + node];
                uint32_t packet =
                    packet_of(offset, (int64_t)repetition, computed->period, schedule->packets);
                uint32_t word = packet_of_word(
                    &machine, offset, (uint32_t)repetition * computed->period, schedule->packets);
                differing +=
                    packet != expected[direction][node] || word != expected[direction][node];
                *seen += expected[direction][node] != 0;
            }
    }
    return differing;
}

static void check_circulant(uint32_t n, uint32_t m, uint32_t source)
{
    struct schedule schedule;
    struct periodic_programs computed;
    struct err err = {0};
    uint64_t seen = 0;
    build("circulant", MODEL_SEND_RECEIVE, n, m, source, &schedule);
    support_true(periodic_programs_find(&schedule, &computed, &err), &err);
    assert_int_equal(computed.nodes, n);
    assert_int_equal(computed.period, n == 1 ? 1 : log2_of(n));
    assert_int_equal((computed.first + m - 1) % computed.period, 0);
    assert_true(computed.first < computed.period);
    assert_int_equal(differ(&schedule, &computed, &seen), 0);
    assert_int_equal(seen, (uint64_t)DIRECTIONS * (n - 1) * m);
    for (size_t entry = 0; n > 1 && entry < (size_t)computed.period * n; entry++)
        if (computed.offset[RECEIVE][entry] !=
            PERIODIC_PROGRAMS_NONE) { /* counter-case: one packet on */
            computed.offset[RECEIVE][entry] += m > 1 ? -1 : INT16_MIN;
            assert_true(differ(&schedule, &computed, &seen) > 0);
            computed.offset[RECEIVE][entry] -= m > 1 ? -1 : INT16_MIN;
            entry += 7; /* some of them */
        }
    periodic_programs_free(&computed);
    assert_true(computed.offset[SEND] == NULL && computed.offset[RECEIVE] == NULL);
    schedule_free(&schedule);
}

static void all_of_circulant(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_NODES; n++)
        for (uint32_t m = 1; m <= 3 * (n < 3 ? 1 : log2_of(n)); m++)
            check_circulant(n, m, n * 2 / 3);
}

/* m = 9: x = 1 round is omitted, so that row 0 is of kind 1 and packet p of a setting phase is p -
 * x. */
static void eight_nodes_by_hand(void **state)
{
    (void)state;
    enum { _ = INT32_MAX };
    static const int32_t receive[3][8] = {
        {_, 0, -3, -2, -3, -1, -3, -2}, {_, -2, 1, 0, -2, -2, -1, -1}, {_, -1, -1, -1, 2, 0, 1, 0}};
    static const uint32_t skip[] = {1, 2, 4};
    struct schedule schedule;
    struct periodic_programs computed;
    struct err err = {0};
    build("circulant", MODEL_SEND_RECEIVE, 8, 9, 0, &schedule);
    support_true(periodic_programs_find(&schedule, &computed, &err), &err);
    assert_true(computed.period == 3 && computed.first == 1);
    for (uint32_t setting_phase = 0; setting_phase < 3; setting_phase++)
        for (uint32_t node = 0; node < 8; node++) {
            int32_t expected = receive[setting_phase][node] == _ ? PERIODIC_PROGRAMS_NONE
                                                                 : receive[setting_phase][node] - 1;
            assert_int_equal(computed.offset[RECEIVE][setting_phase * 8 + node], expected);
            assert_int_equal(
                computed.offset[SEND][setting_phase * 8 + (node + 8 - skip[setting_phase]) % 8],
                expected);
        }
    periodic_programs_free(&computed);
    schedule_free(&schedule);
}

/* Returns whether some entry for a node and setting phase gives the packets that the node sends, or
 * receives, in all rows. Tries all entries. */
static bool has_entry(const struct schedule *schedule, const uint32_t packet[], uint32_t period,
                      uint32_t first, uint32_t setting_phase)
{
    const int32_t least = -(int32_t)schedule->end - (int32_t)period;
    for (int32_t offset = least; offset <= (int32_t)schedule->packets; offset++) {
        bool matches = true;
        for (uint32_t row = (setting_phase + period - first) % period;
             matches && row < schedule->end; row += period)
            matches = packet[row] == packet_of(offset == least ? PERIODIC_PROGRAMS_NONE : offset,
                                               (first + row) / period, period, schedule->packets);
        if (matches)
            return true;
    }
    return false;
}

/* Returns whether the schedule has computed programs. */
static bool repeats(const struct schedule *schedule)
{
    static uint32_t packet[DIRECTIONS][MOST_NODES][MOST_ROWS];
    uint32_t period = log2_of(schedule->nodes), first = 0;
    assert_true(schedule->end <= MOST_ROWS);
    while ((first + schedule->packets - 1) % period != 0)
        first++;
    for (uint32_t row = 0; row < schedule->end; row++) {
        uint32_t all[DIRECTIONS][MOST_NODES];
        packets_of_row(schedule, row, all);
        for (uint32_t k = 0; k < DIRECTIONS * schedule->nodes; k++)
            packet[k % DIRECTIONS][k / DIRECTIONS][row] = all[k % DIRECTIONS][k / DIRECTIONS];
    }
    for (uint32_t k = 0; k < DIRECTIONS * schedule->nodes; k++)
        for (uint32_t setting_phase = 0; setting_phase < period; setting_phase++)
            if (!has_entry(schedule, packet[k % DIRECTIONS][k / DIRECTIONS], period, first,
                           setting_phase))
                return false;
    return true;
}

static void found(const struct schedule *schedule)
{
    struct periodic_programs computed;
    struct err err = {0};
    uint64_t seen = 0;
    support_true(periodic_programs_find(schedule, &computed, &err), &err);
    assert_int_equal(differ(schedule, &computed, &seen), 0);
    assert_int_equal(seen, DIRECTIONS * schedule->transfer_count);
    periodic_programs_free(&computed);
}

static void refused(const struct schedule *schedule)
{
    struct periodic_programs computed;
    struct err err = {0};
    assert_false(periodic_programs_find(schedule, &computed, &err));
    support_error(&err, ERR_IRREGULAR, "programs: ", "expected ");
    assert_true(computed.offset[SEND] == NULL && computed.offset[RECEIVE] == NULL);
}

/* Some schedules repeat: binomial trees for two packets, matching for n = 3, 4 and 5. */
static void other_algorithms(void **state)
{
    (void)state;
    struct schedule schedule;
    unsigned count[2] = {0};
    for (uint32_t n = 3; n <= 40; n++)
        for (uint32_t m = 1; m <= 12; m++)
            for (int which = 0; which < 2; which++) {
                build(which ? "matching" : "binomial", MODEL_SEND_RECEIVE, n, m, 0, &schedule);
                bool has = repeats(&schedule);
                has ? found(&schedule) : refused(&schedule);
                count[has]++;
                schedule_free(&schedule);
            }
    print_message("%u schedules repeat, %u do not\n", count[true], count[false]);
    assert_true(count[true] > 100 && count[false] > 400);
    build("matching", MODEL_SEND_RECEIVE, 22, 8, 0, &schedule);
    refused(&schedule);
    schedule_free(&schedule);
    build("postal-bcast", MODEL_POSTAL, 8, 1, 0, &schedule);
    refused(&schedule);
    schedule_free(&schedule);
}

/* Copies a schedule with the packet of one transfer changed; 0: with that transfer omitted. */
static void copy_but(const struct schedule *from, size_t which, uint32_t packet,
                     struct schedule *to)
{
    struct err err = {0};
    *to = (struct schedule){0};
    support_true(
        support_broadcast(
            to, "copy",
            &(struct collective){.n = from->nodes, .m = from->packets, .model = MODEL_SEND_RECEIVE},
            &err),
        &err);
    for (size_t k = 0; k < from->step_count; k++) {
        struct transfer *room = schedule_open_step(to, from->step[k].time, from->nodes, &err);
        size_t count = 0;
        assert_non_null(room);
        for (size_t t = from->step[k].first; t < schedule_step_end(from, k); t++) {
            room[count] = from->transfer[t];
            room[count].packet = t == which ? packet : room[count].packet;
            count += t != which || packet != 0;
        }
        schedule_close_step(to, count);
    }
}

/* m = 4q: the packets of the same node in two other repetitions reveal any change. */
static void one_transfer_off_is_refused(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (uint32_t n = 3; n <= 13; n++) {
        struct schedule schedule, changed;
        struct periodic_programs computed;
        struct err err = {0};
        build("circulant", MODEL_SEND_RECEIVE, n, 4 * log2_of(n), 0, &schedule);
        for (size_t t = 0; t < schedule.transfer_count; t++)
            for (uint32_t packet = 0; packet <= schedule.packets; packet++) {
                copy_but(&schedule, t, packet, &changed);
                assert_int_equal(changed.end, schedule.end);
                /* the unchanged copy is accepted */
                if (packet == schedule.transfer[t].packet) {
                    support_true(periodic_programs_find(&changed, &computed, &err), &err);
                    periodic_programs_free(&computed);
                } else {
                    refused(&changed);
                    tried++;
                }
                schedule_free(&changed);
            }
        schedule_free(&schedule);
    }
    print_message("%u changes\n", tried);
    assert_true(tried > 10000);
}

/* The same with a transfer moved to another node that sends nothing in that round: all nodes
 * receive the same packets, and the error names the correct packet of that round. */
static void another_sender_is_refused(void **state)
{
    (void)state;
    struct schedule schedule;
    unsigned tried = 0;
    build("circulant", MODEL_SEND_RECEIVE, 6, 12, 0, &schedule);
    for (size_t k = 0; k < schedule.step_count; k++)
        for (size_t t = schedule.step[k].first; t < schedule_step_end(&schedule, k); t++) {
            const struct transfer kept = schedule.transfer[t];
            uint32_t sends[DIRECTIONS][MOST_NODES], seen[DIRECTIONS][MOST_NODES];
            packets_of_row(&schedule, schedule.step[k].time - 1, sends);
            for (uint32_t node = 0; node < 6; node++) {
                struct periodic_programs computed;
                struct err err = {0};
                unsigned round, teller, would, not ;
                char verb[8];
                if (sends[SEND][node] != 0 || node == kept.destination)
                    continue;
                schedule.transfer[t].source = node;
                assert_false(periodic_programs_find(&schedule, &computed, &err));
                assert_int_equal(err.code, ERR_IRREGULAR);
                assert_int_equal(sscanf(err.text,
                                        "programs: in round %u node %u would %7s packet %u, "
                                        "not %u",
                                        &round, &teller, verb, &would, &not ),
                                 5);
                packets_of_row(&schedule, round - 1, seen);
                assert_int_equal(not, seen[strcmp(verb, "send") == 0 ? SEND : RECEIVE][teller]);
                assert_int_not_equal(would, not );
                schedule.transfer[t] = kept;
                tried++;
            }
        }
    print_message("%u changes\n", tried);
    assert_true(tried > 10);
    schedule_free(&schedule);
}

/* Node 1 receives packet 1 in round 1 and packet 4 in round 4, as it would every third round; but
 * first from node 2 and then from node 0, which is the first node to be checked. */
static void node_0_is_asked(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct periodic_programs computed;
    struct err err = {0};
    support_true(
        support_broadcast(&schedule, "turns",
                          &(struct collective){.n = 5, .m = 7, .model = MODEL_SEND_RECEIVE}, &err),
        &err);
    for (uint32_t repetition = 0; repetition < 2; repetition++) {
        struct transfer *room = schedule_open_step(&schedule, 3 * repetition + 1, 1, &err);
        assert_non_null(room);
        room[0] = (struct transfer){repetition == 0 ? 2 : 0, 1, 3 * repetition + 1};
        schedule_close_step(&schedule, 1);
    }
    assert_false(periodic_programs_find(&schedule, &computed, &err));
    support_error(&err, ERR_IRREGULAR,
                  "programs: in round 1 node 0 would send packet 1, not 0 (0: none)");
    schedule_free(&schedule);
}

/* Builds a schedule in which packet 3 of 4 goes from node 1 to node 0 in one round; there are no
 * other transfers. */
static void build_late(uint64_t round, struct schedule *schedule)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(support_broadcast(
                     schedule, "late",
                     &(struct collective){.n = 5, .m = 4, .source = 1, .model = MODEL_SEND_RECEIVE},
                     &err),
                 &err);
    struct transfer *room = schedule_open_step(schedule, round, 1, &err);
    assert_non_null(room);
    *room = (struct transfer){.source = 1, .destination = 0, .packet = 3};
    schedule_close_step(schedule, 1);
}

/* Builds a schedule in which packets 1, 2, 3, 4, 4, … go from node 1 to node 0, one in each round.
 * With 4 nodes a repetition has two rows, so that a base reaches any power of two. */
static void build_steady(uint64_t rounds, struct schedule *schedule)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(support_broadcast(
                     schedule, "steady",
                     &(struct collective){.n = 4, .m = 4, .source = 1, .model = MODEL_SEND_RECEIVE},
                     &err),
                 &err);
    for (uint64_t round = 1; round <= rounds; round++) {
        struct transfer *room = schedule_open_step(schedule, round, 1, &err);
        assert_non_null(room);
        *room = (struct transfer){.source = 1, .destination = 0, .packet = (uint32_t)MIN(round, 4)};
        schedule_close_step(schedule, 1);
    }
}

/* Checks that the words of node 1's program give its packets, on a machine with this number of base
 * bits. */
static bool words_match(const struct schedule *schedule, const struct periodic_programs *computed,
                        const struct machine *machine)
{
    bool matches = true;
    for (uint32_t row = 0; row < schedule->end; row++) {
        uint32_t packet[DIRECTIONS][MOST_NODES];
        uint32_t at = computed->first + row, setting_phase = at % computed->period;
        uint32_t base = (at - setting_phase) & ((1u << machine_offset_bits(machine)) - 1);
        int32_t offset = computed->offset[SEND][(size_t)setting_phase * computed->nodes + 1];
        packets_of_row(schedule, row, packet);
        matches &= packet_of_word(machine, offset, base, 4) == packet[SEND][1];
    }
    return matches;
}

static void bits_are_needed(void (*build_rounds)(uint64_t rounds, struct schedule *schedule),
                            unsigned count[2])
{
    for (unsigned log2_packets = 4; log2_packets <= 7; log2_packets += 3)
        for (uint64_t round = 1; round <= 200; round++) {
            const struct machine machine = {
                .log2_packets = log2_packets, .log2_period = 2, .computed = true};
            struct schedule schedule;
            struct periodic_programs computed;
            struct err err = {0};
            build_rounds(round, &schedule);
            support_true(periodic_programs_find(&schedule, &computed, &err), &err);
            bool fits = periodic_programs_check_bits(&computed, &schedule, &machine, &err);
            assert_int_equal(fits, words_match(&schedule, &computed, &machine));
            if (!fits)
                support_error(&err, ERR_IRREGULAR, "programs: ", "expected ");
            struct setting_period setting_period;
            assert_int_equal(setting_period_find(&schedule, &machine, &setting_period, &err), fits);
            count[fits]++;
            setting_period_free(&setting_period);
            periodic_programs_free(&computed);
            schedule_free(&schedule);
        }
}

static void late_rounds_need_bits(void **state)
{
    (void)state;
    unsigned count[2] = {0};
    bits_are_needed(build_late, count);
    assert_true(count[true] > 200 && count[false] > 100);
}

static void so_do_many(void **state)
{
    (void)state;
    unsigned count[2] = {0};
    bits_are_needed(build_steady, count);
    assert_true(count[true] > 200 && count[false] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_circulant),          cmocka_unit_test(eight_nodes_by_hand),
        cmocka_unit_test(other_algorithms),          cmocka_unit_test(one_transfer_off_is_refused),
        cmocka_unit_test(another_sender_is_refused), cmocka_unit_test(node_0_is_asked),
        cmocka_unit_test(late_rounds_need_bits),     cmocka_unit_test(so_do_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
