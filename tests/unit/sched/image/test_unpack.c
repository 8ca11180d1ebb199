/* SPDX-License-Identifier: Apache-2.0 */
/* test_unpack: permutations through images and back through the switches.
 *
 * State space. The settings of a round. A schedule whose rounds are permutations is built (without
 * the transfers from a node to itself, which are not legal), routed into one image, and read back:
 * every sender must reach its receiver. Exhaustive: all 24 permutations of 4 ports, all 40 320 of
 * 8. Sampled, with a printed seed: partial permutations of 16 … 1024 ports, of every density.
 *
 * Images that no compiler writes, with words removed or duplicated, are decoded as far as their
 * words determine.
 *
 * Counter-case: with one live setting flipped in an image, some circuit ends elsewhere.
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#define SEED UINT64_C(20260307)
#define MAX_PORTS 1024
#define SAMPLES 60

/* Appends a round in which node v sends to to[v], unless to[v] is v or not a port. */
static void append_round(struct schedule *schedule, uint32_t ports, const uint32_t to[])
{
    struct err err = {0};
    struct transfer *transfer = schedule_open_step(schedule, schedule->end + 1, ports, &err);
    assert_non_null(transfer);
    size_t count = 0;
    for (uint32_t node = 0; node < ports; node++)
        if (to[node] < ports && to[node] != node)
            transfer[count++] = (struct transfer){node, to[node], 1};
    schedule_close_step(schedule, count);
}

static void new_schedule(struct schedule *schedule, uint32_t ports)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(support_broadcast(
                     schedule, "permutations",
                     &(struct collective){.n = ports, .m = 1, .model = MODEL_SEND_RECEIVE}, &err),
                 &err);
}

/* Routes the schedule on a network of its own size. */
static void new_image(const struct schedule *schedule, struct image *image)
{
    struct err err = {0};
    struct machine machine = {
        .network = multistage_benes(UINT32_C(1) << machine_sizing_log2(schedule->nodes)),
        .pipe = 1,
        .width = 16};
    struct payload payload;
    support_true(payload_random(SEED, 2, &payload, &err) &&
                     payload_cut(&payload, 1, 1, 1, 16, &err) &&
                     machine_sizing_fit(schedule, 1, NULL, &machine, &err) &&
                     route_schedule(schedule, &machine, &payload, image, &err),
                 &err);
    payload_free(&payload);
}

/* Computes the next permutation in lexical order; returns false after the last. */
static bool next_permutation(uint32_t size, uint32_t to[])
{
    uint32_t pivot = size - 1, swap = size - 1;
    while (pivot > 0 && to[pivot - 1] > to[pivot])
        pivot--;
    if (pivot == 0)
        return false;
    while (to[swap] < to[pivot - 1])
        swap--;
    uint32_t held = to[swap];
    to[swap] = to[pivot - 1];
    to[pivot - 1] = held;
    for (uint32_t low = pivot, high = size - 1; low < high; low++, high--) {
        held = to[low];
        to[low] = to[high];
        to[high] = held;
    }
    return true;
}

static void all_permutations(uint32_t ports, uint64_t permutations)
{
    struct schedule schedule;
    struct image image;
    uint32_t to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint64_t rounds = 0;
    new_schedule(&schedule, ports);
    do {
        append_round(&schedule, ports, to);
        rounds++;
    } while (next_permutation(ports, to));
    assert_int_equal(rounds, permutations);
    assert_int_equal(schedule.end, permutations - 1); /* the identity sends nothing */
    new_image(&schedule, &image);
    assert_int_equal(support_strays(&schedule, &image), 0);
    image_free(&image);
    schedule_free(&schedule);
}

static void all_of_four(void **state)
{
    (void)state;
    all_permutations(4, 24);
}

static void all_of_eight(void **state)
{
    (void)state;
    all_permutations(8, 40320);
}

/* Draws a partial permutation in which about `percent` of the nodes send. */
static void draw(struct rng *rng, uint32_t ports, uint32_t percent, uint32_t to[])
{
    rng_permutation(rng, ports, to);
    for (uint32_t node = 0; node < ports; node++)
        if (rng_below(rng, 100) >= percent)
            to[node] = UINT32_MAX;
}

static void partial_permutations(void **state)
{
    (void)state;
    static uint32_t to[MAX_PORTS];
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t ports = 16; ports <= MAX_PORTS; ports *= 2) {
        struct schedule schedule;
        struct image image;
        new_schedule(&schedule, ports);
        for (uint32_t sample = 0; sample < SAMPLES; sample++) {
            draw(&rng, ports, 100 * (sample + 1) / SAMPLES, to);
            append_round(&schedule, ports, to);
        }
        new_image(&schedule, &image);
        assert_true(schedule.transfer_count > ports);
        assert_int_equal(support_strays(&schedule, &image), 0);
        image_free(&image);
        schedule_free(&schedule);
    }
}

