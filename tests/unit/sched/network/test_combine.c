/* SPDX-License-Identifier: Apache-2.0 */
/* test_combine: settings of networks that combine.
 *
 * State space. N = 2, 4: every map from inputs to outputs, idle inputs included. N = 8 … 4096:
 * seeded maps of several kinds. Expected: a model of the network in this file moves the word of
 * each input, stage by stage, to the requested output, and words meet only in the stages that have
 * operators. The model knows only what a setting bit means, which lanes a switch has, and which
 * stages have operators. Counter-cases: every flipped bit of a permutation; an output that does not
 * exist.
 */
#include "sched/base/rng.h"
#include "sched/network/network_router.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261127)

struct combine_lab {
    struct multistage net;
    struct network_router *router;
    uint32_t *to, *row, *at;
    uint8_t *met; /* [ports]: the lane has a word after the stage */
    bool meets;   /* two words have met in a stage without operators */
    size_t words; /* of row */
    uint64_t maps;
};

static struct combine_lab lab_new(uint32_t ports)
{
    struct combine_lab lab = {.net = multistage_combine(ports)};
    struct err err = {0};
    unsigned log2 = 0;
    while (1u << log2 < ports)
        log2++;
    lab.words = (size_t)(4 * log2 - 3) * ((ports + 31) / 32);
    lab.router = network_router_new(&lab.net, &err);
    support_true(lab.router != NULL, &err);
    lab.to = malloc(ports * sizeof *lab.to);
    lab.row = malloc(lab.words * sizeof *lab.row);
    lab.at = malloc(ports * sizeof *lab.at);
    lab.met = malloc(ports * sizeof *lab.met);
    assert_true(lab.to && lab.row && lab.at && lab.met);
    return lab;
}

static void lab_free(struct combine_lab *lab)
{
    network_router_free(lab->router);
    free(lab->to);
    free(lab->row);
    free(lab->at);
    free(lab->met);
}

/* Notes whether a stage leads words of two lanes to one. */
static void note_meetings(struct combine_lab *lab, const uint32_t *setting, uint32_t step)
{
    const uint32_t ports = lab->net.ports;
    memset(lab->met, 0, ports);
    for (uint32_t input = 0; input < ports; input++)
        if (lab->to[input] != MULTISTAGE_IDLE)
            lab->met[lab->at[input]] = 1;
    for (uint32_t lane = 0; lane < ports; lane++) {
        const uint32_t other = lane ^ step;
        lab->meets = lab->meets || (lab->met[lane] && lab->met[other] &&
                                    (setting[lane / 32] >> lane % 32 & 1) !=
                                        (setting[other / 32] >> other % 32 & 1));
    }
}

/* Moves the word of each input through the network: at[input] is its lane. A bit of a lane that is
 * set moves its word to the other lane of the switch; words on one lane are combined and stay
 * together. The distances between the lanes of a switch are N/2 … 1 … N/2 … 1 … N/2. */
static void carry(struct combine_lab *lab)
{
    lab->meets = false;
    uint32_t ports = lab->net.ports;
    const uint32_t *setting = lab->row;
    for (uint32_t input = 0; input < ports; input++)
        lab->at[input] = input;
    for (int run = 0; run < 4; run++) {
        bool falls = run % 2 == 0;
        for (uint32_t step = falls ? ports / 2 : 2; falls ? step >= 1 : step <= ports / 2;
             step = falls ? step / 2 : step * 2) {
            if (run == 2 && step == ports / 2)
                continue; /* the stage that is shared */
            /* the first stage with operators is the last one before the third run */
            const bool operates = run == 2 || (run == 1 && step == ports / 2) || ports == 2;
            if (!operates)
                note_meetings(lab, setting, step);
            for (uint32_t input = 0; input < ports; input++) {
                uint32_t lane = lab->at[input];
                lab->at[input] = setting[lane / 32] >> lane % 32 & 1 ? lane ^ step : lane;
            }
            setting += (ports + 31) / 32;
        }
    }
    assert_ptr_equal(setting, lab->row + lab->words);
}

