/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_route: a legal schedule is routed, and its image runs on csim with each packet in its cycle.
 *
 * The schedule is made by an algorithm, or drawn without one.
 */
#include "sched/machine/machine_network.h"
#include "sched/route/compile.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/fuzz/draw.h"

#include <stdlib.h>

#define WIDTH 16
#define FREE_NODES 8

static const char *const networks[] = {"benes:16",       "benes:8,pipe=2,pad=1",
                                       "benes:9,pipe=0", "benes:16,radix=4",
                                       "waksman:11",     "clos:5,4,4,pipe=1",
                                       "omega:16",       "multicast:16,pipe=3",
                                       "multicast:8",    "fat-tree",
                                       "fat-tree,pad=1", "fat-tree-auto",
                                       "cube",           "cube-auto",
                                       "cube,pad=2"};
#define NETWORKS (sizeof networks / sizeof *networks)

struct job {
    struct schedule schedule;
    struct machine machine;
    struct payload payload;
    struct image image;
    struct split_report splitted;
};

static struct compile_request draw_request(struct fuzz_bytes *bytes)
{
    struct compile_request request = {.machine.width = WIDTH, .seed = 1};
    struct err err = {0};
    unsigned network = fuzz_take(bytes, NETWORKS + 1);
    request.has_network = network < NETWORKS;
    if (request.has_network)
        fuzz_holds(machine_parse_network(networks[network], &request.machine, &err), &err,
                   networks[network]);
    request.machine.settings = (enum machine_settings)fuzz_take(bytes, MACHINE_SETTINGS_KINDS);
    request.machine.computed = fuzz_take(bytes, 4) == 0;
    request.split = fuzz_take(bytes, 4) == 0;
    uint32_t rest = fuzz_take(bytes, 36);
    request.flits = rest % 9;
    request.machine.reconfigures = rest / 9 == 0;
    request.reconfigure = request.machine.reconfigures ? rest : 0;
    return request;
}

/* Draws a legal schedule, its machine and payload. Returns false if there are none. */
static bool draw_job(struct fuzz_bytes *bytes, const struct compile_request *request,
                     struct job *job)
{
    static const enum model models[] = {MODEL_SEND_RECEIVE,     MODEL_TELEPHONE,
                                        MODEL_TELEGRAPH,        MODEL_POSTAL,
                                        MODEL_FABRIC_MULTICAST, MODEL_FABRIC_POSTAL};
    struct draw_asked asked;
    struct err err = {0};
    if (fuzz_take(bytes, 2) == 0) {
        asked.collective = (struct collective){.n = FREE_NODES,
                                               .m = DRAW_MOST_PACKETS,
                                               .kind = COLLECTIVE_BROADCAST,
                                               .model = models[fuzz_take(bytes, 6)]};
        return compile_machine(request, &asked.collective, &job->machine, &job->payload, &err) &&
               draw_free(bytes, asked.collective.model, asked.collective.lambda, &job->schedule);
    }
    if (!draw_collective(bytes, &asked) ||
        !compile_machine(request, &asked.collective, &job->machine, &job->payload, &err))
        return false;
    if (!algorithm_build(asked.algorithm, &asked.collective, &job->schedule, &err)) {
        fuzz_refused(&err);
        return false;
    }
    return job->schedule.transfer_count > 0;
}

/* Checks a rejection: a schedule that this machine cannot run is a valid test case, but the error
 * of a schedule that no machine can run is a bug. */
static void refused(const struct err *err)
{
    if (err->code == ERR_NOT_PERMUTATION || err_exit_status(err->code) != 2)
        fuzz_fail("a legal schedule is refused: %s [E%03d]", err->text, (int)err->code);
}

static void run(const struct compile_request *request, struct job *job)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    if (!compile_rewrite(request, &job->machine, &job->schedule, &job->splitted, &err) ||
        !compile_schedule(request, &job->schedule, &job->payload, &job->machine, &job->image,
                          &err)) {
        refused(&err);
        return;
    }
    job->image.run.row_cycles += FUZZ_FAULT; /* the register of the machine then differs */
    bool held = simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err);
    if (!held) {
        size_t size;
        char network[MACHINE_NETWORK_TEXT], *text = fuzz_schedule_text(&job->schedule, &size);
        fuzz_fail("%s, settings %d: %s [E%03d]\n%s", machine_network_text(&job->machine, network),
                  (int)job->machine.settings, err.text, (int)err.code, text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, data + size};
    struct verify_report verified;
    struct err err = {0};
    struct job job = {0};
    const struct compile_request request = draw_request(&bytes);
    if (draw_job(&bytes, &request, &job)) {
        fuzz_holds(verify_schedule("drawn", &job.schedule, &verified, &err), &err,
                   "a schedule that should be legal");
        run(&request, &job);
    }
    schedule_free(&job.schedule);
    payload_free(&job.payload);
    image_free(&job.image);
    return 0;
}
