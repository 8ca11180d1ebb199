/* SPDX-License-Identifier: Apache-2.0 */
/* tree_replay: what must be told of a run of routers' tables, whatever they are.
 *
 * The words of an image are put where their addresses say (machine.h), fat_tree_reference.h moves
 * whole packets as they say, and what comes of it is compared with the schedule in the order in
 * which a scoreboard gets to know it:
 *
 *     row by row   leaves that miss what they should receive, then leaves that flag
 *     after it     routers that flag, the step in which a packet moved last, the packets that
 *                  leaves hold
 *
 * It shares nothing with the machines or the scoreboard but the texts of its messages.
 */
#ifndef ROUNDCAST_TREE_REPLAY_H
#define ROUNDCAST_TREE_REPLAY_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"
#include "tests/support/fat_tree_reference.h"

/* What is told: the first in full, and how many there are. */
struct tree_replay_reported {
    enum err_code code;
    char text[160]; /* how it begins */
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

/* The word that an address of a table or a program means. */
uint32_t *tree_replay_word(struct tree_replay *replay, uint32_t address);

/* The image's tables on a machine, which may have other buffers than the image's. */
struct tree_replay tree_replay_open(const struct schedule *schedule, const struct image *image,
                                    const struct machine *machine);

void tree_replay_close(struct tree_replay *replay);

/* What is told of a run. */
struct tree_replay_reported tree_replay_run(struct tree_replay *replay);

#endif
