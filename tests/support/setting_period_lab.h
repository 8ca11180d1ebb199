/* SPDX-License-Identifier: Apache-2.0 */
/* setting_period_lab: machines with all settings and programs, and jobs for them. */
#ifndef ROUNDCAST_SETTING_PERIOD_LAB_H
#define ROUNDCAST_SETTING_PERIOD_LAB_H

#include "sched/route/machine_sizing.h"
#include "testbench/run/simulate.h"
#include "tests/support/support.h"

#define SETTING_PERIOD_LAB_SEED 13

/* A machine's settings and programs. */
struct setting_period_lab_how {
    enum machine_settings settings;
    bool computed;
};
enum { SETTING_PERIOD_LAB_HOWS = 6 };
extern const struct setting_period_lab_how setting_period_lab_hows[SETTING_PERIOD_LAB_HOWS];

/* A machine without memories, which machine_sizing_fit gives it. */
struct machine setting_period_lab_machine(const char *network, struct setting_period_lab_how how);

/* A schedule's image on a machine whose memories fit it, but for 2^log2_rows rows at least, with
 * packets of `flits` flits. Owns the schedule then. False if the machine cannot run it, with the
 * reason. */
bool setting_period_lab_job(const struct schedule *schedule, struct machine machine,
                            unsigned log2_rows, uint32_t flits, struct support_job *job,
                            struct err *err);

/* Returns whether an image of the job passes on csim. */
bool setting_period_lab_holds(const struct support_job *job, const struct image *image,
                              struct simulate_report *report, struct err *err);

/* The schedule of a broadcast, renamed for a source that is not 0 if there is one. */
void setting_period_lab_schedule(const char *algorithm, uint32_t n, uint32_t m,
                                 struct schedule *schedule);

/* A transfer from 0 to the last node in round `end`, and no other. */
void setting_period_lab_far(uint32_t nodes, uint64_t end, enum model model,
                            struct schedule *schedule);

#endif
