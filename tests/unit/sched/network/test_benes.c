/* SPDX-License-Identifier: Apache-2.0 */
/* test_benes: the router's settings, followed by a tracer that shares no code with it.
 *
 * State space. A round is a partial permutation of N = 2^k ports. Exhaustive: every array of
 * outputs-or-idle for N = 2 (9) and N = 4 (625): the 7 and 209 legal ones must route and all others
 * must be rejected; every permutation of N = 8 (40 320). Sampled with printed seeds: full and
 * partial permutations of many densities for every N = 2 … 4096, a few at 65 536 and, in `make
 * test-all`, one at 1 048 576, because sizes and densities take different paths through the router;
 * at 131 072 ports, rounds with one loop, with few, and with more loops than can be numbered.
 *
 * Checks of a routed round. `draw` carries all lanes through the stages as the drawing in benes.h
 * shows them: pair the lanes that differ in the stage's bit, number the pairs from the lowest lane
 * up, swap where the setting is 1. Then: each live input arrives at its output; multistage_trace
 * agrees and is a bijection over all inputs; a switch without a circuit is straight; a router that
 * did other work in between returns the same rows for the same round; in large rounds, the lowest
 * switch of each loop is straight, which makes the first stage unique. Rows are allocated with
 * their exact size, so that a sanitizer detects a write of an extra word.
 *
 * Counter-cases. A flipped bit of any live switch must move a live circuit; each rejection is
 * checked by code and text; over all permutations of N = 8 each switch is both straight and
 * crossed, except the switches that a full round never crosses.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/network/benes.h"
#include "sched/network/benes_block.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240607)

/* A router with the arrays that a test of one size needs. */
struct testbench {
    unsigned log2_ports;
    uint32_t ports;
    size_t row_words; /* of all stages */
    struct benes_router *router;
    struct multistage net;
    uint32_t *to;
    uint32_t *row, *again;
    uint32_t *lane;
    uint8_t *seen;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

static struct testbench testbench_new(unsigned log2_ports)
{
    struct testbench testbench = {.log2_ports = log2_ports, .ports = UINT32_C(1) << log2_ports};
    struct err err = {0};
    testbench.router = benes_router_new(log2_ports, &err);
    testbench.net = multistage_benes(testbench.ports);
    assert_non_null(testbench.router);
    testbench.row_words = (size_t)benes_stages(log2_ports) * benes_row_words(log2_ports);
    testbench.to = allocate(testbench.ports, sizeof testbench.to[0]);
    testbench.row = allocate(testbench.row_words, sizeof testbench.row[0]);
    testbench.again = allocate(testbench.row_words, sizeof testbench.again[0]);
    testbench.lane = allocate(testbench.ports, sizeof testbench.lane[0]);
    testbench.seen = allocate(testbench.ports, sizeof testbench.seen[0]);
    return testbench;
}

static void testbench_free(struct testbench *testbench)
{
    benes_router_free(testbench->router);
    free(testbench->to);
    free(testbench->row);
    free(testbench->again);
    free(testbench->lane);
    free(testbench->seen);
}

/* Carries all inputs through all stages; lane[output] becomes the live input that arrives there, or
 * MULTISTAGE_IDLE. Returns the number of crossed switches that no circuit passes. */
static uint32_t draw(const struct testbench *testbench, const uint32_t *row)
{
    uint32_t idle_crossed = 0;
    uint32_t words = testbench->ports <= 64 ? 1 : testbench->ports / 64;
    int bit = (int)testbench->log2_ports - 1, step = bit == 0 ? 1 : -1;
    for (uint32_t input = 0; input < testbench->ports; input++)
        testbench->lane[input] = testbench->to[input] == MULTISTAGE_IDLE ? MULTISTAGE_IDLE : input;
    while (bit < (int)testbench->log2_ports) {
        uint32_t sw = 0, apart = UINT32_C(1) << bit;
        for (uint32_t low = 0; low < testbench->ports; low++) {
            uint32_t high = low + apart;
            if (low & apart)
                continue;
            if (row[sw / 32] >> (sw % 32) & 1) {
                uint32_t swapped = testbench->lane[low];
                testbench->lane[low] = testbench->lane[high];
                testbench->lane[high] = swapped;
                idle_crossed += testbench->lane[low] == MULTISTAGE_IDLE &&
                                testbench->lane[high] == MULTISTAGE_IDLE;
            }
            sw++;
        }
        if (bit == 0)
            step = 1;
        bit += step;
        row += words;
    }
    return idle_crossed;
}

/* Returns the number of live inputs that are not at their requested output after `draw`. */
static uint32_t astray(const struct testbench *testbench)
{
    uint32_t count = 0;
    for (uint32_t input = 0; input < testbench->ports; input++)
        count += testbench->to[input] != MULTISTAGE_IDLE &&
                 testbench->lane[testbench->to[input]] != input;
    return count;
}

static void check_routed(struct testbench *testbench)
{
    struct err err = {0};
    memset(testbench->row, 0xa5, testbench->row_words * sizeof testbench->row[0]);
    if (!benes_route(testbench->router, testbench->to, testbench->row, &err))
        fail_msg("refused a legal round: %s", err.text);
    assert_int_equal(draw(testbench, testbench->row), 0);
    assert_int_equal(astray(testbench), 0);
    memset(testbench->seen, 0, testbench->ports);
    for (uint32_t input = 0; input < testbench->ports; input++) {
        uint32_t output = multistage_trace(&testbench->net, testbench->row, input);
        assert_true(output < testbench->ports);
        assert_int_equal(testbench->seen[output], 0);
        testbench->seen[output] = 1;
        if (testbench->to[input] != MULTISTAGE_IDLE)
            assert_int_equal(output, testbench->to[input]);
    }
    if (testbench->ports < 64) { /* the unused bits of the word are 0 */
        for (size_t word = 0; word < testbench->row_words; word++)
            assert_int_equal(testbench->row[word] >> testbench->ports / 2, 0);
    }
}

/* Draws a permutation in which each circuit is kept with probability live/256. */
static void draw_round(struct testbench *testbench, struct rng *rng, uint32_t live)
{
    rng_permutation(rng, testbench->ports, testbench->to);
    for (uint32_t input = 0; input < testbench->ports; input++) {
        if (rng_below(rng, 256) >= live)
            testbench->to[input] = MULTISTAGE_IDLE;
    }
}

/* Tries every array of outputs-or-idle: legal arrays are routed, others are rejected. Returns the
 * number of legal arrays. */
static uint32_t try_all_arrays(unsigned log2_ports)
{
    struct testbench testbench = testbench_new(log2_ports);
    uint32_t arrays = 1, legal = 0;
    for (uint32_t port = 0; port < testbench.ports; port++)
        arrays *= testbench.ports + 1;
    for (uint32_t number = 0; number < arrays; number++) {
        uint32_t rest = number, used = 0;
        bool clash = false;
        for (uint32_t port = 0; port < testbench.ports; port++, rest /= testbench.ports + 1) {
            uint32_t output = rest % (testbench.ports + 1);
            testbench.to[port] = output == testbench.ports ? MULTISTAGE_IDLE : output;
            clash |= output < testbench.ports && (used >> output & 1) != 0;
            used |= UINT32_C(1) << output;
        }
        if (clash) {
            struct err err = {0};
            assert_false(benes_route(testbench.router, testbench.to, testbench.row, &err));
            assert_int_equal(err.code, ERR_NOT_PERMUTATION);
        } else {
            check_routed(&testbench);
            legal++;
        }
    }
    testbench_free(&testbench);
    return legal;
}

static void every_round_of_2_and_4(void **state)
{
    (void)state;
    assert_int_equal(try_all_arrays(1), 7);
    assert_int_equal(try_all_arrays(2), 209);
}

/* Computes the lexicographic successor; returns false after the last. */
static bool next_permutation(uint32_t size, uint32_t permutation[])
{
    uint32_t head = size - 1, tail = size - 1;
    while (head > 0 && permutation[head - 1] > permutation[head])
        head--;
    if (head == 0)
        return false;
    while (permutation[tail] < permutation[head - 1])
        tail--;
    uint32_t swapped = permutation[head - 1];
    permutation[head - 1] = permutation[tail];
    permutation[tail] = swapped;
    for (uint32_t last = size - 1; head < last; head++, last--) {
        swapped = permutation[head];
        permutation[head] = permutation[last];
        permutation[last] = swapped;
    }
    return true;
}

/* The example at the head of benes.c. */
static void the_worked_example(void **state)
{
    (void)state;
    struct testbench testbench = testbench_new(2);
    const uint32_t to[] = {2, 0, 3, 1}, row[] = {0x2, 0x2, 0x1};
    memcpy(testbench.to, to, sizeof to);
    check_routed(&testbench);
    assert_memory_equal(testbench.row, row, sizeof row);
    testbench_free(&testbench);
}

static void every_permutation_of_4_and_8(void **state)
{
    (void)state;
    const uint32_t factorial[] = {[2] = 24, [3] = 40320};
    /* The first input switch of every sub-network opens a loop and so is straight in every full
     * round: these are the switches that Waksman's network (1968) leaves out. All others must be
     * seen crossed. */
    const uint32_t must_cross[][5] = {[2] = {0x2, 0x3, 0x3}, [3] = {0xe, 0xa, 0xf, 0xf, 0xf}};
    for (unsigned log2_ports = 2; log2_ports <= 3; log2_ports++) {
        struct testbench testbench = testbench_new(log2_ports);
        uint32_t crossed[5] = {0}, straight[5] = {0}, count = 0;
        for (uint32_t input = 0; input < testbench.ports; input++)
            testbench.to[input] = input;
        do {
            check_routed(&testbench);
            count++;
            for (unsigned stage = 0; stage < benes_stages(log2_ports); stage++) {
                crossed[stage] |= testbench.row[stage];
                straight[stage] |= ~testbench.row[stage];
            }
        } while (next_permutation(testbench.ports, testbench.to));
        assert_int_equal(count, factorial[log2_ports]);
        uint32_t all = (UINT32_C(1) << testbench.ports / 2) - 1;
        for (unsigned stage = 0; stage < benes_stages(log2_ports); stage++) {
            assert_int_equal(straight[stage] & all, all);
            assert_int_equal(crossed[stage], must_cross[log2_ports][stage]);
        }
        testbench_free(&testbench);
    }
}

static void sampled_rounds_of_every_size(void **state)
{
    (void)state;
    const uint32_t live[] = {256, 256, 255, 240, 192, 128, 64, 32, 16, 8, 4, 1, 0};
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned log2_ports = 1; log2_ports <= 12; log2_ports++) {
        struct testbench testbench = testbench_new(log2_ports);
        unsigned times = log2_ports <= 8 ? 40 : log2_ports <= 10 ? 10 : 2;
        for (unsigned time = 0; time < times; time++) {
            for (size_t density = 0; density < sizeof live / sizeof live[0]; density++) {
                draw_round(&testbench, &rng, live[density]);
                check_routed(&testbench);
            }
        }
        testbench_free(&testbench);
    }
}

