/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/run_request.h"

#include "lib/report/page.h"
#include "lib/report/report_json.h"
#include "lib/report/run_json.h"

static bool write_page(const struct request *request, const struct run_report *report,
                       struct err *err)
{
    const struct bundle *bundle = &report->bundle;
    return request->run.view == NULL ||
           page_write(request->run.view, &bundle->schedule, &bundle->image, report, err);
}

bool run_request(const struct request *request, struct engine_store *engines, FILE *to,
                 struct err *err)
{
    struct run_report report = {0};
    bool compiled = run_compile(request, &report, err);
    report.options.engines = engines;
    bool printed = compiled && run_simulate(&report, err) && write_page(request, &report, err) &&
                   report_json(to, run_json(&report), err);
    bool holds = printed && report.breach.code == ERR_NONE;
    if (printed && !holds) {
        *err = report.breach;
        err->reported = true;
    }
    run_report_free(&report);
    if (!holds)
        report_failure(to, err);
    return holds;
}
