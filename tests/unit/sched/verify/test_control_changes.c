/* SPDX-License-Identifier: Apache-2.0 */
/* test_control_changes: the verifier detects changes to the control packets of a hypercube's
 * schedule.
 *
 * Exhaustive: every set of sources of the cubes of d ≤ 3 (for d = 3 every 5th; `make test-all` runs
 * all), every algorithm and method with control packets. Rejected with the exact code and no
 * further breach: each value off by one, each part omitted, each value sent together with the last
 * of its parts; rejected with the exact code: an additional packet among the parts (d = 3: a random
 * one). A range of nodes that is one node larger or smaller is judged as by the slow judge; a value
 * that is sent one round later is not too early; the file is the same when it is written again.
 * Sampled, with the seed below: two such changes at a time, compared with the slow judge.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/judge_control.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define SEED 20261122
#define MOST_PARTS 64
#define SETS 5 /* sets of d = 3: one in this number */

/* -- One thing changed ------------------------------------------------------------------------- */

static uint64_t refused, held;

static enum err_code verdict(const struct schedule *schedule, uint64_t *breaches)
{
    struct verify_report report;
    struct err err = {0};
    bool holds = verify_schedule("c", schedule, &report, &err);
    assert_int_equal(holds, err.code == ERR_NONE);
    *breaches = holds ? 0 : 1 + err.further;
    refused += !holds;
    held += holds;
    return err.code;
}

/* Checks the code of the first breach. */
static void breaks(const struct schedule *schedule, enum err_code code)
{
    uint64_t breaches;
    assert_int_equal(verdict(schedule, &breaches), code);
}

/* Checks the code of the only breach. */
static void breaks_only(const struct schedule *schedule, enum err_code code)
{
    uint64_t breaches;
    assert_int_equal(verdict(schedule, &breaches), code);
    assert_int_equal(breaches, 1);
}

static void holds(const struct schedule *schedule)
{
    uint64_t breaches;
    assert_int_equal(verdict(schedule, &breaches), ERR_NONE);
}

static void same_verdict(const struct schedule *schedule, const struct cube_runs_set *set)
{
    enum err_code first;
    uint64_t expected = judge_control(schedule, set, &first), breaches;
    assert_int_equal(verdict(schedule, &breaches), first);
    assert_int_equal(breaches, expected);
}

static void change_value(struct schedule *schedule, struct control *control)
{
    for (int by = -1; by <= 1; by += 2) {
        control->value += (uint32_t)by;
        breaks_only(schedule, ERR_VALUE);
        control->value -= (uint32_t)by;
    }
}

/* Returns the code for wrong parts: parts that count nodes must cover the range, parts of data must
 * be as many as the value. */
static enum err_code code_of_parts(const struct control *control)
{
    return control->node_count > 0 ? ERR_PARTS : ERR_VALUE;
}

static void drop_parts(struct schedule *schedule, struct control *control)
{
    struct control whole = *control;
    uint32_t fewer[MOST_PARTS];
    enum err_code code = code_of_parts(control);
    assert_true(whole.part_count < MOST_PARTS);
    control->part = fewer;
    control->part_count--;
    for (uint32_t drop = 0; drop < whole.part_count; drop++) {
        for (uint32_t which = 0; which < control->part_count; which++)
            fewer[which] = whole.part[which + (which >= drop)];
        breaks_only(schedule, code);
    }
    *control = whole;
}

/* Adds a part before part `place`. The part may also arrive later than the value is sent. */
static void add_part(struct schedule *schedule, struct control *control, uint32_t packet,
                     uint32_t place)
{
    struct control whole = *control;
    uint32_t more[MOST_PARTS];
    for (uint32_t which = 0; which <= whole.part_count; which++)
        more[which] = which == place ? packet : whole.part[which - (which > place)];
    control->part = more;
    control->part_count++;
    breaks(schedule, code_of_parts(&whole));
    *control = whole;
}

static void add_parts(struct schedule *schedule, struct demand *demand, struct rng *rng)
{
    struct control *control = demand->control;
    uint32_t data = schedule_data_packets(schedule);
    bool counts_nodes = control->node_count > 0, all = schedule->topology.dimensions < 3;
    uint32_t first = counts_nodes ? data + 1 : 1,
             last = counts_nodes ? demand->first_packet - 1 : data;
    for (uint32_t packet = first; all && packet <= last; packet++)
        for (uint32_t place = 0; place <= control->part_count; place++)
            add_part(schedule, control, packet, place);
    if (!all && first <= last)
        add_part(schedule, control, first + rng_below(rng, last + 1 - first),
                 rng_below(rng, control->part_count + 1));
}

