/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_play: the observations of a run, which a test changes and passes to the scoreboard;
 * for test_scoreboard.c and test_scoreboard_postal.c.
 *
 * No engine is involved. By default memories and flags are correct; the test adds the receipts.
 */
#ifndef ROUNDCAST_SCOREBOARD_PLAY_H
#define ROUNDCAST_SCOREBOARD_PLAY_H

#include "testbench/scoreboard/scoreboard.h"
#include "tests/support/support.h"

/* At most; a test has constants of its own. */
enum {
    SCOREBOARD_PLAY_CYCLES = 40,
    SCOREBOARD_PLAY_PORTS = 8,
    SCOREBOARD_PLAY_PACKETS = 2,
    SCOREBOARD_PLAY_FLITS = 4
};

struct scoreboard_play {
    struct support_job job;
    uint64_t cycles; /* duration of the run */
    bool strobe[SCOREBOARD_PLAY_CYCLES];
    uint32_t obs[SCOREBOARD_PLAY_CYCLES][SCOREBOARD_PLAY_PORTS];
    uint32_t memory[SCOREBOARD_PLAY_PORTS][SCOREBOARD_PLAY_PACKETS][SCOREBOARD_PLAY_FLITS];
    bool read[SCOREBOARD_PLAY_PORTS][SCOREBOARD_PLAY_PACKETS]; /* whether it is read back */
    uint32_t flags[SCOREBOARD_PLAY_PORTS];
    struct scoreboard_report report;
    struct err err, stopped;
};

/* Begins a run of the job without receipts, with the memories in their final state. */
void scoreboard_play_begin(struct scoreboard_play *play, uint64_t cycles);

/* Records that a packet is received in that cycle. */
void scoreboard_play_show(struct scoreboard_play *play, uint64_t cycle, uint32_t node,
                          uint32_t packet);

bool scoreboard_play_judge(struct scoreboard_play *play);

/* Checks that the play fails with exactly this code and `further` more violations, and that its
 * text contains this part. */
__attribute__((format(printf, 4, 5))) void scoreboard_play_breaks(struct scoreboard_play *play,
                                                                  enum err_code code,
                                                                  uint64_t further,
                                                                  const char *format, ...);

/* For a group's fixtures: a play whose job is still to be filled in, and its end. */
struct scoreboard_play *scoreboard_play_new(void);

int scoreboard_play_tear_down(void **state);

#endif
