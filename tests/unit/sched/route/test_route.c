/* SPDX-License-Identifier: Apache-2.0 */
/* test_route: from schedules to images and back.
 *
 * State space. A schedule (algorithm, model, n, m, source) and a machine. Exhaustive over the
 * algorithms and the models that they support; n = 2 … 40 and the neighbours of 64 and 128; m = 1,
 * 2, 3, 8; the source is drawn with a printed seed; the network is the smallest Beneš network and
 * the one twice as large (for fabric-multicast, multicast networks); pipe and pad are also random.
 * Each image is unpacked (unpack shares no code with route), and its circuits are compared with the
 * schedule's transfers as sets, round by round: sent == received == the packet.
 *
 * Counter-cases. Too few ports, packets, flits, rows, cycles, setting phases, settings; rounds that
 * are not partial permutations; unpack detects a flipped bit of a live switch.
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/network/benes.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240610)
#define MAX_PORTS 512

/* Returns whether the circuits of the row are the transfers from..end, in any order. */
static bool same_circuits(const struct unpacked *unpacked, const struct transfer *from,
                          const struct transfer *end)
{
    struct circuit circuit[2 * MAX_PORTS], of[MAX_PORTS] = {{0}};
    uint32_t count = unpack_circuits(unpacked, circuit);
    for (uint32_t k = 0; k < count; k++)
        if (circuit[k].destination < MAX_PORTS)
            of[circuit[k].destination] = circuit[k];
    for (; from != end; from++, count--) {
        const struct circuit *seen = &of[from->destination];
        if (seen->sent != from->packet || seen->received != from->packet ||
            seen->source != from->source)
            return false;
    }
    return count == 0;
}

/* Returns the number of receive entries of the row, so that additional entries are detected. */
static uint32_t receivers(const struct unpacked *unpacked)
{
    uint32_t ports = machine_ports(&unpacked->machine), count = 0;
    for (uint32_t port = 0; port < ports; port++)
        count += unpacked->receive[port] >> 31;
    return count;
}

static uint64_t assert_image_is_schedule(const struct schedule *schedule, const struct image *image)
{
    struct unpacked unpacked;
    struct err err = {0};
    assert_int_equal(image->run.rows, schedule->end);
    support_true(unpack_image(image, &unpacked, &err), &err);
    size_t step = 0;
    for (uint32_t row = 0; row < image->run.rows; row++) {
        const struct transfer *from = schedule->transfer, *end = from;
        if (step < schedule->step_count && schedule->step[step].time == row + 1) {
            from = schedule->transfer + schedule->step[step].first;
            end = schedule->transfer + schedule_step_end(schedule, step++);
        }
        unpack_row(&unpacked, row);
        assert_true(same_circuits(&unpacked, from, end));
        assert_int_equal(receivers(&unpacked), end - from);
    }
    assert_int_equal(step, schedule->step_count);
    unpack_free(&unpacked);
    return schedule->transfer_count;
}

/* Checks the packet memories after loading: the source has the payload, all other nodes have
 * none. */
static void assert_payload_is_placed(const struct support_job *job, uint32_t source)
{
    const struct machine *machine = &job->image.machine;
    uint32_t node_words = UINT32_C(1) << (machine->log2_packets + machine->log2_flits);
    uint32_t ports = machine_ports(machine);
    uint32_t *memory = malloc((size_t)ports * node_words * sizeof *memory);
    assert_non_null(memory);
    memset(memory, 0xff, (size_t)ports * node_words * sizeof *memory);
    for (size_t k = 0; k < job->image.count; k++) {
        const struct machine_place at = machine_place_of(machine, job->image.word[k].address);
        uint32_t word = (at.slot << machine->log2_flits) + at.flit;
        for (uint32_t node = 0; at.region == MACHINE_PACKET && node < ports; node++)
            if (at.all || node == at.node)
                memory[node * node_words + word] = job->image.word[k].word;
    }
    for (uint32_t node = 0; node < ports; node++)
        for (uint32_t packet = 1; packet <= job->schedule.packets; packet++)
            for (uint32_t flit = 0; flit < job->payload.flits; flit++)
                assert_int_equal(
                    memory[node * node_words + ((packet - 1) << machine->log2_flits) + flit],
                    node == source ? MACHINE_VALID | payload_word(&job->payload, packet, flit) : 0);
    free(memory);
}

static uint64_t route_and_unpack(const struct algorithm *algorithm,
                                 const struct collective *collective, struct rng *rng)
{
    uint64_t circuits = 0;
    for (unsigned larger = 0; larger < 2; larger++) {
        unsigned log2_ports = machine_sizing_log2(collective->n) + larger;
        struct machine machine = support_machine(
            log2_ports, rng_below(rng, benes_stages(log2_ports) + 1), rng_below(rng, 3));
        machine.network = support_network(collective->model, log2_ports);
        struct support_job job;
        support_job(algorithm, collective, &machine, 1 + rng_below(rng, 8), SEED, &job);
        assert_int_equal(job.image.run.row_cycles, job.payload.flits + machine_latency(&machine));
        circuits += assert_image_is_schedule(&job.schedule, &job.image);
        if (collective->n < 12)
            assert_payload_is_placed(&job, collective->source);
        support_job_free(&job);
    }
    return circuits;
}

