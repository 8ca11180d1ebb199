/* SPDX-License-Identifier: Apache-2.0 */
/* test_affine_grouping: from the rounds of a schedule to their affine maps.
 *
 * State space. Rounds by hand, with idle ones between them. Sampled with a printed seed: parts of a
 * few random maps, for which the first-fit grouping is computed here again. A schedule of the
 * postal model, whose packets take two rows.
 *
 * Counter-cases. A round that is not part of an affine map (E409); a network with another number of
 * ports (E401).
 */
#include "sched/route/affine.h"
#include "sched/route/settings.h"
#include "tests/support/affine_reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#define SEED UINT64_C(20261128)

static struct schedule rounds_of(uint32_t nodes, uint32_t rounds, const uint32_t to[])
{
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_broadcast(
                     &schedule, "by hand",
                     &(struct collective){.n = nodes, .m = 1, .model = MODEL_SEND_RECEIVE}, &err),
                 &err);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t count = 0;
        struct transfer *transfer = schedule_open_step(&schedule, 2 * round + 1, nodes, &err);
        support_true(transfer != NULL, &err);
        for (uint32_t node = 0; node < nodes; node++)
            if (to[round * nodes + node] != MULTISTAGE_IDLE)
                transfer[count++] = (struct transfer){node, to[round * nodes + node], 1};
        schedule_close_step(&schedule, count);
    }
    return schedule;
}

static struct machine machine_of(uint32_t ports)
{
    struct machine machine = support_machine(1, 1, 0);
    machine.network = multistage_benes(ports);
    machine.settings = MACHINE_MASKS;
    return machine;
}

#define NONE MULTISTAGE_IDLE

/* Rows 0, 2, 4, 6 and 8, with idle rows between them: a shuffle and a part of it; two halves of a
 * complement of 1; one further map. */
static void rows_by_hand(void **state)
{
    (void)state;
    static const uint32_t to[5][8] = {{0, 2, 4, 6, 1, 3, 5, 7},
                                      {NONE, 2, NONE, NONE, NONE, NONE, NONE, 7},
                                      {1, 0, 3, NONE, 5, NONE, NONE, NONE},
                                      {NONE, NONE, NONE, 2, NONE, 4, NONE, 6},
                                      {NONE, NONE, 1, 0, 2, 3, NONE, NONE}};
    static const uint32_t index[] = {0, 0, 0, 0, 1, 0, 1, 0, 2};
    const struct machine machine = machine_of(8);
    struct schedule schedule = rounds_of(8, 5, to[0]);
    struct affine_grouping maps;
    struct err err = {0};
    support_true(affine_grouping_find(&schedule, &machine, NULL, &maps, &err), &err);
    assert_int_equal(maps.count, 3);
    assert_int_equal(schedule.end, 9);
    assert_memory_equal(maps.index, index, sizeof index);
    const struct affine complement = affine_complete(&maps.part[1]);
    for (uint32_t x = 0; x < 8; x++)
        assert_int_equal(affine_apply(&complement, x), x ^ 1);
    affine_grouping_free(&maps);
    schedule_free(&schedule);
}

static void what_has_no_map_is_refused(void **state)
{
    (void)state;
    static const uint32_t shift[] = {1, 0, 3, 2, 5, 4, 7, 6, 1, 2, 3, 4, 5, 6, 7, 0};
    const struct machine machine = machine_of(8), five = machine_of(5);
    struct schedule schedule = rounds_of(8, 2, shift), four = rounds_of(4, 1, shift);
    struct affine_grouping maps;
    struct err err = {0};
    assert_false(affine_grouping_find(&schedule, &machine, NULL, &maps, &err));
    support_error(&err, ERR_IRREGULAR, "round 3: settings: its circuits are no affine map",
                  "8 port ", "expected one, or settings indexed");
    assert_false(affine_grouping_find(&four, &five, NULL, &maps, &err));
    support_error(&err, ERR_NETWORK,
                  "masks require another network; expected benes:N, N a power of two");
    schedule_free(&schedule);
    schedule_free(&four);
}

/* Parts of a few random maps: each row is a part of its map, but not of an earlier map together
 * with the rows that joined that map before. */
static void drawn_rows(void **state)
{
    (void)state;
    enum { ROWS = 40, PORTS = 32 };
    static uint32_t to[ROWS * PORTS];
    struct rng rng = {SEED};
    uint32_t shared = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned sample = 0; sample < 30; sample++) {
        const struct machine machine = machine_of(PORTS);
        struct affine drawn[4];
        struct affine_grouping maps;
        struct err err = {0};
        for (unsigned which = 0; which < 4; which++)
            drawn[which] = affine_reference_draw(&rng, 5);
        for (uint32_t at = 0; at < ROWS * PORTS; at++)
            to[at] = at % PORTS == 0 || rng_below(&rng, 5) == 0
                         ? affine_apply(&drawn[at / PORTS * 7 % 4], at % PORTS)
                         : NONE;
        struct schedule schedule = rounds_of(PORTS, ROWS, to);
        support_true(affine_grouping_find(&schedule, &machine, NULL, &maps, &err), &err);
        assert_true(maps.count >= 1 && maps.count <= ROWS);
        shared += ROWS - maps.count;
        for (uint32_t row = 0; row < ROWS; row++) {
            const struct affine map = affine_complete(&maps.part[maps.index[2 * row]]);
            assert_true(affine_reference_invertible(&map) &&
                        affine_reference_agrees(&map, to + row * PORTS));
            for (uint32_t before = 0; before < maps.index[2 * row]; before++) {
                struct affine_part part = affine_begin(&machine.network);
                for (uint32_t joined = 0; joined < row; joined++)
                    assert_true(maps.index[2 * joined] != before ||
                                affine_join(&part, to + joined * PORTS));
                assert_false(affine_join(&part, to + row * PORTS));
            }
        }
        affine_grouping_free(&maps);
        schedule_free(&schedule);
    }
    assert_true(shared > 30 * ROWS / 2);
}

/* A row in which packets of the row before are still in transit has the same map. */
static void packets_of_two_rows(void **state)
{
    (void)state;
    const struct collective asked = {
        .n = 8, .m = 2, .model = MODEL_POSTAL, .lambda = (struct rational){5, 2}};
    const struct machine machine = machine_of(8);
    struct schedule schedule;
    struct affine_grouping maps;
    struct err err = {0};
    uint32_t to[8], unchanged = 0;
    support_schedule(support_algorithm("postal-repeat"), &asked, &schedule);
    support_true(affine_grouping_find(&schedule, &machine, NULL, &maps, &err), &err);
    struct route_rows rows = route_rows_begin(&schedule, &machine);
    while (rows.row < rows.rows) {
        support_true(route_rows_next(&rows, to, &err), &err);
        const struct affine map = affine_complete(&maps.part[maps.index[rows.row - 1]]);
        assert_true(affine_reference_agrees(&map, to));
        unchanged += !rows.changed && !rows.idle && maps.index[rows.row - 1] > 0;
    }
    assert_true(unchanged > 0);
    affine_grouping_free(&maps);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_hand),
        cmocka_unit_test(what_has_no_map_is_refused),
        cmocka_unit_test(drawn_rows),
        cmocka_unit_test(packets_of_two_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
