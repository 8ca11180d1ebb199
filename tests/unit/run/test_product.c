/* SPDX-License-Identifier: Apache-2.0 */
/* test_product: every combination of network, settings, programs, model and collective runs, or is
 * rejected with the true reason.
 *
 * State space: the networks below × four settings × three programs, or stored programs with
 * reconfiguration × split or not × every algorithm, model and method of a complete graph of 1 … 5
 * and 8 nodes, of trees of one and two levels and of cubes of one and two dimensions, with one
 * packet and two. A seeded sample; all of it in `make test-all`.
 *
 * A combination that runs passes on csim, in every cycle and byte, and `unpack` reads exactly the
 * circuits of the schedule from its image. A combination that does not run is rejected by one of
 * the rules of product_rules.h: a code, a text and a predicate, which depends on the circuits of
 * each row and not on the compiler. A combination is rejected if and only if a predicate holds,
 * except for two rules with additional conditions. So no rejection is untrue, and none is missing.
 *
 * Counter-case: unpacked circuits do not equal those of a changed schedule.
 *
 * docs/combinations.md holds the counts of a run that tries all combinations: `make combinations`
 * writes it, and the test compares it.
 *
 * tags: long
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_network.h"
#include "sched/route/compile.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/product_rules.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261122)
#define SAMPLED 3 /* one combination in so many */

static const char *const networks[] = {
    "benes:2",         "benes:4",   "benes:5,pipe=2", "benes:8",           "benes:9,radix=3",
    "benes:4,radix=2", "waksman:5", "clos:2,2,2",     "clos:3,2,3",        "omega:2",
    "omega:4,pipe=0",  "omega:8",   "multicast:4",    "multicast:8,pad=1", "fat-tree",
    "fat-tree-auto",   "cube",      "cube-auto"};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* Settings × programs × split or not; then settings × split or not, with stored programs and
 * reconfiguration, and with ranges. */
#define VARIANTS 32
#define RECONFIG_VARIANT 16
#define RANGES_VARIANT 24
#define CHANGE 3 /* cycles */
#define MACHINES (NETWORKS * VARIANTS)

struct tally {
    uint64_t points, ran, refused[PRODUCT_RULES];
};

static void print_point(const struct product_point *point, const char *what)
{
    print_error("%s --network %s%s%s --settings %u --programs %s, %s %s -n %u -m %u: %s\n",
                point->algorithm->name, point->network, point->request.split ? " --split" : "",
                point->request.machine.reconfigures ? " --reconfigure" : "",
                point->request.machine.settings,
                point->request.machine.ranges     ? "ranges"
                : point->request.machine.computed ? "computed"
                                                  : "stored",
                model_name(point->collective.model), "method", point->collective.n,
                point->collective.m, what);
}

static bool is_allowed(const struct product_rule *rule, const struct product_point *point)
{
    return rule->may != NULL ? rule->may(point) : rule->holds(point);
}

static void check_refusal(const struct product_point *point, const struct err *err,
                          struct tally *tally)
{
    unsigned which = 0;
    while (which < PRODUCT_RULES && !(product_rules[which].code == err->code &&
                                      strstr(err->text, product_rules[which].text) != NULL))
        which++;
    if (which == PRODUCT_RULES || !is_allowed(&product_rules[which], point)) {
        print_point(point, err->text);
        fail_msg("%s", which == PRODUCT_RULES ? "no known reason" : "an untrue reason");
    }
    tally->refused[which]++;
}

static void check_rules(const struct product_point *point)
{
    for (unsigned which = 0; which < PRODUCT_RULES; which++)
        if (product_rules[which].holds != NULL && product_rules[which].holds(point)) {
            print_point(point, product_rules[which].text);
            fail_msg("it ran, though it could not");
        }
}

/* -- Unpacked ---------------------------------------------------------------------------------- */