static void images_are_the_schedules(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 3, 8}, large[] = {63, 64, 65, 127, 128, 129};
    struct rng rng = {SEED};
    uint64_t circuits = 0;
    unsigned schedules = 0;
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm; algorithm++)
        for (int model = 0; model < MODEL_COUNT; model++)
            for (uint32_t k = 2; k <= 40 + sizeof large / sizeof *large; k++)
                for (size_t m = 0; m < sizeof packets / sizeof *packets; m++) {
                    struct collective asked = {.n = k <= 40 ? k : large[k - 41],
                                               .m = packets[m],
                                               .model = (enum model)model};
                    asked.source = rng_below(&rng, asked.n);
                    if ((*algorithm)->kind != COLLECTIVE_BROADCAST ||
                        model_has_times((enum model)model) ||
                        !algorithm_check(*algorithm, &asked, NULL) ||
                        algorithm_end(*algorithm, &asked) > 1u << MACHINE_SIZING_MIN_LOG2_ROWS)
                        continue;
                    circuits += route_and_unpack(*algorithm, &asked, &rng);
                    schedules++;
                }
    print_message("seed %llu: %u schedules on two networks each, %llu circuits\n",
                  (unsigned long long)SEED, schedules, (unsigned long long)circuits);
    assert_true(schedules > 700);
}

static void one_node_has_no_rounds(void **state)
{
    (void)state;
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm; algorithm++) {
        struct collective asked = {.n = 1, .m = 3, .model = algorithm_model(*algorithm)};
        struct machine machine = support_machine(1, 1, 0);
        machine.network = support_network(asked.model, 1);
        struct support_job job;
        if (!algorithm_check(*algorithm, &asked, NULL))
            continue;
        support_job(*algorithm, &asked, &machine, 2, SEED, &job);
        assert_int_equal(job.image.run.rows, 0);
        assert_int_equal(assert_image_is_schedule(&job.schedule, &job.image), 0);
        assert_payload_is_placed(&job, 0);
        support_job_free(&job);
    }
}

static void flipped_switches_are_seen(void **state)
{
    (void)state;
    struct collective asked = {.n = 8, .m = 3, .model = MODEL_SEND_RECEIVE};
    struct machine machine = support_machine(3, 1, 0);
    struct support_job job;
    support_job(support_algorithm("circulant"), &asked, &machine, 4, SEED, &job);
    struct unpacked unpacked;
    struct err err = {0};
    support_true(unpack_image(&job.image, &unpacked, &err), &err);
    const struct transfer *last =
        job.schedule.transfer + job.schedule.step[job.schedule.step_count - 1].first;
    const struct transfer *end = job.schedule.transfer + job.schedule.transfer_count;
    unpack_row(&unpacked, unpacked.run.rows - 1);
    assert_int_equal(end - last, 8 - 1); /* so that every switch is live */
    for (unsigned bit = 0; bit < machine_stages(&machine) * 4; bit++) {
        uint32_t *setting = &unpacked.setting[bit / 4];
        assert_true(same_circuits(&unpacked, last, end));
        *setting ^= 1u << bit % 4;
        assert_false(same_circuits(&unpacked, last, end));
        *setting ^= 1u << bit % 4;
    }
    unpack_free(&unpacked);
    support_job_free(&job);
}

/* Before any other word, the image clears in all nodes each row of both programs and each flit of
 * each packet. 5 rows, 3 packets of 4 flits in slots of 8. */
static void what_may_be_left_over_is_cleared_once(void **state)
{
    (void)state;
    const struct collective asked = {.n = 8, .m = 3, .model = MODEL_SEND_RECEIVE};
    const struct machine machine = support_machine(3, 1, 0);
    struct support_job job;
    support_job(support_algorithm("circulant"), &asked, &machine, 4, SEED, &job);
    const struct image_word *word = job.image.word, *end = word + job.image.count;
    while (word->address < UINT32_C(0x10000000))
        word++;
    for (uint32_t program = 0; program < 2; program++)
        for (uint32_t row = 0; row < 5; row++, word++)
            assert_true(word->address == (UINT32_C(0xa0000000) | program << 28 | row) &&
                        word->word == 0);
    for (uint32_t slot = 0; slot < 3; slot++)
        for (uint32_t flit = 0; flit < 4; flit++, word++)
            assert_true(word->address == (UINT32_C(0xc0000000) | slot << 3 | flit) &&
                        word->word == 0);
    for (; word < end; word++)
        assert_false(word->address & MACHINE_ALL_NODES);
    support_job_free(&job);
}

