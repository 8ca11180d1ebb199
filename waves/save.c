#include "save.h"

#include "filters.h"
#include "io.h"
#include "names.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Flags of GTKWave's traces. */
#define BINARY 0x28u
#define HEX 0x22u
#define TRANSLATED 0x2022u
#define COMMENT 0x200u
#define GROUP_BEGIN 0x800200u
#define GROUP_END 0x1000200u
#define GROUP_CLOSED 0x400000u /* with either */
#define GROUP_FOLDED 0x1000u   /* with the end of a closed one */

/* GTKWave's colours. */
enum colour { PLAIN, RED, ORANGE, YELLOW, GREEN, BLUE, INDIGO, VIOLET };

#define WINDOW_WIDTH 1500
#define WINDOW_HEIGHT 900
#define SIGNALS_WIDTH 190
#define WAVES_WIDTH (WINDOW_WIDTH - SIGNALS_WIDTH - 60)
#define MAX_MARKERS 26 /* A … Z */

/* A save file that is being written. */
struct layout {
    FILE *to;
    const struct save *save;
    const char (*filter)[PATH_MAX]; /* absolute paths, by kind */
};

/* Some bits of a vector, counted from the left. */
struct bits {
    struct names_vector vector;
    unsigned first, count;
};

static struct names_vector find(const struct layout *layout, enum names_signal signal, uint32_t at)
{
    return names_find(layout->save->engine, layout->save->machine, signal, 0, at);
}

/* -- Lines of the file ------------------------------------------------------------------------------ */

static void put_format(const struct layout *layout, unsigned format, enum filters_kind filter,
                       enum colour colour)
{
    fprintf(layout->to, "@%x\n", format);
    if (colour != PLAIN)
        fprintf(layout->to, "[color] %d\n", colour);
    if (filter != FILTERS_NONE)
        fprintf(layout->to, "^%d %s\n", filter + 1, layout->filter[filter]);
}

/* A vector, called `label`; nothing if the engine does not show it. */
static void put_vector(const struct layout *layout, const char *label, struct names_vector vector,
                       enum filters_kind filter, enum colour colour)
{
    if (vector.width == 0)
        return;
    unsigned format = filter != FILTERS_NONE ? TRANSLATED : vector.width <= 16 ? BINARY : HEX;
    put_format(layout, format, filter, colour);
    fprintf(layout->to, "+{%s} %s\n", label, vector.name);
}

/* Bits of several vectors as one, the first leftmost; nothing if the engine does not show one of them. */
static void put_bits(const struct layout *layout, const char *label, const struct bits *bits, size_t count,
                     enum filters_kind filter, enum colour colour)
{
    for (size_t k = 0; k < count; k++)
        if (bits[k].vector.width == 0)
            return;
    put_format(layout, TRANSLATED, filter, colour);
    fprintf(layout->to, "#{%s}", label);
    for (size_t k = 0; k < count; k++)
        for (unsigned bit = bits[k].first; bit < bits[k].first + bits[k].count; bit++)
            if (bits[k].vector.width == 1)
                fprintf(layout->to, " %s", bits[k].vector.name);
            else
                fprintf(layout->to, " (%u)%s", bit, bits[k].vector.name);
    fputc('\n', layout->to);
}

static void put_group(const struct layout *layout, unsigned format, const char *name, va_list arguments)
{
    fprintf(layout->to, "@%x\n-", format);
    vfprintf(layout->to, name, arguments);
    fputc('\n', layout->to);
}

__attribute__((format(printf, 3, 4))) static void begin_group(const struct layout *layout, bool open,
                                                              const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    put_group(layout, GROUP_BEGIN | (open ? 0 : GROUP_CLOSED), name, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 3, 4))) static void end_group(const struct layout *layout, bool open,
                                                            const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    put_group(layout, GROUP_END | (open ? 0 : GROUP_CLOSED | GROUP_FOLDED), name, arguments);
    va_end(arguments);
}

