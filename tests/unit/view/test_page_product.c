/* SPDX-License-Identifier: Apache-2.0 */
/* test_page_product: the page of a run shows the same numbers as the report of the run.
 *
 * State space: every algorithm, model and method, on complete graphs of 1, 2, 5 and 8 nodes, trees
 * of one and two levels and hypercubes of one to three dimensions × networks with several `pipe`
 * and `pad` × four settings × stored and computed programs × split or not × no reconfiguration, and
 * reconfigurations of 0, 3 and 20 cycles × flits. A seeded sample, larger with
 * ROUNDCAST_EXHAUSTIVE. Requests that are rejected with exit status 2 have no page and are counted.
 *
 * Each run writes its page and its report as `roundcast run --json --view` does; then
 * tests/browser/replay_pages.js runs the scripts of all pages in node and compares the check of
 * the cycles, the cycles of each moment, and the packets that the sources hold.
 *
 * Counter-cases, each rejected with its own text: a page whose run took another number of cycles; a
 * page whose clock waits longer for a reconfiguration than the machine of the run did; pages whose
 * scripts count rows × cycles, count past the end, or forget the packets that the sources hold.
 */
#include "cli/run.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"
#include "sched/base/tool.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261126)
#define SAMPLED 120  /* one in this many points is tried */
#define EXHAUSTED 25 /* the same with ROUNDCAST_EXHAUSTIVE */
#define BATCH 256    /* pages that node compares at once */
#define WORDS_TEXT 400
#define MAX_WORDS 60
#define REPLAY "tests/browser/replay_pages.js"

static char folder[] = "/tmp/roundcast-pages-XXXXXX";

static const char *const complete[] = {"-n 1 -m 1", "-n 2 -m 1", "-n 5 -m 3", "-n 8 -m 2"};
static const char *const traffic[] = {"-n 2 --pattern uniform:2", "-n 5 --pattern moe:3,1",
                                      "-n 8 --pattern zipf:12", "-n 8 --pattern permutation:5"};
static const char *const trees[] = {"--tree 2", "--tree 2,2 --capacity 1,2", "--tree 3,2",
                                    "--tree 3,2 -m 3"};
static const char *const cubes[] = {"--dim 1", "--dim 2", "--dim 3"};
static const char *const sources[] = {"--dim 1 --sources 0,1", "--dim 2 --sources 0,1,1",
                                      "--dim 3 --random 4"};

static const char *const networks[] = {"",
                                       "--network benes:8",
                                       "--network benes:5,pipe=2",
                                       "--network benes:8,pipe=0,pad=0",
                                       "--network benes:9,radix=3,pad=2",
                                       "--network waksman:8,pipe=3",
                                       "--network clos:3,2,3",
                                       "--network omega:8",
                                       "--network omega:8,pipe=0,pad=4",
                                       "--network multicast:8,pad=1"};
static const char *const tree_networks[] = {"--network fat-tree", "--network fat-tree,pad=2",
                                            "--network fat-tree-auto",
                                            "--network fat-tree-auto,pad=1"};
static const char *const cube_networks[] = {"--network cube", "--network cube,pad=3",
                                            "--network cube-auto", "--network cube-auto,pad=1",
                                            "--network benes:8,pipe=2"};
static const char *const settings[] = {"", "--settings indexed", "--settings tags",
                                       "--settings masks"};
static const char *const variants[] = {"", "--split", "--programs computed"};
static const char *const changes[] = {"", "--reconfigure 0", "--reconfigure 3",
                                      "--reconfigure 100ns --clock 200"};
static const char *const flits[] = {"", "--flits 1", "--flits 6", "--flits 12"};

#define SOME(list) ((struct some){list, sizeof(list) / sizeof *(list)})
struct some {
    const char *const *text;
    size_t count;
};

/* The runs that are compared at once: the command of each line, and the verdict that node must
 * print. */
struct batch {
    char command[BATCH][WORDS_TEXT];
    size_t count;
    FILE *lines;
};

struct tally {
    uint64_t points, ran, refused, held, timed;
};

/* -- Node -------------------------------------------------------------------------------------- */

static FILE *file_in_folder(const char *name, const char *mode)
{
    char path[sizeof folder + 40];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    return file;
}

/* Runs node on the lines and reads its verdicts; [count]. */
static void replay(size_t count, char verdict[][WORDS_TEXT])
{
    char command[3 * sizeof folder + 100];
    snprintf(command, sizeof command, "node " REPLAY " <%s/lines >%s/verdicts", folder, folder);
    assert_int_equal(system(command), 0);
    FILE *file = file_in_folder("verdicts", "r");
    char *line = NULL;
    size_t room = 0, read = 0;
    for (; getline(&line, &room, file) > 0 && read < count; read++) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(verdict[read], WORDS_TEXT, "%.*s", WORDS_TEXT - 1, line);
    }
    free(line);
    fclose(file);
    assert_int_equal(read, count);
}

