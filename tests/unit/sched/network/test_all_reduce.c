/* SPDX-License-Identifier: Apache-2.0 */
/* test_all_reduce: settings of networks that combine, then copy.
 *
 * State space. N = 2, 4: every group of each input and each output, idle ports included. N = 8 …
 * 512: seeded groups of several kinds. Expected: a model of the network in this file moves the sets
 * of inputs, stage by stage; each output gets the words of exactly the inputs of its group, an idle
 * output gets nothing, and words meet only in stages that have operators. The model knows only what
 * a setting bit means, which lanes a switch has, and which stages have operators. Counter-cases: a
 * flipped bit of a permutation; a group that does not exist.
 */
#include "sched/base/rng.h"
#include "sched/network/network_router.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261128)
#define MOST 512
#define SET_WORDS (MOST / 64)

/* The inputs whose words a lane carries. */
struct set {
    uint64_t word[SET_WORDS];
};

struct all_reduce_lab {
    struct multistage net;
    struct network_router *router;
    uint32_t ports;
    unsigned log2;
    uint32_t *label, *row;
    struct set *at, *next;
    size_t words; /* of row */
    bool meets;   /* two words have met in a stage without operators */
    uint64_t routed;
};

static struct all_reduce_lab lab_new(unsigned log2)
{
    const uint32_t ports = 1u << log2;
    struct all_reduce_lab lab = {.net = multistage_all_reduce(ports), .ports = ports, .log2 = log2};
    struct err err = {0};
    lab.words = (size_t)(6 * log2 - 4) * ((ports + 31) / 32);
    lab.router = network_router_new(&lab.net, &err);
    support_true(lab.router != NULL, &err);
    lab.label = malloc(2 * ports * sizeof *lab.label);
    lab.row = malloc(lab.words * sizeof *lab.row);
    lab.at = malloc(ports * sizeof *lab.at);
    lab.next = malloc(ports * sizeof *lab.next);
    assert_true(lab.label && lab.row && lab.at && lab.next);
    return lab;
}

static void lab_free(struct all_reduce_lab *lab)
{
    network_router_free(lab->router);
    free(lab->label);
    free(lab->row);
    free(lab->at);
    free(lab->next);
}

static bool is_empty(const struct set *set)
{
    static const struct set empty;
    return memcmp(set, &empty, sizeof empty) == 0;
}

/* Distance of the lanes of a switch: N/2 … 1, 2 … N/2, N/4 … 1, and the same backwards. */
static uint32_t apart(const struct all_reduce_lab *lab, unsigned stage)
{
    const unsigned half = 3 * lab->log2 - 2;
    const unsigned at = stage < half ? stage : 2 * half - 1 - stage;
    const unsigned level = at < lab->log2           ? at
                           : at < 2 * lab->log2 - 1 ? 2 * lab->log2 - 2 - at
                                                    : at - (2 * lab->log2 - 2);
    return lab->ports >> (level + 1);
}

/* Moves all sets through a stage. In the first half a bit of a lane that is set moves its words to
 * the other lane of the switch; in the second half it takes those of the other lane. */
static void pass(struct all_reduce_lab *lab, unsigned stage)
{
    const uint32_t *setting = lab->row + (size_t)stage * ((lab->ports + 31) / 32);
    const unsigned half = 3 * lab->log2 - 2;
    const bool operates = stage >= 2 * lab->log2 - 2 && stage < half;
    memset(lab->next, 0, lab->ports * sizeof *lab->next);
    for (uint32_t lane = 0; lane < lab->ports; lane++) {
        const bool crosses = setting[lane / 32] >> lane % 32 & 1;
        const uint32_t other = crosses ? lane ^ apart(lab, stage) : lane;
        if (stage >= half) {
            lab->next[lane] = lab->at[other];
            continue;
        }
        lab->meets =
            lab->meets || (!operates && !is_empty(&lab->at[lane]) && !is_empty(&lab->next[other]));
        for (unsigned k = 0; k < SET_WORDS; k++)
            lab->next[other].word[k] |= lab->at[lane].word[k];
    }
    memcpy(lab->at, lab->next, lab->ports * sizeof *lab->at);
}

/* Returns whether an input sends: its group has an output. */
static bool sends(const struct all_reduce_lab *lab, uint32_t input)
{
    for (uint32_t output = 0; output < lab->ports; output++)
        if (lab->label[input] != MULTISTAGE_IDLE &&
            lab->label[lab->ports + output] == lab->label[input])
            return true;
    return false;
}

/* Returns the number of outputs that get other words than those of their group. */
static uint32_t astray(struct all_reduce_lab *lab)
{
    uint32_t count = 0;
    lab->meets = false;
    memset(lab->at, 0, lab->ports * sizeof *lab->at);
    for (uint32_t input = 0; input < lab->ports; input++)
        if (sends(lab, input))
            lab->at[input].word[input / 64] |= UINT64_C(1) << input % 64;
    for (unsigned stage = 0; stage < 6 * lab->log2 - 4; stage++)
        pass(lab, stage);
    for (uint32_t output = 0; output < lab->ports; output++) {
        struct set expected = {{0}};
        const uint32_t group = lab->label[lab->ports + output];
        for (uint32_t input = 0; group != MULTISTAGE_IDLE && input < lab->ports; input++)
            if (lab->label[input] == group)
                expected.word[input / 64] |= UINT64_C(1) << input % 64;
        count += memcmp(&expected, &lab->at[output], sizeof expected) != 0;
    }
    return count;
}

