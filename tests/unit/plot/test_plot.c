/* SPDX-License-Identifier: Apache-2.0 */
/* test_plot: the points of charts, and the errors of the tables and schedules that they come from.
 *
 * Tables: each faulty text with its message, and files that cannot be read. Schedules, written by
 * hand: the numbers of nodes that have a packet, and that have all that they want, follow from the
 * definition; nodes receive packets that they have or do not want, results are replaced and lost
 * again, and control packets are not drawn. Trees: schedules that are too long have no points. Each
 * allocation of each chart fails once, is reported, and leaves nothing allocated.
 * Counter-cases: the same charts with enough memory; trees of the same algorithms with points.
 *
 * tags: no-memory
 */
#include "plot/plot.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* -- Tables ------------------------------------------------------------------------------------ */

static FILE *file_of(const char *text)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    return file;
}

/* A row of 8,000 digits has no place in a line of 8,000 bytes. */
#define TOO_LONG "%08000d\n"

static void bad_reports(void **state)
{
    (void)state;
    static const char head[] = "name,target,ports,luts\n";
    static const struct {
        const char *rows;
        enum err_code code;
        const char *message;
    } cases[] = {
        {"a-0,ice40,0,5\n", ERR_FIELD_RANGE, "x:2: ports: '0'; expected more than 0"},
        {"a-8,ice40,8,-1\n", ERR_FIELD_RANGE, "x:2: luts: '-1'; expected more than 0"},
        {"a-8,ice40,8,\n", ERR_FIELD_RANGE, "x:2: luts: ''; expected a number"},
        {"a-8,ice40,8,1//2\n", ERR_FIELD_RANGE, "x:2: luts: '1//2'; expected a number"},
        {"a-8,ice40,8,1/2/3\n", ERR_FIELD_RANGE, "x:2: luts: '1/2/3'; expected a number"},
        {"a-8,ice40,8,1-2\n", ERR_FIELD_RANGE, "x:2: luts: '1-2'; expected a number"},
        {"a-8,ice40,8,0x1\n", ERR_FIELD_RANGE, "x:2: luts: '0x1'; expected a number"},
        {"a-8,ice40,8,1e999\n", ERR_FIELD_RANGE, "x:2: luts: '1e999'; expected a number"},
        {"a-8,ice40,8,1/0\n", ERR_FIELD_RANGE, "x:2: luts: '1/0'; expected a number"},
        {"a-8,ice40,8,0/0\n", ERR_FIELD_RANGE, "x:2: luts: '0/0'; expected a number"},
        /* designs of one size are no curve, nor are those of other targets */
        {"a-8,ice40,8,5\na-8,ice40,8,6\n", ERR_SYNTAX, "x: no design of two sizes on the target"},
        {"a-8,ice40,8,5\na-9,ecp5,9,6\n", ERR_SYNTAX, "x: no design of two sizes on the target"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct chart chart = {0};
        struct err err = {0};
        char text[200];
        snprintf(text, sizeof text, "%s%s", head, cases[k].rows);
        FILE *file = file_of(text);
        assert_false(plot_area(file, "x", "ice40", "title", &chart, &err));
        support_error(&err, cases[k].code, cases[k].message);
        chart_free(&chart);
        fclose(file);
    }
}

/* An error of the first line, or of a later one, has the message of the system. */
static void read_until_error(bool table)
{
    static const char *const texts[] = {"", "name,target,ports,luts\n",
                                        "name,target,ports,luts\na-8,ice40,8,5\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct chart chart = {0};
        struct err err = {0};
        const char *text = texts[k];
        FILE *file = support_unreadable(&text);
        if (table)
            assert_false(plot_table(file, "x", &(struct plot_columns){"ports", "luts", NULL},
                                    "title", &chart, &err));
        else
            assert_false(plot_area(file, "x", "ice40", "title", &chart, &err));
        support_error(&err, ERR_READ, "x: cannot read: Input/output error; expected a file");
        chart_free(&chart);
        fclose(file);
    }
}

static void unreadable(void **state)
{
    (void)state;
    read_until_error(false);
    read_until_error(true);
}

static void bad_heads(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "x:1: 0 columns; expected names of 1 … 128 columns",
        "x:1: a line of 8000 bytes or more; expected a shorter one",
        "x:1: 129 columns; expected names of 1 … 128 columns"};
    char *long_line, many[2 * 129 + 1] = "";
    assert_true(asprintf(&long_line, TOO_LONG, 0) > 0);
    for (unsigned k = 0; k < 129; k++)
        strcat(many, k < 128 ? "a," : "a\n");
    const char *const texts[] = {"", long_line, many};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct chart chart = {0};
        struct err err = {0};
        FILE *file = file_of(texts[k]);
        assert_false(plot_area(file, "x", "ice40", "title", &chart, &err));
        support_error(&err, ERR_SYNTAX, messages[k]);
        chart_free(&chart);
        fclose(file);
    }
    free(long_line);
}

