/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/omega_picture.h"

#include "tests/support/cmocka_all.h"

struct omega_picture omega_picture_new(const struct multistage *net)
{
    struct omega_picture omega = {.picture = multistage_picture_new(net)};
    for (uint32_t lane = 0; lane < net->ports; lane++)
        omega.reach[omega.picture.stages][lane] = UINT64_C(1) << lane;
    for (unsigned s = omega.picture.stages; s-- > 0;) {
        const struct multistage_picture_stage *stage = &omega.picture.stage[s];
        for (uint32_t b = 0; b < stage->count; b++)
            for (unsigned side = 0; side < 2; side++) {
                uint32_t lane = stage->box[b].in[side];
                omega.box[s][lane] = &stage->box[b];
                omega.reach[s][lane] = omega.reach[s + 1][stage->box[b].out[0]] |
                                       omega.reach[s + 1][stage->box[b].out[1]];
            }
    }
    return omega;
}

void omega_picture_free(struct omega_picture *omega)
{
    multistage_picture_free(&omega->picture);
}

void omega_picture_path(const struct omega_picture *omega, uint32_t source, uint32_t destination,
                        uint32_t path[OMEGA_PICTURE_STAGES])
{
    uint32_t lane = source;
    for (unsigned s = 0; s < omega->picture.stages; s++) {
        const struct multistage_picture_box *box = omega->box[s][lane];
        bool first = omega->reach[s + 1][box->out[0]] >> destination & 1;
        bool second = omega->reach[s + 1][box->out[1]] >> destination & 1;
        assert_true(first != second);
        lane = path[s] = box->out[second];
    }
    assert_int_equal(lane, destination);
}