static void check(struct all_reduce_lab *lab)
{
    struct err err = {0};
    memset(lab->row, 0xa5, lab->words * sizeof *lab->row);
    support_true(network_route(lab->router, lab->label, lab->row, &err), &err);
    assert_int_equal(multistage_row_words(&lab->net) * multistage_stages(&lab->net), lab->words);
    assert_int_equal(astray(lab), 0);
    assert_false(lab->meets);
    for (uint32_t input = 0; lab->ports <= 8 && input < lab->ports; input++)
        for (uint32_t output = 0; output < lab->ports; output++)
            if (sends(lab, input))
                assert_int_equal(multistage_reaches(&lab->net, lab->row, input, output),
                                 lab->at[output].word[0] >> input & 1);
    lab->routed++;
}

static void every_group_of_2_and_4_ports(void **state)
{
    (void)state;
    for (unsigned log2 = 1; log2 <= 2; log2++) {
        struct all_reduce_lab lab = lab_new(log2);
        const uint32_t ends = 2 * lab.ports, labels = lab.ports + 1;
        uint32_t count = 1;
        for (uint32_t end = 0; end < ends; end++)
            count *= labels;
        for (uint32_t which = 0; which < count; which++) {
            for (uint32_t end = 0, rest = which; end < ends; end++, rest /= labels)
                lab.label[end] = rest % labels < lab.ports ? rest % labels : MULTISTAGE_IDLE;
            check(&lab);
        }
        assert_int_equal(lab.routed, log2 == 1 ? 81 : 390625);
        lab_free(&lab);
    }
}

/* Draws groups of one kind: a permutation, all inputs to all outputs, any group, one of a few, some
 * ports idle. */
static void draw(struct all_reduce_lab *lab, struct rng *rng, unsigned kind)
{
    const uint32_t ports = lab->ports, one = (uint32_t)rng_below(rng, ports);
    for (uint32_t end = 0; end < 2 * ports; end++) {
        const uint32_t drawn[] = {
            0, one, (uint32_t)rng_below(rng, ports), (one + (uint32_t)rng_below(rng, 3)) % ports,
            rng_below(rng, 3) ? (uint32_t)rng_below(rng, ports) : MULTISTAGE_IDLE};
        lab->label[end] = drawn[kind];
    }
    if (kind == 0) {
        rng_permutation(rng, ports, lab->label);
        rng_permutation(rng, ports, lab->label + ports);
    }
}

static void seeded_groups_of_larger_networks(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned log2 = 3; 1u << log2 <= MOST; log2++) {
        struct all_reduce_lab lab = lab_new(log2);
        for (unsigned kind = 0; kind < 5; kind++)
            for (uint32_t time = 0; time < 1 + 512 / lab.ports; time++) {
                draw(&lab, &rng, kind);
                check(&lab);
            }
        lab_free(&lab);
    }
}

/* In a permutation no words meet, so a flipped bit leads a word to another output, or loses it. */
static void flipped_bits_lead_words_astray(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    struct all_reduce_lab lab = lab_new(4);
    draw(&lab, &rng, 0);
    check(&lab);
    for (size_t word = 0; word < lab.words; word++)
        for (uint32_t lane = 0; lane < 16; lane++) {
            lab.row[word] ^= 1u << lane;
            assert_true(astray(&lab) > 0);
            lab.row[word] ^= 1u << lane;
        }
    lab_free(&lab);
}

static void groups_that_do_not_exist_are_rejected(void **state)
{
    (void)state;
    struct all_reduce_lab lab = lab_new(2);
    for (uint32_t end = 0; end < 8; end++) {
        struct err err = {0};
        for (uint32_t other = 0; other < 8; other++)
            lab.label[other] = 3;
        lab.label[end] = 4;
        assert_false(network_route(lab.router, lab.label, lab.row, &err));
        support_error(&err, ERR_NOT_PERMUTATION,
                      end < 4 ? "all-reduce: input" : "all-reduce: output",
                      "is in group 4; expected 0 … 3 or idle");
    }
    lab_free(&lab);
}

/* The stages of networks of 8 ports, from the inputs on: c combines, o combines and has operators,
 * y copies, - only routes. */
static void what_stages_do(void **state)
{
    (void)state;
    const struct {
        struct multistage net;
        const char *stages;
    } cases[] = {{multistage_all_reduce(8), "ccccoooyyyyyyy"},
                 {multistage_combine(8), "ccccooocc"},
                 {multistage_multicast(8), "yyyyyyyyy"},
                 {multistage_benes(8), "-----"}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct multistage *net = &cases[which].net;
        assert_int_equal(multistage_stages(net), strlen(cases[which].stages));
        for (unsigned stage = 0; stage < multistage_stages(net); stage++) {
            const char does = cases[which].stages[stage];
            assert_int_equal(multistage_stage_combines(net, stage), does == 'c' || does == 'o');
            assert_int_equal(multistage_stage_operates(net, stage), does == 'o');
            assert_int_equal(multistage_stage_copies(net, stage), does == 'y');
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stages_do),
        cmocka_unit_test(every_group_of_2_and_4_ports),
        cmocka_unit_test(seeded_groups_of_larger_networks),
        cmocka_unit_test(flipped_bits_lead_words_astray),
        cmocka_unit_test(groups_that_do_not_exist_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
