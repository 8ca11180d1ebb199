/* SPDX-License-Identifier: Apache-2.0 */
/* testbench: drives one engine, or several in lockstep, through the ports of the machine.
 *
 * Every step compares every output of the engines; the first difference ends the run. The testbench
 * implements the clock and the address map; only the scoreboard has the predictions of the
 * schedule.
 */
#ifndef ROUNDCAST_TESTBENCH_H
#define ROUNDCAST_TESTBENCH_H

#include "sched/image/image.h"
#include "testbench/engine/engine.h"

#define TESTBENCH_MAX_ENGINES 2

struct testbench {
    struct machine machine;
    unsigned engine_count;
    struct engine engine[TESTBENCH_MAX_ENGINES];
    struct dut_outputs outputs; /* of the first engine, after the last step */
    uint64_t cycle;             /* steps so far */
    bool shows_progress;        /* shows the progress of loading on a terminal (progress.h) */
    /* the packets after which the host stops a stream; 0: it does not */
    uint32_t stop_after;
};

/* Receives the observations of a run, cycle by cycle; `cycle` counts from 0, the first cycle in
 * which run is high. `obs` is NULL in cycles in which no packet completes. Returning false stops
 * the run (the observer has set the error). A single engine may be ahead of the cycle shown
 * (engine_leap); engines in lockstep never are. */
struct testbench_observer {
    void *self;
    bool (*observe)(void *self, uint64_t cycle, const uint32_t *obs, struct err *err);
};

/* Opens the engines (the last one traced if `traced`) and holds them in reset until the pipeline is
 * flushed. The machine's registers must equal the parameters of `machine`: E404 otherwise. Errors:
 * E401, E501, E404, E607. */
bool testbench_open(const enum engine_kind kinds[], unsigned count, const struct machine *machine,
                    bool traced, struct testbench *testbench, struct err *err);

/* As testbench_open, with engines kept in a store (engine.h); NULL: none. */
struct testbench_engines {
    const enum engine_kind *kind; /* kind[count] */
    unsigned count;
    bool traced; /* the last engine is traced */
    struct engine_store *store;
};
bool testbench_open_kept(const struct testbench_engines *engines, const struct machine *machine,
                         struct testbench *testbench, struct err *err);

/* Writes every word of the image through the host port. E404 if the image is for another machine,
 * E607. */
bool testbench_load(struct testbench *testbench, const struct image *image, struct err *err);

bool testbench_write(struct testbench *testbench, uint32_t address, uint32_t word, struct err *err);
bool testbench_read(struct testbench *testbench, uint32_t address, uint32_t *word, struct err *err);

/* Reads count words at ascending addresses, one per cycle. */
bool testbench_read_block(struct testbench *testbench, uint32_t address, uint32_t count,
                          uint32_t word[], struct err *err);

/* Reads count words of all nodes at ascending addresses (given for node 0), one per cycle, and
 * passes each row to `look`: word[ports], valid until `look` returns. */
struct testbench_reader {
    void *self;
    void (*look)(void *self, uint32_t k, const uint32_t word[]);
};
bool testbench_read_nodes(struct testbench *testbench, uint32_t address, uint32_t count,
                          const struct testbench_reader *reader, struct err *err);

/* Asserts start and steps until done, passing each cycle of the run to the observer. With
 * `stop_after` the host writes the stop register in the last cycle in which that packet becomes the
 * last one. Errors: E606 if the run is not done in time, E607, and the observer's. `cycles` is the
 * number of cycles in which run was high. */
bool testbench_run(struct testbench *testbench, const struct run *run,
                   const struct testbench_observer *observer, uint64_t *cycles, struct err *err);

void testbench_close(struct testbench *testbench);

#endif