/* A range of nodes with a node more or less at either end is wrong, here and in values of which
 * this value is a part; but the total of nodes 0 … n - 1 may count 1 … n - 1 as well if no packet
 * starts at node 0, the source of the value. The slow judge decides. */
static void change_nodes(struct schedule *schedule, struct control *control,
                         const struct cube_runs_set *set)
{
    struct control whole = *control;
    for (int first = -1; whole.node_count > 0 && first <= 1; first++)
        for (int end = -1; end <= 1; end++) {
            int from = (int)whole.first_node + first,
                to = (int)(whole.first_node + whole.node_count) + end;
            if ((first == 0 && end == 0) || from < 0 || to > (int)schedule->nodes || from >= to)
                continue;
            control->first_node = (uint32_t)from;
            control->node_count = (uint32_t)(to - from);
            same_verdict(schedule, set);
        }
    *control = whole;
}

/* Returns the step in which the last part of a value arrives or leaves; -1: all parts are there
 * from the start. */
static long last_part(const struct schedule *schedule, const struct demand *demand)
{
    long last = -1;
    for (uint32_t which = 0; which < demand->control->part_count; which++) {
        long k = 0;
        while (!judge_control_was_there(schedule, demand->source, demand->control->part[which],
                                        (size_t)k))
            k++;
        last = k - 1 > last ? k - 1 : last;
    }
    return last;
}

/* Copies a schedule, with the first transfer of a value moved to the end of step k. */
static void move_first(const struct schedule *schedule, const struct demand *demand, size_t k,
                       struct schedule *moved)
{
    struct err err = {0};
    struct transfer first = {0};
    *moved = (struct schedule){0};
    support_true(schedule_init_empty(moved, "moved", &schedule->topology, schedule->model, &err) &&
                     schedule_copy_demands(schedule, moved, &err),
                 &err);
    for (size_t t = schedule->transfer_count; t-- > 0;)
        if (schedule->transfer[t].packet == demand->first_packet &&
            schedule->transfer[t].source == demand->source)
            first = schedule->transfer[t];
    for (size_t step = 0; step < schedule->step_count; step++) {
        support_true(schedule_open_step(moved, schedule->step[step].time, 1, &err) != NULL, &err);
        for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++)
            if (memcmp(&schedule->transfer[t], &first, sizeof first) != 0)
                support_true(schedule_append(moved, schedule->transfer[t], &err), &err);
        if (step == k)
            support_true(schedule_append(moved, first, &err), &err);
        schedule_close_step(moved, 0);
    }
}

/* A value that is sent in the step of its last part is too early; one round later it is not, but
 * the arc may be in use then. */
static void send_early(const struct schedule *schedule, const struct demand *demand)
{
    long last = last_part(schedule, demand);
    struct schedule moved;
    uint64_t breaches;
    if (last < 0)
        return;
    move_first(schedule, demand, (size_t)last, &moved);
    breaks_only(&moved, ERR_EARLY);
    schedule_free(&moved);
    move_first(schedule, demand, (size_t)last + 1, &moved);
    enum err_code code = verdict(&moved, &breaches);
    assert_true(code == ERR_NONE || code == ERR_LANE);
    schedule_free(&moved);
}

static void write_again(const struct schedule *schedule)
{
    struct schedule again;
    struct err err = {0};
    char *text = support_text(schedule);
    support_true(support_read(text, "c.sched", &again, &err), &err);
    holds(&again);
    char *same = support_text(&again);
    assert_string_equal(text, same);
    free(text);
    free(same);
    schedule_free(&again);
}

static void check_schedule(struct schedule *schedule, const struct cube_runs_set *set,
                           struct rng *rng)
{
    enum err_code first;
    assert_int_equal(judge_control(schedule, set, &first), 0);
    write_again(schedule);
    for (size_t d = 0; d < schedule->demand_count; d++) {
        struct demand *demand = &schedule->demand[d];
        if (demand->control == NULL)
            continue;
        change_value(schedule, demand->control);
        if (demand->control->part_count > 0)
            drop_parts(schedule, demand->control);
        add_parts(schedule, demand, rng);
        change_nodes(schedule, demand->control, set);
        send_early(schedule, demand);
    }
}

static void every_set(const char *name, const char *method, unsigned most, struct rng *rng)
{
    for (unsigned d = 1; d <= most; d++) {
        const struct topology cube = cube_lab_make(d);
        const unsigned stride = d == 3 ? running_stride(SETS) : 1;
        for (uint64_t bits = 0; bits < UINT64_C(1) << cube.nodes; bits += stride) {
            struct schedule schedule;
            struct cube_runs_set set = cube_runs_set_of(cube.nodes, bits);
            cube_runs_schedule(name, method, &cube, &set, &schedule);
            check_schedule(&schedule, &set, rng);
            schedule_free(&schedule);
        }
    }
}

