/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/scoreboard_play.h"

#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>

void scoreboard_play_begin(struct scoreboard_play *play, uint64_t cycles)
{
    struct support_job job = play->job;
    *play = (struct scoreboard_play){.job = job, .cycles = cycles};
    assert_true(machine_ports(&job.image.machine) <= SCOREBOARD_PLAY_PORTS &&
                job.schedule.packets <= SCOREBOARD_PLAY_PACKETS &&
                job.image.run.flits <= SCOREBOARD_PLAY_FLITS && cycles <= SCOREBOARD_PLAY_CYCLES);
    for (uint32_t node = 0; node < job.schedule.nodes; node++)
        for (uint32_t packet = 1; packet <= job.schedule.packets; packet++) {
            play->read[node][packet - 1] = true;
            for (uint32_t flit = 0; flit < job.image.run.flits; flit++)
                play->memory[node][packet - 1][flit] =
                    MACHINE_VALID | payload_word(&job.payload, packet, flit);
        }
}

void scoreboard_play_show(struct scoreboard_play *play, uint64_t cycle, uint32_t node,
                          uint32_t packet)
{
    play->strobe[cycle] = true;
    play->obs[cycle][node] = MACHINE_VALID | (packet - 1);
}

bool scoreboard_play_judge(struct scoreboard_play *play)
{
    const struct support_job *job = &play->job;
    const struct machine *machine = &job->image.machine;
    play->err = (struct err){0};
    struct scoreboard *board =
        scoreboard_new(&job->schedule, &job->payload, machine, &job->image.run, &play->err);
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
                scoreboard_memory(board, node, packet, play->memory[node][packet - 1]);
    bool holds = scoreboard_verdict(board, &play->report, &play->err);
    scoreboard_free(board);
    return holds;
}

void scoreboard_play_breaks(struct scoreboard_play *play, enum err_code code, uint64_t further,
                            const char *format, ...)
{
    char part[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    assert_false(scoreboard_play_judge(play));
    support_error(&play->err, code, part);
    assert_int_equal(play->err.further, further);
}

struct scoreboard_play *scoreboard_play_new(void)
{
    struct scoreboard_play *play = calloc(1, sizeof *play);
    assert_non_null(play);
    return play;
}

int scoreboard_play_tear_down(void **state)
{
    struct scoreboard_play *play = *state;
    support_job_free(&play->job);
    free(play);
    return 0;
}
