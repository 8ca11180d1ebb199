/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/save.h"

#include "sched/base/bits.h"
#include "sched/base/files.h"
#include "sched/schedule/schedule_settings.h"
#include "sched/shape/wiring.h"
#include "waves/layout.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_WIDTH 1500
#define WINDOW_HEIGHT 900
#define MAX_MARKERS 26 /* A … Z */

const char *save_row_text(const struct save *save, uint64_t row, char text[SAVE_ROW_TEXT])
{
    char number[RATIONAL_TEXT];
    snprintf(text, SAVE_ROW_TEXT, "%s %s", save->unit ? "time" : "round",
             save->unit ? rational_text(row, save->unit, number)
                        : rational_text(row + 1, 1, number));
    return text;
}

/* -- The head: window and markers -------------------------------------------------------------- */

static uint64_t row_ns(const struct save *save, uint64_t row)
{
    uint64_t setting_changes = save->setting_changes != NULL ? save->setting_changes[row] : 0;
    return save->zero_ns + machine_row_begin(save->run, row, setting_changes) * SAVE_NS_PER_CYCLE;
}

/* Returns the width of the names, which are longer in a tree. */
static int signals_width(const struct save *save)
{
    return machine_hops(save->machine) ? 270 : 190;
}

/* GTKWave's zoom z shows 2^-z ns in 200 pixels. */
static double zoom(const struct save *save)
{
    double pixels = WINDOW_WIDTH - signals_width(save) - 60;
    double ns = save->to_ns > save->from_ns ? (double)(save->to_ns - save->from_ns) : 1;
    return -log2(ns * 200 / pixels);
}

/* Writes the head. Markers show where the first rounds or units of time begin; the ruler continues
 * through all of them. */
static void put_head(const struct layout *layout, const char *trace, const char *file)
{
    const struct save *save = layout->save;
    uint32_t unit = save->unit ? save->unit : 1;
    uint64_t units = bits_divide_up(save->end_row - save->first_row, unit);
    unsigned markers = units < MAX_MARKERS ? (unsigned)units : MAX_MARKERS;
    fprintf(
        layout->to,
        "[*] Written by roundcast; see waves/README.md.\n[dumpfile] \"%s\"\n[savefile] \"%s\"\n",
        trace, file);
    fprintf(layout->to, "[timestart] %" PRIu64 "\n[size] %d %d\n[pos] -1 -1\n", save->from_ns,
            WINDOW_WIDTH, WINDOW_HEIGHT);
    fprintf(layout->to, "*%f -1", zoom(save));
    for (unsigned marker = 0; marker < MAX_MARKERS; marker++)
        if (marker < markers)
            fprintf(layout->to, " %" PRIu64, row_ns(save, save->first_row + marker * unit));
        else
            fprintf(layout->to, " -1");
    fputc('\n', layout->to);
    char text[SAVE_ROW_TEXT];
    for (unsigned marker = 0; marker < markers; marker++)
        fprintf(layout->to, "[markername] %c%s\n", 'A' + (int)marker,
                save_row_text(save, save->first_row + marker * unit, text));
    if (save->run->row_cycles != 0 && save->run->reconfigure == 0)
        fprintf(layout->to, "[ruler] %" PRIu64 " %" PRIu32 "\n", save->zero_ns,
                save->run->row_cycles * unit * SAVE_NS_PER_CYCLE);
    fprintf(layout->to, "[sst_width] 0\n[signals_width] %d\n[sst_expanded] 0\n",
            signals_width(save));
}

static void put_all(const struct layout *layout, const char *trace, const char *file)
{
    put_head(layout, trace, file);
    groups_run(layout);
    groups_switch(layout);
    bool cube = layout->save->machine->topology.dimensions > 0, inside = layout_inside(layout);
    if (cube && inside)
        groups_cube(layout);
    groups_nodes(layout);
    if (cube || !inside)
        return;
    if (machine_hops(layout->save->machine))
        groups_tree(layout);
    else
        groups_stages(layout);
}

/* -- Files ------------------------------------------------------------------------------------- */

/* The save file is moved into place last, so that it never exists without its filters. */
enum { SAVE_FILE = FILTERS_COUNT, FILES };

