/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "cli/text.h"

#include <inttypes.h>

const char *report_end_name(bool times)
{
    return times ? "time" : "rounds";
}

const char *report_end_text(const struct roundcast_schedule_info *schedule,
                            char text[REPORT_END_TEXT])
{
    char number[ROUNDCAST_TIME_TEXT];
    roundcast_time_text(schedule->end, schedule->ticks, number);
    if (schedule->times)
        snprintf(text, REPORT_END_TEXT, "time %s", number);
    else
        snprintf(text, REPORT_END_TEXT, "%" PRIu64 " round%s", schedule->end,
                 text_s(schedule->end));
    return text;
}

void report_error(FILE *to, const struct roundcast_error *err)
{
    if (!err->reported)
        roundcast_json_print(to, json_pack("{s:o}", "error", roundcast_json_error(err)), NULL);
}
