/* SPDX-License-Identifier: Apache-2.0 */
/* stream_lab: runs streams on a testbench and counts differences from the predictions of
 * stream_reference.h; for test_stream.c and test_stream_faults.c.
 *
 * Compared: every observation with its cycle, every lane of every pipeline register of csim in
 * every cycle, all memories and flags afterwards; and where nothing is wrong, receipts with the
 * plan.
 */
#ifndef ROUNDCAST_STREAM_LAB_H
#define ROUNDCAST_STREAM_LAB_H

#include "testbench/run/testbench.h"
#include "tests/support/stream_reference.h"

#define STREAM_LAB_SEED UINT64_C(20240615)

/* A testbench of one engine has the first. */
extern const enum engine_kind stream_lab_engines[2];

/* A machine of 8 ports, two packets of up to 4 flits. */
struct machine stream_lab_machine(unsigned pipe, unsigned pad);

/* The words that differ from the prediction. */
struct stream_lab_watch {
    const struct stream_reference *stream;
    struct csim *sim;
    bool planned; /* nothing is wrong: receipts are those of the plan */
    uint64_t differ, receipts, lanes;
};

bool stream_lab_watch_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err);

/* Loads and runs. Returns the number of words that differ from the prediction. */
struct stream_lab_watch stream_lab_run(struct testbench *testbench,
                                       const struct stream_reference *s, const struct image *image,
                                       bool planned);

/* Steps both engines outside of runs; their outputs must agree. */
void stream_lab_step(struct testbench *testbench, bool rst, bool start, unsigned cycles);

#endif
