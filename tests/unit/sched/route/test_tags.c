/* SPDX-License-Identifier: Apache-2.0 */
/* test_tags: shifts and complements through the switches that a tag sets.
 *
 * State space. A network benes:N and a tag. Exhaustive: every shift for N = 2 … 200 (for N > 32
 * every 7th; `make test-all` runs all), every complement for N = 2, 4, …, 256, with each port
 * followed through all stages by multistage_trace, which does not use tags; port i must reach (i +
 * s) mod N or i xor c. Sampled with a printed seed: N up to 65536. Blocks of 5 lanes by hand.
 *
 * Words that are not the tag of any round, for N = 2 … 40: every switch is as
 * rtl/multistage/rc_tag_shifts.sv and rc_tag_settings.sv have it, written again below with the
 * widths of their wires.
 *
 * Counter-cases. A tag that is off by one reaches no correct port; a flipped switch misroutes two
 * ports.
 */
#include "sched/base/rng.h"
#include "sched/route/setting_period.h"
#include "sched/shape/multistage.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <stdlib.h>

#define SEED UINT64_C(20261121)
#define SAMPLES 25
#define MAX_SHIFTED 200
#define SHIFTS 7 /* shifts of large networks: one in this number */
#define LARGE 33 /* smallest N of a large network */
#define MAX_COMPLEMENTED 256

/* Memory for a row of settings, of exactly the guaranteed sufficient size. */
struct row {
    struct multistage net;
    uint32_t words;
    struct tags_shift *shift;
    uint32_t *setting; /* setting[stages][words] */
};

static struct row row_new(uint32_t ports)
{
    struct row row = {.net = multistage_benes(ports)};
    row.words = multistage_row_words(&row.net);
    row.shift = malloc((sizeof *row.shift << row.net.levels) / 2);
    row.setting = malloc(multistage_stages(&row.net) * row.words * sizeof *row.setting);
    assert_true(row.shift != NULL && row.setting != NULL);
    return row;
}

static void row_free(struct row *row)
{
    free(row->shift);
    free(row->setting);
}

/* Computes the stages in descending order: no stage depends on another. */
static void row_set(struct row *row, struct tag tag)
{
    for (unsigned stage = multistage_stages(&row->net); stage-- > 0;)
        tags_settings(&row->net, tag, stage, row->shift, row->setting + (size_t)stage * row->words);
}

static uint32_t output_of(uint32_t ports, struct tag tag, uint32_t port)
{
    return tag.complement ? port ^ tag.value : (port + tag.value) % ports;
}

/* Returns the number of ports that do not reach the port of the tag. */
static uint32_t strays(const struct row *row, struct tag tag)
{
    uint32_t strayed = 0;
    for (uint32_t port = 0; port < row->net.ports; port++)
        strayed +=
            multistage_trace(&row->net, row->setting, port) != output_of(row->net.ports, tag, port);
    return strayed;
}

/* Checks that all ports reach their destinations, and none reaches the destination of a tag that is
 * off by one. */
static void check_tag(struct row *row, struct tag tag)
{
    struct tag off = {tag.complement, (tag.value + 1) % row->net.ports};
    row_set(row, tag);
    if (strays(row, tag) != 0)
        fail_msg("benes:%u: tag {%d, %u} strays %u ports", row->net.ports, tag.complement,
                 tag.value, strays(row, tag));
    assert_int_equal(strays(row, off), row->net.ports);
}

static void every_shift(void **state)
{
    (void)state;
    uint64_t checked = 0, large = 0;
    for (uint32_t ports = 2; ports <= MAX_SHIFTED; ports++) {
        struct row row = row_new(ports);
        for (uint32_t shift = 0; shift < ports; shift++) {
            if (ports >= LARGE && large++ % running_stride(SHIFTS) != 0)
                continue;
            check_tag(&row, (struct tag){false, shift});
            checked++;
        }
        row_free(&row);
    }
    assert_int_equal(large, MAX_SHIFTED * (MAX_SHIFTED + 1) / 2 - LARGE * (LARGE - 1) / 2);
    assert_int_equal(checked, LARGE * (LARGE - 1) / 2 - 1 + running_met(large, SHIFTS));
}

