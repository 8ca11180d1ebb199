/* omega_picture: the ways of circuits through an omega network, found by trying: who gets where is worked out backward
 * through the drawing, so that bits of ports are not looked at. Include it after <cmocka.h>'s four headers.
 */
#ifndef ROUNDCAST_OMEGA_PICTURE_H
#define ROUNDCAST_OMEGA_PICTURE_H

#include "testbench/unit/support/multistage_picture.h"

#define OMEGA_PICTURE_PORTS 64
#define OMEGA_PICTURE_STAGES 6

struct omega_picture {
    struct picture picture;
    /* A bit for each output that can be reached from a lane before a stage. */
    uint64_t reach[OMEGA_PICTURE_STAGES + 1][OMEGA_PICTURE_PORTS];
    const struct picture_box *box[OMEGA_PICTURE_STAGES][OMEGA_PICTURE_PORTS]; /* that has the lane */
};

/* Of at most 64 ports. */
static inline struct omega_picture omega_picture_new(const struct multistage *net)
{
    struct omega_picture omega = {.picture = picture_new(net)};
    for (uint32_t lane = 0; lane < net->ports; lane++)
        omega.reach[omega.picture.stages][lane] = UINT64_C(1) << lane;
    for (unsigned s = omega.picture.stages; s-- > 0;) {
        const struct picture_stage *stage = &omega.picture.stage[s];
        for (uint32_t b = 0; b < stage->count; b++)
            for (unsigned side = 0; side < 2; side++) {
                uint32_t lane = stage->box[b].in[side];
                omega.box[s][lane] = &stage->box[b];
                omega.reach[s][lane] =
                    omega.reach[s + 1][stage->box[b].out[0]] | omega.reach[s + 1][stage->box[b].out[1]];
            }
    }
    return omega;
}

static inline void omega_picture_free(struct omega_picture *omega)
{
    picture_free(&omega->picture);
}

/* way[stage] becomes the lane behind each stage, and the one way there is. */
static inline void omega_picture_way(const struct omega_picture *omega, uint32_t source, uint32_t destination,
                                     uint32_t way[OMEGA_PICTURE_STAGES])
{
    uint32_t lane = source;
    for (unsigned s = 0; s < omega->picture.stages; s++) {
        const struct picture_box *box = omega->box[s][lane];
        bool first = omega->reach[s + 1][box->out[0]] >> destination & 1;
        bool second = omega->reach[s + 1][box->out[1]] >> destination & 1;
        assert_true(first != second);
        lane = way[s] = box->out[second];
    }
    assert_int_equal(lane, destination);
}

#endif