/* A word for all nodes replaces earlier words, and later words replace it. */
static void words_for_all_nodes_are_seen(void **state)
{
    (void)state;
    const struct collective asked = {.n = 8, .m = 3, .model = MODEL_SEND_RECEIVE};
    const struct machine machine = support_machine(3, 1, 0);
    const uint32_t last = machine_program_address(&machine, MACHINE_SEND, 0, 4);
    struct support_job job;
    struct unpacked unpacked;
    struct circuit circuit[MAX_PORTS];
    struct err err = {0};
    support_job(support_algorithm("circulant"), &asked, &machine, 4, SEED, &job);
    assert_int_equal(job.image.run.rows, 5);
    for (unsigned which = 0; which < 3; which++) {
        static const uint32_t circuits[] = {8, 0, 8},
                              word[] = {MACHINE_VALID | 2, 0, MACHINE_VALID | 1};
        assert_true(image_append(&job.image, MACHINE_ALL_NODES | last, word[which], &err));
        support_true(unpack_image(&job.image, &unpacked, &err), &err);
        unpack_row(&unpacked, 0);
        assert_int_equal(unpack_circuits(&unpacked, circuit), 1);
        unpack_row(&unpacked, 4);
        assert_int_equal(unpack_circuits(&unpacked, circuit), circuits[which]);
        for (uint32_t k = 0; k < 8 && which == 2; k++)
            assert_int_equal(unpacked.send[k], MACHINE_VALID | 1);
        unpack_free(&unpacked);
    }
    support_job_free(&job);
}

/* The header and the words of an image state one operator, and one reconfiguration time. */
static void registers_follow_the_header(void **state)
{
    (void)state;
    const struct collective asked = {
        .kind = COLLECTIVE_REDUCE, .n = 8, .m = 3, .model = MODEL_SEND_RECEIVE};
    struct machine machine = support_machine(3, 1, 0);
    struct support_job job;
    unsigned operators = 0, times = 0;
    machine.combines = true;
    machine.reconfigures = true;
    machine.log2_settings = 3;
    machine.log2_period = 3;
    support_job(support_algorithm("reduce"), &asked, &machine, 4, SEED, &job);
    route_operator(&job.image, 3);
    route_reconfigure(&job.image, 7);
    assert_int_equal(job.image.run.operation, 3);
    assert_int_equal(job.image.run.reconfigure, 7);
    for (size_t k = 0; k < job.image.count; k++) {
        const struct image_word *word = &job.image.word[k];
        assert_true(word->address != MACHINE_RUN_OPERATOR || word->word == 3);
        assert_true(word->address != MACHINE_RUN_RECONFIGURE || word->word == 7);
        operators += word->address == MACHINE_RUN_OPERATOR;
        times += word->address == MACHINE_RUN_RECONFIGURE;
    }
    assert_int_equal(operators, 1);
    assert_int_equal(times, 1);
    support_job_free(&job);
}

static void too_small_machines_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct machine machine;
        uint32_t flits;
        const char *text;
    } cases[] = {
        {MULTISTAGE(3, 1, 0, 16, 4, 3, 6), 4,
         "network: 8 ports for 9 nodes; expected benes:9 or larger"},
        {MULTISTAGE(4, 1, 0, 16, 2, 3, 6), 4,
         "machine: 4 packets of 8 flits, 64 rows for 5 packets of 4 flits, 8 rows"},
        {MULTISTAGE(4, 1, 0, 16, 4, 2, 6), 5,
         "machine: 16 packets of 4 flits, 64 rows for 5 packets of 5 flits"},
        {MULTISTAGE(4, 1, 0, 16, 4, 3, 2), 4,
         "4 rows for 5 packets of 4 flits, 8 rows; expected a larger memory"},
        {MULTISTAGE(4, 1, 0, 16, 3, 16, 6), 65529,
         "machine: rounds of 65536 cycles; expected at most 65535"},
    };
    struct collective asked = {.n = 9, .m = 5, .model = MODEL_SEND_RECEIVE};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule;
        struct payload payload;
        struct image image;
        struct err err = {0};
        support_schedule(support_algorithm("circulant"), &asked, &schedule);
        support_payload(&schedule, &cases[k].machine, cases[k].flits, SEED, &payload);
        assert_false(route_schedule(&schedule, &cases[k].machine, &payload, &image, &err));
        support_error(&err, ERR_TOO_SMALL, cases[k].text);
        payload_free(&payload);
        schedule_free(&schedule);
    }
}

