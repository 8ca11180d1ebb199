/* unpack: from an image back to circuits: what its tables and programs make the machine do.
 *
 * The way back of route, which it does not use: words are put where their addresses say, and each
 * sender is followed through the switches.
 */
#ifndef ROUNDCAST_UNPACK_H
#define ROUNDCAST_UNPACK_H

#include "image.h"

/* A sender of a row, and where its packet goes. */
struct circuit {
    uint32_t source, destination; /* ports */
    uint32_t sent;                /* packet, from 1 */
    uint32_t received;            /* as which packet; 0: the receiver expects nothing */
    bool goes_on;                 /* the packet was under way in the row before */
};

struct unpacked {
    struct machine machine;
    struct run run;
    uint32_t *setting; /* setting[row][stage][multistage_row_words] */
    uint32_t *send;    /* send[row][ports], words as in the program */
    uint32_t *receive; /* receive[row][ports] */
};

/* Spread an image's words. E104; E208 for a tree of routers. Free it with unpack_free. O(words + rows · ports). */
bool unpack_image(const struct image *image, struct unpacked *unpacked, struct err *err);

/* Settings of all stages of a row, as the router wrote them. */
const uint32_t *unpack_settings(const struct unpacked *unpacked, uint32_t row);

/* A sender has several circuits where the network copies, so that there may be so many of a row. */
static inline uint32_t unpack_most_circuits(const struct unpacked *unpacked)
{
    return 2 * machine_ports(&unpacked->machine);
}

/* The circuits of a row, by ascending source and, in a network that copies, destination, into
 * circuit[unpack_most_circuits]; returns how many. What reaches no output has the destination MULTISTAGE_NOWHERE.
 * O(ports · stages). */
uint32_t unpack_circuits(const struct unpacked *unpacked, uint32_t row, struct circuit circuit[]);

void unpack_free(struct unpacked *unpacked);

#endif