/* Returns whether each circuit of an unpacked row is in the schedule, and the numbers are equal. */
static bool is_row(const struct product_point *point, const struct unpacked *unpacked, uint64_t row)
{
    struct circuit circuit[2 * PRODUCT_MAX_PORTS];
    uint32_t count = unpack_circuits(unpacked, circuit), found = 0, all = 0;
    for (size_t k = 0; k < point->schedule.step_count; k++)
        for (size_t t = point->schedule.step[k].first;
             product_is_active(point, k, row) && t < schedule_step_end(&point->schedule, k);
             t++, all++)
            for (uint32_t c = 0; c < count; c++) {
                const struct transfer *transfer = &point->schedule.transfer[t];
                found += circuit[c].source == transfer->source &&
                         circuit[c].destination == transfer->destination &&
                         circuit[c].sent == transfer->packet &&
                         circuit[c].received == transfer->packet &&
                         circuit[c].continues == product_continues(point, k, row);
            }
    return found == all && count == all;
}

static bool is_unpacked(const struct product_point *point)
{
    struct unpacked unpacked;
    struct err err = {0};
    bool is = true;
    support_true(unpack_image(&point->image, &unpacked, &err), &err);
    assert_int_equal(unpacked.run.rows, point->schedule.end);
    for (uint32_t row = 0; is && row < unpacked.run.rows; row++) {
        unpack_row(&unpacked, row);
        is = is_row(point, &unpacked, row);
    }
    unpack_free(&unpacked);
    return is;
}

static void check_unpacked(struct product_point *point)
{
    if (point->is_hops)
        return;
    assert_true(is_unpacked(point));
    if (point->schedule.transfer_count == 0)
        return;
    struct transfer *last = &point->schedule.transfer[point->schedule.transfer_count - 1];
    last->packet++;
    assert_false(is_unpacked(point));
    last->packet--;
}

/* -- All points -------------------------------------------------------------------------------- */

static void run(struct product_point *point, struct machine *machine)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    bool held = simulate(&point->image, &point->schedule, &point->payload, &options, &report, &err);
    if (!held)
        print_point(point, err.text);
    assert_true(held);
    assert_int_equal(report.checks.seen, report.checks.expected);
    assert_int_equal(machine_ports(machine), machine_ports(&point->image.machine));
    check_unpacked(point);
}

static void build(struct product_point *point)
{
    struct verify_report verified;
    struct err err = {0};
    running("%s on %s", point->algorithm->name, point->network);
    schedule_free(&point->schedule);
    support_true(algorithm_build(point->algorithm, &point->collective, &point->schedule, &err) &&
                     verify_schedule("built", &point->schedule, &verified, &err),
                 &err);
}

static void try(struct product_point *point, struct tally *tally)
{
    struct machine machine = {0};
    struct split_report splitted;
    struct verify_report verified;
    struct err err = {0};
    build(point);
    bool made =
        compile_machine(&point->request, &point->collective, &machine, &point->payload, &err);
    made = made && compile_rewrite(&point->request, &machine, &point->schedule, &splitted, &err) &&
           compile_schedule(&point->request, &point->schedule, &point->payload, &machine,
                            &point->image, &err);
    if (made) {
        support_true(verify_schedule("compiled", &point->schedule, &verified, &err), &err);
        check_rules(point);
        run(point, &machine);
        tally->ran++;
    } else {
        check_refusal(point, &err, tally);
    }
    schedule_free(&point->schedule);
    payload_free(&point->payload);
    image_free(&point->image);
    tally->points++;
}

