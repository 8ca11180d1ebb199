/* SPDX-License-Identifier: Apache-2.0 */
/* test_schedule_no_memory: schedules, payloads and routes of demands without memory.
 *
 * State space: the works of `works`, and the texts of `texts` × the allocation that fails,
 * exhaustive. The texts have comments before each line, whose numbers are then kept, and words of
 * combined packets. A work reports E104 or, where a file cannot be read, E201, and releases all
 * memory. Counter-case: with all its memory each work is done, and gives what it must.
 *
 * tags: no-memory
 */
#include "sched/schedule/demand_routes.h"
#include "sched/schedule/payload.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD "roundcast-schedule 1\nalgorithm none\ntopology "

static const struct read {
    const char *text;
    unsigned least; /* refusals */
} texts[] = {
    /* the first of each kind of line, after a comment, has its number noted */
    {HEAD
     "complete 4\nmodel send-receive\n# none\nreduce 1-2 * *\nround 1\n1 0 1 received\nend 1\n",
     5},
    {HEAD "complete 4\nmodel send-receive\nreduce 1-2 * *\nround 1\n# none\n1 0 1\nend 1\n", 5},
    {HEAD "tree 2 2 capacity 1 2\nmodel multiport\n# none\nreduce 1 3 0,1\nround 1\n"
          "0 1:0 1 replace\n# none\n1:0 2:0 1 1 received\nend 1\n",
     7},
    {HEAD "tree 2 2 capacity 1 2\nmodel multiport\nreduce 1 3 *\n# none\nround 1\n"
          "# none\n0 1:0 1\n1:0 2:0 1 1 received\n# none\nend 1\n",
     6},
};

static bool read_one(void *given, struct err *err)
{
    const struct read *of = given;
    struct schedule schedule = {0};
    if (!support_read(of->text, "r.sched", &schedule, err))
        return false;
    schedule_free(&schedule);
    return true;
}

static void texts_are_read(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof texts / sizeof *texts; which++)
        assert_true(no_memory_each(read_one, (void *)(uintptr_t)&texts[which]) >=
                    texts[which].least);
}

/* Two packets at each of two nodes, whose files have three bytes each. */
static bool spread(void *given, struct err *err)
{
    static const uint8_t expected[16] = {1, 2, 3, 0, 0, 0, 0, 0, 4, 5, 6};
    (void)given;
    struct payload payload = {.bytes = malloc(6), .size = 6, .files = 2, .node_packets = 2};
    bool done = payload.bytes != NULL || err_no_memory(err, "6 bytes");
    for (uint8_t k = 0; done && k < 6; k++)
        payload.bytes[k] = k + 1;
    done = done && payload_cut(&payload, 4, 2, 2, 16, err) && payload_spread(&payload, err);
    if (done) {
        assert_int_equal(payload.size, sizeof expected);
        assert_memory_equal(payload.bytes, expected, sizeof expected);
    }
    payload_free(&payload);
    return done;
}

/* A packet from leaf 0 of a tree of 2 × 2 leaves to leaves 1 and 3 crosses five branches. */
static bool find_routes(void *given, struct err *err)
{
    (void)given;
    struct schedule demands = {0};
    struct demand_routes routes;
    if (!support_read(HEAD "tree 2 2 capacity 1 1\nmodel multiport\ndemand 1 0 1,3\nend 0\n",
                      "r.sched", &demands, err))
        return false;
    const bool done = demand_routes_new(&demands, DEMAND_ROUTES_SHORTEST, NULL, &routes, err);
    if (done) {
        assert_int_equal(routes.count, 5);
        demand_routes_free(&routes);
    }
    schedule_free(&demands);
    return done;
}

static void works_are_done(void **state)
{
    (void)state;
    assert_true(no_memory_each(spread, NULL) >= 2);
    assert_true(no_memory_each(find_routes, NULL) >= 3);
}

/* 2^27 packets to all 2^24 nodes of a hypercube, each over a link: more than any memory. */
static void routes_beyond_any_memory(void **state)
{
    (void)state;
    struct schedule demands = {0};
    struct demand_routes routes;
    struct err err = {0};
    support_true(support_read(HEAD "hypercube 24\nmodel all-port\ndemand 1-134217728 0 *\nend 0\n",
                              "r.sched", &demands, &err),
                 &err);
    assert_false(demand_routes_new(&demands, DEMAND_ROUTES_SHORTEST, NULL, &routes, &err));
    support_error(&err, ERR_TOO_BIG, "2251799813685248 entries", "does not fit in memory");
    assert_null(routes.hop);
    schedule_free(&demands);
}

/* A folder with a file of each of two nodes: the file is opened, read, and copied to the others. */
static void folders_are_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/roundcast-payload-XXXXXX", path[2][64];
    unsigned copied = 0, unread = 0;
    assert_non_null(mkdtemp(folder));
    for (unsigned node = 0; node < 2; node++) {
        snprintf(path[node], sizeof path[node], "%s/%u.bin", folder, node);
        FILE *file = fopen(path[node], "wb");
        assert_non_null(file);
        fprintf(file, "%c%c", 'a' + (int)node, 'x');
        fclose(file);
    }
    bool loaded = false;
    for (uint64_t number = 1; !loaded; number++) {
        struct payload payload;
        struct err err = {0};
        int64_t left;
        no_memory_begin(number, false);
        loaded = payload_load(folder, 2, 4, &payload, &err);
        if (loaded) {
            assert_int_equal(payload.size, 4);
            assert_memory_equal(payload.bytes, "axbx", 4);
            payload_free(&payload);
        }
        no_memory_end(&left);
        assert_int_equal(left, 0);
        if (loaded)
            continue;
        assert_null(payload.bytes);
        copied += err.code == ERR_TOO_BIG;
        unread += err.code == ERR_READ;
        support_error(&err, err.code == ERR_READ ? ERR_READ : ERR_TOO_BIG, "memory");
    }
    assert_int_equal(copied, 1);
    assert_true(unread >= 2);
    for (unsigned node = 0; node < 2; node++)
        unlink(path[node]);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(works_are_done),
        cmocka_unit_test(routes_beyond_any_memory),
        cmocka_unit_test(folders_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
