/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_verify: a schedule that can be read is verified; for small schedules a second judge must
 * agree.
 */
#include "sched/verify/verify.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/rules.h"

#include <stdlib.h>

#define MOST_NODES 65536 /* the verifier allocates memory for each node, which takes time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct verify_report report;
    FILE *file = fuzz_open(data, size);
    bool read = schedule_read(file, "input", &schedule, &err);
    fclose(file);
    if (!read) {
        fuzz_refused(&err);
        return 0;
    }
    if (rules_can_judge(&schedule)) {
        const char *differ = rules_disagree(&schedule);
        if (differ != NULL || FUZZ_FAULT)
            fuzz_fail("%s\n%.*s", differ, (int)size, (const char *)data);
    } else if (schedule.topology.all <= MOST_NODES &&
               !verify_schedule("input", &schedule, &report, &err)) {
        fuzz_refused(&err);
    }
    schedule_free(&schedule);
    return 0;
}
