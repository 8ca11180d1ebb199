/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_load: files without a stated format are recognised, and schedules of roundcast
 * take another model only if their rounds permit it.
 *
 * Each head of a file is written by hand beside its format. Models: a schedule of each kind of
 * network (plain, with times, with copies, with combinations, of a tree) × models that are asked
 * for. Counter-cases: heads that differ from a format in one condition, and streams that cannot be
 * read, or not be copied because the system limits files.
 */
#include "sched/exchange/exchange.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool load(const char *text, const struct exchange_reading *how,
                 const struct exchange_format **format, struct schedule *schedule, struct err *err)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    bool read = exchange_load_from(file, "file", how, format, schedule, err);
    fclose(file);
    return read;
}

/* Each text is rejected: by the reader of its format, or because no format is like it. */
static const struct {
    const char *text, *format; /* NULL: none */
    enum err_code code;
} heads[] = {
    {"num_ranks 1", "goal", ERR_FIELD_RANGE},
    {"// made\nnum_ranks 1 rank 0 {", "goal", ERR_FIELD_RANGE},
    {"// num_ranks", NULL, ERR_VERSION},
    {"made num_ranks 2 rank 0 {", NULL, ERR_VERSION},
    {"{\"gpus\": [], \"inplace\": true}", "mscclpp", ERR_FIELD_RANGE},
    {"{\"gpus\": [], \"threadblocks\": []}", "mscclpp", ERR_FIELD_RANGE},
    {"{\"gpus\": []}", "jsonl", ERR_SYNTAX},
};

static void test_heads(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof heads / sizeof *heads; k++) {
        const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
        const struct exchange_format *format = NULL;
        struct schedule schedule = {0};
        struct err err = {0};
        print_message("%s\n", heads[k].text);
        assert_false(load(heads[k].text, &how, &format, &schedule, &err));
        support_error(&err, heads[k].code, heads[k].format == NULL ? "or a file of" : "expected");
        assert_true((format == NULL) == (heads[k].format == NULL));
        if (format != NULL)
            assert_string_equal(format->name, heads[k].format);
    }
}

#define OWN "roundcast-schedule 1\nalgorithm a\n"
#define COMPLETE(model, round, end) \
    OWN "topology complete 2\nmodel " model "\ndemand 1 0 *\n" round "\n0 1 1\nend " end "\n"

static const char plain[] = COMPLETE("send-receive", "round 1", "1");
static const char timed[] = COMPLETE("postal 2", "time 0", "2");
static const char copying[] = COMPLETE("fabric-multicast", "round 1", "1");
static const char tree[] = OWN "topology tree 2 2 capacity 1 1\nmodel multiport\ndemand 1 0 1\n"
                               "round 1\n0 1:0 1\nround 2\n1:0 1 1\nend 2\n";

static const struct {
    const char *text;
    struct exchange_reading how;
    enum model model;   /* that the schedule takes */
    enum err_code code; /* if it is rejected */
    const char *part;
} rules[] = {
    {plain, {.has_model = true, .model = MODEL_SEND_RECEIVE}, MODEL_SEND_RECEIVE, 0, NULL},
    {plain, {.has_model = true, .model = MODEL_TELEGRAPH}, MODEL_TELEGRAPH, 0, NULL},
    {plain, {.ports = 1}, MODEL_SEND_RECEIVE, 0, NULL},
    {plain, {.ports = 2}, 0, ERR_ALGORITHM, "2; expected 1, the ports of file"},
    {plain, {.lambda = {3, 1}}, MODEL_SEND_RECEIVE, 0, NULL}, /* rounds do not depend on lambda */
    {timed, {.lambda = {2, 1}}, MODEL_POSTAL, 0, NULL},
    {timed, {.lambda = {3, 1}}, 0, ERR_ALGORITHM, "file has another λ"},
    {plain,
     {.has_model = true, .model = MODEL_POSTAL},
     0,
     ERR_ALGORITHM,
     "cannot find rounds under postal"},
    {plain,
     {.has_model = true, .model = MODEL_FABRIC_MULTICAST},
     0,
     ERR_ALGORITHM,
     "cannot find rounds under fabric-multicast"},
    {plain,
     {.has_model = true, .model = MODEL_FABRIC_REDUCTION},
     0,
     ERR_ALGORITHM,
     "cannot find rounds under fabric-reduction"},
    {plain,
     {.has_model = true, .model = MODEL_ALL_PORT},
     0,
     ERR_ALGORITHM,
     "cannot find rounds under all-port"},
    {timed,
     {.has_model = true, .model = MODEL_SEND_RECEIVE},
     0,
     ERR_ALGORITHM,
     "file is a schedule of postal; expected no other model"},
    {copying,
     {.has_model = true, .model = MODEL_SEND_RECEIVE},
     0,
     ERR_ALGORITHM,
     "file is a schedule of fabric-multicast; expected no other model"},
    {tree, {.has_model = true, .model = MODEL_SINGLE_PORT}, MODEL_SINGLE_PORT, 0, NULL},
    {tree,
     {.has_model = true, .model = MODEL_SEND_RECEIVE},
     0,
     ERR_ALGORITHM,
     "file is a schedule of multiport; expected no other model"},
};

