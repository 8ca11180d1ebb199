/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: the transfers of a collective, in order of time, with topology, model and demand.
 *
 * In memory (docs/formats.md has the file):
 *
 *     step      [0]            [1]                 …  step_count entries, time strictly ascending
 *                first          first
 *                |              |
 *     transfer  [0][1]         [2][3][4]           …  transfer_count entries
 *
 * Step k holds transfer[step[k].first] up to, but not including, transfer[step[k+1].first]
 * (transfer_count for the last step). A round without transfers has no step. Transfers within a
 * step are concurrent: their order carries no meaning and is kept as written.
 *
 * Times. In the round models `time` is the round, from 1, λ is 1, and what is sent in a round has
 * arrived when it ends. In the postal model with λ = a/b in lowest terms a time is counted in ticks
 * of 1/b of a unit, from 0: `time` is when sending starts; the sender is busy for b ticks, the
 * receiver for the b ticks up to time + a, when the packet has arrived.
 *
 * A transfer is 12 bytes, so that a schedule of 16 million of them is 200 MB and is read, written
 * and checked at the speed of memory.
 */
#ifndef ROUNDCAST_SCHEDULE_H
#define ROUNDCAST_SCHEDULE_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Limits that readers, options and algorithms share. */
#define SCHEDULE_MAX_NODES TOPOLOGY_MAX_NODES
#define SCHEDULE_MAX_PACKETS (UINT32_C(1) << 27)
#define SCHEDULE_MAX_PORTS 65535
/* The last round or tick in which something may be sent; a receipt is up to RATIONAL_MAX ticks
 * later. Such numbers have 19 digits. No algorithm asks for more: postal-dtree, whose packets lie
 * farthest apart, refuses what would. */
#define SCHEDULE_MAX_TIME (UINT64_C(1) << 62)

struct transfer {
    uint32_t source;      /* 0 … nodes-1; in a tree also routers, numbered as in topology.h */
    uint32_t destination; /* the same, not source */
    uint32_t packet;      /* 1 … packets */
};

struct step {
    uint64_t time; /* the round, from 1, or the tick, from 0 */
    size_t first;  /* index of its first transfer */
};

/* What a packet of control carries, and what that is made of. `value` counts packets of data:
 *
 *     node_count > 0    those that start at the nodes first_node … first_node + node_count - 1. Its
 *                       source knows of itself how many start there, and of the others by its
 *                       parts: packets of control, by ascending nodes, none of its source alone
 *     node_count = 0    the parts themselves, ascending packets of data; none: the value is 0
 *
 * Whether that is so, and in time, is verify's. */
struct control {
    uint32_t value;
    uint32_t first_node, node_count;
    uint32_t part_count;
    uint32_t *part; /* packets before this one; owned by the schedule; NULL if part_count is 0 */
};

/* How packets are combined. Each contributor starts with a contribution to each of the packets; the
 * nodes that want a packet want the combination of all contributions, each counted once. */
struct reduction {
    bool ordered; /* contributions are combined in ascending order of their nodes */
    bool
        prefix; /* each contributor wants its own and those of lower nodes, and no other node any */
    uint32_t contributor_count; /* 0: every processor (`*`) */
    uint32_t *contributor;      /* ascending; owned; NULL if contributor_count is 0 */
};

/* What a transfer of a combined packet does, beyond sending the partial result of its sender, which
 * the receiver combines with its own; bits. */
enum combining {
    COMBINING_RECEIVED = 1, /* the sender leaves out its own contribution */
    COMBINING_REPLACE = 2,  /* the receiver replaces its partial result */
    COMBINING_ALL = COMBINING_RECEIVED | COMBINING_REPLACE
};

/* Packets first … last start at `source` and are wanted by `wanted` nodes. Packets of a reduction
 * start at all contributors; `source` is 0. */
struct demand {
    uint32_t first_packet, last_packet; /* 1 … packets, ranges of several demands do not overlap */
    uint32_t source;
    uint32_t wanted_count; /* 0: wanted by every node (`*`) */
    uint32_t *wanted;      /* ascending; owned by the schedule; NULL if wanted_count is 0 */
    /* what the packets carry in place of a payload; owned; NULL: they are data */
    struct control *control;
    struct reduction *reduction; /* owned; NULL: the packets are not combined */
};

/* Where the file that was read has more lines than the canonical text: from its line `canonical` on
 * there are `extra` more before it. */
struct line_jump {
    uint64_t canonical, extra;
};

struct schedule {
    char *algorithm; /* free text of the `algorithm` line; owned */
    uint32_t nodes;  /* processors, from 1: those of the topology */
    struct topology topology;
    uint32_t packets;
    enum model model;
    struct rational lambda; /* 1/1 in the round models */
    uint32_t ports;         /* packets that a node sends, and receives, in a round; 1 but by
                               send-receive */

