/* SPDX-License-Identifier: Apache-2.0 */
/* simulate: plans a broadcast, routes the best schedule and simulates it on csim.
 *
 *     cc simulate.c $(pkg-config --cflags --libs roundcast) -o simulate
 */
#include <inttypes.h>
#include <roundcast.h>
#include <stdio.h>

/* Sets the algorithm of the request to that of the first row of a plan, which is the best one. */
static bool choose(void *with, const struct roundcast_plan_row *row)
{
    struct roundcast_request *request = with;
    request->algorithm = row->algorithm;
    printf("plan      %s: %" PRIu64 " rounds, bound %" PRIu64 "\n", row->algorithm, row->end,
           row->bound);
    return false;
}

static void count(void *with, uint64_t cycle, uint32_t port, uint32_t packet)
{
    (void)cycle, (void)port, (void)packet;
    ++*(uint64_t *)with;
}

static int run(struct roundcast_request *request, struct roundcast_error *error)
{
    uint64_t arrivals = 0;
    const struct roundcast_watch watch = {.with = &arrivals, .arrival = count};
    struct roundcast_report report;
    struct roundcast_image *image = NULL;
    if (roundcast_plan(request, choose, request, error))
        image = roundcast_compile(request, error);
    bool holds = image != NULL && roundcast_simulate(image, request, &watch, &report, error);
    if (holds) {
        const struct roundcast_image_info info = roundcast_image_describe(image);
        printf("tables    %" PRIu64 " bits, %" PRIu64 " with an entry for each round\n",
               info.table_bits, info.full_bits);
        printf("run       %" PRIu64 " cycles, %" PRIu64 " arrivals, %" PRIu64 " packets checked\n",
               report.run_cycles, arrivals, report.packets_checked);
    }
    roundcast_image_free(image);
    return holds ? 0 : 1;
}

int main(void)
{
    struct roundcast_request request;
    struct roundcast_error error;
    if (roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error) &&
        roundcast_set(&request, "network", "benes:32,pipe=2", &error)) {
        request.nodes = 32, request.packets = 64;
        request.model = "send-receive";
        request.settings = "indexed", request.engine = "csim";
        if (run(&request, &error) == 0)
            return 0;
    }
    fprintf(stderr, "%s [E%d %s]\n", error.text, error.code, roundcast_error_name(error.code));
    return 1;
}
