/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/machines.h"

#include "sched/algorithms/algorithm.h"
#include "sched/machine/machine_network.h"
#include "sched/route/compile.h"
#include "testbench/engine/engine.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static struct machine make_multistage(const char *network, bool indexed)
{
    struct machine machine = {.width = 16, .log2_packets = 4, .log2_flits = 3, .log2_rows = 6};
    struct err err = {0};
    fuzz_holds(machine_parse_network(network, &machine, &err), &err, network);
    if (indexed) {
        machine.settings = MACHINE_INDEXED;
        machine.log2_settings = 3;
        machine.log2_packets = 5;
        machine.log2_flits = 1;
        machine.log2_period = 6;
    }
    return machine;
}

static struct machine make_tree(void)
{
    struct machine machine = {.kind = MACHINE_FAT_TREE,
                              .pad = 1,
                              .width = 31,
                              .log2_packets = 3,
                              .log2_flits = 4,
                              .log2_rows = 5,
                              .depth = {0, 3, 5},
                              .reads = 3};
    struct err err = {0};
    fuzz_holds(topology_parse_tree("3,2", "1,2", &machine.topology, &err), &err, "a tree");
    return machine;
}

static struct machine make_cube(void)
{
    struct machine machine = {.kind = MACHINE_CUBE_AUTO,
                              .width = 16,
                              .log2_packets = 6,
                              .log2_flits = 2,
                              .log2_rows = 5,
                              .depth = {0, 13},
                              .queue = {0, 1},
                              .reads = 1};
    struct err err = {0};
    fuzz_holds(topology_hypercube(3, &machine.topology, &err), &err, "a cube");
    return machine;
}

struct machine machines_make(unsigned which)
{
    switch (which) {
    case 0:
        return make_multistage("benes:4", false);
    case 1:
        return make_multistage("benes:7", true);
    case 2:
        return make_tree();
    default:
        return make_cube();
    }
}

void machines_bundle(enum machine_settings settings, struct bundle *bundle)
{
    struct compile_request request = {
        .has_network = true, .has_memory = true, .machine = machines_make(0), .seed = 1};
    struct collective asked = {
        .n = 4, .m = 2, .model = MODEL_SEND_RECEIVE, .kind = COLLECTIVE_BROADCAST};
    struct machine machine;
    struct split_report splitted;
    struct err err = {0};
    const struct algorithm *circulant = algorithm_find("circulant", &err);
    request.machine.settings = settings;
    *bundle = (struct bundle){0};
    fuzz_holds(circulant != NULL &&
                   compile_machine(&request, &asked, &machine, &bundle->payload, &err) &&
                   algorithm_build(circulant, &asked, &bundle->schedule, &err) &&
                   compile_rewrite(&request, &machine, &bundle->schedule, &splitted, &err) &&
                   compile_schedule(&request, &bundle->schedule, &bundle->payload, &machine,
                                    &bundle->image, &err),
               &err, "a bundle");
}

/* An engine that is found stays open, so that it is loaded only once. */
bool machines_have_rtl(const struct machine *machine)
{
    static struct machine asked[MACHINES];
    static bool ready[MACHINES];
    static unsigned count;
    struct engine engine;
    struct err err = {0};
    for (unsigned k = 0; k < count; k++)
        if (memcmp(&asked[k], machine, sizeof *machine) == 0)
            return ready[k];
    if (count == MACHINES)
        return false;
    asked[count] = *machine;
    ready[count] = engine_open(ENGINE_RTL, machine, false, &engine, &err);
    if (!ready[count])
        fprintf(stderr, "no RTL: %s\n", err.text);
    return ready[count++];
}
