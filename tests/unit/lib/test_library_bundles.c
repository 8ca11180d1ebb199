/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: a folder whose schedule is that of another machine, or whose files do not fit in
 * memory, is not read.
 *
 * An image of a broadcast and one of a reduction are written; schedules by hand replace theirs.
 * Each is rejected with its reason: the machine combines and the schedule does not, or the reverse;
 * a result that the endpoints do not keep; flits of two partial results. The folder of the
 * reduction, with a payload of a file for each node, is read with each allocation failing in turn.
 * Counter-case: the folders as they were written are read.
 *
 * tags: no-memory
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OWN "roundcast-schedule 1\nalgorithm a\ntopology complete 4\nmodel "
#define ROUNDS OWN "send-receive\n"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Writes the folder of an algorithm among 4 nodes, and returns its path. */
static const char *make_folder(const char *algorithm, char path[100])
{
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("nodes", "4", "packets", "1");
    request.algorithm = algorithm;
    struct roundcast_image *image = library_compile(&request);
    library_path(algorithm, path);
    assert_true(roundcast_image_write(image, path, &error));
    roundcast_image_free(image);
    image = roundcast_image_read(path, &error);
    assert_non_null(image);
    roundcast_image_free(image);
    return path;
}

static void test_other_schedule(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm, *schedule;
        int code;
        const char *part;
    } cases[] = {
        {"reduce", ROUNDS "demand 1 0 *\nround 1\n0 1 1\nend 1\n", 404,
         "reduce/image.hex: a machine that combines packets; expected one that does not, as in "
         "schedule.sched"},
        {"path", ROUNDS "reduce 1 0 *\nround 1\n1 0 1\nend 1\n", 404,
         "path/image.hex: a machine that does not combine packets; expected one that does, as in "
         "schedule.sched"},
        {"path", ROUNDS "reduce 1 exclusive *\nround 1\n0 1 1\nend 1\n", 208,
         "path/schedule.sched: the result of an exclusive scan is what a node has received without "
         "its own contribution"},
        {"path", ROUNDS "reduce 1 0 *\nround 1\n1 0 1\nround 2\n0 1 1 received\nend 2\n", 208,
         "path/schedule.sched: round 2: node 0 sends what it received of packet 1 without its own"},
        {"reduce", OWN "postal 5/2\nreduce 1 0 *\ntime 0\n0 1 1\ntime 3/2\n1 2 1\nend 4\n", 208,
         "reduce/schedule.sched: time 3/2: node 1 sends packet 1 while it stores a receipt of it"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct roundcast_error error = {0};
        char folder[100], path[140];
        running("case %u", which);
        make_folder(cases[which].algorithm, folder);
        snprintf(path, sizeof path, "%s/schedule.sched", folder);
        write_file(path, cases[which].schedule);
        struct roundcast_image *image = roundcast_image_read(folder, &error);
        library_rejects(image != NULL, &error, cases[which].code, cases[which].part);
    }
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    char folder[100], payload[100];
    make_folder("reduce", folder);
    library_path("payload", payload);
    assert_int_equal(mkdir(payload, 0777), 0);
    for (unsigned node = 0; node < 4; node++) {
        char path[140];
        snprintf(path, sizeof path, "%s/%u.bin", payload, node);
        write_file(path, "abc");
    }
    unsigned failed = 0;
    for (uint64_t number = 1;; number++) {
        struct roundcast_error error = {0};
        int64_t left;
        no_memory_begin(number, false);
        struct roundcast_image *image = roundcast_image_read_with(folder, payload, &error);
        const bool read = image != NULL;
        roundcast_image_free(image);
        const uint64_t calls = no_memory_end(&left);
        running("allocation %u", (unsigned)number);
        assert_int_equal(left, 0);
        if (!read) /* the system's own fopen reports E201 */
            library_rejects(read, &error, error.code == 201 ? 201 : 104,
                            error.code == 201 ? "Cannot allocate memory" : "memory");
        failed += !read;
        if (calls < number) {
            assert_true(read);
            break;
        }
    }
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_schedule),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, library_folder_make, library_folder_remove);
}