static void big_rounds(void **state)
{
    (void)state;
    const struct {
        unsigned log2_ports;
        uint32_t live;
    } round[] = {{16, 256}, {16, 200}, {16, 3}, {17, 256}, {20, 256}};
    const size_t rounds = sizeof round / sizeof round[0] - !running_exhaustive();
    struct rng rng = {SEED + 1};
    print_message("seed %llu\n", (unsigned long long)SEED + 1);
    for (size_t number = 0; number < rounds; number++) {
        struct testbench testbench = testbench_new(round[number].log2_ports);
        draw_round(&testbench, &rng, round[number].live);
        check_routed(&testbench);
        testbench_free(&testbench);
    }
}

/* Rounds that random samples do not contain: all loops of one switch, or one loop through all
 * switches. */
/* From 2^17 ports on, the router finds loops in another way. */
#define LARGE 17

/* Returns the lowest switch of the loop of `sw`, by following the links to lower switches. */
static uint32_t lowest_of(uint32_t link[], uint32_t sw)
{
    while (link[sw] != sw)
        sw = link[sw] = link[link[sw]];
    return sw;
}

/* Counts loops, and returns the number of loops whose lowest switch is crossed in the first stage.
 * Input switches belong to one loop if their circuits share an output switch. */
static uint32_t crossed_loops(const struct testbench *testbench, uint32_t *loops)
{
    const uint32_t half = testbench->ports / 2;
    uint32_t *link = allocate(half, sizeof *link), *at = allocate(half, sizeof *at), crossed = 0;
    for (uint32_t sw = 0; sw < half; sw++)
        link[sw] = sw, at[sw] = half;
    for (uint32_t input = 0; input < testbench->ports; input++) {
        uint32_t *other = &at[testbench->to[input] % half];
        if (*other == half) {
            *other = input % half;
            continue;
        }
        uint32_t a = lowest_of(link, *other), b = lowest_of(link, input % half);
        link[MAX(a, b)] = MIN(a, b);
    }
    *loops = 0;
    for (uint32_t sw = 0; sw < half; sw++)
        if (link[sw] == sw) {
            ++*loops;
            crossed += testbench->row[sw / 32] >> sw % 32 & 1;
        }
    free(link);
    free(at);
    return crossed;
}