/* The methods with a prefix; those without an overlap also have last packets. */
static const char *const methods[] = {"tree",        "exchange",        "tree-gather",
                                      "tree-spread", "exchange-gather", "exchange-spread"};

static void test_one_thing(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %d\n", SEED);
    refused = held = 0;
    for (size_t which = 0; which < sizeof methods / sizeof *methods; which++)
        every_set("cube-broadcast", methods[which], 3, &rng);
    for (unsigned d = 1; d <= 4; d++) {
        const struct topology cube = cube_lab_make(d);
        struct cube_runs_set all = cube_runs_set_of(cube.nodes, (UINT64_C(1) << cube.nodes) - 1);
        struct schedule schedule;
        cube_runs_schedule("cube-all-gather", "termination", &cube, &all, &schedule);
        check_schedule(&schedule, &all, &rng);
        schedule_free(&schedule);
    }
    print_message("%llu schedules refused, %llu accepted\n", (unsigned long long)refused,
                  (unsigned long long)held);
    assert_true(refused > 10 * held && held > 1000 / running_stride(SETS));
}

/* -- Anything changed -------------------------------------------------------------------------- */

/* Draws other parts that a file may contain: earlier control packets, or data packets, in ascending
 * order. */
static void draw_parts(const struct schedule *schedule, struct demand *demand, struct rng *rng)
{
    struct control *control = demand->control;
    uint32_t data = schedule_data_packets(schedule);
    bool nodes = control->node_count > 0;
    uint32_t first = nodes ? data + 1 : 1, last = nodes ? demand->first_packet - 1 : data;
    control->part_count = 0;
    for (uint32_t packet = first; packet <= last && control->part_count < MOST_PARTS; packet++)
        if (rng_below(rng, last + 1 - first) < 2)
            control->part[control->part_count++] = packet;
}

static void change_anything(const struct schedule *schedule, struct demand *demand, struct rng *rng)
{
    struct control *control = demand->control;
    uint32_t what = rng_below(rng, 5);
    if (what == 0)
        control->value += rng_below(rng, 3);
    else if (what == 1 && control->node_count > 0)
        control->first_node = rng_below(rng, schedule->nodes - control->node_count + 1);
    else if (what == 2 && control->node_count > 0)
        control->node_count = 1 + rng_below(rng, schedule->nodes - control->first_node);
    else if (what == 3 && control->node_count > 0 && control->part_count > 0)
        control->part[rng_below(rng, control->part_count)] = control->part[0];
    else
        draw_parts(schedule, demand, rng);
}

/* Changes two control packets, possibly the same one, compares the verdicts and restores both. */
static void compare_judges(struct schedule *schedule, const struct cube_runs_set *set,
                           struct rng *rng)
{
    uint32_t data = schedule_data_packets(schedule), part[2][MOST_PARTS];
    struct demand *demand[2];
    struct control before[2];
    for (unsigned which = 0; which < 2; which++) {
        uint32_t packet = data + 1 + rng_below(rng, schedule->packets - data);
        demand[which] = &schedule->demand[schedule_demand_of(schedule, packet) - schedule->demand];
        before[which] = *demand[which]->control;
        assert_true(before[which].part_count <= MOST_PARTS);
        for (uint32_t k = 0; k < before[which].part_count; k++)
            part[which][k] = before[which].part[k];
        demand[which]->control->part = part[which];
        change_anything(schedule, demand[which], rng);
    }
    same_verdict(schedule, set);
    *demand[1]->control = before[1];
    *demand[0]->control = before[0];
}

static void test_anything(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %d\n", SEED);
    refused = held = 0;
    for (unsigned trial = 0; trial < 200; trial++) {
        const struct topology cube = cube_lab_make(1 + trial % 4);
        struct cube_runs_set set = {.count = rng_below(&rng, 2 * cube.nodes)};
        struct schedule schedule;
        cube_lab_multi(cube.nodes, set.count, rng_next(&rng), set.node);
        cube_runs_schedule("cube-broadcast", methods[trial / 4 % 2], &cube, &set, &schedule);
        for (unsigned change = 0; change < 200; change++)
            compare_judges(&schedule, &set, &rng);
        schedule_free(&schedule);
    }
    print_message("%llu schedules refused, %llu accepted\n", (unsigned long long)refused,
                  (unsigned long long)held);
    assert_true(refused > 10000 && held > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_thing),
                                       cmocka_unit_test(test_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
