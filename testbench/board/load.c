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

static bool read_word(int port, uint32_t address, uint32_t *word)
{
    struct image_word one = {.address = address};
    bool was_read = access_words(port, SERIAL_READ, &one, 1);
    *word = one.word;
    return was_read;
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

static bool is_machine(int port, const struct machine *machine)
{
    for (uint32_t which = 0; which < MACHINE_REGISTERS; which++) {
        uint32_t word, expected;
        if (!machine_built_word(machine, which, &expected))
            continue;
        if (!read_word(port, which, &word))
            return false;
        if (word != expected) {
            fprintf(stderr, "load: register %" PRIu32 " is %" PRIu32 "; expected %" PRIu32 "\n",
                    which, word, expected);
            return false;
        }
    }
    return true;
}

static bool run(int port)
{
    struct image_word start = {.address = MACHINE_STATUS, .word = 1};
    uint32_t status = 0;
    if (!access_words(port, SERIAL_WRITE, &start, 1))
        return false;
    for (unsigned k = 0; k < START_TRIES && !(status & 2); k++)
        if (!read_word(port, MACHINE_STATUS, &status))
            return false;
    return (status & 2) || failed("machine", "not done; expected the end of the run");
}

/* Compares the packets of nodes with those of the image, counts their words, and checks the
 * flags. */
static bool judge(int port, const struct image *image)
{
    const struct machine *machine = &image->machine;
    uint32_t nodes = machine_ports(machine), flagged = 0, held = 0, different = 0;
    uint32_t packets = 1u << (machine->log2_packets + machine->log2_flits);
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t flags;
        if (!read_word(port, machine_region_address(MACHINE_FLAGS) | node, &flags))
            return false;
        flagged += flags != 0;
    }
    for (size_t k = 0; k < image->count; k++) {
        const struct image_word *sent = &image->word[k];
        if (machine_region_of(sent->address) != MACHINE_PACKET || !(sent->word & MACHINE_VALID))
            continue;
        for (uint32_t node = 0; node < nodes; node++) {
            uint32_t word;
            uint32_t slot = sent->address % packets;
            if (!read_word(port, machine_region_address(MACHINE_PACKET) | (node * packets + slot),
                           &word))
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
    if (port < 0 || !begin(port) || !is_machine(port, &image.machine) ||
        !access_words(port, SERIAL_WRITE, image.word, image.count))
        return 2;
    printf("%zu words loaded\n", image.count);
    if (!run(port))
        return 2;
    bool right = judge(port, &image);
    close(port);
    image_free(&image);
    return right ? 0 : 1;
}
