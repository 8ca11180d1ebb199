/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_rules: checks schedules of every algorithm, changed in some ways, by sched/verify and by a
 * second judge, which must agree. Unchanged schedules must be legal.
 */
#include "tests/fuzz/draw.h"
#include "tests/fuzz/rules.h"

#include <stdlib.h>

static void compare(const struct schedule *schedule, bool changed)
{
    const char *differ = rules_disagree(schedule);
    bool broken = changed ? FUZZ_FAULT : !rules_judge(schedule).legal;
    if (differ == NULL && !broken)
        return;
    size_t size;
    char *text = fuzz_schedule_text(schedule, &size);
    fuzz_fail("%s\n%s", differ ? differ : "not legal", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, data + size};
    struct draw_asked asked;
    struct schedule schedule = {0};
    struct err err = {0};
    if (!draw_collective(&bytes, &asked))
        return 0;
    fuzz_holds(algorithm_build(asked.algorithm, &asked.collective, &schedule, &err), &err,
               asked.algorithm->name);
    if (rules_can_judge(&schedule)) {
        compare(&schedule, false);
        for (unsigned k = 0; k < 3 && fuzz_more(&bytes); k++) {
            draw_mutation(&bytes, &schedule);
            compare(&schedule, true);
        }
    }
    schedule_free(&schedule);
    return 0;
}
