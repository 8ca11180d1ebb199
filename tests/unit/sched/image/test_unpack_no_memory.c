/* SPDX-License-Identifier: Apache-2.0 */
/* test_unpack_no_memory: headers of packets, and images that are unpacked, without memory.
 *
 * Exhaustive: in each of these calls each allocation fails, alone or with all after it. The call
 * then fails, the error says that memory is missing, and nothing stays allocated. Counter-case:
 * without a failure each call succeeds.
 *
 * tags: no-memory
 */
#include "sched/image/packet_header.h"
#include "sched/image/unpack.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/range_lab.h"
#include "tests/support/running.h"

#define SEED UINT64_C(20261128)

static bool write_headers(const struct support_job *job, struct err *err)
{
    struct payload payload = {.header_flits = job->payload.header_flits};
    const bool written = packet_header_write(&job->schedule, &job->image.machine, &payload, err);
    payload_free(&payload);
    return written;
}

static bool unpack(const struct support_job *job, struct err *err)
{
    struct unpacked unpacked;
    if (!unpack_image(&job->image, &unpacked, err))
        return false;
    unpack_free(&unpacked);
    return true;
}

static bool find_demands(const struct support_job *job, struct err *err)
{
    struct unpacked unpacked;
    struct schedule found = {0};
    if (!unpack_image(&job->image, &unpacked, err))
        return false;
    const bool made = unpack_demands(&unpacked, &found, err);
    schedule_free(&found);
    unpack_free(&unpacked);
    return made;
}

static bool follow(const struct support_job *job, struct err *err)
{
    const struct unpacked unpacked = {.machine = job->image.machine, .run = job->image.run};
    struct unpack_held held;
    const bool made = unpack_held_new(&unpacked, &held, err);
    if (made)
        unpack_held_free(&held);
    return made;
}

static void fails(const char *what, bool (*call)(const struct support_job *job, struct err *err),
                  const struct support_job *job)
{
    for (unsigned on = 0; on < 2; on++) {
        uint64_t calls = 0;
        for (uint64_t number = 0; number <= calls; number++) {
            int64_t left;
            struct err err = {0};
            running("%s, call %u%s", what, (unsigned)number, on ? " and all after it" : "");
            no_memory_begin(number, on == 1);
            const bool made = call(job, &err);
            const uint64_t count = no_memory_end(&left);
            calls = number == 0 ? count : calls;
            assert_int_equal(left, 0);
            assert_int_equal(made, number == 0);
            if (number > 0)
                support_error(&err, ERR_TOO_BIG, "memory", "; expected ");
        }
        assert_true(calls > 0);
    }
}

static void ranges(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(4);
    struct support_job job;
    range_lab_job(&machine, 4, 2, 6, &job);
    fails("headers of ranges", write_headers, &job);
    fails("programs of ranges", unpack, &job);
    fails("demands of ranges", find_demands, &job);
    support_job_free(&job);
}

static void stored_programs(void **state)
{
    (void)state;
    const struct machine machine = support_machine(3, 1, 0);
    const struct collective collective = {.n = 8, .m = 3, .model = MODEL_SEND_RECEIVE};
    struct support_job job;
    support_job(support_algorithm("binomial"), &collective, &machine, 4, SEED, &job);
    fails("an image", unpack, &job);
    fails("demands", find_demands, &job);
    job.image.machine.shared = 2;
    fails("shared memories", follow, &job);
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges), cmocka_unit_test(stored_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