    size_t demand_count, demand_room;
    /* ascending by packet, control behind all others; together they cover 1 … packets */
    struct demand *demand;
    bool has_reductions; /* some packets are combined */
    /* lone[lone_room]: wanting nodes of demands of one, of which the first lone_count are taken;
     * NULL if none was reserved */
    size_t lone_count, lone_room;
    uint32_t *lone;

    size_t step_count, step_room;
    struct step *step;
    size_t transfer_count, transfer_room;
    struct transfer *transfer;
    /* lane[transfer_count] of a tree: the link of a branch, 0 … c-1; NULL in a complete graph */
    uint32_t *lane;
    size_t lane_room;
    /* combining[combining_count], enum combining of the first transfers; those after them have 0 */
    size_t combining_count, combining_room;
    uint8_t *combining;

    uint64_t end; /* the last round, or the tick of the last arrival; 0 if there is no transfer */

    /* none in a schedule that was built or read from canonical text */
    size_t jump_count, jump_room;
    struct line_jump *jump; /* ascending */

    struct watch watch; /* told of each step that is opened, while an algorithm builds */
};

/* Checks that the numbers of a broadcast are in their ranges. E102 with the legal range. */
bool schedule_check_range(uint32_t nodes, uint32_t packets, uint32_t source, struct err *err);

/* Makes a schedule without steps for a collective: its packets and demands (collective.h) for
 * source 0, on its topology, under its model, of one port, with λ = 1. Simultaneous broadcasts,
 * traffic and demands have no packets yet. `algorithm` is copied: one line of text without `#`.
 * Frees nothing: `schedule` must be zero or freed. E102 for more packets than there may be, E104.
 * Free it with schedule_free. O(demands). */
bool schedule_init(struct schedule *schedule, const char *algorithm, const struct collective *asked,
                   struct err *err);

/* Makes a schedule without steps, packets and demands. E104. */
bool schedule_init_empty(struct schedule *schedule, const char *algorithm,
                         const struct topology *topology, enum model model, struct err *err);

/* Add a demand: the next `count` packets, from 1 on, start at `source` and are wanted by wanted[0 …
 * wanted_count-1], ascending, which is copied (0: by every node). E102 for more packets than there
 * may be, E104. Amortised O(wanted_count). */
bool schedule_add_demand(struct schedule *schedule, uint32_t count, uint32_t source,
                         const uint32_t wanted[], uint32_t wanted_count, struct err *err);

/* The same for a packet of control, which is copied with its parts. Amortised O(wanted_count +
 * parts). */
bool schedule_add_control(struct schedule *schedule, const struct control *control, uint32_t source,
                          const uint32_t wanted[], uint32_t wanted_count, struct err *err);

/* Adds a demand of `count` packets that are combined: `reduction` is copied with its contributors.
 * `destination` wants the result; NULL: every node, or the contributors if `reduction` is a prefix.
 * E102 for more packets than there may be, E104. Amortised O(contributors). */
bool schedule_add_reduction(struct schedule *schedule, uint32_t count,
                            const struct reduction *reduction, const uint32_t *destination,
                            struct err *err);

/* Give a schedule without demands those of another one, control included. E104. O(demands +
 * parts). */
bool schedule_copy_demands(const struct schedule *from, struct schedule *to, struct err *err);

/* Copies a schedule; `to` must be zero or freed, and is so after an error. E104.
 * O(transfers + demands + parts). Free it with schedule_free. */
bool schedule_copy(const struct schedule *from, struct schedule *to, struct err *err);

void schedule_free(struct schedule *schedule);

/* Can this machine's memory hold that many transfers? Ask before you work for them. E104, as
 * schedule_reserve. */
bool schedule_check_size(uint64_t transfers, struct err *err);

/* Make room for so many demands of one wanting node each, so that adding them does not allocate.
 * Precondition: there is none yet. E104. */
bool schedule_reserve_demands(struct schedule *schedule, size_t count, struct err *err);

/* Make room for `transfers` more transfers in `steps` more steps, so that appending them does not
 * reallocate. Errors: E104, also for more than the memory of this machine, so that a slip of the
 * keyboard is refused rather than swapped. */
bool schedule_reserve(struct schedule *schedule, size_t steps, size_t transfers, struct err *err);

/* The row of a machine's tables in which step k begins: the round from 0, or the tick. */
static inline uint64_t schedule_row(const struct schedule *schedule, size_t k)
{
    return schedule->step[k].time - !model_has_times(schedule->model);
}

#define SCHEDULE_TIME_TEXT (RATIONAL_TEXT + 8)

/* "round 4" or "time 5/2": a step's time, as files and messages have it. Returns text. */
const char *schedule_time_text(const struct schedule *schedule, uint64_t time,
                               char text[SCHEDULE_TIME_TEXT]);

/* Open step `time` (greater than the last step's) and return room for up to `count` transfers,
 * which the caller fills from the front and closes with schedule_close_step; count > 0. NULL with
 * E104 when memory runs out. Amortised O(1). */
