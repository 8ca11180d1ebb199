/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: the transfers of a collective, in order of time, with topology, model and demands.
 *
 * In memory (docs/formats.md describes the file):
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
 * Times. In the round models `time` is the round, from 1, λ is 1, and a packet that is sent in a
 * round has arrived at its end. In the postal model with λ = a/b in lowest terms a time is counted
 * in ticks of 1/b of a unit, from 0: `time` is when sending starts; the sender is busy for b ticks,
 * the receiver for the b ticks up to time + a, when the packet has arrived.
 *
 * A transfer is 12 bytes, so that a schedule of 16 million transfers takes 200 MB and is read,
 * written and checked at memory speed. */
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
/* The last round or tick in which a packet may be sent; its receipt is up to RATIONAL_MAX ticks
 * later. Such numbers have 19 digits. No algorithm needs later times: postal-dtree, whose packets
 * are the farthest apart, rejects requests that would. */
#define SCHEDULE_MAX_TIME (UINT64_C(1) << 62)

struct transfer {
    uint32_t source;      /* 0 … nodes-1; in a tree also routers, numbered as in topology.h */
    uint32_t destination; /* numbered likewise; differs from source */
    uint32_t packet;      /* 1 … packets */
};

struct step {
    uint64_t time; /* the round, from 1, or the tick, from 0 */
    size_t first;  /* index of its first transfer */
};

/* The content of a control packet, and its origin. `value` counts data packets:
 *
 *     node_count > 0   those that start at the nodes first_node … first_node + node_count - 1. The
 *                      source knows its own count; the parts give the counts of the other nodes.
 *                      Parts are control packets, by ascending nodes; none counts the source alone.
 *     node_count = 0   the parts themselves, which are ascending data packets. Without parts the
 *                      value is 0.
 *
 * verify checks the value and that its parts arrive in time. */
struct control {
    uint32_t value;
    uint32_t first_node, node_count;
    uint32_t part_count;
    uint32_t *part; /* packets with lower numbers; owned by the schedule; NULL if part_count is 0 */
};

/* How packets are combined. Each contributor starts with a contribution to each of the packets. The
 * nodes that want a packet want the combination of all contributions, each counted once. */
struct reduction {
    bool ordered; /* contributions are combined in ascending order of their nodes */
    /* each contributor wants its own contribution and those of lower nodes, and other nodes want
     * nothing */
    bool prefix;
    bool exclusive; /* of a prefix: contributors want the contributions of lower nodes only */
    uint32_t contributor_count; /* 0: every processor (`*`) */
    uint32_t *contributor;      /* ascending; owned; NULL if contributor_count is 0 */
};

/* Options of a transfer of a combined packet, as bits. Without options the sender sends its partial
 * result, and the receiver combines it with its own. */
enum combining {
    COMBINING_RECEIVED = 1, /* the sender leaves out its own contribution */
    COMBINING_REPLACE = 2,  /* the receiver replaces its partial result */
    COMBINING_ALL = COMBINING_RECEIVED | COMBINING_REPLACE
};

/* Packets first … last start at `source` and are wanted by `wanted` nodes. Packets of a reduction
 * start at all contributors; `source` is 0. */
struct demand {
    uint32_t first_packet, last_packet; /* 1 … packets; the ranges of demands do not overlap */
    uint32_t source;
    uint32_t wanted_count; /* 0: wanted by every node (`*`) */
    uint32_t *wanted;      /* ascending; owned by the schedule; NULL if wanted_count is 0 */
    /* the content of control packets; owned; NULL: data packets */
    struct control *control;
    struct reduction *reduction; /* owned; NULL: the packets are not combined */
};

/* A place where the file has more lines than the canonical text: `extra` more lines before line
 * `canonical` of that text. */
struct line_jump {
    uint64_t canonical, extra;
};

struct schedule {
    char *algorithm; /* free text of the `algorithm` line; owned */
    uint32_t nodes;  /* number of processors of the topology, from 1 */
    struct topology topology;
    uint32_t packets;
    enum model model;
    struct rational lambda; /* 1/1 in the round models */
    /* packets that a node may send, and receive, in a round or at a time; 1 unless the model's row
     * has `ports` */
    uint32_t ports;

    size_t demand_count, demand_room;
    /* ascending by packet, control packets last; together they cover 1 … packets */
    struct demand *demand;
    bool has_reductions; /* at least one packet is combined */
    /* lone[lone_room]: the wanting nodes of demands with one such node, of which lone_count are
     * used; NULL if no room was reserved */
    size_t lone_count, lone_room;
    uint32_t *lone;