/* Links switches from `first` on into loops: each switch alone, all in one loop, or random
 * loops. */
static void link_loops(struct testbench *testbench, struct rng *rng, char kind, uint32_t first)
{
    const uint32_t half = testbench->ports / 2;
    for (uint32_t sw = 0; sw < half; sw++) {
        testbench->to[sw] = sw;
        testbench->to[sw + half] = (kind == 'o' ? (sw + half - 1) % half : sw) + half;
    }
    for (uint32_t last = half; kind == 'a' && last-- > first + 1;)
        for (uint32_t high = 0; high < 2; high++) {
            const uint32_t from = last + high * half,
                           to = first + rng_below(rng, last - first) + rng_below(rng, 2) * half,
                           moved = testbench->to[from];
            testbench->to[from] = testbench->to[to];
            testbench->to[to] = moved;
        }
}

static void large_rounds_of_all_loops(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    const uint32_t half = UINT32_C(1) << (LARGE - 1);
    const struct {
        char kind; /* each, one, any */
        uint32_t first, least, most;
    } cases[] = {{'e', 0, half, half},
                 {'o', 0, 1, 1},
                 {'a', 0, 2, 40},
                 {'a', 1000, 1002, 1040},
                 {'a', half / 2, half / 2 + 1, half / 2 + 40}};
    struct testbench testbench = testbench_new(LARGE);
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t loops;
        link_loops(&testbench, &rng, cases[k].kind, cases[k].first);
        check_routed(&testbench);
        assert_int_equal(crossed_loops(&testbench, &loops), 0);
        assert_in_range(loops, cases[k].least, cases[k].most);
        testbench.row[0] ^= 1; /* switch 0 is the lowest of its loop */
        assert_int_equal(crossed_loops(&testbench, &loops), 1);
    }
    testbench_free(&testbench);
}

