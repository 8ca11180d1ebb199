/* SPDX-License-Identifier: Apache-2.0 */
/* unpack: recovers the circuits of each row from the tables and programs of an image.
 *
 * It inverts route independently: it puts words at their addresses, row by row, and follows each
 * sender through the switches.
 */
#ifndef ROUNDCAST_UNPACK_H
#define ROUNDCAST_UNPACK_H

#include "sched/image/image.h"
#include "sched/schedule/held.h"
#include "sched/schedule/schedule.h"

/* --- Circuits ----------------------------------------------------------------------------- */

/* A sender of a row, and the output that its packet reaches. */
struct circuit {
    uint32_t source, destination; /* ports */
    uint32_t sent;                /* the packet that is sent, from 1 */
    uint32_t received;            /* the packet that the receiver expects; 0: none */
    bool continues;               /* the packet was already under way in the row before */
    uint32_t memory;              /* the port whose memory the packet is sent from */
};

/* An image, one row of which is unpacked at a time. */
struct unpacked {
    struct machine machine;
    struct run run;
    const struct image *image; /* owned by the caller */
    void *memory;              /* of all arrays (arena.h) */
    uint64_t *place;           /* place[count]: the words that rows need, by row; for unpack.c */
    size_t count;
    struct tags_shift *shift; /* [2^levels]: working memory to compute settings */
    uint32_t *of_lane;        /* [3 · ports]: working memory to find circuits */
    /* with ranges: program[2][rows][ports], the send and receive programs that the endpoints follow
     * (unpack_ranges.c); owned; else NULL */
    uint32_t *program;
    /* with reconfiguration, for the row that was read last: the number of its setting in the run,
     * and the first row of that setting */
    uint32_t reconfig, reconfig_row;

    /* The tables and programs of the current row. */
    uint32_t *setting; /* setting[stage][multistage_row_words], as the router wrote them */
    uint32_t *send;    /* send[ports], words as in a stored program */
    uint32_t *receive; /* receive[ports] */
    uint32_t *before;  /* before[ports]: `receive` of the previous row; 0 for the first row */
};

/* Prepares an image, which must outlive `unpacked`, to unpack the rows of its run. The memory
 * depends on the words and the size of one row, not on the number of rows in the header, except
 * with ranges. E104; E208 for machines of routers. Free it with unpack_free. O(words · log words),
 * with ranges O(rows · stages · ports). */
bool unpack_image(const struct image *image, struct unpacked *unpacked, struct err *err);

/* Unpacks a row of the run, which replaces the previous one. O(stages · ports + log words + words
 * of the row). */
void unpack_row(struct unpacked *unpacked, uint32_t row);

/* Maximum number of circuits of a row: a sender has several if the network copies. */
static inline uint32_t unpack_most_circuits(const struct unpacked *unpacked)
{
    return 2 * machine_ports(&unpacked->machine);
}

/* Writes the circuits of the row, by ascending source and, in a network that copies, destination,
 * into circuit[unpack_most_circuits]; returns their number. A circuit that reaches no output has
 * the destination MULTISTAGE_NOWHERE. O(ports · stages). */
uint32_t unpack_circuits(const struct unpacked *unpacked, struct circuit circuit[]);

void unpack_free(struct unpacked *unpacked);

/* --- Ranges ------------------------------------------------------------------------------- */

/* Finds the programs that the endpoints follow on a machine with ranges: splits ranges row by row,
 * and follows each packet through the switches. E104. O(rows · stages · ports). */
bool unpack_ranges(struct unpacked *unpacked, struct err *err);

/* Reads the settings of a row into unpacked->setting. */
void unpack_settings(struct unpacked *unpacked, uint32_t row);

/* --- Demands ------------------------------------------------------------------------------ */

/* The purpose of the packets of an image, in the form of the head of a schedule: which node has
 * each packet at the start, and which nodes receive it. */

/* Fills the head of the schedule that an image runs, and its end: topology, model, λ and demands,
 * without steps. Nodes are the ports up to the last one that sends, receives or stores a packet. A
 * packet starts at the node where the image stores it, or else where it is sent first; it is wanted
 * where a program expects it, or else where it starts. Unpacks each row. E104. Free it with
 * schedule_free. O(rows · (ports · stages) + receipts · log receipts). */
bool unpack_demands(struct unpacked *unpacked, struct schedule *schedule, struct err *err);

/* --- Memories that ports share ------------------------------------------------------------ */

/* The packets in the memory of each port while the rows of an image are followed. A packet that no
 * port of a node has received starts in the memory from which it is sent first. */
struct unpack_held {
    uint32_t shared; /* adjacent ports that share their memories; 0: none, nothing is followed */
    uint32_t ports;
    struct held held; /* by port and packet */
};

/* Prepares to follow the rows of an image from the first one on. E104. Free it with
 * unpack_held_free. */
bool unpack_held_new(const struct unpacked *unpacked, struct unpack_held *held, struct err *err);

/* Returns whether the packet of a circuit is in the memory from which it is sent; true if no memory
 * is shared. O(ports that share a memory). */
bool unpack_held_sends(struct unpack_held *held, const struct circuit *circuit);

/* Records the packets that the circuits of a row deliver, after all of its sends. */
void unpack_held_receive(struct unpack_held *held, const struct circuit circuit[], uint32_t count);

void unpack_held_free(struct unpack_held *held);

#endif
