/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_batch: rounds routed by several threads.
 *
 * State space. A schedule's rows, a network, a number of threads. Sampled, with a printed seed:
 * 1000 rows, more than a batch, of random partial permutations (omega: of cyclic shifts, which it
 * passes), one in eight idle, on Beneš networks of 1024 and 1000 ports, of crossbars, on the GF11
 * and an omega network; in rounds, and in the postal model with λ = 3/2, where a row also has the
 * circuits of the row before (`make test-all` runs each network in both, otherwise the two
 * alternate); 1, 2 and 5 threads. One and three rounds of networks of about 2^18 ports, in which
 * threads share rounds. Tables are compared with those of one router that routes row after row,
 * whole images with the image that one thread builds. Settings of `circulant` are stored once.
 *
 * Counter-cases. Rounds that cannot be routed, planted in two or three rows of one batch or of two:
 * the first is reported for any number of threads, whether the reader of rows or a router rejects
 * it. A table with one row of another round differs. Tables too small for threads get one thread.
 * No thread remains waiting.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/network/network_router.h"
#include "sched/route/route.h"
#include "sched/route/route_tables.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/setting_period_lab.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEED UINT64_C(20260611)
#define ROWS 1000u
#define MAX_PORTS 1024

static const int threads[] = {1, 2, 5};
enum { THREADS = sizeof threads / sizeof *threads };

/* Planted faults of a round. */
enum plant { NOTHING, SENDS_TWICE, RECEIVES_TWICE, BLOCKED };

/* Draws to[ports]: a random permutation or a cyclic shift. */
static void draw(struct rng *rng, const struct multistage *net, uint32_t to[])
{
    uint32_t by = 1 + rng_below(rng, net->ports - 1);
    for (uint32_t port = 0; port < net->ports; port++)
        to[port] = (port + by) % net->ports;
    for (uint32_t port = net->ports - 1; port > 0 && !multistage_blocks(net); port--) {
        uint32_t other = rng_below(rng, port + 1), kept = to[port];
        to[port] = to[other];
        to[other] = kept;
    }
}

/* Returns the bit reversal of a port; an omega network blocks this permutation. */
static uint32_t reversed(uint32_t port, uint32_t ports)
{
    uint32_t result = 0;
    for (uint32_t bit = 1; bit < ports; bit *= 2)
        result = 2 * result + (port / bit & 1);
    return result;
}

static void add_step(struct schedule *schedule, struct rng *rng, const struct multistage *net,
                     uint64_t time, enum plant plant)
{
    uint32_t to[MAX_PORTS], density = 1 + rng_below(rng, 4);
    size_t count = 0;
    struct transfer *transfer = schedule_open_step(schedule, time, net->ports + 1, NULL);
    assert_non_null(transfer);
    draw(rng, net, to);
    for (uint32_t port = 0; port < net->ports; port++) {
        uint32_t destination = plant == BLOCKED ? reversed(port, net->ports) : to[port];
        bool left_out = plant == NOTHING && rng_below(rng, 4) >= density;
        if (destination != port && !left_out)
            transfer[count++] = (struct transfer){port, destination, 1};
    }
    if (plant == SENDS_TWICE)
        transfer[count++] = (struct transfer){transfer[0].source, transfer[1].destination, 1};
    if (plant == RECEIVES_TWICE)
        transfer[1].destination = transfer[0].destination;
    schedule_close_step(schedule, count);
}

/* Makes a schedule. plants[ROWS + 1]: the fault of each round; NULL: none. Postal steps are 2 or 3
 * ticks apart, and a transfer takes 2. */
static void make_schedule(const struct multistage *net, bool postal, const enum plant plants[],
                          struct schedule *schedule)
{
    struct rng rng = {SEED + net->ports};
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(
        support_broadcast(schedule, "random",
                          &(struct collective){.n = net->ports,
                                               .m = 1,
                                               .model = postal ? MODEL_POSTAL : MODEL_SEND_RECEIVE},
                          &err),
        &err);
    if (postal)
        schedule->lambda = (struct rational){3, 2};
    for (uint32_t time = !postal; time + 3 < ROWS; time += postal ? 2 + rng_below(&rng, 2) : 1) {
        enum plant plant = plants != NULL ? plants[time] : NOTHING;
        if (plant != NOTHING || rng_below(&rng, 8) > 0)
            add_step(schedule, &rng, net, time, plant);
    }
}

static bool make_image(const struct schedule *schedule, const struct machine *machine,
                       struct image *image, struct err *err)
{
    struct payload payload;
    bool postal = schedule->model == MODEL_POSTAL;
    support_payload(schedule, machine, postal ? 2 * machine_latency(machine) : 2, SEED, &payload);
    bool made = route_schedule(schedule, machine, &payload, image, err);
    payload_free(&payload);
    return made;
}