static void a_flipped_setting_strays(void **state)
{
    (void)state;
    struct schedule schedule;
    struct image image;
    const uint32_t to[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    new_schedule(&schedule, 8);
    append_round(&schedule, 8, to);
    new_image(&schedule, &image);
    uint64_t flipped = 0;
    for (size_t k = 0; k < image.count; k++) {
        if (machine_region_of(image.word[k].address) != MACHINE_TABLE)
            continue;
        for (uint32_t sw = 0; sw < 4; sw++, flipped++) {
            image.word[k].word ^= 1u << sw;
            /* the two circuits of the switch, and the two that they should be */
            assert_int_equal(support_strays(&schedule, &image), 4);
            image.word[k].word ^= 1u << sw;
        }
    }
    assert_int_equal(flipped, 5 * 4);
    image_free(&image);
    schedule_free(&schedule);
}

/* Returns the schedule that an image determines if the words of a region lose some bits. */
static void unpacked_without(struct image *image, enum machine_region region, uint32_t without,
                             struct schedule *schedule)
{
    struct unpacked unpacked;
    struct err err = {0};
    for (size_t k = 0; k < image->count; k++)
        if (machine_region_of(image->word[k].address) == region)
            image->word[k].word &= ~without;
    *schedule = (struct schedule){0};
    support_true(unpack_image(image, &unpacked, &err), &err);
    support_true(unpack_demands(&unpacked, schedule, &err), &err);
    unpack_free(&unpacked);
}

/* Node 0 sends packet 1 to node 1, which forwards it to node 2. */
static void words_by_hand(void **state)
{
    (void)state;
    struct schedule schedule, seen;
    struct image image;
    const uint32_t first[4] = {1, 9, 9, 9}, second[4] = {9, 2, 9, 9};
    new_schedule(&schedule, 4);
    append_round(&schedule, 4, first);
    append_round(&schedule, 4, second);
    new_image(&schedule, &image);
    unpacked_without(&image, MACHINE_RECEIVE, 0, &seen);
    assert_int_equal(seen.nodes, 3);
    assert_int_equal(seen.demand_count, 1);
    assert_int_equal(seen.demand[0].source, 0);
    schedule_free(&seen);
    /* The packet is not stored: its source is the first node that sends it. */
    unpacked_without(&image, MACHINE_PACKET, MACHINE_VALID, &seen);
    assert_int_equal(seen.demand[0].source, 0);
    assert_int_equal(seen.end, 2);
    schedule_free(&seen);
    /* No node receives: circuits still lead to the same ports, and only the source has the
     * packet. */
    unpacked_without(&image, MACHINE_RECEIVE, MACHINE_VALID, &seen);
    assert_int_equal(seen.nodes, 3);
    assert_int_equal(seen.demand[0].wanted_count, 1);
    schedule_free(&seen);
    /* No node sends or stores a packet: there are no packets and no rounds. */
    unpacked_without(&image, MACHINE_SEND, MACHINE_VALID, &seen);
    assert_int_equal(seen.nodes, 1);
    assert_int_equal(seen.packets, 0);
    assert_int_equal(seen.end, 0);
    schedule_free(&seen);
    image_free(&image);
    schedule_free(&schedule);
}

/* An image with a single word, the first: its row has its content and nothing else; the other row
 * is empty. */
static void one_word_in_one_row(void **state)
{
    (void)state;
    struct schedule schedule;
    struct image image;
    struct unpacked unpacked;
    struct err err = {0};
    new_schedule(&schedule, 8);
    new_image(&schedule, &image);
    image.run.rows = 2;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t which = k % 2, own = k / 2;
        const uint32_t address =
            which == 0 ? machine_table_address(&image.machine, 1, own, 0)
                       : machine_program_address(&image.machine, MACHINE_SEND, 0, own);
        image.count = 0;
        support_true(image_append(&image, address, MACHINE_VALID | 5, &err), &err);
        support_true(unpack_image(&image, &unpacked, &err), &err);
        for (uint32_t row = 0; row < 2; row++) {
            unpack_row(&unpacked, row);
            const uint32_t expected = row == own ? MACHINE_VALID | 5 : 0;
            const size_t words = multistage_row_words(&image.machine.network);
            for (size_t word = 0; word < words * machine_stages(&image.machine); word++)
                assert_int_equal(unpacked.setting[word],
                                 which == 0 && word == words ? expected : 0);
            for (uint32_t port = 0; port < 8; port++) {
                assert_int_equal(unpacked.send[port], which == 1 && port == 0 ? expected : 0);
                assert_int_equal(unpacked.receive[port], 0);
            }
        }
        unpack_free(&unpacked);
    }
    image_free(&image);
    schedule_free(&schedule);
}