static void bad_columns(void **state)
{
    (void)state;
    char many[400] = "x";
    for (unsigned k = 0; k < 150; k++)
        strcat(many, ",x");
    const struct {
        struct plot_columns asked;
        enum err_code code;
        const char *message;
    } cases[] = {
        {{"x", many, NULL}, ERR_OPTION, "y: too long; expected fewer names"},
        {{"x", "y", many}, ERR_OPTION, "by: too long; expected fewer names"},
        {{"x", "y,y,y,y,y,y,y,y,y", NULL}, ERR_OPTION, "y: more than 8 columns; expected fewer"},
        {{"x", "y", "y,y,y,y,y,y,y,y,y"}, ERR_OPTION, "by: more than 8 columns; expected fewer"},
        {{"x", "x,word", NULL}, ERR_FIELD_RANGE, "t:2: word: 'a'; expected a number"},
        {{"word", "x", NULL}, ERR_FIELD_RANGE, "t:2: word: 'a'; expected a number"},
        {{"y", "x", NULL}, ERR_FIELD_RANGE, "t: x: two values where y is 7; expected by"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct chart chart = {0};
        struct err err = {0};
        FILE *file = file_of("x,y,word\n1,7,a\n2,7,b\n");
        assert_false(plot_table(file, "t", &cases[k].asked, "title", &chart, &err));
        support_error(&err, cases[k].code, cases[k].message);
        chart_free(&chart);
        fclose(file);
    }
}

/* Compares the points of a series with a text such as `1 2 3 4`: x and y of each. */
static void check_series(const struct chart *chart, const char *name, const char *expected)
{
    char text[400] = "";
    for (size_t k = 0; k < chart->count; k++)
        for (size_t at = 0; strcmp(chart->series[k].name, name) == 0 && at < chart->series[k].count;
             at++) {
            const struct chart_point *point = &chart->series[k].point[at];
            size_t end = strlen(text);
            snprintf(text + end, sizeof text - end, "%s%g %g", end > 0 ? " " : "", point->x,
                     point->y);
        }
    assert_string_equal(text, expected);
}

/* Rows without x or y have no point, and equal rows have one. */
static void rows_without_values(void **state)
{
    (void)state;
    struct chart chart = {0};
    struct err err = {0};
    FILE *file = file_of("x,y\n,5\n2,\n3,1/4\n1,6\n3,.25\n");
    support_true(
        plot_table(file, "t", &(struct plot_columns){"x", "y", NULL}, "title", &chart, &err), &err);
    check_series(&chart, "y", "1 6 3 0.25");
    chart_free(&chart);
    fclose(file);
}

/* -- Schedules --------------------------------------------------------------------------------- */

#define ROUNDS(nodes) \
    "roundcast-schedule 1\nalgorithm by-hand\ntopology complete " nodes "\nmodel send-receive\n"

static const char lost_results[] =
    ROUNDS("3") "reduce 1-2 0 0,1\n"
                "round 1\n1 2 1\n"         /* node 2 has the contribution of node 1 */
                "round 2\n1 0 1\n0 1 1\n"  /* nodes 0 and 1 have both */
                "round 3\n2 0 1 replace\n" /* node 0 misses both packets */
                "round 4\n1 0 1 replace\n"
                "round 5\n1 0 2\n"         /* node 0 has both results */
                "round 6\n2 0 1 replace\n" /* it loses one */
                "round 7\n1 0 1 replace\n"
                "round 8\n1 0 1 replace\n" /* it receives what it has */
                "end 8\n";

static void read_schedule(const char *text, struct schedule *schedule)
{
    struct verify_report report;
    struct err err = {0};
    support_true(support_read(text, "by-hand", schedule, &err), &err);
    support_true(verify_schedule("by-hand", schedule, &report, &err), &err);
}

static void spread(void **state)
{
    (void)state;
    static const struct {
        const char *text, *packet, *complete;
    } cases[] = {
        /* node 2 wants nothing, and receives the packet twice; node 0 is its source */
        {ROUNDS("3") "demand 1 0 1\nround 1\n0 2 1\nround 2\n2 1 1\nround 3\n1 2 1\n2 0 1\nend 3\n",
         "0 1 1 2 2 3 3 3", "0 2 1 2 2 3 3 3"},
        /* packet 2 carries a number; only packet 1 is drawn and counted */
        {ROUNDS(
             "2") "demand 1 0 1\ncontrol 2 0 1 1 nodes 0\nround 1\n0 1 2\nround 2\n0 1 1\nend 2\n",
         "0 1 1 1 2 2", "0 1 1 1 2 2"},
        {lost_results, "0 1 1 1 2 2 8 2", "0 2 4 2 5 3 6 2 7 3 8 3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule = {0};
        struct chart chart = {0};
        struct err err = {0};
        read_schedule(cases[k].text, &schedule);
        support_true(plot_spread(&schedule, "title", &chart, &err), &err);
        check_series(&chart, "packet 1", cases[k].packet);
        check_series(&chart, "packet 2", k == 2 ? "0 1 4 1 5 2 8 2" : "");
        check_series(&chart, "have all they want", cases[k].complete);
        chart_free(&chart);
        schedule_free(&schedule);
    }
}

/* -- Trees and plans --------------------------------------------------------------------------- */

static void plot_tree(const char *children, struct chart *chart)
{
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree(children, "const", &tree, &err), &err);
    support_true(plot_depth(&tree, MODEL_MULTIPORT, "title", chart, &err), &err);
}

/* Returns whether a series has a point at this x. */
static bool has_point(const struct chart *chart, const char *name, double x)
{
    for (size_t k = 0; k < chart->count; k++)
        for (size_t at = 0; strcmp(chart->series[k].name, name) == 0 && at < chart->series[k].count;
             at++)
            if (chart->series[k].point[at].x == x)
                return true;
    return false;
}

/* A broadcast to 2048 leaves has 2047 receipts; in an all-gather each leaf has as many. */
static void long_schedules(void **state)
{
    (void)state;
    struct chart chart = {0};
    plot_tree("2,1024", &chart);
    assert_true(has_point(&chart, "tree-broadcast", 2048));
    assert_true(has_point(&chart, "tree-all-gather flood", 2));
    assert_false(has_point(&chart, "tree-all-gather flood", 2048));
    chart_free(&chart);
}

static void no_plan(void **state)
{
    (void)state;
    const struct collective asked = {
        .kind = COLLECTIVE_SCAN, .n = 4, .m = 4, .model = MODEL_TELEPHONE};
    struct chart chart = {0};
    struct err err = {0};
    assert_false(plot_plan(&asked, "title", &chart, &err));
    support_error(&err, ERR_ALGORITHM,
                  "plot plan: no algorithm predicts its end in the model telephone");
    chart_free(&chart);
}

/* -- No memory --------------------------------------------------------------------------------- */

typedef bool plots(struct chart *chart, struct err *err);

static bool plot_results(struct chart *chart, struct err *err)
{
    static struct schedule schedule;
    if (schedule.nodes == 0)
        read_schedule(lost_results, &schedule);
    return plot_spread(&schedule, "title", chart, err);
}

static bool plot_sizes(struct chart *chart, struct err *err)
{
    struct tune_request request = {.bytes = 12, .nodes = 3, .machine = {.width = 16}};
    tune_usual_network(&request);
    return plot_tune(&request, "title", chart, err);
}

static bool plot_small_tree(struct chart *chart, struct err *err)
{
    struct topology tree;
    return topology_parse_tree("2,2", "const", &tree, err) &&
           plot_depth(&tree, MODEL_SINGLE_PORT, "title", chart, err);
}

static bool plot_rounds(struct chart *chart, struct err *err)
{
    const struct collective asked = {.n = 4, .m = 4, .model = MODEL_SEND_RECEIVE};
    return plot_plan(&asked, "title", chart, err);
}

static bool plot_columns(struct chart *chart, struct err *err)
{
    static FILE *file;
    if (file == NULL)
        file = file_of("x,y\n1,7\n2,7\n");
    rewind(file);
    return plot_table(file, "t", &(struct plot_columns){"x", "y", NULL}, "title", chart, err);
}

static bool plot_report(struct chart *chart, struct err *err)
{
    static FILE *file;
    if (file == NULL)
        file = file_of("name,target,ports,luts\na-8,t,8,5\na-9,t,9,7\n");
    rewind(file);
    return plot_area(file, "x", "t", "title", chart, err);
}

/* Fails each allocation, alone or with all later ones. */
static void fail_each(plots *plot, bool on)
{
    bool drawn = false;
    uint64_t number = 0;
    while (!drawn) {
        struct chart chart = {0};
        struct err err = {0};
        int64_t left;
        number++;
        no_memory_begin(number, on);
        drawn = plot(&chart, &err);
        chart_free(&chart);
        no_memory_end(&left);
        assert_int_equal(left, 0);
        if (!drawn)
            support_error(&err, ERR_TOO_BIG, "memory");
    }
    assert_true(number > 4);
}

static void without_memory(void **state)
{
    (void)state;
    static plots *const all[] = {plot_results, plot_sizes,   plot_small_tree,
                                 plot_rounds,  plot_columns, plot_report};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct chart chart = {0};
        struct err err = {0};
        support_true(all[k](&chart, &err), &err);
        chart_free(&chart);
        fail_each(all[k], false);
        fail_each(all[k], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_reports),         cmocka_unit_test(unreadable),
        cmocka_unit_test(bad_heads),           cmocka_unit_test(bad_columns),
        cmocka_unit_test(rows_without_values), cmocka_unit_test(spread),

        cmocka_unit_test(long_schedules),      cmocka_unit_test(no_plan),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
