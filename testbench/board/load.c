/* SPDX-License-Identifier: Apache-2.0 */
/* load: runs an image on a machine connected by a serial port.
 *
 *     load PORT DIR
 *
 * PORT is the serial port of a board, DIR a folder that `roundcast route` wrote. The machine must
 * be the machine of the image. It is reset, loaded and started; then the flags of all nodes and
 * their packets are read and compared with the image. Exit status: 0 success, 1 a node has a flag
 * or a wrong packet, 2 invalid usage, or the port or the machine is not as expected.
 */
#include "driver/rc_driver.h"
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/image/image.h"
#include "sched/machine/machine_address.h"
#include "testbench/board/serial.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define SILENCE 5000 /* ms until a missing answer counts as lost */
#define QUIET 250    /* ms after which no answer to an earlier frame can arrive */
#define AT_ONCE 16   /* maximum number of frames under way; their answers fit any buffer */
#define START_TRIES 10000

static bool failed(const char *where, const char *what)
{
    fprintf(stderr, "load: %s: %s\n", where, what);
    return false;
}

/* Opens the port for raw bytes. Returns -1 after printing a message. */
static int open_port(const char *name)
{
    struct termios how;
    int port = open(name, O_RDWR | O_NOCTTY);
    if (port < 0 || tcgetattr(port, &how) != 0) {
        failed(name, errno == ENOTTY ? "no serial port" : strerror(errno));
        if (port >= 0)
            close(port);
        return -1;
    }
    cfmakeraw(&how);
    how.c_cflag |= CLOCAL | CREAD;
    how.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    if (cfsetspeed(&how, B1000000) != 0 || tcsetattr(port, TCSANOW, &how) != 0) {
        failed(name, "cannot be set to 1000000 baud");
        close(port);
        return -1;
    }
    return port;
}

static bool put(int port, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(port, bytes, count);
        if (written < 0 && errno != EINTR)
            return failed("port", strerror(errno));
        bytes += MAX(written, 0);
        count -= (size_t)MAX(written, 0);
    }
    return true;
}

static bool get(int port, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        struct pollfd wait = {.fd = port, .events = POLLIN};
        if (poll(&wait, 1, SILENCE) == 0)
            return failed("port", "no answer; expected a machine there");
        ssize_t got = read(port, bytes, count);
        if (got == 0 || (got < 0 && errno != EINTR))
            return failed("port", got == 0 ? "closed" : strerror(errno));
        bytes += MAX(got, 0);
        count -= (size_t)MAX(got, 0);
    }
    return true;
}

/* Sends a frame for each of `count` words, AT_ONCE under way at a time. Words that are read are
 * stored in word[]. */
static bool access_words(int port, enum serial_what what, struct image_word word[], size_t count)
{
    uint8_t frames[AT_ONCE * SERIAL_FRAME], answers[AT_ONCE * SERIAL_ANSWER];
    for (size_t done = 0; done < count;) {
        size_t now = count - done < AT_ONCE ? count - done : AT_ONCE;
        for (size_t k = 0; k < now; k++)
            serial_frame(what, word[done + k].address, word[done + k].word,
                         frames + k * SERIAL_FRAME);
        if (!put(port, frames, now * SERIAL_FRAME) || !get(port, answers, now * SERIAL_ANSWER))
            return false;
        for (size_t k = 0; k < now; k++, done++) {
            uint32_t answer;
            if (!serial_answer(answers + k * SERIAL_ANSWER, &answer))
                return failed("port", "a frame or an answer was damaged; expected a better line");
            if (what == SERIAL_READ)
                word[done].word = answer;
        }
    }
    return true;
}

/* Resets the link and the machine: whatever was on the line before, the next byte begins a frame,
 * and the machine is in its power-up state. */
static bool begin(int port)
{
    const uint8_t zeros[SERIAL_FRAME] = {0};
    struct image_word none = {0};
    struct pollfd wait = {.fd = port, .events = POLLIN};
    uint8_t old[SERIAL_ANSWER];
    if (!put(port, zeros, sizeof zeros))
        return false;
    while (poll(&wait, 1, QUIET) > 0)
        if (read(port, old, sizeof old) <= 0)
            return failed("port", "closed");
    return access_words(port, SERIAL_RESET, &none, 1);
}

/* -- The driver -------------------------------------------------------------------------------- */

/* The accesses of driver/rc_driver.h, over the serial port that `self` points to. */
static bool bus_write(void *self, const uint32_t pair[][2], size_t count)
{
    struct image_word word[AT_ONCE];
    for (size_t done = 0, now; done < count; done += now) {
        now = MIN(count - done, AT_ONCE);
        for (size_t k = 0; k < now; k++)
            word[k] = (struct image_word){.address = pair[done + k][0], .word = pair[done + k][1]};
        if (!access_words(*(const int *)self, SERIAL_WRITE, word, now))
            return false;
    }
    return true;
}

