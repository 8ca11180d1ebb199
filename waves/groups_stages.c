/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/groups.h"

#include <inttypes.h>

/* Returns the meaning of a set bit, or of a field. */
static const char *setting_label(const struct multistage *net)
{
    if (multistage_has_crossbars(net))
        return "inputs";
    return multistage_copies(net) ? "from the other lane" : "crossed";
}

void groups_stages(const struct layout *layout)
{
    const struct save *save = layout->save;
    layout_begin(layout, true, "stage by stage");
    uint32_t listed = layout_list(layout, "lanes", machine_ports(save->machine));
    for (unsigned stage = 0; stage < machine_stages(save->machine); stage++) {
        layout_begin(layout, false, "stage %u", stage);
        layout_row(layout, names_stage_row(save->engine, save->machine, stage));
        struct names_vector setting = names_stage_setting(save->engine, save->machine, stage);
        layout_vector(layout, setting_label(&save->machine->network), setting, FILTERS_NONE,
                      LAYOUT_YELLOW);
        for (uint32_t lane = 0; lane < listed; lane++) {
            char label[32];
            snprintf(label, sizeof label, "lane %" PRIu32, lane);
            layout_vector(layout, label, names_stage_lane(save->engine, save->machine, stage, lane),
                          FILTERS_WORDS, LAYOUT_INDIGO);
        }
        layout_end(layout, false, "stage %u", stage);
    }
    layout_end(layout, true, "stage by stage");
}