    size_t step_count, step_room;
    struct step *step;
    size_t transfer_count, transfer_room;
    struct transfer *transfer;
    /* lane[transfer_count] in a tree: the link of a branch, 0 … c-1; NULL in a complete graph */
    uint32_t *lane;
    size_t lane_room;
    /* combining[combining_count]: enum combining of the first transfers; later transfers have 0 */
    size_t combining_count, combining_room;
    uint8_t *combining;

    uint64_t end; /* the last round, or the tick of the last arrival; 0 without transfers */
    /* no transfer depends on the number of packets: a schedule of fewer packets is this one without
     * the transfers of the others. Files do not have it. */
    bool stream;

    /* 0 in a schedule that was built or read from canonical text */
    size_t jump_count, jump_room;
    struct line_jump *jump; /* ascending */

    /* origin[origin_count]: lines of the first transfers in a file of another format, whose
     * messages name these lines; origin_end is its last line. 0 for other schedules */
    uint32_t *origin;
    size_t origin_count;
    uint32_t origin_end;
    bool in_place; /* inputs and outputs share a buffer in the program that was read */

    struct watch watch; /* called for each step that an algorithm opens */
};

/* Checks that the numbers of a broadcast are in range. E102 with the valid range. */
bool schedule_check_range(uint32_t nodes, uint32_t packets, uint32_t source, struct err *err);

/* Makes a schedule without steps for a collective: its packets and demands (collective.h) for
 * source 0, on its topology, under its model, with one port and λ = 1. Simultaneous broadcasts,
 * traffic and demands have no packets yet. `algorithm` is copied: one line of text without `#`.
 * Precondition: `schedule` is zero or freed. E102 for more than SCHEDULE_MAX_PACKETS packets, E104.
 * Free it with schedule_free. O(demands). */
bool schedule_init(struct schedule *schedule, const char *algorithm, const struct collective *asked,
                   struct err *err);

/* Makes a schedule without steps, packets or demands. E104. */
bool schedule_init_empty(struct schedule *schedule, const char *algorithm,
                         const struct topology *topology, enum model model, struct err *err);

/* Adds a demand: the next `count` packets start at `source` and are wanted by wanted[0 …
 * wanted_count-1], ascending, which is copied (wanted_count 0: by every node). E102 for more than
 * SCHEDULE_MAX_PACKETS packets, E104. Amortised O(wanted_count). */
bool schedule_add_demand(struct schedule *schedule, uint32_t count, uint32_t source,
                         const uint32_t wanted[], uint32_t wanted_count, struct err *err);

/* Adds a demand for one control packet; `control` is copied with its parts. Amortised
 * O(wanted_count + parts). */
bool schedule_add_control(struct schedule *schedule, const struct control *control, uint32_t source,
                          const uint32_t wanted[], uint32_t wanted_count, struct err *err);

/* Adds a demand of `count` packets that are combined: `reduction` is copied with its contributors.
 * Node *destination wants the result; NULL: every node, or the contributors if `reduction` is a
 * prefix. E102 for more than SCHEDULE_MAX_PACKETS packets, E104. Amortised O(contributors). */
bool schedule_add_reduction(struct schedule *schedule, uint32_t count,
                            const struct reduction *reduction, const uint32_t *destination,
                            struct err *err);

/* Copies the demands of a schedule, including control packets, to one without demands. E104.
 * O(demands + parts). */
bool schedule_copy_demands(const struct schedule *from, struct schedule *to, struct err *err);

/* Copies a schedule. `to` must be zero or freed, and is freed after an error. E104. O(transfers +
 * demands + parts). Free it with schedule_free. */
bool schedule_copy(const struct schedule *from, struct schedule *to, struct err *err);

/* Makes the schedule of the first `packets` packets of a stream: its transfers of later packets are
 * omitted, and it is as many rounds shorter as it has fewer packets. Preconditions: a stream in one
 * demand; 1 ≤ packets ≤ stream->packets. E104. O(transfers). Free it with schedule_free. */
bool schedule_stop(const struct schedule *stream, uint32_t packets, struct schedule *stopped,
                   struct err *err);

void schedule_free(struct schedule *schedule);

/* Checks, before work starts, that the memory can hold `transfers` transfers. E104, as
 * schedule_reserve. */
bool schedule_check_size(uint64_t transfers, struct err *err);