static void regular_rounds(void **state)
{
    (void)state;
    for (unsigned log2_ports = 1; log2_ports <= 13; log2_ports++) {
        struct testbench testbench = testbench_new(log2_ports);
        uint32_t last = testbench.ports - 1;
        for (uint32_t shape = 0; shape < 5; shape++) {
            for (uint32_t input = 0; input < testbench.ports; input++) {
                uint32_t reversed = 0;
                for (unsigned bit = 0; bit < log2_ports; bit++)
                    reversed |= (input >> bit & 1) << (log2_ports - 1 - bit);
                const uint32_t output[] = {input, last - input, (input + 1) & last, reversed,
                                           input ^ testbench.ports / 2};
                testbench.to[input] = output[shape];
            }
            check_routed(&testbench);
        }
        testbench_free(&testbench);
    }
}

/* Equal rounds get equal rows, however the router was used before, even after a rejected round,
 * which must leave no state. */
static void equal_rounds_get_equal_rows(void **state)
{
    (void)state;
    const uint32_t live[] = {256, 128, 4};
    struct rng rng = {SEED + 2};
    for (unsigned log2_ports = 2; log2_ports <= 9; log2_ports++) {
        for (size_t density = 0; density < sizeof live / sizeof live[0]; density++) {
            struct testbench testbench = testbench_new(log2_ports),
                             other = testbench_new(log2_ports);
            draw_round(&testbench, &rng, live[density]);
            memcpy(other.to, testbench.to, testbench.ports * sizeof testbench.to[0]);
            check_routed(&testbench);
            memcpy(testbench.again, testbench.row, testbench.row_words * sizeof testbench.row[0]);
            testbench.to[0] = testbench.to[testbench.ports - 1] = 1;
            assert_false(benes_route(testbench.router, testbench.to, testbench.row, NULL));
            draw_round(&testbench, &rng, 100);
            check_routed(&testbench);
            memcpy(testbench.to, other.to, testbench.ports * sizeof testbench.to[0]);
            check_routed(&testbench);
            check_routed(&other);
            assert_memory_equal(testbench.again, testbench.row,
                                testbench.row_words * sizeof testbench.row[0]);
            assert_memory_equal(testbench.again, other.row,
                                testbench.row_words * sizeof testbench.row[0]);
            testbench_free(&testbench);
            testbench_free(&other);
        }
    }
}

