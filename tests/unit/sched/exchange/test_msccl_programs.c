/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_programs: small programs for MSCCL by hand, and what import finds in them.
 *
 * Accepted: a reduce-scatter in place, with and without an output of its own, and a step that
 * forwards several chunks whose receiver orders steps of the first GPU; the numbers of packets,
 * rounds and transfers are counted by hand. Rejected, each for one reason that is stated in the
 * error: outputs that differ in size, that are missing or that have another chunk, a broadcast
 * with two roots, a circle of blocks that cannot send, a race outside an output, and a program
 * without blocks.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_hand.h"
#include "tests/support/running.h"

#include <stdlib.h>

static void refuses(char *text, enum err_code code, const char *part)
{
    exchange_lab_refuses("msccl", text, code, part);
    free(text);
}

/* GPU g has the result of chunk g: in its output, which is chunk g of its input, or there if it has
 * no output. If it `races`, a block of GPU 1 that does not wait writes chunk 0 of the input, which
 * is sent. */
static char *reduce_scatter(int outputs, bool races)
{
    struct msccl_hand hand = msccl_hand_begin("reduce_scatter", 1, 2);
    for (int id = 0; id < 2; id++) {
        msccl_hand_gpu(&hand, id, 2, outputs, 1);
        msccl_hand_block(&hand, 0, 1 - id, 1 - id);
        msccl_hand_step(&hand, 0, "s", 'i', 1 - id, 'i', 1 - id, 1);
        msccl_hand_step(&hand, 1, "rrc", 'i', id, 'i', id, 1);
        if (races && id == 1) {
            msccl_hand_block(&hand, 1, -1, -1);
            msccl_hand_step(&hand, 0, "cpy", 'i', 0, 's', 0, 1);
            msccl_hand_step(&hand, 1, "cpy", 's', 0, 'i', 0, 1);
        }
    }
    return msccl_hand_end(&hand);
}

static void test_reduce_scatter(void **state)
{
    (void)state;
    for (int outputs = 0; outputs < 2; outputs++) {
        struct schedule schedule;
        char *text = reduce_scatter(outputs, false);
        running("%d outputs", outputs);
        exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &schedule);
        assert_int_equal(schedule.packets, 2);
        assert_int_equal(schedule.end, 1);
        assert_int_equal(schedule.transfer_count, 2);
        for (uint32_t packet = 1; packet <= 2; packet++) {
            const struct demand *demand = schedule_demand_of(&schedule, packet);
            assert_non_null(demand->reduction);
            assert_int_equal(demand->wanted_count, 1);
            assert_int_equal(demand->wanted[0], packet - 1);
        }
        schedule_free(&schedule);
        free(text);
        refuses(reduce_scatter(outputs, true), ERR_ORDER, "chunk 0 of buffer i, and block ");
    }
}

/* Rounds 1 and 2 bring the two chunks to GPU 1, whose step sends them in the rounds after its
 * receipt, 3 and 4; the answer is in no output. */
static void test_forwarded(void **state)
{
    (void)state;
    struct schedule schedule;
    char *text = msccl_hand_answered(true);
    exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &schedule);
    assert_int_equal(schedule.packets, 2);
    assert_int_equal(schedule.end, 4);
    assert_int_equal(schedule.transfer_count, 4);
    schedule_free(&schedule);
    free(text);
    refuses(msccl_hand_answered(false), ERR_ORDER, "race");
}

/* Both GPUs fill a connection, which holds 2 chunks, and then forward two: each can receive
 * them, and cannot send them. */
static void test_full_connections(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 2);
    for (int id = 0; id < 2; id++) {
        msccl_hand_gpu(&hand, id, 2, 4, 0);
        msccl_hand_block(&hand, 0, 1 - id, 1 - id);
        msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 0, 2);
        msccl_hand_step(&hand, 1, "rcs", 'i', 0, 'o', 0, 2);
        msccl_hand_step(&hand, 2, "r", 'o', 0, 'o', 2, 2);
    }
    refuses(msccl_hand_end(&hand), ERR_ORDER, "waits for ever: for GPU ");
}

/* Two GPUs with these numbers of outputs: GPU 1 sends `sent` chunks from chunk `first` on, and GPU
 * 0 sends two; both combine them with their own, or only receive them. */
