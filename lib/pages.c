/* SPDX-License-Identifier: Apache-2.0 */
/* HTML pages of the public library. */
#include "lib/inside.h"
#include "lib/report/run.h"
#include "lib/roundcast/page.h"

bool roundcast_page_write(const char *path, const struct roundcast_page *page,
                          struct roundcast_error *error)
{
    struct err err = {0};
    const struct roundcast_image *image = page->image;
    if (image == NULL)
        return page_write(path, &page->schedule->schedule, NULL, NULL, &err) ||
               inside_fail(&err, error);
    struct run_report run;
    if (!inside_has_schedule(image, &err))
        return inside_fail(&err, error);
    if (page->report != NULL)
        run = inside_report(image, page->report);
    return page_write(path, &image->bundle.schedule, &image->bundle.image,
                      page->report != NULL ? &run : NULL, &err) ||
           inside_fail(&err, error);
}

bool roundcast_page_index(const char *path, const char *const page[], size_t count,
                          struct roundcast_error *error)
{
    struct err err = {0};
    return page_write_index(path, page, count, &err) || inside_fail(&err, error);
}