struct transfer *schedule_open_step(struct schedule *schedule, uint64_t time, size_t count,
                                    struct err *err);

/* Room for up to `count` more transfers of the open step, which the caller fills from the front and
 * adds to transfer_count. NULL with E104. Amortised O(1). */
struct transfer *schedule_room(struct schedule *schedule, size_t count, struct err *err);

/* The same for steps, which the caller adds to step_count. */
struct step *schedule_step_room(struct schedule *schedule, size_t count, struct err *err);

/* Append one transfer to the open step, if you do not know how many come. E104. Amortised O(1). */
bool schedule_append(struct schedule *schedule, struct transfer transfer, struct err *err);

/* The same in a tree, on a lane of its branch: the only way to add transfers there. */
bool schedule_append_lane(struct schedule *schedule, struct transfer transfer, uint32_t lane,
                          struct err *err);

/* Sets what transfer `index` does with partial results, bits of enum combining; transfers are set
 * in ascending order. E104. Amortised O(transfers that have none). */
bool schedule_set_combining(struct schedule *schedule, size_t index, unsigned combining,
                            struct err *err);

/* Keep the first `count` of the transfers that schedule_open_step made room for (0 after
 * schedule_append); a step that stays empty vanishes. */
void schedule_close_step(struct schedule *schedule, size_t count);

/* Forget all steps; their room stays. */
void schedule_clear_steps(struct schedule *schedule);

/* For readers: the next demand (or transfer, or `end`) stands on `line` of the file. Keeps a jump
 * if the lines before it lead elsewhere. Errors: E104. */
bool schedule_add_jump(struct schedule *schedule, uint64_t line, struct err *err);

/* The line of a transfer in the file that was read, comments and blank lines counted; in the
 * canonical text if the schedule was built. Index transfer_count is the `end` line.
 * O(log steps + log jumps). */
uint64_t schedule_line(const struct schedule *schedule, size_t transfer);

/* The same of a demand. O(log jumps). */
uint64_t schedule_demand_line(const struct schedule *schedule, size_t which);

/* The step that holds a transfer. O(log steps). */
size_t schedule_step_of(const struct schedule *schedule, size_t transfer);

/* The demand that covers a packet (1 … packets). O(log demands). */
const struct demand *schedule_demand_of(const struct schedule *schedule, uint32_t packet);

/* How many nodes but its source want a demand. O(wanted). */
uint32_t schedule_wanted_by_others(const struct schedule *schedule, const struct demand *demand);

/* Packets 1 … data carry the payload, those behind them control. O(log demands). */
uint32_t schedule_data_packets(const struct schedule *schedule);

/* The lane of a transfer. */
static inline uint32_t schedule_lane(const struct schedule *schedule, size_t transfer)
{
    return schedule->lane != NULL ? schedule->lane[transfer] : 0;
}

/* Returns what a transfer does with partial results, bits of enum combining. */
static inline unsigned schedule_combining(const struct schedule *schedule, size_t transfer)
{
    return transfer < schedule->combining_count ? schedule->combining[transfer] : 0;
}

/* One past the last transfer of step k. */
static inline size_t schedule_step_end(const struct schedule *schedule, size_t k)
{
    return k + 1 < schedule->step_count ? schedule->step[k + 1].first : schedule->transfer_count;
}

/* Are all packets of one node wanted by every node? */
static inline bool schedule_is_broadcast(const struct schedule *schedule)
{
    return schedule->demand_count == 1 && schedule->demand[0].wanted_count == 0 &&
           schedule->demand[0].reduction == NULL;
}

/* Which collective the demands are: a broadcast, on a complete graph any other, or else, if all are
 * of data, COLLECTIVE_DEMANDS. False if none, or if there is no memory to count traffic.
 * Its topology, and its demands, are the schedule's. O(demands). */
bool schedule_collective(const struct schedule *schedule, struct collective *collective);

/* Read a schedule strictly; `name` is what messages call the file. A schedule that reads is well
 * formed (ranges, order, `end`), not yet legal: that is verify's. Errors: E104, E201, E203 … E211
 * as `name:line: what; expected what`. O(bytes). */
bool schedule_read(FILE *from, const char *name, struct schedule *schedule, struct err *err);

/* Checks that networks can execute the schedule: a node has one port (E103), and no packet is
 * combined (E208), because no endpoint combines yet. `plan`, `bound` and `verify` accept both. */
bool schedule_check_routable(const char *name, const struct schedule *schedule, struct err *err);

/* Write the canonical text of a schedule: write → read → write is the same bytes. Errors: E202. */
bool schedule_write(FILE *to, const char *name, const struct schedule *schedule, struct err *err);

/* The same up to the last demand: who has no steps in memory writes them, and `end`, behind it. */
bool schedule_write_head(FILE *to, const char *name, const struct schedule *schedule,
                         struct err *err);

#endif
