/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_state: the predictions and observations of a scoreboard, for the files of this folder.
 * scoreboard_predict.c predicts, scoreboard_observe.c compares the observations of a run with it,
 * scoreboard_memory.c the memories after the run; scoreboard_trees.c follows combinations.
 */
#ifndef ROUNDCAST_SCOREBOARD_STATE_H
#define ROUNDCAST_SCOREBOARD_STATE_H

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/scoreboard/scoreboard.h"

/* No prediction, or no packet. */
#define SCOREBOARD_NONE 0
#define SCOREBOARD_NO_PAIR SIZE_MAX
#define SCOREBOARD_NO_ENDPOINT UINT32_MAX

#define SCOREBOARD_ENDPOINT_TEXT 48

/* The state of a packet that a node should receive. */
enum fate { AWAITED, ARRIVED, EARLY, LOST };

/* A wrong or missing word of a packet (scoreboard_word); packet SCOREBOARD_NONE: none was found. */
struct corrupt {
    uint32_t node, packet, which, word, expected;
};

/* The packet that each node sends, or receives, by the schedule, and its first row. */
struct flow {
    uint32_t *packet; /* [ports]: the last one, or SCOREBOARD_NONE */
    uint64_t *row;    /* [ports]: its first row */
    size_t step;      /* the next step of the schedule */
};

struct scoreboard {
    const struct schedule *schedule;
    const struct payload *payload;
    const struct machine *machine;
    const struct run *run;
    uint32_t data; /* data packets, which come before control packets */
    void *memory;  /* of all arrays (arena.h) */
    /* [rows]: schedule_setting_changes, with reconfiguration; else NULL */
    uint32_t *setting_changes;
    /* row_of[packet-1][node]: 1 + the row of the predicted first receipt, or SCOREBOARD_NONE */
    uint32_t *row_of;
    /* met[ports]: 1 + the last step in which the endpoint receives; NULL unless the network
     * combines packets */
    size_t *met;
    bool *wanted;      /* wanted[packet-1][node]: whether the demands require it */
    uint32_t *wanters; /* wanters[packets]: number of nodes that require the packet */
    uint8_t *fate;     /* fate[packet-1][node] of a predicted packet: enum fate */
    /* packet_now[ports]: the packet that must be complete in the cycle examined, or
     * SCOREBOARD_NONE */
    uint32_t *packet_now;
    uint32_t *corrupt_packet; /* corrupt_packet[ports]: the last one found, or SCOREBOARD_NONE */
    struct corrupt corrupt;   /* the first one to report, if any */
    uint32_t *result;         /* result[ports]: the expected words of a flit (flit_of_nodes) */
    uint32_t *flags_before;   /* flags_before[ports]: the last flags observed */
    struct flow sending, receiving; /* for messages */
    struct scoreboard_trees *trees; /* NULL unless packets are combined */
    size_t step;                    /* the next step of the schedule */
    uint64_t row;                   /* row of the next receipts */
    /* the testbench stopped the run: packets that have not arrived are not violations */
    bool stopped;
    struct scoreboard_report report;
    struct err first;  /* the first violation */
    size_t first_lost; /* the pair reported as lost, or SCOREBOARD_NO_PAIR */
};

/* Number of endpoints that a schedule uses. */
static inline uint32_t scoreboard_endpoints(const struct scoreboard *board)
{
    return wiring_endpoints(&board->schedule->topology);
}

/* Returns the endpoint of transfer `index` at a node that sends or receives it;
 * SCOREBOARD_NO_ENDPOINT for the routers of a tree, which hold packets in passing. (In a hypercube
 * what an endpoint sends is what leaves its node over its dimension.) */
static inline uint32_t scoreboard_endpoint_at(const struct scoreboard *board, size_t index,
                                              uint32_t node, uint32_t neighbour)
{
    const struct schedule *schedule = board->schedule;
    return node < schedule->nodes ? wiring_endpoint(&schedule->topology, node, neighbour,
                                                    schedule_lane(schedule, index))
                                  : SCOREBOARD_NO_ENDPOINT;
}

static inline uint32_t scoreboard_receiver(const struct scoreboard *board, size_t index)
{
    const struct transfer *transfer = &board->schedule->transfer[index];
    return scoreboard_endpoint_at(board, index, transfer->destination, transfer->source);
}

static inline uint32_t scoreboard_sender(const struct scoreboard *board, size_t index)
{
    const struct transfer *transfer = &board->schedule->transfer[index];
    return scoreboard_endpoint_at(board, index, transfer->source, transfer->destination);
}

/* Returns whether results leave out the contribution of their node, so that the first contributor
 * of a prefix reduction has none. */
static inline bool scoreboard_exclusive(const struct demand *demand)
{
    return demand->reduction != NULL && demand->reduction->exclusive;
}

/* Index of a packet at an endpoint in arrays of pairs. */
static inline size_t scoreboard_pair(const struct scoreboard *board, uint32_t endpoint,
                                     uint32_t packet)
{
    return (size_t)(packet - 1) * scoreboard_endpoints(board) + endpoint;
}

/* Returns the packet of an observation. */
static inline uint32_t scoreboard_observed(const struct scoreboard *board, uint32_t obs)
{
    return machine_packet(board->machine, board->data, obs & MACHINE_OBS_PACKET);
}

/* Prepares the trees of combined packets, if there are any. E104. */
bool scoreboard_trees_new(struct scoreboard *board, struct err *err);
void scoreboard_trees_free(struct scoreboard_trees *trees);

/* Joins the trees of the arrivals of a step that are observed in their cycle; obs as for
 * scoreboard_observe. */
void scoreboard_trees_arrive(struct scoreboard *board, size_t step, const uint32_t *obs);

/* Joins a leaf that no schedule has, for a receipt that is not predicted. */
void scoreboard_trees_spoil(struct scoreboard *board, uint32_t endpoint, uint32_t packet);

/* Returns the certificate of the trees; 0 without them. O(results). */
uint64_t scoreboard_trees_certificate(const struct scoreboard *board);

/* Writes "node 5", in a hypercube "node 5, dimension 2". Returns text. */
const char *scoreboard_endpoint_text(const struct scoreboard *board, uint32_t endpoint,
                                     char text[SCOREBOARD_ENDPOINT_TEXT]);

/* Writes "round 4" or "time 5/2" for a row. Returns text. */
const char *scoreboard_time_text(const struct scoreboard *board, uint64_t row,
                                 char text[SCHEDULE_TIME_TEXT]);

/* Keeps the first violation in full and counts the others. */
__attribute__((format(printf, 3, 4))) void
scoreboard_breach(struct scoreboard *board, enum err_code code, const char *format, ...);

/* Returns the cycle at the end of which a packet sent from this row on is complete. */
uint64_t scoreboard_arrival_cycle(const struct scoreboard *board, uint64_t row);

/* Returns the row that a cycle is in; a change of settings belongs to the row before it, if there
 * is one. O(log rows) on a machine with reconfiguration. */
uint64_t scoreboard_row_at(const struct scoreboard *board, uint64_t cycle);

/* Ends the run: packets of rows that it did not reach are lost. All checks after the run call this
 * first, so that violations are reported in chronological order. */
void scoreboard_end_run(struct scoreboard *board);

#endif
