/* SPDX-License-Identifier: Apache-2.0 */
/* bench: drives one engine, or several in lockstep, through the ports of the machine.
 *
 * Every step compares every output of the engines; the first difference ends the run. The bench
 * knows the clock and the address map, and nothing of what should arrive: that is the scoreboard's.
 */
#ifndef ROUNDCAST_BENCH_H
#define ROUNDCAST_BENCH_H

#include "sched/image/image.h"
#include "testbench/engine/engine.h"

#define BENCH_MAX_ENGINES 2

struct bench {
    struct machine machine;
    unsigned engine_count;
    struct engine engine[BENCH_MAX_ENGINES];
    struct dut_outputs outputs; /* of the first engine, after the last step */
    uint64_t cycle;             /* steps so far */
    bool shows_progress;        /* of loading, on a terminal (progress.h) */
};

/* What the run shows in one cycle; `cycle` counts from 0 where run is first high. `obs` is NULL in
 * the cycles in which nothing completes. False stops the run (the observer has set the error). One
 * engine alone may be further than the cycle that is shown (engine_leap), two never are. */
struct bench_observer {
    void *self;
    bool (*observe)(void *self, uint64_t cycle, const uint32_t *obs, struct err *err);
};

/* Open the engines (the last one traced, if asked for) and hold them in reset until the pipeline is
 * flushed. The machine's own registers must name the parameters of `machine`: E404 otherwise.
 * Errors: E401, E501, E404, E607. */
bool bench_open(const enum engine_kind kinds[], unsigned count, const struct machine *machine,
                bool traced, struct bench *bench, struct err *err);

/* Write every word of the image through the host port. E404 if it is another machine's, E607. */
bool bench_load(struct bench *bench, const struct image *image, struct err *err);

bool bench_write(struct bench *bench, uint32_t address, uint32_t word, struct err *err);
bool bench_read(struct bench *bench, uint32_t address, uint32_t *word, struct err *err);

/* Read count words at ascending addresses, one a cycle. */
bool bench_read_block(struct bench *bench, uint32_t address, uint32_t count, uint32_t word[],
                      struct err *err);

/* Read count words of all nodes at ascending addresses, of node 0, one a cycle, and show each
 * row of them: word[ports], valid until `look` returns. */
struct bench_reader {
    void *self;
    void (*look)(void *self, uint32_t k, const uint32_t word[]);
};
bool bench_read_nodes(struct bench *bench, uint32_t address, uint32_t count,
                      const struct bench_reader *reader, struct err *err);

/* Raise start and step until done, showing each cycle of the run. Errors: E606 if it is not done in
 * time, E607, and the observer's. `cycles` is how long run was high. */
bool bench_run(struct bench *bench, const struct run *run, const struct bench_observer *observer,
               uint64_t *cycles, struct err *err);

void bench_close(struct bench *bench);

#endif
