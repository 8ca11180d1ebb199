/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/router_lab.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"
#include "tests/support/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct router_lab router_lab_new(const struct network_kind *kind, struct multistage net)
{
    struct router_lab lab = {.kind = kind, .net = net, .picture = multistage_picture_new(&net)};
    struct err err = {0};
    size_t words = multistage_picture_row_words(&lab.picture);
    lab.router = kind->make(&net, &err);
    if (lab.router == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(multistage_row_words(&net), lab.picture.words);
    lab.to = room_of(net.ports, sizeof lab.to[0]);
    lab.row = malloc(words * sizeof lab.row[0]);
    lab.again = malloc(words * sizeof lab.again[0]);
    assert_true(lab.row != NULL && lab.again != NULL);
    return lab;
}

void router_lab_free(struct router_lab *lab)
{
    lab->kind->free(lab->router);
    multistage_picture_free(&lab->picture);
    free(lab->to);
    free(lab->row);
    free(lab->again);
}

size_t router_lab_bytes(const struct router_lab *lab)
{
    return multistage_picture_row_words(&lab->picture) * sizeof lab->row[0];
}

void router_lab_check(struct router_lab *lab, const uint32_t to[])
{
    struct err err = {0};
    memset(lab->row, 0xa5, router_lab_bytes(lab));
    if (!lab->kind->route(lab->router, to, lab->row, &err))
        fail_msg("refused a legal round: %s", err.text);
    multistage_picture_check(&lab->picture, &lab->net, to, lab->row);
    lab->rounds++;
}

static void router_lab_visit(void *lab, const uint32_t to[])
{
    router_lab_check(lab, to);
}

void router_lab_every(const struct network_kind *kind, struct multistage net, bool partial)
{
    struct router_lab lab = router_lab_new(kind, net);
    uint64_t expected = 1;
    for (uint32_t port = 1; port <= net.ports; port++)
        expected *= port;
    if (partial)
        expected = multistage_picture_partial_count(net.ports);
    multistage_picture_every_round(net.ports, partial, 0, 0, lab.to, router_lab_visit, &lab);
    assert_int_equal(lab.rounds, expected);
    router_lab_free(&lab);
}

void router_lab_sample(const struct network_kind *kind, struct multistage net, struct rng *rng,
                       unsigned times)
{
    static const uint32_t live[] = {256, 255, 200, 128, 32, 4, 0};
    struct router_lab lab = router_lab_new(kind, net);
    for (unsigned time = 0; time < times; time++)
        for (size_t density = 0; density < sizeof live / sizeof live[0]; density++) {
            multistage_picture_round(rng, net.ports, live[density], lab.to);
            router_lab_check(&lab, lab.to);
        }
    router_lab_free(&lab);
}

void router_lab_regular(const struct network_kind *kind, struct multistage net)
{
    struct router_lab lab = router_lab_new(kind, net);
    uint32_t ports = net.ports;
    for (uint32_t shape = 0; shape < 4; shape++) {
        for (uint32_t input = 0; input < ports; input++) {
            const uint32_t output[] = {input, ports - 1 - input, (input + 1) % ports,
                                       (input + ports / 2) % ports};
            lab.to[input] = output[shape];
        }
        router_lab_check(&lab, lab.to);
    }
    router_lab_free(&lab);
}

void router_lab_equal(const struct network_kind *kind, struct multistage net, struct rng *rng,
                      uint32_t live)
{
    struct router_lab lab = router_lab_new(kind, net), other = router_lab_new(kind, net);
    multistage_picture_round(rng, net.ports, live, lab.to);
    router_lab_check(&lab, lab.to);
    memcpy(lab.again, lab.row, router_lab_bytes(&lab));
    multistage_picture_round(rng, net.ports, 100, other.to);
    router_lab_check(&lab, other.to);
    other.to[0] = other.to[net.ports - 1] = 1;
    assert_false(kind->route(lab.router, other.to, lab.row, NULL));
    router_lab_check(&lab, lab.to);
    router_lab_check(&other, lab.to);
    assert_memory_equal(lab.again, lab.row, router_lab_bytes(&lab));
    assert_memory_equal(lab.again, other.row, router_lab_bytes(&lab));
    router_lab_free(&lab);
    router_lab_free(&other);
}

uint64_t router_lab_flip(const struct network_kind *kind, struct multistage net, struct rng *rng,
                         uint32_t live)
{
    struct router_lab lab = router_lab_new(kind, net);
    uint64_t astray = 0;
    multistage_picture_round(rng, net.ports, live, lab.to);
    router_lab_check(&lab, lab.to);
    for (size_t bit = 0; bit < 32 * multistage_picture_row_words(&lab.picture); bit++) {
        lab.row[bit / 32] ^= UINT32_C(1) << bit % 32;
        if (multistage_picture_stray_bits(&lab.picture, lab.row) == 0) {
            uint32_t idle = multistage_picture_carry(&lab.picture, lab.to, lab.row);
            uint32_t lost = multistage_picture_astray(&lab.picture, lab.to);
            /* an output may give a second time what goes elsewhere */
            bool doubled = multistage_has_crossbars(&net);
            assert_true(lost > 0 || idle > 0 || (doubled && live < 256) || net.middle > net.radix);
            astray += lost > 0;
        }
        lab.row[bit / 32] ^= UINT32_C(1) << bit % 32;
    }
    router_lab_free(&lab);
    return astray;
}

void router_lab_refuse(const struct network_kind *kind, struct multistage net, const char *name)
{
    struct router_lab lab = router_lab_new(kind, net);
    struct err err = {0};
    char text[200];
    uint32_t last = net.ports - 1;
    for (uint32_t input = 0; input < net.ports; input++)
        lab.to[input] = last - input;
    lab.to[2] = last;
    assert_false(kind->route(lab.router, lab.to, lab.row, &err));
    snprintf(text, sizeof text,
             "%s: inputs 0 and 2 both want output %u; expected one input at most", name, last);
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text, text);
    lab.to[1] = net.ports;
    assert_false(kind->route(lab.router, lab.to, lab.row, &err));
    snprintf(text, sizeof text, "%s: input 1 wants output %u; expected 0 … %u or idle", name,
             net.ports, last);
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text, text);
    router_lab_free(&lab);
}

