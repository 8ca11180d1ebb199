/* SPDX-License-Identifier: Apache-2.0 */
/* tree_replay: predicts the report of a run of routers with arbitrary tables.
 *
 * The words of an image are stored by their addresses (machine.h), fat_tree_reference.h moves whole
 * packets accordingly, and the result is compared with the schedule in the order in which a
 * scoreboard receives it:
 *
 *     row by row   leaves that miss what they should receive, then leaves that flag
 *     after it     routers that flag, the step in which a packet moved last, the packets that
 *                  leaves hold
 *
 * It shares no code with the machines or the scoreboard, only the texts of messages.
 */
#ifndef ROUNDCAST_TREE_REPLAY_H
#define ROUNDCAST_TREE_REPLAY_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"
#include "tests/support/fat_tree_reference.h"

/* The predicted report: the first violation in full, and the number of violations. */
struct tree_replay_reported {
    enum err_code code;
    char text[160]; /* beginning of its text */
    uint64_t count;
};

struct tree_replay {
    const struct schedule *schedule;
    struct machine machine;
    struct run run;
    struct fat_tree_reference reference;
    uint32_t *table;          /* [routers][rows][columns], as in addresses */
    uint32_t *send, *receive; /* [leaves][rows] */
    uint32_t *placed;         /* [leaves][slots]: the packet there before the run, 0: none */
    uint32_t *memory;         /* [leaves][slots]: after it */
    uint32_t *due;            /* [rows][leaves]: the packet that the schedule has it receive */
    uint32_t *round;          /* [leaves][packets + 1]: when, 0: at the source */
    bool *wanted;             /* [leaves][packets + 1] */
    uint32_t *leaf_flags;     /* [leaves] */
    uint32_t *router_flags;   /* [routers] */
    struct tree_replay_reported reported;
};

/* Returns a pointer to the word at an address of a table or a program. */
uint32_t *tree_replay_word(struct tree_replay *replay, uint32_t address);

/* The image's tables on a machine, which may have other buffers than the image's. */
struct tree_replay tree_replay_open(const struct schedule *schedule, const struct image *image,
                                    const struct machine *machine);

void tree_replay_close(struct tree_replay *replay);

/* Predicts the report of a run. */
struct tree_replay_reported tree_replay_run(struct tree_replay *replay);

#endif