static void every_complement(void **state)
{
    (void)state;
    uint64_t checked = 0;
    for (uint32_t ports = 2; ports <= MAX_COMPLEMENTED; ports *= 2) {
        struct row row = row_new(ports);
        for (uint32_t value = 0; value < ports; value++, checked++)
            check_tag(&row, (struct tag){true, value});
        row_free(&row);
    }
    assert_int_equal(checked, 2 * MAX_COMPLEMENTED - 2);
}

static void large_networks(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned sample = 0; sample < SAMPLES; sample++) {
        bool power = sample % 5 == 0;
        uint32_t ports =
            power ? UINT32_C(256) << rng_below(&rng, 9) : 201 + rng_below(&rng, 65536 - 200);
        uint32_t near = rng_below(&rng, 3); /* half the number of ports, one less or one more */
        struct row row = row_new(ports);
        check_tag(&row, (struct tag){false, rng_below(&rng, ports)});
        check_tag(&row, (struct tag){false, ports / 2 - 1 + near});
        if (power)
            check_tag(&row, (struct tag){true, rng_below(&rng, ports)});
        row_free(&row);
    }
}

static void a_flipped_switch_strays(void **state)
{
    (void)state;
    uint32_t flipped = 0;
    for (uint32_t ports = 2; ports <= 17; ports++) {
        struct row row = row_new(ports);
        const struct tag tag = {false, ports / 3};
        row_set(&row, tag);
        for (unsigned stage = 0; stage < multistage_stages(&row.net); stage++)
            for (uint32_t block = 0; block < UINT32_C(1) << multistage_level(&row.net, stage);
                 block++) {
                struct multistage_pairs pairs = multistage_pairs(&row.net, stage, block);
                for (uint32_t i = 0; i < pairs.count; i++, flipped++) {
                    uint32_t *word = &row.setting[stage * row.words],
                             bit = 1u << (pairs.first_switch + i);
                    *word ^= bit;
                    assert_int_equal(strays(&row, tag), 2);
                    *word ^= bit;
                }
            }
        row_free(&row);
    }
    assert_true(flipped > 300);
}

/* Five lanes, drawn in multistage.h: halves 0-1 and 2-4, the latter divided into 2 and 3-4. Forth
 * by one: on the way out lanes 0 and 2 cross; blocks 0-1 and 3-4 are crossed switches; in 2-4 lanes
 * 2 and 3 cross on the way out. By three, which is back by two: on the way in both switches cross;
 * back by two is no shift in block 0-1, and forth by one in block 2-4, as before. */
static void five_lanes_by_hand(void **state)
{
    (void)state;
    static const uint32_t by_one[] = {0, 1, 2, 2, 1}, by_three[] = {3, 0, 2, 2, 0};
    struct row row = row_new(5);
    struct tags_shift shift[4];
    row_set(&row, (struct tag){false, 1});
    assert_memory_equal(row.setting, by_one, sizeof by_one);
    row_set(&row, (struct tag){false, 3});
    assert_memory_equal(row.setting, by_three, sizeof by_three);
    tags_shifts(&row.net, 3, 0, shift);
    assert_true(shift[0].back && shift[0].distance == 2);
    tags_shifts(&row.net, 3, 1, shift);
    assert_true(shift[0].distance == 0 && !shift[1].back && shift[1].distance == 1);
    tags_shifts(&row.net, 3, 2, shift);
    assert_true(shift[0].distance == 0 && shift[1].distance == 0 && shift[2].distance == 0 &&
                shift[3].distance == 1);
    row_free(&row);
}