static void test_rules(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof rules / sizeof *rules; k++) {
        const struct exchange_format *format = NULL;
        struct schedule schedule = {0};
        struct err err = {0};
        print_message("rules %u\n", k);
        bool read = load(rules[k].text, &rules[k].how, &format, &schedule, &err);
        if (rules[k].part != NULL) {
            assert_false(read);
            support_error(&err, rules[k].code, rules[k].part);
            continue;
        }
        support_true(read, &err);
        assert_int_equal(schedule.model, rules[k].model);
        assert_int_equal(schedule.transfer_count, rules[k].text == tree ? 2 : 1);
        schedule_free(&schedule);
    }
}

/* A network that combines packets has schedules of reductions only. */
static void test_combined(void **state)
{
    (void)state;
    static const struct exchange_lab_asked asked = {"fabric-reduce",        4, 2,   0,
                                                    MODEL_FABRIC_REDUCTION, 0, NULL};
    const struct exchange_reading how = {.has_model = true, .model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = NULL;
    struct schedule schedule, again = {0};
    struct err err = {0};
    char *text = NULL;
    size_t size;
    exchange_lab_build(&asked, &schedule);
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    support_true(schedule_write(to, "s", &schedule, &err), &err);
    fclose(to);
    assert_false(load(text, &how, &format, &again, &err));
    support_error(&err, ERR_ALGORITHM, "file is a schedule of fabric-reduction; expected no other");
    free(text);
    schedule_free(&schedule);
}

/* A stream without a file is copied before it is read. */
static void test_stream(void **state)
{
    (void)state;
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = NULL;
    struct schedule schedule = {0};
    struct err err = {0};
    char text[sizeof plain];
    memcpy(text, plain, sizeof plain);
    FILE *file = fmemopen(text, strlen(text), "r");
    assert_non_null(file);
    support_true(exchange_load_from(file, "file", &how, &format, &schedule, &err), &err);
    assert_int_equal(schedule.transfer_count, 1);
    schedule_free(&schedule);
    fclose(file);
}

#define COPIED 20000 /* bytes, more than a buffer */

/* Reads a stream of `size` bytes, the schedule `plain` and a comment after it, with a limit of the
 * system. */
static bool load_within(int resource, rlim_t most, size_t size, struct err *err)
{
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = NULL;
    struct schedule schedule = {0};
    struct rlimit before;
    char text[COPIED];
    memset(text, '#', sizeof text);
    memcpy(text, plain, sizeof plain - 1);
    FILE *file = fmemopen(text, size, "r");
    assert_non_null(file);
    assert_int_equal(getrlimit(resource, &before), 0);
    const struct rlimit limit = {most, before.rlim_max};
    assert_int_equal(setrlimit(resource, &limit), 0);
    const bool read = exchange_load_from(file, "file", &how, &format, &schedule, err);
    assert_int_equal(setrlimit(resource, &before), 0);
    schedule_free(&schedule);
    fclose(file);
    return read;
}

/* A copy that the system does not permit, in whole or in part, is reported: no schedule is read
 * from a part of the stream, even if it ends after a whole one. */
static void test_no_copy(void **state)
{
    (void)state;
    static const struct {
        int resource;
        rlim_t most;
        size_t size;
        const char *why; /* NULL: it is read */
    } cases[] = {
        {RLIMIT_NOFILE, 0, sizeof plain - 1, "Too many open files"},
        {RLIMIT_FSIZE, 0, sizeof plain - 1, "File too large"},
        {RLIMIT_FSIZE, 4096, COPIED, "File too large"},
        {RLIMIT_FSIZE, 4096, sizeof plain - 1, NULL},
    };
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err = {0};
        print_message("limit %u\n", k);
        const bool read = load_within(cases[k].resource, cases[k].most, cases[k].size, &err);
        if (cases[k].why == NULL) {
            support_true(read, &err);
        } else {
            assert_false(read);
            support_error(&err, ERR_WRITE, "file: cannot copy to a temporary file: ", cases[k].why);
        }
    }
    signal(SIGXFSZ, handler);
}

