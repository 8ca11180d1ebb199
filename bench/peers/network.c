/* SPDX-License-Identifier: Apache-2.0 */
/* network: runs one image alternately on the SystemC model of the machine and on our engines.
 *
 *     peers-network switches|stages IMAGE PEER-IMAGE PAIRS ENGINE…
 *
 * The engines run IMAGE, the model runs PEER-IMAGE. Both are the same image, except in a test of
 * the comparison. After the first run all packet memories are compared, word for word: exit status
 * 1 if one differs. Then all run alternately. A value is lane-stages per CPU-second, where a
 * lane-stage is one word moved through one stage, in every cycle of the run. Ratios are medians
 * over the turns. The engines do more work: they also simulate the checks of the endpoints, the
 * sequencer and the host port.
 */
#include "bench/measure.h"
#include "bench/peers/systemc.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/testbench.h"

#include <inttypes.h>
#include <string.h>

#define SECONDS 0.2 /* minimum CPU time of a value */
#define MAX_PAIRS 99

static bool work_new(const struct image *image, struct systemc_work *work, struct err *err)
{
    const struct machine *machine = &image->machine;
    unsigned stages = 2 * machine_log2(machine_ports(machine)) - 1;
    if (machine_hops(machine) || machine_has_setting_index(machine) || machine->computed ||
        machine_stages(machine) != stages || machine_latency(machine) != stages)
        return err_set(
            err, ERR_UNSUPPORTED,
            "a peer's image; expected a Beneš network of 2^k ports, with full tables and "
            "a register after every stage");
    *work = (struct systemc_work){.ports = machine_ports(machine),
                                  .stages = machine_stages(machine),
                                  .rows = image->run.rows,
                                  .flits = image->run.flits,
                                  .row_cycles = image->run.row_cycles,
                                  .slots = UINT32_C(1) << machine->log2_packets,
                                  .columns = multistage_row_words(&machine->network)};
    size_t programs = (size_t)work->ports * work->rows;
    work->setting =
        measure_allocate((size_t)work->stages * work->rows * work->columns, sizeof(uint32_t));
    work->send = measure_allocate(programs, sizeof(uint32_t));
    work->receive = measure_allocate(programs, sizeof(uint32_t));
    work->packet =
        measure_allocate((size_t)work->ports * work->slots * work->flits, sizeof(uint32_t));
    return true;
}

static void work_free(struct systemc_work *work)
{
    free(work->setting);
    free(work->send);
    free(work->receive);
    free(work->packet);
}

static void place_word(struct systemc_work *work, const struct machine_place *place, uint32_t node,
                       uint32_t word)
{
    size_t program = (size_t)node * work->rows + place->row;
    if (place->region == MACHINE_PACKET && place->flit < work->flits)
        work->packet[((size_t)node * work->slots + place->slot) * work->flits + place->flit] = word;
    if (place->region == MACHINE_SEND && place->row < work->rows)
        work->send[program] = word;
    if (place->region == MACHINE_RECEIVE && place->row < work->rows)
        work->receive[program] = word;
}

/* Copies the words of the image, in order, into the arrays of the model. */
static void work_load(const struct image *image, struct systemc_work *work)
{
    for (size_t k = 0; k < image->count; k++) {
        struct machine_place place = machine_place_of(&image->machine, image->word[k].address);
        uint32_t word = image->word[k].word;
        uint32_t first = place.all ? 0 : place.node, end = place.all ? work->ports : first + 1;
        if (place.region == MACHINE_TABLE && place.row < work->rows)
            work->setting[((size_t)place.bank * work->rows + place.row) * work->columns +
                          place.column] = word;
        for (uint32_t node = first; place.region != MACHINE_TABLE && node < end; node++)
            place_word(work, &place, node, word);
    }
}

static bool ignore(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self;
    (void)cycle;
    (void)obs;
    (void)err;
    return true;
}

/* Compares all packets of all nodes. */
static bool same_memory(struct testbench *testbench, const struct systemc_work *work,
                        struct err *err)
{
    uint32_t *word = measure_allocate(work->flits, sizeof *word);
    bool same = true;
    for (uint32_t node = 0; same && node < work->ports; node++)
        for (uint32_t slot = 0; same && slot < work->slots; slot++) {
            const uint32_t *peer = work->packet + ((size_t)node * work->slots + slot) * work->flits;
            same = testbench_read_block(testbench,
                                        machine_packet_address(&testbench->machine, node, slot, 0),
                                        work->flits, word, err);
            for (uint32_t flit = 0; same && flit < work->flits; flit++)
                if (word[flit] != peer[flit])
                    same = err_set(err, ERR_DIVERGED,
                                   "node %" PRIu32 ", slot %" PRIu32 ", flit %" PRIu32
                                   ": %s has %08" PRIx32 ", SystemC %08" PRIx32,
                                   node, slot, flit, engine_name(testbench->engine[0].kind),
                                   word[flit], peer[flit]);
        }
    free(word);
    return same;
}

/* -- In turn ----------------------------------------------------------------------------------- */

struct contest {
    struct image image;
    struct systemc_work work;
    unsigned engines;
    struct testbench testbench[ENGINE_COUNT];
};