/* How many of `all` are listed; if not all, a line says so. */
static uint32_t list(const struct layout *layout, const char *what, uint32_t all)
{
    if (all <= SAVE_MAX_LISTED)
        return all;
    fprintf(layout->to, "@%x\n-%s 0 ... %d of %" PRIu32 "\n", COMMENT, what, SAVE_MAX_LISTED - 1, all);
    return SAVE_MAX_LISTED;
}

/* -- Groups ------------------------------------------------------------------------------------------- */

const char *save_row_text(const struct save *save, uint64_t row, char text[SAVE_ROW_TEXT])
{
    char number[RATIONAL_TEXT];
    snprintf(text, SAVE_ROW_TEXT, "%s %s", save->unit ? "time" : "round",
             save->unit ? rational_text(row, save->unit, number) : rational_text(row + 1, 1, number));
    return text;
}

/* {active, row} */
static void put_row(const struct layout *layout, struct names_vector row)
{
    const struct bits bits[] = {{find(layout, NAMES_ACTIVE, 0), 0, 1}, {row, 0, row.width}};
    put_bits(layout, layout->save->unit ? "time" : "round", bits, 2, FILTERS_ROUNDS, ORANGE);
}

static void put_run(const struct layout *layout)
{
    begin_group(layout, true, "run");
    put_vector(layout, "clk", find(layout, NAMES_CLK, 0), FILTERS_NONE, PLAIN);
    put_vector(layout, "start", find(layout, NAMES_START, 0), FILTERS_NONE, PLAIN);
    put_vector(layout, "run", find(layout, NAMES_RUN, 0), FILTERS_NONE, PLAIN);
    put_vector(layout, "done", find(layout, NAMES_DONE, 0), FILTERS_NONE, PLAIN);
    put_row(layout, find(layout, NAMES_ROW, 0));
    const struct names_vector flit = find(layout, NAMES_TX_FLIT, 0);
    const struct bits bits[] = {{find(layout, NAMES_TX_EN, 0), 0, 1}, {flit, 0, flit.width}};
    put_bits(layout, "flit", bits, 2, FILTERS_FLITS, ORANGE);
    end_group(layout, true, "run");
}

/* {enable, valid, packet}: bit 0 from the left of `enable`, and the latter two from a word of `size` bits that begins at `first` */
static void put_packet(const struct layout *layout, const char *label, struct names_vector enable,
                       struct names_vector vector, unsigned first, unsigned size, enum colour colour)
{
    unsigned packet_bits = layout->save->machine->log2_packets;
    const struct bits bits[] = {
        {enable, 0, 1}, {vector, first, 1}, {vector, first + size - packet_bits, packet_bits}};
    put_bits(layout, label, bits, 3, FILTERS_PACKETS, colour);
}

/* The packet whose flit is on the lane out. The program's word stands until the next row's is read, which
 * where row follows row is a cycle before the last flit. Then, of barriers, it is shown while the flits are read, a
 * cycle earlier; and without them the flits themselves are shown, as a packet may begin with any. */
static void put_sends(const struct layout *layout, const char *label, uint32_t node)
{
    struct names_vector send = find(layout, NAMES_SEND, node);
    bool gap = layout->save->run->row_cycles > layout->save->run->flits;
    enum names_signal enable = gap ? NAMES_LANE_OUT : NAMES_TX_EN;
    if (layout->save->unit)
        put_vector(layout, label, find(layout, NAMES_LANE_OUT, node), FILTERS_WORDS, BLUE);
    else
        put_packet(layout, label, find(layout, enable, node), send, 0, send.width, BLUE);
}

/* The packet that is expected, while a flit is on the lane in. */
static void put_receives(const struct layout *layout, const char *label, uint32_t node)
{
    struct names_vector receive = find(layout, NAMES_RECEIVE, node);
    put_packet(layout, label, find(layout, NAMES_LANE_IN, node), receive, 0, receive.width, BLUE);
}

/* The word of a node stands in a vector of all nodes' words, or is one of its own (csim). */
static void put_observed(const struct layout *layout, const char *label, uint32_t node)
{
    struct names_vector obs = find(layout, NAMES_OBS, node);
    unsigned first = obs.width == 32 ? 0 : obs.width - 32 * (node + 1);
    put_packet(layout, label, find(layout, NAMES_STROBE, 0), obs, first, 32, BLUE);
}