static void every_machine(const struct algorithm *algorithm, const struct collective *asked,
                          struct rng *rng, struct tally tally[MACHINES])
{
    for (unsigned which = 0; which < MACHINES; which++) {
        struct product_point point = {.network = networks[which / VARIANTS],
                                      .request = {.has_network = true, .flits = 4, .seed = 1},
                                      .algorithm = algorithm,
                                      .collective = *asked};
        struct machine *machine = &point.request.machine;
        struct err err = {0};
        if (rng_below(rng, running_stride_long(SAMPLED)) != 0)
            continue;
        support_true(machine_parse_network(point.network, machine, &err), &err);
        machine->width = 16;
        machine->settings = (enum machine_settings)(which % 4);
        unsigned variant = which % VARIANTS;
        machine->reconfigures = variant >= RECONFIG_VARIANT && variant < RANGES_VARIANT;
        machine->ranges = variant >= RANGES_VARIANT;
        point.request.reconfigure = machine->reconfigures ? CHANGE : 0;
        machine->computed = variant < RECONFIG_VARIANT && variant / 4 % 2;
        point.request.split = variant >= RECONFIG_VARIANT ? variant / 4 % 2 : variant / 8;
        point.is_hops = product_begins(&point, "fat-tree") || product_begins(&point, "cube");
        point.blocks = product_begins(&point, "omega");
        point.copies = product_begins(&point, "multicast");
        point.ports = point.is_hops ? 0 : machine_ports(machine);
        if (model_has_times(asked->model))
            point.collective.lambda = point.is_hops ? (struct rational){1, 1}
                                                    : machine_lambda(machine, point.request.flits);
        try(&point, &tally[which]);
    }
}

/* Tries every model and method of an algorithm. */
static void every_variant(const struct algorithm *algorithm, struct collective asked,
                          struct rng *rng, struct tally tally[MACHINES])
{
    struct support_asked made = {0};
    asked = support_demand(algorithm, asked, &made);
    asked.kind = algorithm->kind;
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        for (unsigned method = 0; method < algorithm_methods(algorithm); method++) {
            asked.model = (enum model)model;
            asked.method = method;
            asked.lambda = (struct rational){1, 1};
            if (algorithm_check(algorithm, &asked, NULL))
                every_machine(algorithm, &asked, rng, tally);
        }
    support_asked_free(&made);
}

static void every_size(const struct algorithm *algorithm, struct rng *rng,
                       struct tally tally[MACHINES])
{
    static const uint32_t children[] = {2, 2}, capacity[] = {1, 2}, sources[] = {0, 1};
    struct err err = {0};
    for (uint32_t n = 1; n <= 8 && algorithm->topology == TOPOLOGY_COMPLETE; n += n < 5 ? 1 : 3)
        for (uint32_t m = 1; m <= 2; m++)
            every_variant(algorithm, (struct collective){.n = n, .m = m}, rng, tally);
    for (unsigned size = 1; size <= 2; size++) {
        struct topology tree, cube;
        support_true(topology_tree(size, children, capacity, &tree, &err), &err);
        support_true(topology_hypercube(size, &cube, &err), &err);
        bool is_tree = algorithm->topology == TOPOLOGY_TREE;
        const struct topology *topology = is_tree ? &tree : &cube;
        const bool listed = !is_tree && collective_rows[algorithm->kind].listed;
        for (uint32_t m = listed ? 2 : 1; m <= 2 && algorithm->topology != TOPOLOGY_COMPLETE; m++) {
            const struct collective asked = {.n = topology->nodes,
                                             .m = m,
                                             .topology = topology,
                                             .sources = listed ? sources : NULL};
            every_variant(algorithm, asked, rng, tally);
        }
    }
}

/* -- The page ---------------------------------------------------------------------------------- */

static struct tally sum_of(const struct tally tally[MACHINES])
{
    struct tally sum = {0};
    for (unsigned which = 0; which < MACHINES; which++) {
        sum.points += tally[which].points;
        sum.ran += tally[which].ran;
        for (unsigned rule = 0; rule < PRODUCT_RULES; rule++)
            sum.refused[rule] += tally[which].refused[rule];
    }
    return sum;
}

/* Writes "12; b c": the number of combinations that run, and the letters of the rules that reject
 * others. */
static void write_cell(FILE *page, const struct tally *tally)
{
    fprintf(page, " | %" PRIu64 "%s", tally->ran, tally->ran < tally->points ? ";" : "");
    for (unsigned rule = 0; rule < PRODUCT_RULES; rule++)
        if (tally->refused[rule] > 0)
            fprintf(page, " %c", 'a' + (int)rule);
}