static struct machine machine_of(const char *network)
{
    struct machine machine = {
        .width = 16, .settings = MACHINE_FULL, .log2_packets = 1, .log2_flits = 6, .log2_rows = 10};
    struct err err = {0};
    support_true(machine_parse_network(network, &machine, &err), &err);
    return machine;
}

/* Collects the circuits of a row: those of all steps in transit. Returns their number. */
static uint32_t circuits_of(const struct schedule *schedule, uint32_t row, uint32_t to[])
{
    uint32_t count = 0;
    for (uint32_t port = 0; port < schedule->nodes; port++)
        to[port] = MULTISTAGE_IDLE;
    for (size_t step = 0; step < schedule->step_count; step++) {
        uint64_t first = schedule_row(schedule, step);
        if (row < first || row >= first + (schedule->model == MODEL_POSTAL ? 2 : 1))
            continue;
        for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step);
             t++, count++)
            to[schedule->transfer[t].source] = schedule->transfer[t].destination;
    }
    return count;
}

/* Returns the number of words of a row that differ from the settings of one router. */
static uint32_t row_differs(const struct image *image, const uint32_t *words, uint32_t row,
                            const uint32_t *setting)
{
    const struct machine *machine = &image->machine;
    uint32_t differ = 0, columns = multistage_row_words(&machine->network);
    for (uint32_t stage = 0; stage < machine_stages(machine); stage++)
        for (uint32_t column = 0; column < multistage_columns(&machine->network, stage); column++) {
            uint32_t field =
                machine_table_address(machine, stage, row, column) & UINT32_C(0x0fffffff);
            differ += words[field] != setting[stage * columns + column];
        }
    return differ;
}

/* Checks that the tables of an image are those that one router computes row after row, and that a
 * row of another round differs. */
static uint32_t assert_tables(const struct schedule *schedule, const struct image *image)
{
    const struct machine *machine = &image->machine;
    struct err err = {0};
    struct network_router *router = network_router_new(&machine->network, &err);
    size_t words = machine_stages(machine) * multistage_row_words(&machine->network);
    uint32_t *setting = malloc(words * sizeof *setting), to[MAX_PORTS], circuits = 0, foreign = 0;
    size_t fields =
        machine_table_address(machine, machine_stages(machine), 0, 0) & UINT32_C(0x0fffffff);
    uint32_t *table = calloc(fields, sizeof *table);
    assert_true(router != NULL && setting != NULL && table != NULL);
    for (size_t k = 0; k < image->count; k++)
        if (machine_region_of(image->word[k].address) == MACHINE_TABLE)
            table[image->word[k].address & UINT32_C(0x0fffffff)] = image->word[k].word;
    for (uint32_t row = 0; row < image->run.rows; row++) {
        circuits += circuits_of(schedule, row, to);
        support_true(network_route(router, to, setting, &err), &err);
        assert_int_equal(row_differs(image, table, row, setting), 0);
        foreign += row >= 4 && row_differs(image, table, row - 4, setting) > 0;
    }
    assert_true(foreign > image->run.rows / 2);
    network_router_free(router);
    free(setting);
    free(table);
    return circuits;
}

static void assert_same_images(const struct image *left, const struct image *right)
{
    assert_int_equal(left->count, right->count);
    assert_memory_equal(left->word, right->word, left->count * sizeof *left->word);
}

static void images_are_the_same(void **state)
{
    (void)state;
    static const char *const networks[] = {"benes:1024", "benes:1000", "benes:512,radix=8", "gf11",
                                           "omega:1024"};
    uint32_t circuits = 0;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++)
        for (unsigned postal = 0; postal < 2; postal++) {
            if (!running_exhaustive() && postal != k % 2)
                continue;
            const struct machine machine = machine_of(networks[k]);
            struct schedule schedule;
            struct image first, image;
            struct err err = {0};
            make_schedule(&machine.network, postal, NULL, &schedule);
            assert_true((uint64_t)schedule.end * machine_ports(&machine) > 1 << 18);
            omp_set_num_threads(threads[0]);
            support_true(make_image(&schedule, &machine, &first, &err), &err);
            for (size_t t = 1; t < THREADS; t++) {
                omp_set_num_threads(threads[t]);
                support_true(make_image(&schedule, &machine, &image, &err), &err);
                assert_same_images(&first, &image);
                image_free(&image);
            }
            circuits += assert_tables(&schedule, &first);
            image_free(&first);
            schedule_free(&schedule);
        }
    print_message("seed %llu: %u circuits\n", (unsigned long long)SEED, circuits);
    assert_true(circuits > 2000000 / running_stride(2));
}

