/* SPDX-License-Identifier: Apache-2.0 */
/* test_script: charts as text for gnuplot.
 *
 * The text is compared line by line where it defines the content of the plot: names and titles with
 * every letter that has a meaning in gnuplot, or that no picture can contain; one line for curves
 * that coincide; axes that begin where the points require it; numbers in the script or in a
 * separate file. If two charts differ in one point, one of them has one curve more, which shows
 * that coincidence does not depend on names. A picture for which no temporary file can be opened is
 * reported and leaves no file.
 */
#include "plot/script.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Two curves that differ only in the last point's y, and a floor. */
static void make(struct chart *chart, double last)
{
    *chart = (struct chart){0};
    chart_titles(chart, "it's {a_b} \\n 50 %", "x\ny", "\xff");
    size_t floor = chart_series(chart, CHART_FLOOR, "floor");
    size_t first = chart_series(chart, CHART_CURVE, "one's");
    size_t second = chart_series(chart, CHART_CURVE, "two");
    chart_point(chart, floor, 1, 1);
    chart_point(chart, floor, 100, 1);
    chart_point(chart, first, 1, 2);
    chart_point(chart, first, 100, 7.5);
    chart_point(chart, second, 1, 2);
    chart_point(chart, second, 100, last);
    chart_mark(chart, 4, "it's here");
    chart_mark(chart, 90, "there");
}

static char *text_of(const struct chart *chart, const char *data, const char *picture)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    script_write(to, chart, SCRIPT_SVG, data, picture);
    assert_int_equal(fclose(to), 0);
    return text;
}

static void expect(const char *text, const char *line)
{
    if (strstr(text, line) == NULL)
        fail_msg("no '%s' in:\n%s", line, text);
}

static unsigned count(const char *text, const char *part)
{
    unsigned found = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        found++;
    }
    return found;
}

static void test_quotes(void **state)
{
    (void)state;
    struct chart chart;
    make(&chart, 7.5);
    char *text = text_of(&chart, "it's.dat", "it's.svg");
    expect(text, "set title 'it''s {a_b} \\n 50 %'\n");
    expect(text, "set xlabel 'x y'\nset ylabel '\xef\xbf\xbd'\n");
    expect(text, "set output 'it''s.svg'\ndata = 'it''s.dat'\n");
    expect(text, "title 'one''s'");
    expect(text, "set label 'it''s here' at first 4, graph 0.98 rotate right");
    expect(text, "set label 'there' at first 90, graph 0.02 rotate left");
    free(text);
    chart_free(&chart);
}

static void test_coinciding(void **state)
{
    (void)state;
    struct chart chart;
    make(&chart, 7.5);
    char *text = text_of(&chart, "a.dat", "a.svg");
    assert_int_equal(count(text, "data index "), 2);
    assert_int_equal(count(text, "keyentry with linespoints"), 1);
    expect(text, " title 'two'");
    free(text);
    chart_free(&chart);
    make(&chart, 7.25);
    text = text_of(&chart, "a.dat", "a.svg");
    assert_int_equal(count(text, "data index "), 3);
    assert_int_equal(count(text, "keyentry"), 0);
    free(text);
    chart_free(&chart);
}

static void test_numbers(void **state)
{
    (void)state;
    struct chart chart;
    make(&chart, 7.25);
    char *text = text_of(&chart, NULL, NULL);
    expect(text, "$data << END_OF_DATA\n# 0: floor\n1 1\n100 1\n\n\n# 1: one's\n1 2\n100 7.5\n\n\n"
                 "# 2: two\n1 2\n100 7.25\nEND_OF_DATA\ndata = '$data'\n");
    assert_int_equal(count(text, "set output"), 0);
    free(text);
    chart_free(&chart);
}

static void test_axes(void **state)
{
    (void)state;
    struct chart chart;
    make(&chart, 9);
    char *text = text_of(&chart, NULL, NULL);
    expect(text, "set yrange [0:9.36]\n");
    free(text);
    chart.log_y = chart.sizes = true;
    text = text_of(&chart, NULL, NULL);
    expect(text, "set logscale y\n");
    expect(text, "set yrange [0.8:*]\n");
    expect(text, "set xtics (1, 100)\n");
    free(text);
    chart_free(&chart);
}

static void test_spans(void **state)
{
    (void)state;
    struct chart chart = {0};
    assert_false(chart_spans(&chart));
    size_t series = chart_series(&chart, CHART_CURVE, "a");
    chart_point(&chart, series, 3, 1);
    chart_point(&chart, series, 3, 2);
    assert_false(chart_spans(&chart));
    chart_point(&chart, chart_named(&chart, CHART_CURVE, "b"), 4, 1);
    assert_true(chart_spans(&chart));
    assert_int_equal(chart_named(&chart, CHART_CURVE, "a"), series);
    chart_free(&chart);
}

/* A series without points is named in the data and not drawn; sorting changes the others only. */
static void test_empty_series(void **state)
{
    (void)state;
    struct chart chart = {0};
    chart_titles(&chart, "title", "x", "y");
    chart_series(&chart, CHART_CURVE, "empty");
    size_t full = chart_series(&chart, CHART_CURVE, "full");
    chart_point(&chart, full, 2, 5);
    chart_point(&chart, full, 1, 7);
    chart_sort(&chart);
    char *text = text_of(&chart, NULL, NULL);
    expect(text, "# 0: empty\n\n\n# 1: full\n1 7\n2 5\nEND_OF_DATA\n");
    expect(text, "plot data index 1 using 1:2 ");
    assert_int_equal(count(text, "data index "), 1);
    free(text);
    chart_free(&chart);
}

/* With room for one more open file, the picture can be opened, but not the script. */
static void test_no_more_files(void **state)
{
    (void)state;
    struct rlimit before, limit;
    struct chart chart;
    struct err err = {0};
    char folder[] = "/tmp/test_script.XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.svg", folder);
    make(&chart, 9);
    int next = dup(STDIN_FILENO);
    assert_true(next >= 0);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)next + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    bool written = picture_write(&(struct picture){.path = path}, &chart, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(written);
    support_error(&err, ERR_WRITE, "a temporary file: cannot write: Too many open files");
    assert_int_equal(rmdir(folder), 0); /* no file was left */
    chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotes),        cmocka_unit_test(test_coinciding),
        cmocka_unit_test(test_numbers),       cmocka_unit_test(test_axes),
        cmocka_unit_test(test_spans),         cmocka_unit_test(test_empty_series),
        cmocka_unit_test(test_no_more_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
