#include "sched/route/self_timed.h"

#include "sched/route/cube_auto.h"
#include "sched/route/fat_tree_auto.h"

bool self_timed_check(const struct schedule *schedule, const struct machine *machine, struct err *err)
{
    if (!machine_is_self_timed(machine))
        return true;
    return machine_is_cube_auto(machine) ? cube_auto_check(schedule, err) : fat_tree_auto_check(schedule, err);
}