static void settings_are_the_same(void **state)
{
    (void)state;
    struct support_job job[THREADS];
    for (size_t t = 0; t < THREADS; t++) {
        struct schedule schedule;
        struct err err = {0};
        setting_period_lab_schedule("circulant", 32768, 3, &schedule);
        omp_set_num_threads(threads[t]);
        support_true(
            setting_period_lab_job(
                &schedule,
                setting_period_lab_machine("benes:32768",
                                           (struct setting_period_lab_how){MACHINE_INDEXED, false}),
                4, 2, &job[t], &err),
            &err);
        assert_same_images(&job[0].image, &job[t].image);
    }
    struct simulate_report report;
    struct err err = {0};
    support_true(
        setting_period_lab_holds(&job[THREADS - 1], &job[THREADS - 1].image, &report, &err), &err);
    for (size_t t = 0; t < THREADS; t++)
        support_job_free(&job[t]);
}

static void the_first_error_is_reported(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        struct {
            uint32_t round;
            enum plant plant;
        } planted[3];
        enum err_code code;
        const char *text;
    } cases[] = {
        {"benes:1024",
         {{71, RECEIVES_TWICE}, {72, RECEIVES_TWICE}},
         ERR_NOT_PERMUTATION,
         "round 71: "},
        {"benes:1000",
         {{560, RECEIVES_TWICE}, {600, SENDS_TWICE}},
         ERR_NOT_PERMUTATION,
         "round 560: "},
        {"gf11", {{1, RECEIVES_TWICE}, {996, RECEIVES_TWICE}}, ERR_NOT_PERMUTATION, "round 1: "},
        {"benes:1024",
         {{75, SENDS_TWICE}, {76, RECEIVES_TWICE}},
         ERR_NOT_PERMUTATION,
         "round 75: node"},
        {"omega:1024",
         {{90, BLOCKED}, {100, SENDS_TWICE}, {931, BLOCKED}},
         ERR_BLOCKED,
         "round 90: "},
        {"omega:1024", {{508, BLOCKED}, {960, BLOCKED}}, ERR_BLOCKED, "round 508: "},
        {"omega:1024", {{996, BLOCKED}}, ERR_BLOCKED, "round 996: "},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct machine machine = machine_of(cases[k].network);
        enum plant plants[ROWS + 1] = {NOTHING};
        for (unsigned p = 0; p < 3; p++)
            plants[cases[k].planted[p].round] = cases[k].planted[p].plant;
        struct schedule schedule;
        make_schedule(&machine.network, false, plants, &schedule);
        struct err first = {0};
        for (size_t t = 0; t < THREADS; t++) {
            struct image image;
            struct err err = {0};
            omp_set_num_threads(threads[t]);
            assert_false(make_image(&schedule, &machine, &image, &err));
            support_error(&err, cases[k].code, cases[k].text);
            first = t == 0 ? err : first;
            assert_string_equal(err.text, first.text);
        }
        schedule_free(&schedule);
    }
}

/* Returns the number of threads: a folder has two links, and one for each folder in it. */
static unsigned count_threads(void)
{
    struct stat threads_now;
    assert_int_equal(stat("/proc/self/task", &threads_now), 0);
    return (unsigned)threads_now.st_nlink - 2;
}

/* Returns whether this is the only thread. A thread that has ended may still be listed for a
 * moment. */
static bool is_alone(void)
{
    unsigned waited = 0;
    for (; count_threads() > 1 && waited < 5000; waited++)
        usleep(1000);
    return waited < 5000;
}

/* Makes a table of rounds with some idle inputs, by `workers` threads; the caller frees its
 * words. */
static struct route_table route_large(const struct machine *machine, uint32_t rows,
                                      const uint32_t to[], int workers)
{
    struct route_table table = {.stages = machine_stages(machine),
                                .rows = rows,
                                .columns = multistage_row_words(&machine->network)};
    size_t ports = machine->network.ports;
    struct route_batch batch;
    struct err err = {0};
    table.word = calloc((size_t)table.stages * rows * table.columns, sizeof *table.word);
    assert_non_null(table.word);
    omp_set_num_threads(workers);
    support_true(route_batch_open(&batch, machine, &table, &err), &err);
    for (uint32_t row = 0; row < rows; row++) {
        memcpy(route_batch_next(&batch), to + row * ports, ports * sizeof *to);
        support_true(route_batch_add(&batch, row, "round", &err), &err);
    }
    support_true(route_batch_flush(&batch, &err), &err);
    route_batch_close(&batch);
    assert_true(is_alone());
    return table;
}