static bool bus_read(void *self, uint32_t address, uint32_t to[], size_t count)
{
    struct image_word word[AT_ONCE];
    for (size_t done = 0, now; done < count; done += now) {
        now = MIN(count - done, AT_ONCE);
        for (size_t k = 0; k < now; k++)
            word[k] = (struct image_word){.address = address + (uint32_t)(done + k)};
        if (!access_words(*(const int *)self, SERIAL_READ, word, now))
            return false;
        for (size_t k = 0; k < now; k++)
            to[done + k] = word[k].word;
    }
    return true;
}

static bool succeeded(enum rc_result result)
{
    return result == RC_OK || failed("machine", rc_driver_text(result));
}

static bool is_machine(const struct rc_driver *driver, const struct machine *machine)
{
    for (uint32_t which = 0; which < MACHINE_REGISTERS; which++) {
        uint32_t word, expected;
        if (!machine_built_word(machine, which, &expected))
            continue;
        if (!driver->bus->read(driver->bus->self, which, &word, 1))
            return false;
        if (word != expected) {
            fprintf(stderr, "load: register %" PRIu32 " is %" PRIu32 "; expected %" PRIu32 "\n",
                    which, word, expected);
            return false;
        }
    }
    return true;
}

/* Loads and runs an image. Flags are counted afterwards, for all nodes. */
static bool run(const struct rc_driver *driver, const struct image *image)
{
    uint32_t(*pair)[2] = calloc(image->count, sizeof *pair);
    if (pair == NULL)
        return failed("image", "no memory");
    for (size_t k = 0; k < image->count; k++) {
        pair[k][0] = image->word[k].address;
        pair[k][1] = image->word[k].word;
    }
    bool ran = succeeded(rc_driver_load(driver, pair, image->count));
    free(pair);
    if (!ran)
        return false;
    printf("%zu words loaded\n", image->count);
    if (!succeeded(rc_driver_start(driver)))
        return false;
    enum rc_result result = rc_driver_poll(driver, START_TRIES);
    return result == RC_FLAGS || succeeded(result);
}

/* Compares the packets of nodes with those of the image, counts their words, and checks the
 * flags. */
static bool judge(const struct rc_driver *driver, const struct image *image)
{
    const struct machine *machine = &image->machine;
    uint32_t nodes = machine_ports(machine), flagged = 0, held = 0, different = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t flags;
        if (!driver->bus->read(driver->bus->self, machine_flags_address(node), &flags, 1))
            return false;
        flagged += flags != 0;
    }
    for (size_t k = 0; k < image->count; k++) {
        const struct image_word *sent = &image->word[k];
        const struct machine_place at = machine_place_of(machine, sent->address);
        if (at.region != MACHINE_PACKET || !(sent->word & MACHINE_VALID))
            continue;
        for (uint32_t node = 0; node < nodes; node++) {
            uint32_t word;
            uint32_t address = machine_packet_address(machine, node, at.slot, at.flit) + at.part;
            if (!driver->bus->read(driver->bus->self, address, &word, 1))
                return false;
            held += (word & MACHINE_VALID) != 0;
            different += (word & MACHINE_VALID) != 0 && word != sent->word;
        }
    }
    printf("%" PRIu32 " nodes, %" PRIu32 " with a flag; they hold %" PRIu32
           " words of the image's packets, %" PRIu32 " of them different\n",
           nodes, flagged, held, different);
    return flagged == 0 && different == 0;
}

int main(int argc, char **argv)
{
    char path[4096];
    struct err err = {0};
    struct image image;
    if (argc != 3) {
        fprintf(stderr, "usage: load PORT DIR\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/image.hex", argv[2]);
    FILE *file = files_open_input(path, &err);
    if (file == NULL || !image_read(file, path, &image, &err)) {
        fprintf(stderr, "load: %s\n", err.text);
        return 2;
    }
    files_close_input(file);
    int port = open_port(argv[1]);
    const struct rc_bus bus = {.self = &port, .write = bus_write, .read = bus_read};
    struct rc_driver driver;
    if (port < 0 || !begin(port) || !succeeded(rc_driver_discover(&driver, &bus)) ||
        !is_machine(&driver, &image.machine) || !run(&driver, &image))
        return 2;
    bool right = judge(&driver, &image);
    close(port);
    image_free(&image);
    return right ? 0 : 1;
}
