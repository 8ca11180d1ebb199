/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bundle/bundle.h"

#include "sched/base/arena.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/image/image.h"
#include "sched/image/image_forms.h"
#include "sched/image/image_rams.h"
#include "sched/image/packet_header.h"
#include "sched/machine/machine_run.h"
#include "sched/route/partial_results.h"
#include "sched/route/route.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 4096
/* One image file for each form, then the other files. */
enum { IMAGE_FILE = IMAGE_HEX, SCHEDULE_FILE = IMAGE_FORMS, PAYLOAD_FILE, FILES };

static const char *file_name(int file)
{
    static const char *const others[] = {"schedule.sched", "payload.bin"};
    return file < IMAGE_FORMS ? image_form_rows[file].file : others[file - IMAGE_FORMS];
}

static bool is_written(const struct bundle *bundle, int file)
{
    return file == IMAGE_FILE || file >= IMAGE_FORMS || bundle->form[file];
}

static bool path_of(const char *directory, const char *file, char path[PATH_ROOM], struct err *err)
{
    int length = snprintf(path, PATH_ROOM, "%s/%s", directory, file);
    return length < PATH_ROOM ||
           err_set(err, ERR_WRITE, "%.60s…: the name is too long; expected less than %d bytes",
                   directory, PATH_ROOM);
}

/* Writes an image. A form that lists writes contains the minimum number of writes. */
static bool write_image(const struct files_output *output, const struct image *image,
                        enum image_form form, struct err *err)
{
    if (image_pairs_of(form) == NULL)
        return image_write(output->file, output->name, image, form, err);
    struct image fewest;
    bool written = image_fewest(image, &fewest, err) &&
                   image_write(output->file, output->name, &fewest, form, err);
    image_free(&fewest);
    return written;
}

static bool write_file(int file, const struct files_output *output, const struct bundle *bundle,
                       struct err *err)
{
    switch (file) {
    case SCHEDULE_FILE:
        return schedule_write(output->file, output->name, &bundle->schedule, err);
    case PAYLOAD_FILE:
        return fwrite(bundle->payload.bytes, 1, bundle->payload.size, output->file) ==
                   bundle->payload.size ||
               files_refuse_output(output->name, errno, err);
    default:
        return write_image(output, &bundle->image, (enum image_form)file, err);
    }
}

/* `-` names a file, not a folder. */
static bool check_folder(const char *directory, struct err *err)
{
    return strcmp(directory, "-") != 0 ||
           err_set(err, ERR_OPTION, "-: standard input and output are files; expected a folder");
}

/* The output files: the named ones, then the memories of the form mem, one at a time. */
struct outputs {
    size_t count, named;
    int file[FILES];
    char (*path)[PATH_ROOM];
    struct files_output *output, **all;
};

static size_t rams_of(const struct bundle *bundle)
{
    return bundle->form[IMAGE_MEM] ? image_rams_count(&bundle->image.machine) : 0;
}

/* Opens the named files. */
static bool open_named(const char *directory, const struct bundle *bundle, struct outputs *to,
                       struct err *err)
{
    for (int file = 0; file < FILES; file++) {
        if (!is_written(bundle, file))
            continue;
        to->file[to->count] = file;
        if (!path_of(directory, file_name(file), to->path[to->count], err) ||
            !files_open_output(to->path[to->count], &to->output[to->count], err))
            return false;
        to->named = ++to->count;
    }
    return true;
}

static bool write_ram(const struct image_rams *rams, const struct image_ram *ram,
                      const struct files_output *output, struct err *err)
{
    FILE *file = fopen(output->temporary, "w");
    if (file == NULL)
        return files_refuse_output(output->name, errno, err);
    bool written = image_ram_write(file, output->name, rams, ram, err);
    return (fclose(file) == 0 || files_refuse_output(output->name, errno, err)) && written;
}