/* Checks that the settings of a row equal those of a separate router. */
static bool row_is(const struct route_table *table, uint32_t row, const uint32_t setting[])
{
    bool equal = true;
    for (uint32_t stage = 0; stage < table->stages; stage++)
        equal = equal && memcmp(table->word + ((size_t)stage * table->rows + row) * table->columns,
                                setting + (size_t)stage * table->columns,
                                table->columns * sizeof *setting) == 0;
    return equal;
}

enum { LARGE_ROWS = 3 };

/* Draws rounds: the first row is full, the others have idle inputs. */
static uint32_t *draw_large(struct rng *rng, uint32_t ports)
{
    uint32_t *to = malloc((size_t)LARGE_ROWS * ports * sizeof *to);
    assert_non_null(to);
    for (uint32_t row = 0; row < LARGE_ROWS; row++) {
        rng_permutation(rng, ports, to + (size_t)row * ports);
        for (size_t port = 0; port < ports; port++)
            if (rng_below(rng, 4) < row)
                to[row * (size_t)ports + port] = MULTISTAGE_IDLE;
    }
    return to;
}

/* Checks one round and several rounds, no two of which have the same settings. */
static void check_large(const struct machine *machine, const uint32_t to[], int workers)
{
    const struct multistage *net = &machine->network;
    struct network_router *router = network_router_new(net, NULL);
    uint32_t *setting =
        malloc((size_t)machine_stages(machine) * multistage_row_words(net) * sizeof *setting);
    assert_true(router != NULL && setting != NULL);
    for (uint32_t rows = 1; rows <= LARGE_ROWS; rows += LARGE_ROWS - 1) {
        struct route_table table = route_large(machine, rows, to, workers);
        for (uint32_t row = 0; row < rows; row++) {
            assert_true(network_route(router, to + (size_t)row * net->ports, setting, NULL));
            for (uint32_t other = 0; other < rows; other++)
                assert_true(row_is(&table, other, setting) == (other == row));
        }
        free(table.word);
    }
    network_router_free(router);
    free(setting);
}

/* Threads share a round if there are more threads than rounds and the network is so large that it
 * splits into parts; if the number of ports is arbitrary, parts may meet within a word. */
static void large_rounds_are_the_same(void **state)
{
    (void)state;
    const struct multistage nets[] = {multistage_benes(1 << 18), multistage_waksman((1 << 18) + 3),
                                      multistage_multicast(1 << 18), multistage_radix_benes(8, 6)};
    struct rng rng = {SEED + 3};
    print_message("seed %llu\n", (unsigned long long)SEED + 3);
    for (size_t n = 0; n < sizeof nets / sizeof *nets; n++) {
        const struct machine machine = {.network = nets[n]};
        uint32_t *to = draw_large(&rng, nets[n].ports);
        for (size_t t = 1; t < THREADS; t++)
            check_large(&machine, to, threads[t]);
        free(to);
    }
}

/* Large tables use threads, at most as many as rounds or their parts; small tables use one. */
static void workers_are_as_many_as_help(void **state)
{
    (void)state;
    static const struct {
        uint32_t ports, rows;
        int threads;
        unsigned expected, workers;
    } cases[] = {{1024, 255, 4, 1, 1},        {1024, 256, 4, 4, 4}, {1024, 256, 1, 1, 1},
                 {1024, 1000, 600, 512, 512}, {1024, 0, 4, 1, 1},   {262143, 2, 4, 2, 2},
                 {262144, 2, 4, 4, 2},        {524288, 1, 9, 3, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct machine machine = {.network = multistage_benes(cases[k].ports)};
        const struct route_table table = {.stages = machine_stages(&machine),
                                          .rows = cases[k].rows,
                                          .columns = multistage_row_words(&machine.network)};
        struct route_batch batch;
        struct err err = {0};
        omp_set_num_threads(cases[k].threads);
        support_true(route_batch_open(&batch, &machine, &table, &err), &err);
        assert_int_equal(batch.threads, cases[k].expected);
        assert_int_equal(batch.worker_count, cases[k].workers);
        if (cases[k].rows == 0)
            support_true(route_batch_flush(&batch, &err), &err);
        route_batch_close(&batch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_the_same),         cmocka_unit_test(settings_are_the_same),
        cmocka_unit_test(the_first_error_is_reported), cmocka_unit_test(large_rounds_are_the_same),
        cmocka_unit_test(workers_are_as_many_as_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