/* A broadcast to 9 nodes has a period of 4 rows and 4 settings. */
static void setting_period_that_have_no_room(void **state)
{
    (void)state;
    static const struct {
        bool computed, indexed;
        unsigned log2_period, log2_settings;
        const char *text; /* NULL: they fit */
    } cases[] = {
        {true, false, 1, 0,
         "machine: a period of 2 and 1 setting for 4 and 0; expected a larger memory"},
        {false, true, 2, 1,
         "machine: a period of 4 and 2 settings for 4 and 4; expected a larger memory"},
        {false, true, 1, 2,
         "machine: a period of 2 and 4 settings for 4 and 4; expected a larger memory"},
        {true, false, 2, 0, NULL},
        {false, true, 2, 2, NULL},
    };
    const struct collective asked = {.n = 9, .m = 5, .model = MODEL_SEND_RECEIVE};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct machine machine = MULTISTAGE(4, 1, 0, 16, 4, 3, 6);
        struct schedule schedule;
        struct payload payload;
        struct image image;
        struct err err = {0};
        machine.computed = cases[k].computed;
        machine.settings = cases[k].indexed ? MACHINE_INDEXED : MACHINE_FULL;
        machine.log2_period = cases[k].log2_period;
        machine.log2_settings = cases[k].log2_settings;
        support_schedule(support_algorithm("circulant"), &asked, &schedule);
        support_payload(&schedule, &machine, 4, SEED, &payload);
        bool fits = route_schedule(&schedule, &machine, &payload, &image, &err);
        assert_int_equal(fits, cases[k].text == NULL);
        if (!fits)
            support_error(&err, ERR_TOO_SMALL, cases[k].text);
        image_free(&image);
        payload_free(&payload);
        schedule_free(&schedule);
    }
}

static void fits_are_the_smallest(void **state)
{
    (void)state;
    for (uint32_t nodes = 1; nodes <= 1030; nodes++) {
        unsigned log2_ports = machine_sizing_log2(nodes);
        assert_true(log2_ports >= 1 && 1u << log2_ports >= nodes);
        assert_true(log2_ports == 1 || 1u << (log2_ports - 1) < nodes);
    }
    const struct schedule asked = {.nodes = 22, .packets = 17, .end = 64};
    struct machine machine = support_machine(5, 1, 0), minimum = support_machine(5, 1, 0);
    struct err err = {0};
    support_true(machine_sizing_fit(&asked, 3, NULL, &machine, &err), &err);
    assert_true(machine.log2_packets == 5 && machine.log2_flits == 2 && machine.log2_rows == 6);
    support_true(machine_sizing_fit(&asked, 3, &minimum, &machine, &err), &err);
    assert_true(machine.log2_packets == 5 && machine.log2_flits == 3 && machine.log2_rows == 6);
    const struct schedule huge = {.nodes = 22, .packets = 1 << 20, .end = 1 << 21};
    support_true(machine_sizing_fit(&huge, 8, NULL, &machine, &err), &err);
    assert_false(machine_sizing_fit(&huge, 9, NULL, &machine, &err));
    support_error(&err, ERR_TOO_SMALL, "1048576 packets of 9 flits in 2097152 rows on 32 ports");
}

static void rounds_that_are_no_permutation(void **state)
{
    (void)state;
    static const struct transfer twice[][2] = {{{1, 2, 1}, {1, 3, 2}}, {{1, 3, 1}, {2, 3, 2}}};
    static const char *const text[] = {
        "round 2: node 1 sends twice; expected a partial permutation", "round 2: "};
    const struct machine machine = support_machine(2, 1, 0);
    for (size_t k = 0; k < 2; k++) {
        struct schedule schedule = {0};
        struct payload payload;
        struct image image;
        struct err err = {0};
        support_true(support_broadcast(
                         &schedule, "none",
                         &(struct collective){.n = 4, .m = 2, .model = MODEL_SEND_RECEIVE}, &err),
                     &err);
        struct transfer *transfer = schedule_open_step(&schedule, 2, 2, &err);
        assert_non_null(transfer);
        memcpy(transfer, twice[k], sizeof twice[k]);
        schedule_close_step(&schedule, 2);
        support_payload(&schedule, &machine, 2, SEED, &payload);
        assert_false(route_schedule(&schedule, &machine, &payload, &image, &err));
        support_error(&err, ERR_NOT_PERMUTATION, text[k]);
        payload_free(&payload);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_the_schedules),
        cmocka_unit_test(one_node_has_no_rounds),
        cmocka_unit_test(flipped_switches_are_seen),
        cmocka_unit_test(registers_follow_the_header),
        cmocka_unit_test(too_small_machines_are_refused),
        cmocka_unit_test(setting_period_that_have_no_room),
        cmocka_unit_test(fits_are_the_smallest),
        cmocka_unit_test(rounds_that_are_no_permutation),
        cmocka_unit_test(what_may_be_left_over_is_cleared_once),
        cmocka_unit_test(words_for_all_nodes_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
