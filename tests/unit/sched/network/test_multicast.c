/* SPDX-License-Identifier: Apache-2.0 */
/* test_multicast: settings of multicast networks.
 *
 * State space. N = 2, 4: every map from outputs to inputs, idle outputs included. N = 8: every
 * number of outputs for every input (12 870 of them), each assigned to random outputs, which
 * exhausts the concentration and the copying of inputs; the rest of the network is a Beneš network,
 * whose own tests are exhaustive. N = 16 … 4096: seeded maps of several kinds. Expected: a model of
 * the network in this file carries each requested input to its outputs. Counter-cases: every
 * flipped bit of a permutation; an input that does not exist.
 */
#include "sched/base/rng.h"
#include "sched/network/multicast.h"
#include "sched/network/network_router.h"
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261)

struct multicast_lab {
    struct multistage net;
    struct multicast_router *router;
    uint32_t *from, *row, *lanes, *next;
    size_t words; /* of row */
    uint64_t maps;
};

static struct multicast_lab lab_new(uint32_t ports)
{
    struct multicast_lab lab = {.net = multistage_multicast(ports)};
    struct err err = {0};
    unsigned log2 = 0;
    while (1u << log2 < ports)
        log2++;
    lab.words = (size_t)(4 * log2 - 3) * ((ports + 31) / 32);
    lab.router = multicast_router_new(&lab.net, &err);
    assert_non_null(lab.router);
    lab.from = malloc(ports * sizeof *lab.from);
    lab.row = malloc(lab.words * sizeof *lab.row);
    lab.lanes = malloc(ports * sizeof *lab.lanes);
    lab.next = malloc(ports * sizeof *lab.next);
    assert_true(lab.from && lab.row && lab.lanes && lab.next);
    return lab;
}

static void lab_free(struct multicast_lab *lab)
{
    multicast_router_free(lab->router);
    free(lab->from);
    free(lab->row);
    free(lab->lanes);
    free(lab->next);
}

/* Carries signals through the network. The distances between the lanes of a switch are N/2 … 1 …
 * N/2 … 1 … N/2. Each input that some output requests sends its number + 1, all others send
 * nothing. */
static void carry(struct multicast_lab *lab)
{
    uint32_t ports = lab->net.ports;
    const uint32_t *setting = lab->row;
    memset(lab->lanes, 0, ports * sizeof *lab->lanes);
    for (uint32_t output = 0; output < ports; output++)
        if (lab->from[output] < ports)
            lab->lanes[lab->from[output]] = lab->from[output] + 1;
    for (int run = 0; run < 4; run++) {
        bool falls = run % 2 == 0;
        for (uint32_t step = falls ? ports / 2 : 2; falls ? step >= 1 : step <= ports / 2;
             step = falls ? step / 2 : step * 2) {
            if (run == 2 && step == ports / 2)
                continue; /* the stage that is shared */
            for (uint32_t lane = 0; lane < ports; lane++)
                lab->next[lane] =
                    lab->lanes[setting[lane / 32] >> lane % 32 & 1 ? lane ^ step : lane];
            memcpy(lab->lanes, lab->next, ports * sizeof *lab->next);
            setting += (ports + 31) / 32;
        }
    }
    assert_ptr_equal(setting, lab->row + lab->words);
}

/* Returns the number of outputs that do not have the requested signal. */
static uint32_t astray(struct multicast_lab *lab)
{
    uint32_t count = 0;
    carry(lab);
    for (uint32_t output = 0; output < lab->net.ports; output++)
        count += lab->lanes[output] !=
                 (lab->from[output] == MULTISTAGE_IDLE ? 0 : lab->from[output] + 1);
    return count;
}

static void check(struct multicast_lab *lab)
{
    struct err err = {0};
    memset(lab->row, 0xa5, lab->words * sizeof *lab->row);
    if (!multicast_route(lab->router, lab->from, lab->row, &err))
        fail_msg("refused: %s", err.text);
    assert_int_equal(multistage_row_words(&lab->net) * multistage_stages(&lab->net), lab->words);
    assert_int_equal(astray(lab), 0);
    for (uint32_t output = 0; output < lab->net.ports; output++) {
        uint32_t source =
            multistage_source(&lab->net, lab->row, output, multistage_stages(&lab->net));
        if (lab->from[output] != MULTISTAGE_IDLE)
            assert_int_equal(source, lab->from[output]);
    }
    lab->maps++;
}

static void every_map_of_2_and_4_ports(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 4; ports *= 2) {
        struct multicast_lab lab = lab_new(ports);
        uint32_t count = 1;
        for (uint32_t output = 0; output < ports; output++)
            count *= ports + 1;
        for (uint32_t map = 0; map < count; map++) {
            for (uint32_t output = 0, rest = map; output < ports; output++, rest /= ports + 1)
                lab.from[output] =
                    rest % (ports + 1) < ports ? rest % (ports + 1) : MULTISTAGE_IDLE;
            check(&lab);
        }
        assert_int_equal(lab.maps, ports == 2 ? 9 : 625);
        lab_free(&lab);
    }
}