static void compare(struct batch *batch)
{
    static char verdict[BATCH][WORDS_TEXT];
    if (batch->count == 0)
        return;
    assert_int_equal(fclose(batch->lines), 0);
    replay(batch->count, verdict);
    size_t wrong = 0;
    for (size_t k = 0; k < batch->count; k++)
        if (strcmp(verdict[k], "holds") != 0 && wrong++ < 5)
            print_error("run %s\n    %s\n", batch->command[k], verdict[k]);
    batch->count = 0;
    assert_int_equal(wrong, 0);
}

/* -- Runs -------------------------------------------------------------------------------------- */

static bool run_words(int count, char **words, FILE *to, struct roundcast_error *err)
{
    struct roundcast_request request;
    struct roundcast_image *image =
        run_read_all(count, words, &request, err) ? roundcast_compile(&request, err) : NULL;
    bool held = image != NULL && run_report_print(image, &request, true, to, err);
    roundcast_image_free(image);
    return held;
}

/* Runs a command line on csim, with page `name` in the folder. Returns the report, which the caller
 * frees, or NULL if the command was rejected. */
static char *run_page(const char *command, const char *name)
{
    char text[WORDS_TEXT + sizeof folder + 100], *words[MAX_WORDS + 1], *report = NULL, *rest;
    size_t size;
    int count = 0;
    struct roundcast_error err = {0};
    snprintf(text, sizeof text, "run %s --engine csim --view %s/%s", command, folder, name);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        assert_in_range(count, 0, MAX_WORDS - 1);
        words[count++] = word;
    }
    words[count] = NULL;
    running("run %s", command);
    FILE *to = open_memstream(&report, &size);
    assert_non_null(to);
    bool held = run_words(count, words, to, &err);
    assert_int_equal(fclose(to), 0);
    if (held)
        return report;
    if (roundcast_error_status(err.code) != 2)
        fail_msg("run %s: %s", command, err.text);
    free(report);
    return NULL;
}

/* Writes a line for node; `more` is text with further members of its object. */
static void add_line(FILE *lines, const char *name, const char *report, const char *more)
{
    fprintf(lines, "{\"page\":\"%s/%s\",\"report\":", folder, name);
    for (const char *c = report; *c != '\0'; c++)
        if (*c != '\n')
            fputc(*c, lines);
    fprintf(lines, "%s}\n", more);
}

static void try(const char *command, struct batch *batch, struct tally *tally)
{
    char name[30];
    snprintf(name, sizeof name, "%zu.html", batch->count);
    char *report = run_page(command, name);
    tally->points++;
    tally->refused += report == NULL;
    if (report == NULL)
        return;
    tally->ran++;
    tally->held += strstr(report, "\"reconfigure\": null") == NULL;
    tally->timed += strstr(report, "\"rounds\": null") != NULL;
    if (batch->count == 0)
        batch->lines = file_in_folder("lines", "w");
    add_line(batch->lines, name, report, "");
    free(report);
    snprintf(batch->command[batch->count++], WORDS_TEXT, "%s", command);
    if (batch->count == BATCH)
        compare(batch);
}

/* -- All points -------------------------------------------------------------------------------- */

static struct some sizes_of(const struct algorithm *algorithm)
{
    if (algorithm->topology == TOPOLOGY_TREE)
        return SOME(trees);
    if (algorithm->topology == TOPOLOGY_HYPERCUBE)
        return collective_rows[algorithm->kind].listed ? SOME(sources) : SOME(cubes);
    return collective_rows[algorithm->kind].weighed ? SOME(traffic) : SOME(complete);
}

static struct some networks_of(const struct algorithm *algorithm)
{
    if (algorithm->topology == TOPOLOGY_TREE)
        return SOME(tree_networks);
    return algorithm->topology == TOPOLOGY_HYPERCUBE ? SOME(cube_networks) : SOME(networks);
}

/* Returns the text that the number in `rest` selects, and leaves the quotient in `rest`. */
static const char *take(struct some some, uint64_t *rest)
{
    const char *text = some.text[*rest % some.count];
    *rest /= some.count;
    return text;
}

/* Tries every size and machine of an algorithm with a model and method. */
static void every_machine(const struct algorithm *algorithm, const char *how, struct rng *rng,
                          struct batch *batch, struct tally *tally)
{
    const struct some sizes = sizes_of(algorithm), nets = networks_of(algorithm);
    const uint64_t all = sizes.count * nets.count * SOME(settings).count * SOME(variants).count *
                         SOME(changes).count * SOME(flits).count;
    for (uint64_t point = 0; point < all; point++) {
        char command[WORDS_TEXT];
        if (rng_below(rng, running_exhaustive() ? EXHAUSTED : SAMPLED) != 0)
            continue;
        uint64_t rest = point;
        const char *size = take(sizes, &rest), *network = take(nets, &rest),
                   *change = take(SOME(changes), &rest), *length = take(SOME(flits), &rest),
                   *setting = take(SOME(settings), &rest), *variant = take(SOME(variants), &rest);
        snprintf(command, sizeof command, "%s %s %s %s %s %s %s %s", algorithm->name, size, how,
                 network, setting, variant, change, length);
        try(command, batch, tally);
    }
}

