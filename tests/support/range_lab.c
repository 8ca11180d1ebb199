/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/range_lab.h"

#include "sched/image/packet_header.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"

#define SEED UINT64_C(20261127)

struct machine range_lab_machine(uint32_t ports)
{
    return (struct machine){.network = multistage_benes(ports),
                            .pipe = 1,
                            .pad = 1,
                            .width = 16,
                            .log2_packets = 3,
                            .log2_flits = 3,
                            .log2_rows = 6,
                            .ranges = true,
                            .log2_splits = 3};
}

void range_lab_job(const struct machine *machine, uint32_t n, uint32_t m, uint32_t flits,
                   struct support_job *job)
{
    const struct collective asked = {
        .n = n, .m = m, .model = MODEL_POSTAL, .lambda = machine_lambda(machine, flits)};
    struct err err = {0};
    *job = (struct support_job){0};
    support_schedule(support_algorithm(m > 1 ? "postal-pipeline" : "postal-bcast"), &asked,
                     &job->schedule);
    support_true(payload_random(SEED + n, (size_t)(flits - 1) * 2 * m, &job->payload, &err), &err);
    job->payload.header_flits = machine_header_flits(machine);
    assert_int_equal(job->payload.header_flits, 1);
    support_true(payload_cut(&job->payload, m, flits, flits, machine->width, &err), &err);
    support_true(packet_header_write(&job->schedule, machine, &job->payload, &err), &err);
    support_true(route_schedule(&job->schedule, machine, &job->payload, &job->image, &err), &err);
}

static bool look(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    struct range_lab_seen *seen = self;
    (void)err;
    for (uint32_t node = 0; obs != NULL && node < seen->nodes; node++)
        if (obs[node] & MACHINE_VALID) {
            assert_true(seen->complete < RANGE_LAB_RECEIPTS);
            seen->receipt[seen->complete].cycle = cycle;
            seen->receipt[seen->complete].node = node;
            seen->receipt[seen->complete++].packet = obs[node] & MACHINE_OBS_PACKET;
        }
    return true;
}

void range_lab_run(struct testbench *testbench, const struct image *image,
                   struct range_lab_seen *seen)
{
    struct err err = {0};
    uint64_t cycles;
    *seen = (struct range_lab_seen){.nodes = machine_ports(&image->machine)};
    const struct testbench_observer observer = {seen, look};
    support_true(testbench_run(testbench, &image->run, &observer, &cycles, &err), &err);
    for (uint32_t node = 0; node < seen->nodes; node++) {
        uint32_t flags;
        support_true(testbench_read(testbench, machine_flags_address(node), &flags, &err), &err);
        seen->unexpected += (flags & MACHINE_UNEXPECTED) != 0;
        seen->others += (flags & ~MACHINE_UNEXPECTED) != 0;
    }
}
