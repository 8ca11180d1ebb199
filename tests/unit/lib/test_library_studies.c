/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: studies and sweeps, plots, and the engines of images.
 *
 * The points of a study are counted by hand: the product of its values without those that a
 * condition excludes. A sweep runs each point once: a second sweep finds all rows. A chart of plans
 * has a curve for each algorithm that roundcast_plan lists. Names of engines contain the parameters
 * of the machine. The cache starts as an empty folder. Counter-cases: studies with a wrong value,
 * options that do not belong together, members that a plot does not use, unknown names.
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *write_file(const char *name, const char *text, char path[100])
{
    FILE *file = fopen(library_path(name, path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void rejects(bool accepted, const struct roundcast_error *error, int code, const char *field)
{
    assert_false(accepted);
    assert_int_equal(error->code, code);
    assert_string_equal(error->field, field);
}

/* --- studies and sweeps ---------------------------------------------------------------------- */

/* 2 · 3 · 2 points without those of matching with n = 9. */
#define STUDY                                                                         \
    "roundcast-study 1\nalgorithm circulant matching\nn 4 8 9\nm 1..2\nengine csim\n" \
    "skip algorithm=matching n>8\n"
#define PRODUCT 12
#define POINTS 10

static struct roundcast_study *read_study(const char *text)
{
    char path[100];
    struct roundcast_error error = {0};
    struct roundcast_study *study = roundcast_study_read(write_file("a.study", text, path), &error);
    if (study == NULL)
        fail_msg("%s", error.text);
    return study;
}

struct points {
    unsigned count, most;
    uint64_t last;
    char first[200];
};

static bool see_point(void *with, uint64_t number, const char *command)
{
    struct points *points = with;
    assert_true(number > points->last);
    points->last = number;
    if (points->count++ == 0)
        snprintf(points->first, sizeof points->first, "%s", command);
    return points->count < points->most;
}

static void points_are_counted(void **unused)
{
    (void)unused;
    char path[100];
    struct roundcast_error error = {0};
    struct points all = {.most = 100}, some = {.most = 3};
    struct roundcast_study *study = read_study(STUDY);
    assert_true(roundcast_study_each(study, see_point, &all, &error));
    assert_int_equal(all.count, POINTS);
    assert_string_equal(all.first, "roundcast run circulant -n 4 -m 1 --engine csim --json");
    assert_true(roundcast_study_each(study, see_point, &some, &error));
    assert_int_equal(some.count, 3);
    roundcast_study_free(study);
    roundcast_study_free(NULL);
    assert_null(roundcast_study_read(
        write_file("b.study", "roundcast-study 1\nalgorithm circulant\nn 4 x\n", path), &error));
    assert_int_equal(error.code, 101);
    assert_non_null(strstr(error.text, "b.study:3:5: "));
    assert_null(roundcast_study_read(library_path("none.study", path), &error));
    assert_int_equal(error.code, 201);
}

static unsigned lines_of(const char *path)
{
    unsigned lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static void a_point_runs_once(void **unused)
{
    (void)unused;
    char database[100], csv[100];
    struct roundcast_error error = {0};
    struct roundcast_sweep_report report;
    struct roundcast_study *study = read_study(STUDY);
    const struct roundcast_sweep_options options = {.version = ROUNDCAST_SWEEP_VERSION,
                                                    .database = library_path("a.sqlite", database),
                                                    .jobs = 2};
    assert_true(roundcast_sweep_check(&options, &error));
    if (!roundcast_sweep(study, &options, &report, &error))
        fail_msg("%s", error.text);
    assert_int_equal(report.points, POINTS);
    assert_int_equal(report.left_out, PRODUCT - POINTS);
    assert_int_equal(report.before, 0);
    assert_int_equal(report.done, POINTS);
    assert_int_equal(report.failed, 0);
    assert_true(roundcast_sweep(study, &options, &report, &error));
    assert_int_equal(report.before, POINTS);
    assert_int_equal(report.done, 0);
    assert_true(roundcast_sweep_csv(database, library_path("a.csv", csv), &error));
    assert_int_equal(lines_of(csv), 1 + POINTS);
    assert_false(roundcast_sweep_csv(library_path("none.sqlite", database), csv, &error));
    assert_int_equal(error.code, 201);
    assert_int_equal(lines_of(csv), 1 + POINTS); /* the file is unchanged */
    assert_false(roundcast_sweep_csv(library_path("a.sqlite", database), "/dev/full", &error));
    assert_int_equal(error.code, 202);
    roundcast_study_free(study);
}

static void sweeps_have_options(void **unused)
{
    (void)unused;
    char path[100];
    struct roundcast_error error = {0};
    struct roundcast_sweep_report report;
    struct roundcast_study *study = read_study(STUDY);
    static const struct {
        struct roundcast_sweep_options options;
        int code;
        const char *field;
    } wrong[] = {
        {{.version = 0}, 102, ""},
        {{.version = 1, .program = "roundcast"}, 101, "program"},
        {{.version = 1, .sshlogin = "a", .via = "slurm"}, 101, "sshlogin"},
        {{.version = 1, .jobs = ROUNDCAST_MAX_JOBS + 1}, 102, "jobs"},
        {{.version = 1, .parts = ROUNDCAST_SWEEP_MAX_PARTS + 1}, 102, "parts"},
    };
    for (size_t which = 0; which < sizeof wrong / sizeof *wrong; which++) {
        rejects(roundcast_sweep_check(&wrong[which].options, &error), &error, wrong[which].code,
                wrong[which].field);
        assert_false(roundcast_sweep(study, &wrong[which].options, &report, &error));
        assert_int_equal(error.code, wrong[which].code);
    }
    struct roundcast_sweep_options options = {.version = ROUNDCAST_SWEEP_VERSION};
    rejects(roundcast_sweep(study, &options, &report, &error), &error, 101, "output");
    options.database = "-";
    rejects(roundcast_sweep(study, &options, &report, &error), &error, 101, "output");
    options.database = "never.sqlite";
    options.via = "slurmy";
    rejects(roundcast_sweep(study, &options, &report, &error), &error, 101, "via");
    assert_int_not_equal(access("never.sqlite", F_OK), 0);
    assert_non_null(freopen(library_path("a.study", path), "r", stdin));
    struct roundcast_study *piped = roundcast_study_read("-", &error);
    assert_non_null(piped);
    options.via = "parallel"; /* whose jobs cannot read the standard input of this program */
    assert_false(roundcast_sweep(piped, &options, &report, &error));
    assert_int_equal(error.code, 101);
    assert_non_null(strstr(error.text, "-: jobs read the study, too; expected a file with via"));
    roundcast_study_free(piped);
    const struct roundcast_sweep_options nowhere = {.version = 1};
    rejects(roundcast_sweep(study, &nowhere, &report, &error), &error, 101, "output");
    assert_string_equal(roundcast_sweep_via(0), "parallel");
    assert_string_equal(roundcast_sweep_via(1), "slurm");
    assert_null(roundcast_sweep_via(2));
    assert_true(roundcast_sweep_check_via("slurm", &error));
    assert_false(roundcast_sweep_check_via("slur", &error));
    assert_int_equal(error.code, 101);
    roundcast_study_free(study);
}

/* --- plots ----------------------------------------------------------------------------------- */

static struct roundcast_request on(const char *model)
{
    struct roundcast_request request;
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, NULL));
    request.model = model;
    request.nodes = 22;
    request.packets = 8;
    return request;
}

static bool find_curve(void *with, const struct roundcast_plan_row *row)
{
    const struct roundcast_chart *chart = with;
    const struct roundcast_chart_info info = roundcast_chart_describe(chart);
    bool found = !row->has_end;
    for (size_t which = 0; which < info.curves; which++)
        found = found || strcmp(roundcast_chart_curve_at(chart, which).name, row->algorithm) == 0;
    if (!found)
        fail_msg("%s has no curve", row->algorithm);
    return true;
}

static void a_chart_has_the_rows_of_a_plan(void **unused)
{
    (void)unused;
    char prefix[100], data[120], script[120];
    struct roundcast_error error = {0};
    const struct roundcast_request request = on("telephone");
    const struct roundcast_plot plot = {
        .version = ROUNDCAST_PLOT_VERSION, .name = "plan", .nodes = 22, .packets = 8};
    struct roundcast_chart *chart = roundcast_chart_new(&request, &plot, &error);
    if (chart == NULL)
        fail_msg("%s", error.text);
    assert_true(roundcast_plan(&request, find_curve, chart, &error));
    const struct roundcast_chart_info info = roundcast_chart_describe(chart);
    for (size_t which = 0; which < info.curves; which++) /* of 1 … 8 packets */
        assert_int_equal(roundcast_chart_curve_at(chart, which).points, 8);
    assert_non_null(strstr(info.title, "22 nodes, telephone"));
    assert_true(roundcast_chart_write(chart, NULL, "svg", library_path("p", prefix), &error));
    snprintf(data, sizeof data, "%s.dat", prefix);
    snprintf(script, sizeof script, "%s.gp", prefix);
    assert_true(lines_of(data) > info.curves * 8);
    assert_int_equal(access(script, R_OK), 0);
    rejects(roundcast_chart_write(chart, NULL, "gif", prefix, &error), &error, 101, "format");
    roundcast_chart_free(chart);
    roundcast_chart_free(NULL);
}

static void marks_are_where_another_one_is_faster(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    const struct roundcast_request request = on(NULL);
    const struct roundcast_plot plot = {
        .version = ROUNDCAST_PLOT_VERSION, .name = "tune", .nodes = 22, .bytes = 4096};
    struct roundcast_chart *chart = roundcast_chart_new(&request, &plot, &error);
    if (chart == NULL)
        fail_msg("%s", error.text);
    const struct roundcast_chart_info info = roundcast_chart_describe(chart);
    assert_true(info.marks > 0);
    for (size_t which = 0; which < info.marks; which++) {
        const struct roundcast_chart_mark mark = roundcast_chart_mark_at(chart, which);
        assert_true(mark.x >= 1 && mark.x <= 4096 && mark.text[0] != '\0');
    }
    roundcast_chart_free(chart);
}

static void plots_need_their_members(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    const struct roundcast_request request = on(NULL);
    static const struct {
        struct roundcast_plot plot;
        int code;
        const char *field;
    } wrong[] = {
        {{.version = 0, .name = "plan"}, 102, ""},
        {{.version = 1, .name = "pla"}, 101, "plot"},
        {{.version = 1, .name = "plan", .nodes = 4}, 101, "packets"},
        {{.version = 1, .name = "plan", .nodes = 4, .packets = 4, .x = "n"}, 101, "x"},
        {{.version = 1, .name = "depth"}, 101, "tree"},
        {{.version = 1, .name = "table", .path = "none", .y = "b"}, 101, "x"},
        {{.version = 1, .name = "table", .path = "none", .x = "a", .y = "b"}, 201, ""},
    };
    for (size_t which = 0; which < sizeof wrong / sizeof *wrong; which++)
        rejects(roundcast_chart_new(&request, &wrong[which].plot, &error) != NULL, &error,
                wrong[which].code, wrong[which].field);
    assert_string_equal(roundcast_plot_name(0), "plan");
    assert_null(roundcast_plot_name(7));
    assert_string_equal(roundcast_plot_format(2), "pdf");
    assert_null(roundcast_plot_format(3));
}

/* --- engines --------------------------------------------------------------------------------- */

static bool count_engine(void *with, const struct roundcast_engine *engine)
{
    (void)engine;
    ++*(unsigned *)with;
    return true;
}

static void engines_have_names(void **unused)
{
    (void)unused;
    char path[100], name[ROUNDCAST_ENGINE_NAME];
    struct roundcast_error error = {0};
    struct roundcast_engine_kind kind;
    unsigned count = 0;
    assert_true(roundcast_engine_kind_at(0, &kind));
    assert_string_equal(kind.name, "csim");
    assert_false(kind.compiled);
    assert_true(roundcast_engine_kind_at(2, &kind) && kind.compiled);
    assert_false(roundcast_engine_kind_at(3, &kind));
    assert_string_equal(roundcast_engine_compiled(0), "rtl");
    assert_null(roundcast_engine_compiled(2));
    assert_true(roundcast_engine_check("netlist", &error));
    rejects(roundcast_engine_check("csim", &error), &error, 101, "engine");
    rejects(roundcast_engine_check("verilog", &error), &error, 101, "engine");

    struct roundcast_request request = on(NULL);
    request.algorithm = "circulant";
    request.network = "benes:32,pipe=2,pad=1";
    struct roundcast_image *image = roundcast_compile(&request, &error);
    assert_non_null(image);
    assert_true(roundcast_image_write(image, library_path("b", path), &error));
    roundcast_image_free(image);
    struct roundcast_engine_options options = {.version = ROUNDCAST_ENGINE_VERSION, .traced = true};
    assert_true(roundcast_engine_name(path, &options, name, &error));
    assert_memory_equal(name, "rtl-", 4);
    assert_non_null(strstr(name, "-ports32-pipe2-pad1-"));
    assert_string_equal(name + strlen(name) - 7, "-traced");
    options.kind = "csim";
    rejects(roundcast_engine_name(path, &options, name, &error), &error, 101, "engine");
    const char *const none[] = {"no such engine"};
    setenv("XDG_CACHE_HOME", library_folder, 1);
    assert_true(roundcast_engine_each(count_engine, &count, &error));
    assert_int_equal(count, 0);
    assert_true(roundcast_engine_remove(NULL, 0, &error));
    assert_false(roundcast_engine_remove(none, 1, &error));
    assert_int_equal(error.code, 101);
    assert_false(roundcast_engine_build(none, 1, &options, &error));
    options.kind = "rtl";
    assert_false(roundcast_engine_build(none, 1, &options, &error)); /* no folder of an image */
    assert_int_equal(error.code, 201);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_counted),
        cmocka_unit_test(a_point_runs_once),
        cmocka_unit_test(sweeps_have_options),
        cmocka_unit_test(a_chart_has_the_rows_of_a_plan),
        cmocka_unit_test(marks_are_where_another_one_is_faster),
        cmocka_unit_test(plots_need_their_members),
        cmocka_unit_test(engines_have_names),
    };
    return cmocka_run_group_tests(tests, library_folder_make, library_folder_remove);
}