/* Returns the number of inputs that send and whose word does not reach its output. */
static uint32_t astray(struct combine_lab *lab)
{
    uint32_t count = 0;
    carry(lab);
    for (uint32_t input = 0; input < lab->net.ports; input++)
        count += lab->to[input] != MULTISTAGE_IDLE && lab->at[input] != lab->to[input];
    return count;
}

static void check(struct combine_lab *lab)
{
    struct err err = {0};
    memset(lab->row, 0xa5, lab->words * sizeof *lab->row);
    support_true(network_route(lab->router, lab->to, lab->row, &err), &err);
    assert_int_equal(multistage_row_words(&lab->net) * multistage_stages(&lab->net), lab->words);
    assert_int_equal(astray(lab), 0);
    assert_false(lab->meets);
    for (uint32_t input = 0; input < lab->net.ports; input++)
        assert_int_equal(multistage_trace(&lab->net, lab->row, input), lab->at[input]);
    lab->maps++;
}

static void every_map_of_2_and_4_ports(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 4; ports *= 2) {
        struct combine_lab lab = lab_new(ports);
        uint32_t count = 1;
        for (uint32_t input = 0; input < ports; input++)
            count *= ports + 1;
        for (uint32_t map = 0; map < count; map++) {
            for (uint32_t input = 0, rest = map; input < ports; input++, rest /= ports + 1)
                lab.to[input] = rest % (ports + 1) < ports ? rest % (ports + 1) : MULTISTAGE_IDLE;
            check(&lab);
        }
        assert_int_equal(lab.maps, ports == 2 ? 9 : 625);
        lab_free(&lab);
    }
}

/* Draws a map of one kind: a permutation, all inputs to one output, any output, any of a few, some
 * inputs idle. */
static void draw(struct combine_lab *lab, struct rng *rng, unsigned kind)
{
    uint32_t ports = lab->net.ports, one = (uint32_t)rng_below(rng, ports);
    for (uint32_t input = 0; input < ports; input++) {
        const uint32_t drawn[] = {
            0, one, (uint32_t)rng_below(rng, ports), (one + (uint32_t)rng_below(rng, 3)) % ports,
            rng_below(rng, 3) ? (uint32_t)rng_below(rng, ports) : MULTISTAGE_IDLE};
        lab->to[input] = drawn[kind];
    }
    if (kind == 0)
        rng_permutation(rng, ports, lab->to);
}

static void seeded_maps_of_larger_networks(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t ports = 8; ports <= 4096; ports *= 2) {
        struct combine_lab lab = lab_new(ports);
        for (unsigned kind = 0; kind < 5; kind++)
            for (uint32_t time = 0; time < 1 + 4096 / ports; time++) {
                draw(&lab, &rng, kind);
                check(&lab);
            }
        lab_free(&lab);
    }
}

/* In a permutation no words meet, so a flipped bit leads a word, or two, astray. In a map to one
 * output a word that leaves its way can meet others earlier and still be combined with all. */
static void flipped_bits_lead_words_astray(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    unsigned found[2] = {0, 0};
    for (unsigned kind = 0; kind < 2; kind++) {
        struct combine_lab lab = lab_new(16);
        draw(&lab, &rng, kind);
        check(&lab);
        for (size_t word = 0; word < lab.words; word++)
            for (uint32_t lane = 0; lane < 16; lane++) {
                lab.row[word] ^= 1u << lane;
                found[kind] += astray(&lab) > 0;
                lab.row[word] ^= 1u << lane;
            }
        lab_free(&lab);
    }
    assert_int_equal(found[0], 13 * 16);
    assert_true(found[1] > 13 && found[1] < 13 * 16);
}

static void an_output_that_does_not_exist_is_rejected(void **state)
{
    (void)state;
    struct combine_lab lab = lab_new(4);
    struct err err = {0};
    for (uint32_t input = 0; input < 4; input++)
        lab.to[input] = 3;
    lab.to[2] = 4;
    assert_false(network_route(lab.router, lab.to, lab.row, &err));
    support_error(&err, ERR_NOT_PERMUTATION, "combine: input 2 wants output 4; expected 0 … 3");
    lab_free(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_of_2_and_4_ports),
        cmocka_unit_test(seeded_maps_of_larger_networks),
        cmocka_unit_test(flipped_bits_lead_words_astray),
        cmocka_unit_test(an_output_that_does_not_exist_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