/* The same blocks one by one: {back, distance}, lanes, on the way out, switch. */
static void crossed_by_hand(void **state)
{
    (void)state;
    const struct tags_shift forth1 = {false, 1}, forth0 = {false, 0}, back2 = {true, 2},
                            back1 = {true, 1};
    assert_true(tags_crossed(forth1, 5, false) == 0 && tags_crossed(forth1, 5, true) == 1);
    assert_true(tags_crossed(back2, 5, false) == 2 && tags_crossed(back2, 5, true) == 0);
    assert_true(tags_crossed(back1, 5, false) == 1);
    assert_true(tags_crossed(forth1, 3, false) == 0 && tags_crossed(forth1, 3, true) == 1);
    assert_true(tags_crossed(forth1, 2, false) == 1 && tags_crossed(back1, 2, false) == 1);
    assert_true(tags_crossed(forth0, 2, false) == 0 && tags_crossed(forth0, 5, true) == 0);
}

static void words_round_trip(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 70; ports++) {
        const struct multistage net = multistage_benes(ports);
        for (uint32_t complement = 0; complement < 2; complement++)
            for (uint32_t value = 0; value < ports; value++) {
                uint32_t word = tags_word(&net, (struct tag){complement, value});
                struct tag again = tags_read(&net, word);
                assert_true(again.complement == complement && again.value == value);
                assert_int_equal(word, value + (complement << net.levels));
            }
    }
    const struct multistage five = multistage_benes(5); /* ports have 3 bits */
    assert_int_equal(tags_word(&five, (struct tag){true, 4}), 12);
    assert_true(tags_read(&five, 12).complement && !tags_read(&five, 4).complement);
}

/* Returns the setting as the RTL computes it from a word: the direction and distance of a block,
 * then the setting of a switch. */
static bool setting_in_rtl(uint32_t ports, unsigned bits, uint32_t word, unsigned level, bool joins,
                           uint32_t sw)
{
    uint32_t mask = (1u << bits) - 1;
    bool complement = (1u << bits) == ports && word >> bits & 1, back = false;
    uint32_t distance = complement ? 0 : word & mask, block = 0, first = 0, size = ports;
    while ((uint64_t)(block + 1) * ports >> level <= 2 * sw + 1)
        block++;
    for (unsigned l = 0; l <= level; l++) {
        uint32_t b = block >> (level - l);
        first = (uint32_t)((uint64_t)b * ports >> l);
        size = (uint32_t)((uint64_t)(b + 1) * ports >> l) - first;
        bool reversed = 2 * distance > size;
        mask = (1u << (bits - l)) - 1;
        back = back != reversed;
        distance = (reversed ? (size & mask) - (distance & mask) : distance) & mask;
    }
    bool shifts = size == 2 ? distance & 1 : back != joins && distance > ((sw - first / 2) & mask);
    return shifts || (!joins && complement && word >> (bits - 1 - level) & 1);
}

static void every_word_as_in_rtl(void **state)
{
    (void)state;
    uint64_t compared = 0;
    for (uint32_t ports = 2; ports <= 40; ports++) {
        struct row row = row_new(ports);
        for (uint32_t word = 0; word < 2u << row.net.levels; word++) {
            row_set(&row, tags_read(&row.net, word));
            for (unsigned stage = 0; stage < multistage_stages(&row.net); stage++) {
                unsigned level = multistage_level(&row.net, stage);
                bool joins = multistage_joins(&row.net, stage);
                for (uint32_t block = 0; block < 1u << level; block++) {
                    struct multistage_pairs pairs = multistage_pairs(&row.net, stage, block);
                    for (uint32_t sw = pairs.first_switch; sw < pairs.first_switch + pairs.count;
                         sw++) {
                        bool seen = multistage_field(row.setting + stage * row.words, 1, sw);
                        if (seen != setting_in_rtl(ports, row.net.levels, word, level, joins, sw))
                            fail_msg("benes:%u: word %u, stage %u, switch %u is %d", ports, word,
                                     stage, sw, seen);
                        compared++;
                    }
                }
            }
        }
        row_free(&row);
    }
    assert_true(compared > 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shift),        cmocka_unit_test(every_complement),
        cmocka_unit_test(large_networks),     cmocka_unit_test(a_flipped_switch_strays),
        cmocka_unit_test(five_lanes_by_hand), cmocka_unit_test(crossed_by_hand),
        cmocka_unit_test(words_round_trip),   cmocka_unit_test(every_word_as_in_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