static void write_page(FILE *page, const struct tally tally[MACHINES])
{
    const struct tally sum = sum_of(tally);
    fprintf(page,
            "# Combinations\n\n"
            "After reading this page you know which networks run which schedules with\n"
            "which tables, and why the other combinations are rejected.\n\n"
            "`make combinations` tries all %" PRIu64 " combinations of network, settings,\n"
            "programs, algorithm, model and method on csim and writes this page. The\n"
            "schedules are for 1 … 5 and 8 nodes, for trees of one and two levels and for\n"
            "hypercubes of one and two dimensions. In every combination that runs, each\n"
            "packet arrives in its cycle and `unpack` recovers the schedule from the\n"
            "image. Every rejection is justified: the test (`test_product`) derives its\n"
            "reason from the schedule alone.\n\n"
            "| reason | rejected | code | part of the message |\n"
            "| --- | ---: | --- | --- |\n"
            "| | %" PRIu64 " run | | |\n",
            sum.points, sum.ran);
    for (unsigned rule = 0; rule < PRODUCT_RULES; rule++)
        fprintf(page, "| %c | %" PRIu64 " | E%03d | %s |\n", 'a' + (int)rule, sum.refused[rule],
                (int)product_rules[rule].code, product_rules[rule].text);
    fprintf(
        page,
        "\nThe next table counts the combinations that run on each machine; the letters are the\n"
        "reasons of the others. The columns *reconfig* are with `--reconfigure 3` and stored\n"
        "programs.\n\n"
        "| network | settings | stored | computed | stored, `--split` | computed, `--split` "
        "| reconfig | reconfig, `--split` | ranges | ranges, `--split` |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (unsigned network = 0; network < NETWORKS; network++)
        for (unsigned settings = 0; settings < 4; settings++) {
            fprintf(page, "| `%s` | %s", networks[network],
                    machine_settings_text((enum machine_settings)settings));
            for (unsigned variant = settings; variant < VARIANTS; variant += 4)
                write_cell(page, &tally[network * VARIANTS + variant]);
            fprintf(page, " |\n");
        }
}

/* Returns whether the page equals the file at `path`. */
static bool is_page(const char *path, const struct tally tally[MACHINES])
{
    char *text = NULL, kept[1 << 16] = "";
    size_t size = 0;
    FILE *page = open_memstream(&text, &size), *file = fopen(path, "r");
    assert_non_null(page);
    write_page(page, tally);
    assert_int_equal(fclose(page), 0);
    size_t length = file != NULL ? fread(kept, 1, sizeof kept - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    bool same = length == size && memcmp(text, kept, size) == 0;
    free(text);
    return same;
}

/* Checks that the counts of all points equal those of the page. If ROUNDCAST_COMBINATIONS names a
 * file, writes the page there and checks it instead. */
static void check_page(struct tally tally[MACHINES])
{
    const char *path = getenv("ROUNDCAST_COMBINATIONS");
    FILE *page = path != NULL ? fopen(path, "w") : NULL;
    assert_true(path == NULL || page != NULL);
    if (page != NULL) {
        write_page(page, tally);
        assert_int_equal(fclose(page), 0);
    }
    assert_true(is_page(path != NULL ? path : "docs/combinations.md", tally));
    tally[0].ran++;
    assert_false(is_page(path != NULL ? path : "docs/combinations.md", tally));
    tally[0].ran--;
}

static void product(void **state)
{
    (void)state;
    static struct tally tally[MACHINES];
    struct rng rng = {SEED};
    for (const struct algorithm *const *entry = support_routable(); *entry != NULL; entry++)
        every_size(*entry, &rng, tally);
    const struct tally sum = sum_of(tally);
    print_message("seed %" PRIu64 ": %" PRIu64 " points, %" PRIu64 " ran\n", SEED, sum.points,
                  sum.ran);
    for (unsigned which = 0; which < PRODUCT_RULES; which++)
        assert_true(sum.refused[which] > 0);
    assert_true(sum.ran > sum.points / 12);
    if (running_exhaustive())
        check_page(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(product)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