/* Reserves room for `count` demands with one wanting node each, so that adding them does not
 * allocate. Precondition: the schedule has no demands yet. E104. */
bool schedule_reserve_demands(struct schedule *schedule, size_t count, struct err *err);

/* Reserves room for `transfers` more transfers in `steps` more steps, so that appending them does
 * not reallocate. E104, also if the memory of this machine cannot hold them, so that a mistyped
 * number is rejected before the machine swaps. */
bool schedule_reserve(struct schedule *schedule, size_t steps, size_t transfers, struct err *err);

/* Returns the row of a machine's tables in which step k begins: the round from 0, or the tick. */
static inline uint64_t schedule_row(const struct schedule *schedule, size_t k)
{
    return schedule->step[k].time - !model_has_times(schedule->model);
}

#define SCHEDULE_TIME_TEXT (RATIONAL_TEXT + 8)

/* Writes the time of a step as files and messages have it: "round 4" or "time 5/2". Returns
 * text. */
const char *schedule_time_text(const struct schedule *schedule, uint64_t time,
                               char text[SCHEDULE_TIME_TEXT]);

/* Opens step `time`, which must be later than the last step, and returns room for up to `count` > 0
 * transfers. The caller fills it from the front and calls schedule_close_step. NULL with E104.
 * Amortised O(1). */
struct transfer *schedule_open_step(struct schedule *schedule, uint64_t time, size_t count,
                                    struct err *err);

/* Returns room for up to `count` more transfers of the open step, which the caller fills from the
 * front and adds to transfer_count. NULL with E104. Amortised O(1). */
struct transfer *schedule_room(struct schedule *schedule, size_t count, struct err *err);

/* Returns room for `count` more steps, which the caller adds to step_count. NULL with E104. */
struct step *schedule_step_room(struct schedule *schedule, size_t count, struct err *err);

/* Appends one transfer to the open step, if the number of transfers is not known in advance. E104.
 * Amortised O(1). */
bool schedule_append(struct schedule *schedule, struct transfer transfer, struct err *err);

/* Appends a transfer in a tree, on a lane of its branch. Required for trees. */
bool schedule_append_lane(struct schedule *schedule, struct transfer transfer, uint32_t lane,
                          struct err *err);

/* Sets the options of transfer `index`, bits of enum combining. Transfers must be set in ascending
 * order. E104. Amortised O(transfers without options before it). */
bool schedule_set_combining(struct schedule *schedule, size_t index, unsigned combining,
                            struct err *err);

/* Keeps the first `count` of the transfers for which schedule_open_step made room (0 after
 * schedule_append). A step without transfers is removed. */
void schedule_close_step(struct schedule *schedule, size_t count);

/* Removes all steps; their memory stays reserved. */
void schedule_clear_steps(struct schedule *schedule);

/* For readers: records that the next demand (or transfer, or `end`) is on `line` of the file, if
 * that differs from the line that follows from the lines before it. E104. */
bool schedule_add_jump(struct schedule *schedule, uint64_t line, struct err *err);

/* Returns the line of a transfer in the file that was read, counting comments and blank lines, or
 * in the canonical text if the schedule was built. Index transfer_count is the `end` line, or the
 * last line of a file of another format. O(log steps + log jumps). */
uint64_t schedule_line(const struct schedule *schedule, size_t transfer);

/* Returns the line of a demand. O(log jumps). */
uint64_t schedule_demand_line(const struct schedule *schedule, size_t which);

/* Returns the step that holds a transfer. O(log steps). */
size_t schedule_step_of(const struct schedule *schedule, size_t transfer);

/* Returns the demand that covers a packet (1 … packets). O(log demands). */
const struct demand *schedule_demand_of(const struct schedule *schedule, uint32_t packet);

/* Returns the number of nodes, except the source, that want the packets of a demand. O(wanted). */
uint32_t schedule_wanted_by_others(const struct schedule *schedule, const struct demand *demand);

/* Returns the number of data packets: packets 1 … data carry the payload, later ones are control
 * packets. O(log demands). */
uint32_t schedule_data_packets(const struct schedule *schedule);

/* Returns the lane of a transfer. */
static inline uint32_t schedule_lane(const struct schedule *schedule, size_t transfer)
{
    return schedule->lane != NULL ? schedule->lane[transfer] : 0;
}

/* Returns the options of a transfer of a combined packet, bits of enum combining. */
static inline unsigned schedule_combining(const struct schedule *schedule, size_t transfer)
{
    return transfer < schedule->combining_count ? schedule->combining[transfer] : 0;
}

