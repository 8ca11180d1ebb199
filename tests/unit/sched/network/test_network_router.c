/* SPDX-License-Identifier: Apache-2.0 */
/* test_network_router: the common interface of the routers of all networks.
 *
 * State space. Every kind: Beneš networks of all sizes 2 … 130, so that both powers of two and
 * other sizes occur, Clos networks, Beneš networks of crossbars, omega networks of 2 … 1024 ports
 * with cyclic shifts. Seeded rounds of several densities where every round passes. Rows are checked
 * by the drawing (multistage_picture.h); for powers of two they equal those of benes_route.
 * Counter-cases: flipped bits; every rejection of a router is reported through the interface, by
 * code and text.
 */
#include "sched/network/benes.h"
#include "sched/network/network_kind.h"
#include "sched/network/network_router.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/router_lab.h"

static void *make(const struct multistage *net, struct err *err)
{
    return network_router_new(net, err);
}
static bool route(void *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    return network_route(router, to, row, err);
}
static void end(void *router)
{
    network_router_free(router);
}
static const struct network_kind kind = {make, end, route, NULL};

static void networks_that_pass_every_round(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED};
    print_message("seed %llu\n", (unsigned long long)MULTISTAGE_PICTURE_SEED);
    for (uint32_t ports = 2; ports <= 130; ports++)
        router_lab_sample(&kind, multistage_benes(ports), &rng, 2);
    for (uint32_t radix = 2; radix <= 12; radix++) {
        router_lab_sample(&kind, multistage_clos(radix + radix % 3, radix, 14 - radix), &rng, 2);
        router_lab_sample(&kind, multistage_radix_benes(radix, 3), &rng, 2);
    }
    for (uint32_t ports = 3; ports <= 130; ports += 13)
        router_lab_equal(&kind, multistage_benes(ports), &rng, 128);
    assert_true(router_lab_flip(&kind, multistage_benes(13), &rng, 256) > 0);
    assert_true(router_lab_flip(&kind, multistage_clos(3, 3, 4), &rng, 256) > 0);
}

static void omega_networks(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 1024; ports *= 2) {
        struct router_lab lab = router_lab_new(&kind, multistage_omega(ports));
        for (uint32_t shift = 0; shift < ports; shift += 1 + ports / 7) {
            for (uint32_t input = 0; input < ports; input++)
                lab.to[input] = (input + shift) % ports;
            router_lab_check(&lab, lab.to);
        }
        router_lab_free(&lab);
    }
}

static void powers_of_two_are_routed_by_benes(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 1};
    struct err err = {0};
    for (unsigned log2_ports = 1; log2_ports <= 10; log2_ports++) {
        struct router_lab lab = router_lab_new(&kind, multistage_benes(UINT32_C(1) << log2_ports));
        struct benes_router *benes = benes_router_new(log2_ports, &err);
        assert_non_null(benes);
        assert_int_equal(router_lab_bytes(&lab),
                         benes_stages(log2_ports) * benes_row_words(log2_ports) * sizeof(uint32_t));
        multistage_picture_round(&rng, lab.net.ports, 256, lab.to);
        router_lab_check(&lab, lab.to);
        assert_true(benes_route(benes, lab.to, lab.again, &err));
        assert_memory_equal(lab.row, lab.again, router_lab_bytes(&lab));
        benes_router_free(benes);
        router_lab_free(&lab);
    }
}

static void what_is_refused_is_reported(void **state)
{
    (void)state;
    struct err err = {0};
    router_lab_refuse(&kind, multistage_benes(16), "benes");
    router_lab_refuse(&kind, multistage_benes(17), "benes");
    router_lab_refuse(&kind, multistage_clos(4, 4, 3), "clos");
    router_lab_refuse(&kind, multistage_omega(16), "omega");
    const struct multistage blocking = multistage_clos(1, 2, 2);
    assert_null(network_router_new(&blocking, &err));
    assert_int_equal(err.code, ERR_NETWORK);
    struct router_lab lab = router_lab_new(&kind, multistage_omega(4));
    static const uint32_t to[] = {0, 2, 1, 3};
    assert_false(network_route(lab.router, to, lab.row, &err));
    assert_int_equal(err.code, ERR_BLOCKED);
    router_lab_free(&lab);
    network_router_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_that_pass_every_round),
        cmocka_unit_test(omega_networks),
        cmocka_unit_test(powers_of_two_are_routed_by_benes),
        cmocka_unit_test(what_is_refused_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