/* Each flipped switch is detected. Either a live circuit is misrouted, or the drawing shows that no
 * circuit passes the switch: then the switch was straight, and the round was not full.
 * multistage_trace must distinguish the two cases in the same way. */
static void a_flipped_switch_is_seen(void **state)
{
    (void)state;
    struct rng rng = {SEED + 3};
    for (unsigned log2_ports = 3; log2_ports <= 4; log2_ports++) {
        struct testbench testbench = testbench_new(log2_ports);
        for (unsigned time = 0; time < 50; time++) {
            uint32_t live = time % 2 == 0 ? 256 : 90;
            draw_round(&testbench, &rng, live);
            check_routed(&testbench);
            for (unsigned stage = 0; stage < benes_stages(log2_ports); stage++) {
                for (uint32_t sw = 0; sw < testbench.ports / 2; sw++) {
                    bool passed = false, crossed = testbench.row[stage] >> sw & 1;
                    testbench.row[stage] ^= UINT32_C(1) << sw;
                    uint32_t idle_crossed = draw(&testbench, testbench.row);
                    uint32_t moved = astray(&testbench);
                    for (uint32_t input = 0; input < testbench.ports; input++)
                        passed |= testbench.to[input] != MULTISTAGE_IDLE &&
                                  multistage_trace(&testbench.net, testbench.row, input) !=
                                      testbench.to[input];
                    assert_true(passed == (moved > 0));
                    assert_true(passed || (idle_crossed == 1 && !crossed && live != 256));
                    testbench.row[stage] ^= UINT32_C(1) << sw;
                }
            }
        }
        testbench_free(&testbench);
    }
}

/* CPUs that permute 64 bytes at once use another implementation; both must give the same
 * settings. */
