/* scoreboard_play: what a machine shows in a run, to be changed and then judged by the scoreboard; for
 * test_scoreboard.c and test_scoreboard_postal.c. Include it after <cmocka.h>'s four headers.
 *
 * No engine takes part. Without a change memories and flags are as they should be; receipts are the test's.
 */
#ifndef ROUNDCAST_SCOREBOARD_PLAY_H
#define ROUNDCAST_SCOREBOARD_PLAY_H

#include "testbench/scoreboard/scoreboard.h"
#include "testbench/unit/support/support.h"

#include <stdio.h>

/* At most; a test has constants of its own. */
enum { PLAY_CYCLES = 40, PLAY_PORTS = 8, PLAY_PACKETS = 2, PLAY_FLITS = 4 };

struct play {
    struct support_job job;
    uint64_t cycles; /* that the run lasts */
    bool strobe[PLAY_CYCLES];
    uint32_t obs[PLAY_CYCLES][PLAY_PORTS];
    uint32_t memory[PLAY_PORTS][PLAY_PACKETS][PLAY_FLITS];
    bool read[PLAY_PORTS][PLAY_PACKETS]; /* is it read back? */
    uint32_t flags[PLAY_PORTS];
    struct scoreboard_report report;
    struct err err, stopped;
};

/* A run of the job in which nothing is received yet, with the memories as they will be. */
static inline void play_begin(struct play *play, uint64_t cycles)
{
    struct support_job job = play->job;
    *play = (struct play){.job = job, .cycles = cycles};
    assert_true(machine_ports(&job.image.machine) <= PLAY_PORTS && job.schedule.packets <= PLAY_PACKETS &&
                job.image.run.flits <= PLAY_FLITS && cycles <= PLAY_CYCLES);
    for (uint32_t node = 0; node < job.schedule.nodes; node++)
        for (uint32_t packet = 1; packet <= job.schedule.packets; packet++) {
            play->read[node][packet - 1] = true;
            for (uint32_t flit = 0; flit < job.image.run.flits; flit++)
                play->memory[node][packet - 1][flit] =
                    MACHINE_VALID | payload_word(&job.payload, packet, flit);
        }
}

/* Let a packet be received in that cycle. */
static inline void play_show(struct play *play, uint64_t cycle, uint32_t node, uint32_t packet)
{
    play->strobe[cycle] = true;
    play->obs[cycle][node] = MACHINE_VALID | (packet - 1);
}

static inline bool play_judge(struct play *play)
{
    const struct support_job *job = &play->job;
    const struct machine *machine = &job->image.machine;
    play->err = (struct err){0};
    struct scoreboard *board = scoreboard_new(&job->schedule, machine, &job->image.run, &play->err);
    assert_non_null(board);
    for (uint64_t cycle = 0; cycle < play->cycles; cycle++)
        scoreboard_observe(board, cycle, play->strobe[cycle] ? play->obs[cycle] : NULL);
    if (play->stopped.code != ERR_NONE)
        scoreboard_stop(board, &play->stopped);
    for (uint32_t port = 0; port < machine_ports(machine); port++)
        scoreboard_flags(board, port, play->flags[port]);
    for (uint32_t node = 0; node < job->schedule.nodes; node++)
        for (uint32_t packet = 1; packet <= job->schedule.packets; packet++)
            if (play->read[node][packet - 1])
                scoreboard_memory(board, &job->payload, node, packet, play->memory[node][packet - 1]);
    bool holds = scoreboard_verdict(board, &play->report, &play->err);
    scoreboard_free(board);
    return holds;
}

/* The play breaks with exactly this code and `further` more breaches, its text has this part. */
__attribute__((format(printf, 4, 5))) static inline void
play_breaks(struct play *play, enum err_code code, uint64_t further, const char *format, ...)
{
    char part[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    assert_false(play_judge(play));
    support_error(&play->err, code, part);
    assert_int_equal(play->err.further, further);
}

/* For a group's fixtures: a play whose job is still to be filled in, and its end. */
static inline struct play *play_new(void)
{
    struct play *play = calloc(1, sizeof *play);
    assert_non_null(play);
    return play;
}

static inline int play_tear_down(void **state)
{
    struct play *play = *state;
    support_job_free(&play->job);
    free(play);
    return 0;
}

#endif
