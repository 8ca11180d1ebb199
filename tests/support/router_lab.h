/* SPDX-License-Identifier: Apache-2.0 */
/* router_lab: shared parts of the tests of routers that pass every round: network_router on one
 * network, with a drawing of it. */
#ifndef ROUNDCAST_ROUTER_LAB_H
#define ROUNDCAST_ROUTER_LAB_H

#include "sched/network/network_kind.h"
#include "tests/support/multistage_picture.h"

struct router_lab {
    const struct network_kind *kind;
    struct multistage net;
    struct multistage_picture picture;
    void *router;
    uint32_t *to, *row, *again; /* rows of exact size, so that a sanitizer sees a word too many */
    uint64_t rounds;
};

struct router_lab router_lab_new(const struct network_kind *kind, struct multistage net);
void router_lab_free(struct router_lab *lab);
size_t router_lab_bytes(const struct router_lab *lab);

/* Routes a round and checks its row. */
void router_lab_check(struct router_lab *lab, const uint32_t to[]);

/* Checks every permutation, or every partial one, and their number. */
void router_lab_every(const struct network_kind *kind, struct multistage net, bool partial);

/* Checks random rounds of many densities. */
void router_lab_sample(const struct network_kind *kind, struct multistage net, struct rng *rng,
                       unsigned times);

/* Rounds that a sample is unlikely to contain: identity, reversed, shifted, halves exchanged, and
 * strides. */
void router_lab_regular(const struct network_kind *kind, struct multistage net);

/* Equal rounds get equal rows, from another router and after other work, including rejected
 * rounds. */
void router_lab_equal(const struct network_kind *kind, struct multistage net, struct rng *rng,
                      uint32_t live);

/* Counter-case of the drawing: every bit that a box owns is flipped. A circuit goes astray, or a
 * setting then serves no circuit. Returns how often a circuit did. */
uint64_t router_lab_flip(const struct network_kind *kind, struct multistage net, struct rng *rng,
                         uint32_t live);

/* Rounds that no network passes: rejected with code and text. The text begins with `name`. */
void router_lab_refuse(const struct network_kind *kind, struct multistage net, const char *name);

/* --- Of a network that there is for every number of ports ------------------------------------- */

struct router_lab_sizes {
    const struct network_kind *kind;
    struct multistage (*shape)(uint32_t ports);
    const char *name; /* as its rejections begin */
};

/* Tests of a group, their state a router_lab_sizes: every partial permutation of 2 … 7 ports and
 * every permutation of 8; sampled and regular rounds of every size up to 200 and of larger ones on
 * both sides of powers of two (that of 65537 in `make test-all`), from a printed seed; equal rows;
 * flipped switches; rejections. */
void router_lab_every_round_of_7_ports_and_fewer(void **state);
void router_lab_sampled_rounds_of_every_size(void **state);
void router_lab_equal_rounds_get_equal_rows(void **state);
void router_lab_a_flipped_switch_is_seen(void **state);
void router_lab_illegal_rounds_are_refused(void **state);

/* All of them, as entries of a group. */
#define ROUTER_LAB_TESTS(sizes)                                                      \
    cmocka_unit_test_prestate(router_lab_every_round_of_7_ports_and_fewer, (sizes)), \
        cmocka_unit_test_prestate(router_lab_sampled_rounds_of_every_size, (sizes)), \
        cmocka_unit_test_prestate(router_lab_equal_rounds_get_equal_rows, (sizes)),  \
        cmocka_unit_test_prestate(router_lab_a_flipped_switch_is_seen, (sizes)),     \
        cmocka_unit_test_prestate(router_lab_illegal_rounds_are_refused, (sizes))

#endif