void router_lab_every_round_of_7_ports_and_fewer(void **state)
{
    const struct router_lab_sizes *sizes = *state;
    assert_int_equal(multistage_picture_partial_count(7), 130922);
    for (uint32_t ports = 2; ports <= 7; ports++)
        router_lab_every(sizes->kind, sizes->shape(ports), true);
    router_lab_every(sizes->kind, sizes->shape(8), false);
}

void router_lab_sampled_rounds_of_every_size(void **state)
{
    const struct router_lab_sizes *sizes = *state;
    static const uint32_t larger[] = {255,  256,  257,  511,  513,  683,
                                      1000, 1023, 1025, 4095, 4097, 65537};
    const size_t sizes_tried = sizeof larger / sizeof larger[0] - !running_exhaustive();
    struct rng rng = {MULTISTAGE_PICTURE_SEED};
    print_message("seed %llu\n", (unsigned long long)MULTISTAGE_PICTURE_SEED);
    for (uint32_t ports = 2; ports <= 200; ports++) {
        router_lab_sample(sizes->kind, sizes->shape(ports), &rng, 5);
        router_lab_regular(sizes->kind, sizes->shape(ports));
    }
    for (size_t which = 0; which < sizes_tried; which++) {
        router_lab_sample(sizes->kind, sizes->shape(larger[which]), &rng, 1);
        router_lab_regular(sizes->kind, sizes->shape(larger[which]));
    }
}

void router_lab_equal_rounds_get_equal_rows(void **state)
{
    const struct router_lab_sizes *sizes = *state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 1};
    for (uint32_t ports = 3; ports <= 70; ports++)
        for (uint32_t live = 16; live <= 256; live += 80)
            router_lab_equal(sizes->kind, sizes->shape(ports), &rng, live);
}

void router_lab_a_flipped_switch_is_seen(void **state)
{
    const struct router_lab_sizes *sizes = *state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 2};
    uint64_t astray = 0;
    for (uint32_t ports = 3; ports <= 40; ports++)
        astray += router_lab_flip(sizes->kind, sizes->shape(ports), &rng, 256) +
                  router_lab_flip(sizes->kind, sizes->shape(ports), &rng, 90);
    assert_true(astray > 1000);
}

void router_lab_illegal_rounds_are_refused(void **state)
{
    const struct router_lab_sizes *sizes = *state;
    router_lab_refuse(sizes->kind, sizes->shape(5), sizes->name);
    router_lab_refuse(sizes->kind, sizes->shape(1000), sizes->name);
    sizes->kind->free(NULL);
}