#define STEM_ROOM (PATH_MAX - 32) /* leaves room for a suffix */

/* Finds the absolute path of the trace without `.fst`, from its folder, because the files next to
 * the trace may not exist yet. */
static bool find_stem(const char *trace, char stem[STEM_ROOM], struct err *err)
{
    const char *slash = strrchr(trace, '/');
    const char *name = slash == NULL ? trace : slash + 1;
    char folder[PATH_MAX], real[PATH_MAX];
    int length = slash == NULL ? snprintf(folder, sizeof folder, ".")
                 : slash == trace
                     ? snprintf(folder, sizeof folder, "/")
                     : snprintf(folder, sizeof folder, "%.*s", (int)(slash - trace), trace);
    if (length < PATH_MAX && realpath(folder, real) != NULL)
        length = snprintf(stem, STEM_ROOM, "%s/%.*s", strcmp(real, "/") == 0 ? "" : real,
                          (int)strlen(name) - (int)strlen(".fst"), name);
    else
        length = STEM_ROOM;
    return length < STEM_ROOM ||
           err_set(err, ERR_WRITE,
                   "%.200s: no such folder, or too long a name; expected one to write to", trace);
}

static bool write_file(unsigned file, const struct save *save, const char path[FILES][PATH_MAX],
                       const char *trace, FILE *to, struct err *err)
{
    if (file != SAVE_FILE)
        return filters_write((enum filters_kind)file, save, to, err);
    put_all(&(struct layout){to, save, path}, trace, path[SAVE_FILE]);
    return true;
}

bool save_write(const char *trace, struct files_output *traced, const struct save *save,
                struct err *err)
{
    char stem[STEM_ROOM], path[FILES][PATH_MAX], trace_path[PATH_MAX];
    if (!find_stem(trace, stem, err))
        return false;
    snprintf(trace_path, PATH_MAX, "%s.fst", stem);
    struct files_output output[FILES], *all[FILES + 1];
    unsigned opened = 0;
    bool written = true;
    for (; written && opened < FILES; opened += written) {
        all[opened] = &output[opened];
        const char *suffix =
            opened == SAVE_FILE ? ".gtkw" : filters_suffix((enum filters_kind)opened);
        snprintf(path[opened], PATH_MAX, "%s%.20s", stem, suffix);
        written = files_open_output(path[opened], &output[opened], err);
    }
    for (unsigned file = 0; written && file < FILES; file++)
        written = write_file(file, save, path, trace_path, output[file].file, err);
    all[FILES] = traced;
    if (written)
        return files_commit_all(all, traced != NULL ? FILES + 1 : FILES, err);
    for (unsigned file = 0; file < opened; file++)
        files_discard(&output[file]);
    return false;
}

bool save_simulation(const char *trace, struct files_output *output, const struct bundle *bundle,
                     const struct simulate_trace *traced, struct err *err)
{
    const struct image *image = &bundle->image;
    const struct schedule *schedule = &bundle->schedule;
    if (!traced->written)
        return true;
    struct save save = {.engine = traced->engine,
                        .machine = &image->machine,
                        .run = &image->run,
                        .payload = &bundle->payload,
                        .nodes = wiring_endpoints(&schedule->topology),
                        .unit = model_has_times(schedule->model) ? schedule->lambda.denominator : 0,
                        .first_row = traced->first_row,
                        .end_row = traced->end_row,
                        .zero_ns = traced->zero * SAVE_NS_PER_CYCLE,
                        .from_ns = traced->from * SAVE_NS_PER_CYCLE,
                        .to_ns = traced->to * SAVE_NS_PER_CYCLE};
    uint32_t *setting_changes = malloc((schedule->end + 1) * sizeof *setting_changes);
    bool reconfigures = image->machine.reconfigures;
    bool written = setting_changes != NULL || err_no_memory(err, "the settings of rounds");
    if (written && reconfigures)
        written = schedule_setting_changes(schedule, &image->machine.network, setting_changes, err);
    save.setting_changes = reconfigures ? setting_changes : NULL;
    written = written && save_write(trace, output, &save, err);
    free(setting_changes);
    return written;
}