static bool write_rams(const char *directory, const struct bundle *bundle, struct outputs *to,
                       struct err *err)
{
    const size_t count = rams_of(bundle);
    struct image_rams *rams = count > 0 ? image_rams_new(&bundle->image, err) : NULL;
    bool written = count == 0 || rams != NULL;
    for (uint32_t which = 0; written && which < count; which++) {
        struct image_ram ram;
        image_ram(&bundle->image.machine, which, &ram);
        struct files_output *output = &to->output[to->count];
        written = path_of(directory, ram.name, to->path[to->count], err) &&
                  files_reserve_output(to->path[to->count], output, err);
        to->count += written;
        written = written && write_ram(rams, &ram, output, err);
    }
    free(rams);
    return written;
}

static bool write_all(const char *directory, const struct bundle *bundle, struct outputs *to,
                      struct err *err)
{
    bool written = open_named(directory, bundle, to, err);
    for (size_t k = 0; written && k < to->named; k++)
        written = write_file(to->file[k], &to->output[k], bundle, err);
    return written && write_rams(directory, bundle, to, err);
}

static bool write_files(const char *directory, const struct bundle *bundle, struct err *err)
{
    const size_t most = FILES + rams_of(bundle);
    struct outputs to = {.count = 0};
    void *memory =
        arena_new((const struct arena_array[]){ARENA(to.path, most), ARENA(to.output, most),
                                               ARENA(to.all, most)},
                  3);
    if (memory == NULL)
        return err_no_memory(err, "the names of %zu files", most);
    bool written = write_all(directory, bundle, &to, err);
    for (size_t k = 0; k < to.count; k++)
        to.all[k] = &to.output[k];
    if (written)
        written = files_commit_all(to.all, to.count, err);
    else
        for (size_t k = 0; k < to.count; k++)
            files_discard(&to.output[k]);
    free(memory);
    return written;
}

bool bundle_write(const char *directory, const struct bundle *bundle, struct err *err)
{
    if (!check_folder(directory, err) ||
        (bundle->form[IMAGE_MEM] && !image_rams_check(&bundle->image.machine, err)))
        return false;
    bool made = mkdir(directory, 0777) == 0;
    if (!made && errno != EEXIST)
        return err_set(err, ERR_WRITE, "%.200s: %s; expected a folder that can be made", directory,
                       strerror(errno));
    struct interrupt_path noted = {.name = directory};
    if (made)
        interrupt_note(&noted);
    bool written = write_files(directory, bundle, err);
    if (!written && made)
        rmdir(directory);
    interrupt_forget(&noted);
    return written;
}

static bool read_image(const char *directory, struct image *image, struct err *err)
{
    char path[PATH_ROOM];
    FILE *file =
        path_of(directory, file_name(IMAGE_FILE), path, err) ? files_open_input(path, err) : NULL;
    if (file == NULL)
        return false;
    bool read = image_read(file, path, image, err);
    files_close_input(file);
    return read;
}

static bool read_payload(const char *directory, const char *given, struct bundle *bundle,
                         struct err *err)
{
    char path[PATH_ROOM];
    const struct schedule *schedule = &bundle->schedule;
    uint32_t data = schedule_data_packets(schedule),
             shares = schedule->has_reductions ? schedule->nodes : 1,
             packets = (data == 0 ? 1 : data) * shares, flits = bundle->image.run.flits;
    unsigned width = bundle->image.machine.width;
    size_t room = (size_t)flits * width / 8 * packets;
    if (!path_of(directory, file_name(PAYLOAD_FILE), path, err) ||
        !payload_load(given ? given : path, shares, room, &bundle->payload, err))
        return false;
    bundle->payload.node_packets = schedule->has_reductions ? data : 0;
    bundle->payload.header_flits = machine_header_flits(&bundle->image.machine);
    return payload_cut(&bundle->payload, packets, flits, flits, width, err) &&
           payload_spread(&bundle->payload, err) &&
           route_check_self_timed(&bundle->schedule, &bundle->image.machine, err) &&
           packet_header_write(&bundle->schedule, &bundle->image.machine, &bundle->payload, err);
}