/* A standard input that is closed is reported; its number is not that of a copy. */
static void test_closed(void **state)
{
    (void)state;
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = NULL;
    struct schedule schedule = {0};
    struct err err = {0};
    const int kept = dup(STDIN_FILENO);
    assert_true(kept >= 0);
    close(STDIN_FILENO);
    const bool read = exchange_load("-", &how, &format, &schedule, &err);
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    close(kept);
    assert_false(read);
    support_error(&err, ERR_READ, "standard input: cannot read: Bad file descriptor");
}

/* Compaction moves a schedule to the topology that is asked for, whose model then holds. */
static void test_moved(void **state)
{
    (void)state;
    struct topology mesh;
    struct err err = {0};
    support_true(topology_parse_direct(TOPOLOGY_MESH, "2", &mesh, &err), &err);
    const struct exchange_reading how = {
        .model = MODEL_MESH_MULTIPORT, .topology = &mesh, .compact = true};
    const struct exchange_format *format = NULL;
    struct schedule schedule = {0};
    support_true(load(COMPLETE("send-receive", "round 5", "5"), &how, &format, &schedule, &err),
                 &err);
    assert_int_equal(schedule.topology.kind, TOPOLOGY_MESH);
    assert_int_equal(schedule.model, MODEL_MESH_MULTIPORT);
    assert_int_equal(schedule.end, 1);
    schedule_free(&schedule);
}

/* A stream that is open for writing only cannot be read, before or after its format is known. */
static void test_unreadable(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "goal", "msccl", "mscclpp"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
        const struct exchange_format *format = NULL;
        struct schedule schedule = {0};
        struct err err = {0};
        char path[] = "/tmp/roundcast-load-XXXXXX";
        int descriptor = mkstemp(path);
        assert_true(descriptor >= 0);
        FILE *file = fdopen(descriptor, "w");
        assert_non_null(file);
        FILE *only = freopen(path, "w", file);
        assert_non_null(only);
        for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
            if (names[k] != NULL && strcmp((*row)->name, names[k]) == 0)
                format = *row;
        assert_true(names[k] == NULL || format != NULL);
        assert_false(exchange_load_from(only, "file", &how, &format, &schedule, &err));
        support_error(&err, ERR_READ, "file: cannot read: Bad file descriptor");
        fclose(only);
        remove(path);
    }
}

/* Executors are numbered through all formats; the number after the last has no name. */
static void test_executors(void **state)
{
    (void)state;
    unsigned count = 0;
    while (exchange_executor_name(count) != NULL)
        for (unsigned other = 0, now = count++; other < now; other++)
            assert_string_not_equal(exchange_executor_name(now), exchange_executor_name(other));
    assert_true(count > 0);
    assert_null(exchange_executor_name(count + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heads),      cmocka_unit_test(test_rules),
        cmocka_unit_test(test_combined),   cmocka_unit_test(test_stream),
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_executors),
        cmocka_unit_test(test_no_copy),    cmocka_unit_test(test_moved),
        cmocka_unit_test(test_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