/* A line per node. */
static void put_nodes(const struct layout *layout, const char *name, bool open,
                      void (*put)(const struct layout *, const char *, uint32_t))
{
    begin_group(layout, open, "%s", name);
    uint32_t listed = list(layout, "nodes", layout->save->nodes);
    for (uint32_t node = 0; node < listed; node++) {
        char label[32];
        snprintf(label, sizeof label, "node %" PRIu32, node);
        put(layout, label, node);
    }
    end_group(layout, open, "%s", name);
}

/* {missing, unexpected, not held}: one vector in csim, three bits in the RTL */
static void put_flags(const struct layout *layout, uint32_t node)
{
    struct names_vector flags = find(layout, NAMES_FLAGS, node);
    const struct bits bits[] = {{find(layout, NAMES_MISSING, node), 0, 1},
                                {find(layout, NAMES_UNEXPECTED, node), 0, 1},
                                {find(layout, NAMES_NOT_HELD, node), 0, 1}};
    put_vector(layout, "flags", flags, FILTERS_FLAGS, RED);
    put_bits(layout, "flags", bits, 3, FILTERS_FLAGS, RED);
}

static void put_endpoints(const struct layout *layout)
{
    begin_group(layout, true, "endpoints");
    uint32_t listed = list(layout, "nodes", layout->save->nodes);
    for (uint32_t node = 0; node < listed; node++) {
        begin_group(layout, false, "node %" PRIu32, node);
        put_sends(layout, "sends", node);
        put_receives(layout, "receives", node);
        put_vector(layout, "lane out", find(layout, NAMES_LANE_OUT, node), FILTERS_WORDS, INDIGO);
        put_vector(layout, "lane in", find(layout, NAMES_LANE_IN, node), FILTERS_WORDS, INDIGO);
        put_flags(layout, node);
        end_group(layout, false, "node %" PRIu32, node);
    }
    end_group(layout, true, "endpoints");
}

static void put_stages(const struct layout *layout)
{
    const struct save *save = layout->save;
    begin_group(layout, true, "stage by stage");
    uint32_t listed = list(layout, "lanes", machine_ports(save->machine));
    for (unsigned stage = 0; stage < machine_stages(save->machine); stage++) {
        begin_group(layout, false, "stage %u", stage);
        put_row(layout, names_stage_row(save->engine, save->machine, stage));
        struct names_vector setting = names_find(save->engine, save->machine, NAMES_STAGE_SETTING, stage, 0);
        put_vector(layout, "crossed", setting, FILTERS_NONE, YELLOW);
        for (uint32_t lane = 0; lane < listed; lane++) {
            char label[32];
            snprintf(label, sizeof label, "lane %" PRIu32, lane);
            put_vector(layout, label, names_stage_lane(save->engine, save->machine, stage, lane),
                       FILTERS_WORDS, INDIGO);
        }
        end_group(layout, false, "stage %u", stage);
    }
    end_group(layout, true, "stage by stage");
}

/* -- The head: window and markers ----------------------------------------------------------------------- */

static uint64_t row_ns(const struct save *save, uint64_t row)
{
    return save->zero_ns + row * save->run->row_cycles * SAVE_NS_PER_CYCLE;
}

/* GTKWave's zoom z shows 2^-z ns in 200 pixels. */
static double zoom(const struct save *save)
{
    double ns = save->to_ns > save->from_ns ? (double)(save->to_ns - save->from_ns) : 1;
    return -log2(ns * 200 / WAVES_WIDTH);
}

