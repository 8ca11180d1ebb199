/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/self_timed.h"

#include "sched/route/cube_auto.h"
#include "sched/route/fat_tree_auto.h"

/* By kind; NULL: a machine that follows tables. */
static bool (*const checks[MACHINE_KINDS])(const struct schedule *schedule, struct err *err) = {
    [MACHINE_FAT_TREE_AUTO] = fat_tree_auto_check, [MACHINE_CUBE_AUTO] = cube_auto_check};

bool self_timed_check(const struct schedule *schedule, const struct machine *machine,
                      struct err *err)
{
    return checks[machine->kind] == NULL || checks[machine->kind](schedule, err);
}
