/* SPDX-License-Identifier: Apache-2.0 */
/* reconfig_lab: schedules with known settings, each drawn and kept for several rows, and their
 * images. */
#ifndef ROUNDCAST_HELD_LAB_H
#define ROUNDCAST_HELD_LAB_H

#include "sched/base/rng.h"
#include "tests/support/setting_period_lab.h"

struct reconfig_lab {
    uint32_t nodes, count; /* count: of settings */
    uint32_t most_rows;    /* that a setting is held */
    bool shifts;           /* settings are shifts of all nodes, no others */
    bool whole;            /* a row has all circuits of its setting */
    uint32_t rows[16];     /* rows[count], as drawn */
};

/* Draws the settings and their lengths, and a schedule of them. Neighbours differ in a circuit of
 * each node; the first row of a setting has all of its circuits, a later one any number of them but
 * none only between others. Each transfer is a packet of its own. */
void reconfig_lab_schedule(struct reconfig_lab *lab, struct rng *rng, struct schedule *schedule);

/* Builds its image on a network, with a reconfiguration time. Returns false, with the reason, if
 * the machine cannot run it. Then owns the schedule. */
bool reconfig_lab_job(const struct schedule *schedule, const char *network,
                      enum machine_settings settings, uint32_t flits, uint32_t price,
                      struct support_job *job, struct err *err);

/* The setting index's word of a setting phase in an image. */
uint32_t *reconfig_lab_word(struct image *image, uint32_t setting_phase);

#endif