/* All ports send through a network that copies, in which all stages except one are straight: each
 * output has its circuit, and each sender that reaches no output is listed with a circuit as
 * well. */
static void senders_that_reach_nobody(void **state)
{
    (void)state;
    struct schedule schedule;
    struct image image;
    struct err err = {0};
    unsigned silent = 0;
    new_schedule(&schedule, 4);
    new_image(&schedule, &image);
    image.machine.network = multistage_multicast(4);
    image.run.rows = 1;
    for (uint32_t which = 0; which < 16 * machine_stages(&image.machine); which++) {
        struct unpacked unpacked;
        struct circuit circuit[8];
        uint32_t senders = 0, receivers = 0;
        image.count = 0;
        support_true(image_append(&image, machine_table_address(&image.machine, which / 16, 0, 0),
                                  which % 16, &err),
                     &err);
        for (uint32_t port = 0; port < 4; port++)
            support_true(
                image_append(&image, machine_program_address(&image.machine, MACHINE_SEND, port, 0),
                             MACHINE_VALID, &err),
                &err);
        support_true(unpack_image(&image, &unpacked, &err), &err);
        unpack_row(&unpacked, 0);
        uint32_t count = unpack_circuits(&unpacked, circuit);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(k == 0 || circuit[k - 1].source <= circuit[k].source);
            senders |= UINT32_C(1) << circuit[k].source;
            if (circuit[k].destination != MULTISTAGE_NOWHERE)
                receivers |= UINT32_C(1) << circuit[k].destination;
            else
                silent++;
        }
        assert_int_equal(senders, 15);
        assert_int_equal(receivers, 15);
        unpack_free(&unpacked);
    }
    /* one switch of two copies in half of the words of a stage, both in a quarter */
    assert_int_equal(silent, 16 * machine_stages(&image.machine));
    image_free(&image);
    schedule_free(&schedule);
}

/* All ports send through a network that combines and copies, with random settings. Each sender has
 * circuits to outputs that its word reaches, or one to no output if there are none; each output
 * that a word reaches has a circuit. */
static void senders_of_groups_without_receivers(void **state)
{
    (void)state;
    struct schedule schedule;
    struct image image;
    struct err err = {0};
    struct rng rng = {SEED};
    unsigned silent = 0, combined = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    new_schedule(&schedule, 8);
    new_image(&schedule, &image);
    image.machine.network = multistage_all_reduce(8);
    image.run.rows = 1;
    const struct multistage *net = &image.machine.network;
    for (unsigned trial = 0; trial < 200; trial++) {
        struct unpacked unpacked;
        struct circuit circuit[16];
        uint32_t receivers = 0, to[8] = {0};
        image.count = 0;
        for (unsigned stage = 0; stage < machine_stages(&image.machine); stage++)
            support_true(image_append(&image, machine_table_address(&image.machine, stage, 0, 0),
                                      rng_below(&rng, 256), &err),
                         &err);
        support_true(image_append(&image,
                                  MACHINE_ALL_NODES |
                                      machine_program_address(&image.machine, MACHINE_SEND, 0, 0),
                                  MACHINE_VALID, &err),
                     &err);
        support_true(unpack_image(&image, &unpacked, &err), &err);
        unpack_row(&unpacked, 0);
        const uint32_t count = unpack_circuits(&unpacked, circuit);
        for (uint32_t k = 0; k < count; k++) {
            const struct circuit *at = &circuit[k];
            to[at->source]++;
            if (at->destination == MULTISTAGE_NOWHERE)
                continue;
            assert_true(multistage_reaches(net, unpacked.setting, at->source, at->destination));
            combined += (receivers >> at->destination & 1) != 0;
            receivers |= UINT32_C(1) << at->destination;
        }
        for (uint32_t port = 0; port < 8; port++) {
            bool reached = false, reaches = false;
            for (uint32_t other = 0; other < 8; other++) {
                reached = reached || multistage_reaches(net, unpacked.setting, other, port);
                reaches = reaches || multistage_reaches(net, unpacked.setting, port, other);
            }
            assert_int_equal(receivers >> port & 1, reached);
            assert_true(to[port] > 0);
            for (uint32_t k = 0; k < count; k++)
                if (circuit[k].source == port)
                    assert_int_equal(circuit[k].destination != MULTISTAGE_NOWHERE, reaches);
            silent += !reaches;
        }
        unpack_free(&unpacked);
    }
    assert_true(silent > 200 && combined > 200);
    image_free(&image);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_four),
        cmocka_unit_test(all_of_eight),
        cmocka_unit_test(partial_permutations),
        cmocka_unit_test(a_flipped_setting_strays),
        cmocka_unit_test(words_by_hand),
        cmocka_unit_test(one_word_in_one_row),
        cmocka_unit_test(senders_that_reach_nobody),
        cmocka_unit_test(senders_of_groups_without_receivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
