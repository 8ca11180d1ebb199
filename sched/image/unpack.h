/* SPDX-License-Identifier: Apache-2.0 */
/* unpack: recovers the circuits of each row from the tables and programs of an image.
 *
 * It reverses route without using it: words are put at their addresses, row by row, and each sender
 * is followed through the switches.
 */
#ifndef ROUNDCAST_UNPACK_H
#define ROUNDCAST_UNPACK_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"

/* --- Circuits ----------------------------------------------------------------------------- */

/* A sender of a row, and the destination of its packet. */
struct circuit {
    uint32_t source, destination; /* ports */
    uint32_t sent;                /* packet, from 1 */
    uint32_t received;            /* as which packet; 0: the receiver expects nothing */
    bool continues;               /* the packet was under way in the row before */
};

/* An image, one row of which is unpacked at a time. */
struct unpacked {
    struct machine machine;
    struct run run;
    const struct image *image; /* the caller's */
    void *memory;              /* of all arrays (arena.h) */
    uint64_t *place;           /* place[count]: the words that rows need, by row; for unpack.c */
    size_t count;
    struct tags_way *way; /* [2^levels], to compute settings in */
    /* with reconfiguration, of the row that was read last: its setting in the order of the run, and
     * the first row of that setting */
    uint32_t reconfig, reconfig_row;

    /* The row has these. */
    uint32_t *setting; /* setting[stage][multistage_row_words], as the router wrote them */
    uint32_t *send;    /* send[ports], words as in a stored program */
    uint32_t *receive; /* receive[ports] */
    uint32_t *before;  /* before[ports]: receive of the row before; 0 if there is none */
};

/* Prepares an image, which must outlive `unpacked`; its rows are those of the run. Memory is that
 * of the words and of one row, independent of the header. E104; E208 for routers. Free it with
 * unpack_free. O(words · log words). */
bool unpack_image(const struct image *image, struct unpacked *unpacked, struct err *err);

/* Unpacks a row of the run, which replaces the row before. O(stages · ports + log words), and the
 * words of the row. */
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

/* --- Demands ------------------------------------------------------------------------------ */

/* The purpose of the packets of an image, as the head of a schedule describes it: which node has
 * each packet at the start, and which nodes receive it. */

/* Fills the head of the schedule that an image runs, and its end: topology, model, λ and demands,
 * without steps. Nodes are the ports up to the last that sends, receives or holds something. A
 * packet starts at the node where the image stores it, or else where it is sent first; it is wanted
 * where a program expects it, or else where it starts. Unpacks each row. E104. Free it with
 * schedule_free. O(rows · (ports · stages) + receipts · log receipts). */
bool unpack_demands(struct unpacked *unpacked, struct schedule *schedule, struct err *err);

#endif