/* Markers say where the first rounds or units of time begin; the ruler goes on through all of them. */
static void put_head(const struct layout *layout, const char *trace, const char *file)
{
    const struct save *save = layout->save;
    uint32_t unit = save->unit ? save->unit : 1;
    uint64_t units = (save->end_row - save->first_row + unit - 1) / unit;
    unsigned markers = units < MAX_MARKERS ? (unsigned)units : MAX_MARKERS;
    fprintf(layout->to,
            "[*] Written by roundcast; see waves/README.md.\n[dumpfile] \"%s\"\n[savefile] \"%s\"\n", trace,
            file);
    fprintf(layout->to, "[timestart] %" PRIu64 "\n[size] %d %d\n[pos] -1 -1\n", save->from_ns, WINDOW_WIDTH,
            WINDOW_HEIGHT);
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
    if (save->run->row_cycles != 0)
        fprintf(layout->to, "[ruler] %" PRIu64 " %" PRIu32 "\n", save->zero_ns,
                save->run->row_cycles * unit * SAVE_NS_PER_CYCLE);
    fprintf(layout->to, "[sst_width] 0\n[signals_width] %d\n[sst_expanded] 0\n", SIGNALS_WIDTH);
}

static void put_all(const struct layout *layout, const char *trace, const char *file)
{
    put_head(layout, trace, file);
    put_run(layout);
    if (find(layout, NAMES_SEND, 0).width != 0) {
        put_nodes(layout, "sends", true, put_sends);
        put_nodes(layout, "receives", true, put_receives);
    }
    put_nodes(layout, "observation", false, put_observed);
    if (find(layout, NAMES_SEND, 0).width != 0) {
        put_endpoints(layout);
        put_stages(layout);
    }
}

/* -- Files -------------------------------------------------------------------------------------------- */

/* The save file is the last, so that it never stands without its filters. */
enum { SAVE_FILE = FILTERS_COUNT, FILES };

#define STEM_ROOM (PATH_MAX - 32) /* leaves room for a suffix */

/* The absolute path of the trace without `.fst`, for its folder exists and the files beside may not. */
static bool find_stem(const char *trace, char stem[STEM_ROOM], struct err *err)
{
    const char *slash = strrchr(trace, '/');
    const char *name = slash == NULL ? trace : slash + 1;
    char folder[PATH_MAX], real[PATH_MAX];
    int length = slash == NULL    ? snprintf(folder, sizeof folder, ".")
                 : slash == trace ? snprintf(folder, sizeof folder, "/")
                                  : snprintf(folder, sizeof folder, "%.*s", (int)(slash - trace), trace);
    if (length < PATH_MAX && realpath(folder, real) != NULL)
        length = snprintf(stem, STEM_ROOM, "%s/%.*s", strcmp(real, "/") == 0 ? "" : real,
                          (int)strlen(name) - (int)strlen(".fst"), name);
    else
        length = STEM_ROOM;
    return length < STEM_ROOM ||
           err_set(err, ERR_WRITE, "%.200s: no such folder, or too long a name; expected one to write to",
                   trace);
}

static bool write_file(unsigned file, const struct save *save, const char path[FILES][PATH_MAX],
                       const char *trace, FILE *to, struct err *err)
{
    if (file != SAVE_FILE)
        return filters_write((enum filters_kind)file, save, to, err);
    put_all(&(struct layout){to, save, path}, trace, path[SAVE_FILE]);
    return true;
}

bool save_write(const char *trace, const struct save *save, struct err *err)
{
    char stem[STEM_ROOM], path[FILES][PATH_MAX], trace_path[PATH_MAX];
    if (!find_stem(trace, stem, err))
        return false;
    snprintf(trace_path, PATH_MAX, "%s.fst", stem);
    struct io_output output[FILES];
    unsigned opened = 0;
    bool written = true;
    for (; written && opened < FILES; opened += written) {
        const char *suffix = opened == SAVE_FILE ? ".gtkw" : filters_suffix((enum filters_kind)opened);
        snprintf(path[opened], PATH_MAX, "%s%.20s", stem, suffix);
        written = io_open_output(path[opened], &output[opened], err);
    }
    for (unsigned file = 0; written && file < FILES; file++)
        written = write_file(file, save, path, trace_path, output[file].file, err);
    for (unsigned file = 0; file < opened; file++)
        if (written)
            written = io_commit(&output[file], err);
        else
            io_discard(&output[file]);
    return written;
}