/* Checks that the clock of the image is that of the schedule: rounds on a barrier, or the postal
 * model's λ. */
static bool check_clock(const char *directory, const struct bundle *bundle, struct err *err)
{
    const struct schedule *schedule = &bundle->schedule;
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    bool timed = model_has_times(schedule->model);
    bool same = timed ? rational_equal(machine_lambda(machine, run->flits), schedule->lambda) &&
                            machine_packet_rows(run) == schedule->lambda.denominator
                      : !machine_streams(machine, run);
    char lambda[RATIONAL_TEXT];
    return same ||
           err_set(err, ERR_OTHER_MACHINE,
                   "%.200s/image.hex: %" PRIu32 " flit%s through %u register%s in rows of %" PRIu32
                   " cycle%s; expected the clock of schedule.sched, %s with λ = %s",
                   directory, run->flits, text_s(run->flits), machine_latency(machine),
                   text_s(machine_latency(machine)), run->row_cycles, text_s(run->row_cycles),
                   model_name(schedule->model),
                   rational_text(schedule->lambda.numerator, schedule->lambda.denominator, lambda));
}

static bool check_same(const char *directory, const struct bundle *bundle, struct err *err)
{
    const struct schedule *schedule = &bundle->schedule;
    const struct image *image = &bundle->image;
    if (schedule->has_reductions != image->machine.combines)
        return err_set(err, ERR_OTHER_MACHINE,
                       "%.200s/image.hex: a machine that %s packets; expected one that %s, as in "
                       "schedule.sched",
                       directory, image->machine.combines ? "combines" : "does not combine",
                       image->machine.combines ? "does not" : "does");
    if (!machine_has_topology(&image->machine, &schedule->topology))
        return err_set(
            err, ERR_OTHER_MACHINE,
            "%.200s/image.hex: a machine of another topology; expected that of schedule.sched",
            directory);
    if (wiring_endpoints(&schedule->topology) <= machine_ports(&image->machine) &&
        schedule->packets <= UINT32_C(1) << image->machine.log2_packets &&
        (schedule->end == image->run.rows ||
         (machine_is_autonomous(&image->machine) && schedule->end < image->run.rows)))
        return check_clock(directory, bundle, err);
    return err_set(
        err, ERR_OTHER_MACHINE,
        "%.200s/image.hex: %" PRIu32 " port%s, %u packet%s, %" PRIu32
        " row%s; expected the machine of "
        "schedule.sched with %" PRIu32 " node%s, %" PRIu32 " packet%s, %" PRIu64 " row%s",
        directory, machine_ports(&image->machine), text_s(machine_ports(&image->machine)),
        1u << image->machine.log2_packets, text_s(1u << image->machine.log2_packets),
        image->run.rows, text_s(image->run.rows), schedule->nodes, text_s(schedule->nodes),
        schedule->packets, text_s(schedule->packets), schedule->end, text_s(schedule->end));
}

bool bundle_read(const char *directory, const char *payload, struct bundle *bundle, struct err *err)
{
    if (!check_folder(directory, err))
        return false;
    char path[PATH_ROOM];
    *bundle = (struct bundle){0};
    int lock = files_lock_folder(directory, false); /* so that one writer wrote all three files */
    bool read = path_of(directory, file_name(SCHEDULE_FILE), path, err) &&
                schedule_file_read_any(path, &bundle->schedule, err) &&
                schedule_check_one_port(path, &bundle->schedule, err) &&
                partial_results_check(path, &bundle->schedule, err) &&
                read_image(directory, &bundle->image, err) &&
                partial_results_check_kept(path, &bundle->schedule, &bundle->image.machine, err) &&
                check_same(directory, bundle, err) && read_payload(directory, payload, bundle, err);
    if (lock >= 0)
        close(lock);
    if (!read)
        bundle_free(bundle);
    return read;
}

void bundle_free(struct bundle *bundle)
{
    schedule_free(&bundle->schedule);
    image_free(&bundle->image);
    payload_free(&bundle->payload);
}
