/* SPDX-License-Identifier: Apache-2.0 */
/* judge_route: judges every image of a multistage machine when it is routed, in all test programs,
 * and in the program that test scripts run. The linker puts the function here before route_schedule
 * (--wrap). An image that has other circuits than its schedule ends the process. Built with
 * JUDGE_FAULT=1 the router crosses one switch too many, which the judge must find.
 */
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "tests/support/judge_circuits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef JUDGE_FAULT
#define JUDGE_FAULT 0
#endif

bool __real_route_schedule(const struct schedule *schedule, const struct machine *machine,
                           const struct payload *payload, struct image *image, struct err *err);
bool __wrap_route_schedule(const struct schedule *schedule, const struct machine *machine,
                           const struct payload *payload, struct image *image, struct err *err);

static void cross_a_switch(struct image *image)
{
    for (size_t k = 0; k < image->count; k++)
        if (machine_region_of(image->word[k].address) == MACHINE_TABLE) {
            image->word[k].word ^= 1;
            return;
        }
}

bool __wrap_route_schedule(const struct schedule *schedule, const struct machine *machine,
                           const struct payload *payload, struct image *image, struct err *err)
{
    if (!__real_route_schedule(schedule, machine, payload, image, err))
        return false;
    if (JUDGE_FAULT)
        cross_a_switch(image);
    uint64_t strays = 0;
    if (!machine_hops(machine) && !judge_circuits(schedule, image, &strays, err)) {
        image_free(image);
        return false;
    }
    if (strays > 0) {
        fprintf(stderr, "%s: %" PRIu64 " circuits of the image are not those of the schedule\n",
                schedule->algorithm, strays);
        abort();
    }
    return true;
}
