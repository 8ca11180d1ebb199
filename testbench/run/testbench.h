/* SPDX-License-Identifier: Apache-2.0 */
/* testbench: drives one engine, or several in lockstep, through the ports of the machine.
 *
 * Every step compares every output of the engines; the first difference ends the run. The testbench
 * knows the clock and the address map, and nothing of what should arrive: that is the scoreboard's.
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
    bool shows_progress;        /* of loading, on a terminal (progress.h) */
};

/* What the run shows in one cycle; `cycle` counts from 0 where run is first high. `obs` is NULL in
 * the cycles in which nothing completes. False stops the run (the observer has set the error). One
 * engine alone may be further than the cycle that is shown (engine_leap), two never are. */
struct testbench_observer {
    void *self;
    bool (*observe)(void *self, uint64_t cycle, const uint32_t *obs, struct err *err);
};

/* Open the engines (the last one traced, if asked for) and hold them in reset until the pipeline is
 * flushed. The machine's own registers must name the parameters of `machine`: E404 otherwise.
 * Errors: E401, E501, E404, E607. */
bool testbench_open(const enum engine_kind kinds[], unsigned count, const struct machine *machine,
                    bool traced, struct testbench *testbench, struct err *err);

/* Write every word of the image through the host port. E404 if it is another machine's, E607. */
bool testbench_load(struct testbench *testbench, const struct image *image, struct err *err);

bool testbench_write(struct testbench *testbench, uint32_t address, uint32_t word, struct err *err);
bool testbench_read(struct testbench *testbench, uint32_t address, uint32_t *word, struct err *err);

/* Read count words at ascending addresses, one a cycle. */
bool testbench_read_block(struct testbench *testbench, uint32_t address, uint32_t count,
                          uint32_t word[], struct err *err);

/* Read count words of all nodes at ascending addresses, of node 0, one a cycle, and show each
 * row of them: word[ports], valid until `look` returns. */
struct testbench_reader {
    void *self;
    void (*look)(void *self, uint32_t k, const uint32_t word[]);
};
bool testbench_read_nodes(struct testbench *testbench, uint32_t address, uint32_t count,
                          const struct testbench_reader *reader, struct err *err);

/* Raise start and step until done, showing each cycle of the run. Errors: E606 if it is not done in
 * time, E607, and the observer's. `cycles` is how long run was high. */
bool testbench_run(struct testbench *testbench, const struct run *run,
                   const struct testbench_observer *observer, uint64_t *cycles, struct err *err);

void testbench_close(struct testbench *testbench);

#endif