static char *all_reduce(int outputs_0, int outputs_1, int first, const char *type)
{
    const int outputs[] = {outputs_0, outputs_1};
    struct msccl_hand hand = msccl_hand_begin("allreduce", 0, 2);
    for (int id = 0; id < 2; id++) {
        int sent = outputs[1 - id], from = id == 1 ? first : 0;
        msccl_hand_gpu(&hand, id, 2, outputs[id], 0);
        msccl_hand_block(&hand, 0, sent > 0 ? 1 - id : -1, outputs[id] > 0 ? 1 - id : -1);
        if (sent > 0)
            msccl_hand_step(&hand, 0, "s", 'i', from, 'o', 0, sent);
        if (outputs[id] > 0)
            msccl_hand_step(&hand, sent > 0, type, 'i', 0, 'o', 0, outputs[id]);
    }
    return msccl_hand_end(&hand);
}

static void test_all_reduce(void **state)
{
    (void)state;
    struct schedule schedule;
    char *text = all_reduce(2, 2, 0, "rrc");
    exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &schedule);
    assert_int_equal(schedule.packets, 2);
    assert_int_equal(schedule.transfer_count, 4);
    schedule_free(&schedule);
    free(text);
    refuses(all_reduce(1, 2, 0, "rrc"), ERR_UNMET,
            "GPU 1 has 2 chunks of output; expected as many as others, as coll=\"allreduce\"");
    refuses(all_reduce(0, 1, 0, "r"), ERR_UNMET,
            "GPU 0 has 0 chunks of output; expected some, as coll=\"allreduce\" requires");
    refuses(all_reduce(1, 1, 1, "r"), ERR_UNMET,
            "GPU 0: chunk 0 of its output has nothing of chunk 0 of the inputs; expected the "
            "result of all GPUs, as coll=\"allreduce\" requires");
}

/* GPU 1 has a chunk of GPU 0, and GPU 2 one of GPU 1. */
static void test_two_roots(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("broadcast", 0, 3);
    for (int id = 0; id < 3; id++) {
        msccl_hand_gpu(&hand, id, 1, 1, 0);
        if (id < 2) {
            msccl_hand_block(&hand, 0, id + 1, -1);
            msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 0, 1);
        }
        if (id > 0) {
            msccl_hand_block(&hand, id < 2, -1, id - 1);
            msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 0, 1);
        }
    }
    refuses(msccl_hand_end(&hand), ERR_UNMET,
            "1 chunks of outputs are those of GPU 0; expected all 2 of the others in a broadcast");
}

static void test_no_blocks(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 2);
    msccl_hand_gpu(&hand, 0, 1, 1, 0);
    msccl_hand_gpu(&hand, 1, 1, 1, 0);
    refuses(msccl_hand_end(&hand), ERR_DEMAND, "no output has a chunk of another GPU");
}

static const struct msccl_hand_refused wrong_field[] = {
    {HAND_CUSTOM,
     {{3, 3, "coll=\"custom\"", "nchunksperloop=\"4\" coll=\"reduce_scatter\""}},
     205,
     "nchunksperloop=\"4\"; expected a multiple of ngpus=\"3\" in a reduce_scatter"},
    {HAND_RING,
     {{3, 3, "coll", "nchunksperloop=\"5\" coll"}},
     205,
     "nchunksperloop=\"5\"; expected a multiple of ngpus=\"4\" in an allgather"},
    {HAND_RING, {{6, 6, " s=\"0\"", ""}}, 204, "<step> has no 's'; expected a number"},
    {HAND_RING, {{6, 6, " s=\"0\"", " s=\"-1\""}}, 205, "s=\"-1\"; expected 0 … 2147483647"},
};

static void test_fields(void **state)
{
    (void)state;
    assert_int_equal(msccl_hand_refuse(wrong_field, sizeof wrong_field / sizeof *wrong_field), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce_scatter),   cmocka_unit_test(test_forwarded),
        cmocka_unit_test(test_full_connections), cmocka_unit_test(test_all_reduce),
        cmocka_unit_test(test_two_roots),        cmocka_unit_test(test_no_blocks),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
