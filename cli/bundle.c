/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bundle.h"

#include "cli/io.h"
#include "sched/base/files.h"
#include "sched/image/header.h"
#include "sched/route/self_timed.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 4096
/* An image's file for each form, then the others. */
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

static bool path_of(const char *directory, int file, char path[PATH_ROOM], struct err *err)
{
    int length = snprintf(path, PATH_ROOM, "%s/%s", directory, file_name(file));
    return length < PATH_ROOM ||
           err_set(err, ERR_WRITE, "%.60s…: the name is too long; expected less than %d bytes",
                   directory, PATH_ROOM);
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
        return image_write(output->file, output->name, &bundle->image, (enum image_form)file, err);
    }
}

/* `-` is a file. */
static bool check_folder(const char *directory, struct err *err)
{
    return strcmp(directory, "-") != 0 ||
           err_set(err, ERR_OPTION, "-: standard input and output are files; expected a folder");
}

static bool write_files(const char *directory, const struct bundle *bundle, struct err *err)
{
    char path[FILES][PATH_ROOM];
    struct files_output output[FILES], *all[FILES];
    int which[FILES];
    size_t opened = 0;
    bool written = true;
    for (int file = 0; written && file < FILES; file++) {
        if (!is_written(bundle, file))
            continue;
        which[opened] = file;
        all[opened] = &output[opened];
        written = path_of(directory, file, path[opened], err) &&
                  files_open_output(path[opened], &output[opened], err);
        opened += written;
    }
    for (size_t k = 0; written && k < opened; k++)
        written = write_file(which[k], &output[k], bundle, err);
    if (written)
        return files_commit_all(all, opened, err);
    for (size_t k = 0; k < opened; k++)
        files_discard(&output[k]);
    return false;
}

bool bundle_write(const char *directory, const struct bundle *bundle, struct err *err)
{
    if (!check_folder(directory, err))
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
    FILE *file = path_of(directory, IMAGE_FILE, path, err) ? files_open_input(path, err) : NULL;
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
    uint32_t data = schedule_data_packets(&bundle->schedule), packets = data == 0 ? 1 : data,
             flits = bundle->image.run.flits;
    unsigned width = bundle->image.machine.width;
    size_t room = (size_t)flits * width / 8 * packets;
    if (!path_of(directory, PAYLOAD_FILE, path, err) ||
        !payload_read(given ? given : path, room, &bundle->payload, err))
        return false;
    bundle->payload.header_flits = machine_header_flits(&bundle->image.machine);
    return payload_cut(&bundle->payload, packets, flits, flits, width, err) &&
           self_timed_check(&bundle->schedule, &bundle->image.machine, err) &&
           header_write(&bundle->schedule, &bundle->image.machine, &bundle->payload, err);
}

/* Rounds on a barrier, or the postal model's λ. */
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
                   "%.200s/image.hex: %" PRIu32 " flits through %u registers in rows of %" PRIu32
                   " cycles; expected the clock of schedule.sched, %s with λ = %s",
                   directory, run->flits, machine_latency(machine), run->row_cycles,
                   model_name(schedule->model),
                   rational_text(schedule->lambda.numerator, schedule->lambda.denominator, lambda));
}

static bool check_same(const char *directory, const struct bundle *bundle, struct err *err)
{
    const struct schedule *schedule = &bundle->schedule;
    const struct image *image = &bundle->image;
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
    return err_set(err, ERR_OTHER_MACHINE,
                   "%.200s/image.hex: %" PRIu32 " ports, %u packets, %" PRIu32
                   " rows; expected the machine of "
                   "schedule.sched with %" PRIu32 " nodes, %" PRIu32 " packets, %" PRIu64 " rows",
                   directory, machine_ports(&image->machine), 1u << image->machine.log2_packets,
                   image->run.rows, schedule->nodes, schedule->packets, schedule->end);
}

bool bundle_read(const char *directory, const char *payload, struct bundle *bundle, struct err *err)
{
    if (!check_folder(directory, err))
        return false;
    char path[PATH_ROOM];
    *bundle = (struct bundle){0};
    int lock = files_lock_folder(directory, false); /* the three are of one writer */
    bool read = path_of(directory, SCHEDULE_FILE, path, err) &&
                io_read_schedule(path, &bundle->schedule, err) &&
                read_image(directory, &bundle->image, err) && check_same(directory, bundle, err) &&
                read_payload(directory, payload, bundle, err);
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