static bool run_engine(struct contest *contest, unsigned engine, uint64_t *cycles, struct err *err)
{
    return testbench_run(&contest->testbench[engine], &contest->image.run,
                         &(struct testbench_observer){.observe = ignore}, cycles, err);
}

/* Measures lane-stages per CPU-second of one engine; the index after the last is the SystemC
 * model. */
static bool speed(struct contest *contest, unsigned engine, double *figure, struct err *err)
{
    double start = measure_cpu_seconds(), taken = 0;
    uint64_t cycles = 0;
    while (taken < SECONDS) {
        uint64_t run = 0;
        if (engine == contest->engines)
            run = systemc_run();
        else if (!run_engine(contest, engine, &run, err))
            return false;
        cycles += run;
        taken = measure_cpu_seconds() - start;
    }
    *figure = (double)cycles * contest->work.ports * contest->work.stages / taken;
    return true;
}

static bool measure(struct contest *contest, unsigned pairs, struct err *err)
{
    double figure[ENGINE_COUNT + 1][MAX_PAIRS], ratio[ENGINE_COUNT][MAX_PAIRS];
    unsigned peer = contest->engines;
    for (unsigned pair = 0; pair < pairs; pair++) {
        for (unsigned engine = 0; engine <= peer; engine++)
            if (!speed(contest, engine, &figure[engine][pair], err))
                return false;
        for (unsigned engine = 0; engine < peer; engine++)
            ratio[engine][pair] = figure[engine][pair] / figure[peer][pair];
    }
    printf(" %9.1f", measure_median(figure[peer], pairs) * 1e-6);
    for (unsigned engine = 0; engine < peer; engine++)
        printf(" | %s %9.1f %8.1f", engine_name(contest->testbench[engine].engine[0].kind),
               measure_median(figure[engine], pairs) * 1e-6, measure_median(ratio[engine], pairs));
    putchar('\n');
    return true;
}

/* Runs each side once, and compares all words. */
static bool agree(struct contest *contest, struct err *err)
{
    bool same = true;
    uint64_t cycles = systemc_run(), own = cycles;
    for (unsigned engine = 0; same && engine < contest->engines; engine++) {
        struct testbench *testbench = &contest->testbench[engine];
        same = testbench_load(testbench, &contest->image, err) &&
               run_engine(contest, engine, &own, err) &&
               (own == cycles ||
                err_set(err, ERR_DIVERGED, "%s takes %" PRIu64 " cycle%s, SystemC %" PRIu64,
                        engine_name(testbench->engine[0].kind), own, text_s(own), cycles)) &&
               same_memory(testbench, &contest->work, err);
    }
    return same;
}

/* -- The command line -------------------------------------------------------------------------- */

static bool read_image(const char *file, struct image *image, struct err *err)
{
    FILE *from = fopen(file, "r");
    bool read = from != NULL ? image_read(from, file, image, err)
                             : err_set(err, ERR_READ, "%s: cannot be read", file);
    if (from != NULL)
        fclose(from);
    return read;
}

static bool open_peer(const char *form, const char *file, struct systemc_work *work,
                      struct err *err)
{
    struct image image = {0};
    bool opened = read_image(file, &image, err) && work_new(&image, work, err);
    if (opened) {
        work_load(&image, work);
        opened =
            systemc_build(work, strcmp(form, "stages") == 0 ? SYSTEMC_STAGES : SYSTEMC_SWITCHES) ||
            err_set(err, ERR_UNSUPPORTED, "%s: %" PRIu32 " port%s; expected 8, 64 or 256", file,
                    work->ports, text_s(work->ports));
    }
    image_free(&image);
    return opened;
}

static bool open_engine(struct contest *contest, const char *name, struct err *err)
{
    for (enum engine_kind kind = 0; kind < ENGINE_COUNT; kind++)
        if (strcmp(name, engine_name(kind)) == 0)
            return testbench_open(&kind, 1, &contest->image.machine, false,
                                  &contest->testbench[contest->engines++], err);
    return err_set(err, ERR_OPTION, "%s; expected csim, rtl or netlist", name);
}

int network_main(int argc, char **argv)
{
    struct contest contest = {0};
    struct err err = {0};
    unsigned pairs = argc > 5 ? (unsigned)strtoul(argv[4], NULL, 10) : 0;
    if (pairs == 0 || pairs > MAX_PAIRS || argc > 5 + ENGINE_COUNT) {
        fputs("usage: peers-network switches|stages IMAGE PEER-IMAGE PAIRS ENGINE...\n", stderr);
        return 2;
    }
    bool good = read_image(argv[2], &contest.image, &err) &&
                open_peer(argv[1], argv[3], &contest.work, &err);
    for (int k = 5; good && k < argc; k++)
        good = open_engine(&contest, argv[k], &err);
    good = good && agree(&contest, &err);
    if (good) {
        printf("%5" PRIu32 " %6" PRIu32 " %-8s", contest.work.ports, contest.work.rows, argv[1]);
        good = measure(&contest, pairs, &err);
    }
    for (unsigned engine = 0; engine < contest.engines; engine++)
        testbench_close(&contest.testbench[engine]);
    work_free(&contest.work);
    image_free(&contest.image);
    if (!good)
        err_print(stderr, &err, NULL);
    return good ? 0 : err_exit_status(err.code);
}
