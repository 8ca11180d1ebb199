/* SPDX-License-Identifier: Apache-2.0 */
/* data: writes a schedule and a network in JSON, as the data of a page.
 *
 *     "schedule": {
 *       "topology": {"kind": "complete", "nodes": 8, "all": 8}
 *                   {"kind": "tree", …, "children": [4, 4], "capacity": [1, 4]}
 *                   {"kind": "hypercube", …, "dimensions": 3}
 *       "packets": 3, "data": 3,
 *       "timed": false, "lambda": [1, 1], "end": 5,
 *       "demands": [[first packet, last packet, source, [nodes]], …]   no nodes: all
 *                  [[first packet, last packet, 0, [nodes], [contributors]], …]  no contributors:
 *                                                                      all
 *       "steps": [[time, source, destination, packet, source, …], …]
 *       "lanes": [[lane, …], …]                                        trees: of the same
 *       "combining": [[options, …], …]                                 reductions: of the same
 *     }
 *     "clock": {                                                       null without a machine
 *       "end": 537,                                                    cycles of the run
 *       "rows": [[rows, first, last], …]                               spans of equally long rows
 *     }
 *     "network": {                                                     a multistage one, else null
 *       "ports": 8, "copies": false, "combining": 0, "rows": 5,
 *       "stages": [{"lanes": 8, "columns": 1, "bits": 1, "switch": [0, …], "partner": [4, …]}, …]
 *                 {"lanes": 576, …, "bits": 5, "inputs": 24, "outputs": 24, "stride": 24}
 *       "settings": ["base64 of a row's words", …]
 *     }
 *
 * Times are rounds, or ticks of 1/b with λ = a/b. `lanes` are those after the stage; for 2×2
 * switches, `switch` is the switch of each lane (-1: none) and `partner` the lane with which it
 * would be crossed; `combining` is the number of stages that combine, the first ones. Settings are
 * the words of multistage.h, columns of stage 0, then of stage 1 …, lowest byte first. Cycles are
 * those of docs/machine.md, from 0; a span is the first cycle of its first row and the last cycle
 * of its last row. The waits for a change of settings are between the spans. On a self-timed
 * hypercube, whose run ends with the last active row, the rows are those of the schedule.
 */
#ifndef ROUNDCAST_VIEW_DATA_H
#define ROUNDCAST_VIEW_DATA_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"

/* Writes the value of "schedule". O(transfers). */
void data_schedule(FILE *to, const struct schedule *schedule);

/* Writes the value of "clock": the predicted cycles of the machine, computed by machine_row_begin.
 * E104. O(rows + transfers · stages). */
bool data_clock(FILE *to, const struct schedule *schedule, const struct image *image,
                struct err *err);

/* Number of words of the settings of all rows. */
uint64_t data_setting_words(const struct image *image);

/* Writes the value of "network". E104. O(rows · stages · ports). */
bool data_network(FILE *to, const struct image *image, struct err *err);

#endif
