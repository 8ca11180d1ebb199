/* SPDX-License-Identifier: Apache-2.0 */
/* test_compile_combined: sizes of requests for reductions, whose packets are combined.
 *
 * By hand: the packets of all nodes together, which have a limit, and the flits that follow from
 * the registers of a network and from λ; a reduction needs two.
 *
 * Counter-cases. A broadcast through as many registers has one flit; with one more pair of
 * registers the reduction is accepted.
 */
#include "sched/route/compile.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

/* Each of 1024 nodes has packets of its own: 131073 · 1024 exceed 2^27. */
static void packets_of_all_nodes(void **state)
{
    (void)state;
    const struct compile_request request = {.flits = 2, .machine.width = 16};
    struct collective collective = {
        .n = 1024, .m = (1u << 17) + 1, .kind = COLLECTIVE_REDUCE, .model = MODEL_SEND_RECEIVE};
    struct payload payload;
    struct machine machine;
    struct err err = {0};
    assert_false(compile_machine(&request, &collective, &machine, &payload, &err));
    assert_null(payload.bytes);
    support_error(&err, ERR_RANGE,
                  "131073 packets of 1024 nodes; expected at most 134217728 in all");
}

/* λ = 3 takes 2 registers for each flit. One of them combines, so that pad=1 leaves packets of one
 * flit, which cannot be combined; pad=3 leaves two. */
static void flits_follow_from_registers(void **state)
{
    (void)state;
    for (int combines = 0; combines < 2; combines++)
        for (unsigned pad = 1; pad <= 3; pad += 2) {
            struct compile_request request = {
                .machine.width = 16, .has_network = true, .has_latency = true};
            struct collective collective = {.n = 4,
                                            .m = 2,
                                            .kind =
                                                combines ? COLLECTIVE_REDUCE : COLLECTIVE_BROADCAST,
                                            .model = MODEL_POSTAL,
                                            .lambda = {3, 1}};
            struct machine machine;
            struct payload payload;
            struct err err = {0};
            request.machine.network = multistage_benes(4);
            request.machine.pad = combines ? pad : pad + 1;
            const bool built = compile_machine(&request, &collective, &machine, &payload, &err);
            assert_int_equal(built, !combines || pad == 3);
            if (!built) {
                support_error(&err, ERR_NETWORK, "flits: 1; expected at least 2");
                continue;
            }
            assert_int_equal(payload.flits, pad == 3 ? 2 : 1);
            payload_free(&payload);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_of_all_nodes),
        cmocka_unit_test(flits_follow_from_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