static void shuffle(struct rng *rng, uint32_t list[], uint32_t count)
{
    for (uint32_t k = count; k > 1; k--) {
        uint32_t other = (uint32_t)rng_below(rng, k), kept = list[k - 1];
        list[k - 1] = list[other];
        list[other] = kept;
    }
}

/* Distributes `left` further outputs to the inputs from `input` on, in every way. */
static void every_count(struct multicast_lab *lab, struct rng *rng, uint32_t input, uint32_t left)
{
    uint32_t ports = lab->net.ports, kept[8];
    if (input == ports) {
        memcpy(kept, lab->from, sizeof kept);
        for (uint32_t output = ports - left; output < ports; output++)
            lab->from[output] = MULTISTAGE_IDLE;
        shuffle(rng, lab->from, ports);
        check(lab);
        memcpy(lab->from, kept, sizeof kept);
        return;
    }
    every_count(lab, rng, input + 1, left);
    for (uint32_t count = 1; count <= left; count++) {
        lab->from[ports - left + count - 1] = input;
        every_count(lab, rng, input + 1, left - count);
    }
}

static void every_count_of_8_ports(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct multicast_lab lab = lab_new(8);
    every_count(&lab, &rng, 0, 8);
    assert_int_equal(lab.maps, 12870);
    lab_free(&lab);
}

/* Draws a map of one kind: a permutation, one input for all, any input, any of a few, some outputs
 * idle. */
static void draw(struct multicast_lab *lab, struct rng *rng, unsigned kind)
{
    uint32_t ports = lab->net.ports, one = (uint32_t)rng_below(rng, ports);
    for (uint32_t output = 0; output < ports; output++) {
        const uint32_t drawn[] = {output, one, (uint32_t)rng_below(rng, ports),
                                  (one + (uint32_t)rng_below(rng, 3)) % ports,
                                  rng_below(rng, 3) ? (uint32_t)rng_below(rng, ports)
                                                    : MULTISTAGE_IDLE};
        lab->from[output] = drawn[kind];
    }
    if (kind == 0)
        shuffle(rng, lab->from, ports);
}

static void seeded_maps_of_larger_networks(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    print_message("seed %llu\n", (unsigned long long)SEED + 1);
    for (uint32_t ports = 16; ports <= 4096; ports *= 2) {
        struct multicast_lab lab = lab_new(ports);
        for (unsigned kind = 0; kind < 5; kind++)
            for (uint32_t time = 0; time < 1 + 4096 / ports; time++) {
                draw(&lab, &rng, kind);
                check(&lab);
            }
        lab_free(&lab);
    }
}

static void equal_maps_get_equal_rows(void **state)
{
    (void)state;
    struct rng rng = {SEED + 2};
    struct multicast_lab lab = lab_new(64), other = lab_new(64);
    draw(&lab, &rng, 4);
    memcpy(other.from, lab.from, 64 * sizeof *lab.from);
    check(&lab);
    draw(&lab, &rng, 2);
    check(&lab);
    memcpy(lab.from, other.from, 64 * sizeof *lab.from);
    check(&lab);
    check(&other);
    assert_memory_equal(lab.row, other.row, lab.words * sizeof *lab.row);
    lab_free(&lab);
    lab_free(&other);
}

static void every_flipped_bit_strays(void **state)
{
    (void)state;
    struct rng rng = {SEED + 3};
    for (uint32_t ports = 2; ports <= 64; ports *= 2) {
        struct multicast_lab lab = lab_new(ports);
        draw(&lab, &rng, 0);
        check(&lab);
        size_t in_stage = (ports + 31) / 32, stages = lab.words / in_stage;
        for (size_t bit = 0; bit < stages * ports; bit++) {
            uint32_t *word = &lab.row[bit / ports * in_stage + bit % ports / 32];
            *word ^= UINT32_C(1) << bit % ports % 32;
            assert_int_equal(astray(&lab), 1); /* the output gets the word of another input */
            *word ^= UINT32_C(1) << bit % ports % 32;
        }
        lab_free(&lab);
    }
}

static void what_is_refused_is_reported(void **state)
{
    (void)state;
    struct multicast_lab lab = lab_new(8);
    struct err err = {0};
    for (uint32_t output = 0; output < 8; output++)
        lab.from[output] = 7;
    lab.from[5] = 8;
    assert_false(multicast_route(lab.router, lab.from, lab.row, &err));
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text, "multicast: output 5 asks for input 8; expected 0 … 7");
    lab.from[5] = 7;
    check(&lab);
    struct network_router *front = network_router_new(&lab.net, &err);
    assert_non_null(front);
    assert_true(network_route(front, lab.from, lab.row, &err));
    assert_int_equal(astray(&lab), 0);
    network_router_free(front);
    lab_free(&lab);
    multicast_router_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_of_2_and_4_ports),
        cmocka_unit_test(every_count_of_8_ports),
        cmocka_unit_test(seeded_maps_of_larger_networks),
        cmocka_unit_test(equal_maps_get_equal_rows),
        cmocka_unit_test(every_flipped_bit_strays),
        cmocka_unit_test(what_is_refused_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