/* Returns one past the last transfer of step k. */
static inline size_t schedule_step_end(const struct schedule *schedule, size_t k)
{
    return k + 1 < schedule->step_count ? schedule->step[k + 1].first : schedule->transfer_count;
}

/* Returns whether every node wants all packets, and all packets start at one node. */
static inline bool schedule_is_broadcast(const struct schedule *schedule)
{
    return schedule->demand_count == 1 && schedule->demand[0].wanted_count == 0 &&
           schedule->demand[0].reduction == NULL;
}

/* Finds the collective that the demands form: a broadcast, on a complete graph any other kind, or
 * else, if all packets are data, COLLECTIVE_DEMANDS. Returns false if there is none, or if there is
 * no memory to count traffic. The collective points to the topology and demands of the schedule.
 * O(demands). */
bool schedule_collective(const struct schedule *schedule, struct collective *collective);

/* Finds the collective as schedule_collective does, but a collective of any kind on any topology,
 * if its packets are numbered as those of an algorithm. O(demands). */
bool schedule_find_collective(const struct schedule *schedule, struct collective *collective);

/* Reads a schedule strictly; messages call the file `name`. The schedule is then well formed
 * (ranges, order, `end`); verify checks whether it is legal. Errors: E104, E201, E203 … E211 as
 * `name:line: what; expected what`. O(bytes). */
bool schedule_read(FILE *from, const char *name, struct schedule *schedule, struct err *err);

/* Returns the number of nodes at which the packets of a demand start, which are the contributors of
 * a reduction, and node `which` of them, ascending. */
static inline uint32_t schedule_starts(const struct schedule *schedule, const struct demand *demand)
{
    if (demand->reduction == NULL)
        return 1;
    const uint32_t count = demand->reduction->contributor_count;
    return count > 0 ? count : schedule->nodes;
}
static inline uint32_t schedule_start(const struct demand *demand, uint32_t which)
{
    if (demand->reduction == NULL)
        return demand->source;
    return demand->reduction->contributor_count > 0 ? demand->reduction->contributor[which] : which;
}

/* Returns the number of nodes that want the packets of a demand, and node `which` of them,
 * ascending. Those of a prefix are its contributors. */
static inline uint32_t schedule_wanters(const struct schedule *schedule,
                                        const struct demand *demand)
{
    if (demand->wanted_count > 0)
        return demand->wanted_count;
    const bool prefix = demand->reduction != NULL && demand->reduction->prefix;
    return prefix ? schedule_starts(schedule, demand) : schedule->nodes;
}
static inline uint32_t schedule_wanter(const struct demand *demand, uint32_t which)
{
    if (demand->wanted_count > 0)
        return demand->wanted[which];
    const bool prefix = demand->reduction != NULL && demand->reduction->prefix;
    return prefix ? schedule_start(demand, which) : which;
}

/* Returns how many processors there are: endpoints that share a memory belong to one. O(1). */
uint32_t schedule_processors(const struct schedule *schedule);

/* Checks that no packet is combined (E208). */
bool schedule_check_uncombined(const char *name, const struct schedule *schedule, struct err *err);

/* Checks that nodes have one port (E103), as in all images and MPI programs. */
bool schedule_check_one_port(const char *name, const struct schedule *schedule, struct err *err);

/* Checks that each node has a memory of its own (E208). Exporters, drawings and MPI programs
 * require it. */
bool schedule_check_unshared(const char *name, const struct schedule *schedule, struct err *err);

/* Writes the canonical text of a schedule. Reading and writing it again gives the same bytes.
 * E202. */
bool schedule_write(FILE *to, const char *name, const struct schedule *schedule, struct err *err);

/* Writes the text up to the last demand. A caller that keeps no steps in memory writes the steps
 * and `end` after it. */
bool schedule_write_head(FILE *to, const char *name, const struct schedule *schedule,
                         struct err *err);

/* -- Files ------------------------------------------------------------------------------------- */

/* Schedules in files, by path; `-` is standard input or output. */

/* Opens, reads and closes a schedule. E201, E203 … E210. Free it with schedule_free. */
bool schedule_file_read_any(const char *path, struct schedule *schedule, struct err *err);

/* Reads a schedule without reductions (schedule_check_uncombined): also E208. */
bool schedule_file_read(const char *path, struct schedule *schedule, struct err *err);

/* Writes a schedule; the file is complete or absent. E202. */
bool schedule_file_write(const char *path, const struct schedule *schedule, struct err *err);

#endif
