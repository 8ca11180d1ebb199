/* SPDX-License-Identifier: Apache-2.0 */
/* omega_picture: the paths of circuits through an omega network, found by search: reachability is
 * computed backwards through the drawing, without using the bits of port numbers. */
#ifndef ROUNDCAST_OMEGA_PICTURE_H
#define ROUNDCAST_OMEGA_PICTURE_H

#include "tests/support/multistage_picture.h"

#define OMEGA_PICTURE_PORTS 64
#define OMEGA_PICTURE_STAGES 6

struct omega_picture {
    struct multistage_picture picture;
    /* A bit for each output that can be reached from a lane before a stage. */
    uint64_t reach[OMEGA_PICTURE_STAGES + 1][OMEGA_PICTURE_PORTS];
    const struct multistage_picture_box
        *box[OMEGA_PICTURE_STAGES][OMEGA_PICTURE_PORTS]; /* that has the lane */
};

/* The picture of an omega network of at most 64 ports. */
struct omega_picture omega_picture_new(const struct multistage *net);

void omega_picture_free(struct omega_picture *omega);

/* Sets path[stage] to the lane after each stage; the path is unique. */
void omega_picture_path(const struct omega_picture *omega, uint32_t source, uint32_t destination,
                        uint32_t path[OMEGA_PICTURE_STAGES]);

#endif