static void the_fastest_block_equals_the_walk(void **state)
{
    (void)state;
    struct rng rng = {SEED + 4};
    benes_block_fn *best = benes_block_best();
    print_message("%s\n", best == benes_block_walk ? "no vector block here, the walk against itself"
                                                   : "vector block");
    for (unsigned log2_ports = 1; log2_ports <= BENES_BLOCK_LOG2; log2_ports++) {
        for (unsigned time = 0; time < 500; time++) {
            uint32_t drawn[BENES_BLOCK];
            uint8_t from[BENES_BLOCK], left[BENES_BLOCK];
            uint32_t walked[BENES_BLOCK_STAGES] = {0}, fast[BENES_BLOCK_STAGES] = {0};
            unsigned log2_inner = time % log2_ports;
            rng_permutation(&rng, UINT32_C(1) << log2_ports, drawn);
            for (uint32_t lane = 0; lane < BENES_BLOCK; lane++)
                from[lane] = (uint8_t)(lane >> log2_ports == 0 ? drawn[lane] : lane);
            memcpy(left, from, sizeof left);
            benes_block_walk(log2_ports, log2_inner, from, walked);
            best(log2_ports, log2_inner, left, fast);
            assert_memory_equal(walked, fast, sizeof walked);
            assert_memory_equal(from, left, sizeof from);
            for (uint32_t lane = 0; log2_inner > 0 && lane < BENES_BLOCK; lane++)
                assert_int_equal(from[lane] >> log2_inner, lane >> log2_inner);
        }
    }
}

static void expect_refusal(struct testbench *testbench, const char *text)
{
    struct err err = {0};
    assert_false(benes_route(testbench->router, testbench->to, testbench->row, &err));
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text, text);
}

/* Two inputs for one output, and outputs that do not exist: in a full round, and in a nearly idle
 * round. The error names the first input at fault. */
static void illegal_rounds_are_refused(void **state)
{
    (void)state;
    struct testbench testbench = testbench_new(4);
    for (uint32_t input = 0; input < 16; input++)
        testbench.to[input] = 15 - input;
    testbench.to[9] = 12;
    testbench.to[11] = 12;
    expect_refusal(&testbench,
                   "benes: inputs 3 and 9 both want output 12; expected one input at most");
    testbench.to[9] = 16;
    expect_refusal(&testbench, "benes: input 9 wants output 16; expected 0 … 15 or idle");
    testbench.to[9] = UINT32_MAX - 1;
    expect_refusal(&testbench, "benes: input 9 wants output 4294967294; expected 0 … 15 or idle");
    for (uint32_t input = 0; input < 16; input++)
        testbench.to[input] = MULTISTAGE_IDLE;
    check_routed(&testbench);
    testbench.to[5] = testbench.to[14] = 0;
    expect_refusal(&testbench,
                   "benes: inputs 5 and 14 both want output 0; expected one input at most");
    testbench.to[5] = 99;
    expect_refusal(&testbench, "benes: input 5 wants output 99; expected 0 … 15 or idle");
    testbench.to[5] = MULTISTAGE_IDLE;
    check_routed(&testbench);
    testbench_free(&testbench);

    testbench = testbench_new(9);
    for (uint32_t input = 0; input < 512; input++)
        testbench.to[input] = input ^ 170;
    testbench.to[511] = testbench.to[256];
    expect_refusal(&testbench,
                   "benes: inputs 256 and 511 both want output 426; expected one input at most");
    testbench_free(&testbench);
}

static void impossible_networks_are_refused(void **state)
{
    (void)state;
    struct err err = {0};
    assert_null(benes_router_new(0, &err));
    assert_int_equal(err.code, ERR_RANGE);
    assert_string_equal(err.text, "benes: 2^0 ports; expected 2^1 … 2^24");
    assert_null(benes_router_new(25, &err));
    assert_int_equal(err.code, ERR_RANGE);
    assert_string_equal(err.text, "benes: 2^25 ports; expected 2^1 … 2^24");
    benes_router_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_of_2_and_4),
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(every_permutation_of_4_and_8),
        cmocka_unit_test(sampled_rounds_of_every_size),
        cmocka_unit_test(big_rounds),
        cmocka_unit_test(large_rounds_of_all_loops),
        cmocka_unit_test(regular_rounds),
        cmocka_unit_test(equal_rounds_get_equal_rows),
        cmocka_unit_test(a_flipped_switch_is_seen),
        cmocka_unit_test(the_fastest_block_equals_the_walk),
        cmocka_unit_test(illegal_rounds_are_refused),
        cmocka_unit_test(impossible_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