static void every_variant(const struct algorithm *algorithm, struct rng *rng, struct batch *batch,
                          struct tally *tally)
{
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        for (unsigned method = 0; method < algorithm_methods(algorithm); method++) {
            char how[100];
            const char *name = algorithm_method_name(algorithm, (enum model)model, method);
            if ((algorithm->models >> model & 1) == 0 || (name == NULL && method > 0))
                continue;
            snprintf(how, sizeof how, "--model %s", model_name((enum model)model));
            if (name != NULL)
                text_append(how, sizeof how, " --method %s", name);
            every_machine(algorithm, how, rng, batch, tally);
        }
}

static void need_node(void)
{
    if (tool_found("node"))
        return;
    print_message("node was not found: no script of a page is run\n");
    skip();
}

static void test_product(void **state)
{
    (void)state;
    static struct batch batch;
    struct tally tally = {0};
    struct rng rng = {SEED};
    need_node();
    for (const struct algorithm *const *entry = support_routable(); *entry != NULL; entry++)
        every_variant(*entry, &rng, &batch, &tally);
    compare(&batch);
    print_message("seed %" PRIu64 ": %" PRIu64 " points, %" PRIu64 " refused, %" PRIu64
                  " pages, %" PRIu64 " with held settings, %" PRIu64 " postal\n",
                  SEED, tally.points, tally.refused, tally.ran, tally.held, tally.timed);
    assert_true(tally.ran > 300 && tally.held > 150 && tally.timed > 20);
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    static const char held[] = "traffic -n 8 --pattern zipf:12 --reconfigure 7",
                      longer[] = "traffic -n 8 --pattern zipf:12 --reconfigure 8",
                      postal[] = "postal-pipeline -n 5 -m 3 --lambda 3";
    static const struct {
        const char *name, *more, *text;
    } cases[] = {
        {"held", "", "holds"},
        {"postal", "", "holds"},
        {"held", ",\"change\":[[\"\\\"run_cycles\\\":\",\"\\\"run_cycles\\\":1\"]]",
         "cycles of the run: shows "},
        {"longer", ",\"from\":\"%s/held.html\"", "cycles of the run: shows "},
        {"held",
         ",\"change\":[[\"clock.end, report.run_cycles\","
         "\"schedule.end * report.row_cycles, report.run_cycles\"]]",
         "cycles of the run: shows "},
        {"held",
         ",\"change\":[[\"return [from, from + each - 1]\",\"return [from, from + each]\"]]",
         "the cycles of round 1: shows "},
        {"postal", ",\"change\":[[\"clock.end - 1), next - 1]\",\"clock.end - 1), next]\"]]",
         "cycles "},
        {"postal", ",\"change\":[[\"clock.end - 1), next - 1]\",\"clock.end), next - 1]\"]]",
         "cycles "},
        {"held", ",\"change\":[[\"atStart: true\",\"atStart: false\"]]",
         "what sources hold: shows ;"},
        {"held", ",\"change\":[[\"=== seen ? \\\"ok\\\"\",\"!== seen ? \\\"ok\\\"\"]]",
         "cycles of the run: shows "},
    };
    char verdict[sizeof cases / sizeof *cases][WORDS_TEXT];
    need_node();
    char *report = run_page(held, "held.html"), *other = run_page(longer, "longer.html"),
         *timed = run_page(postal, "postal.html");
    assert_true(report != NULL && other != NULL && timed != NULL);
    FILE *lines = file_in_folder("lines", "w");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char more[WORDS_TEXT], name[30];
        const char *in = strstr(cases[k].more, "%s");
        snprintf(more, sizeof more, "%.*s%s%s",
                 in != NULL ? (int)(in - cases[k].more) : (int)strlen(cases[k].more), cases[k].more,
                 in != NULL ? folder : "", in != NULL ? in + 2 : "");
        snprintf(name, sizeof name, "%s.html", cases[k].name);
        add_line(lines, name, strcmp(cases[k].name, "postal") == 0 ? timed : report, more);
    }
    assert_int_equal(fclose(lines), 0);
    replay(sizeof cases / sizeof *cases, verdict);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (strncmp(verdict[k], cases[k].text, strlen(cases[k].text)) != 0)
            fail_msg("case %zu: %s; expected %s", k, verdict[k], cases[k].text);
    free(report);
    free(other);
    free(timed);
}

static int prepare(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int tidy(void **state)
{
    (void)state;
    char command[sizeof folder + 20];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
