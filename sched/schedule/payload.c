/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/payload.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_ROOM 4096
#define FIRST_ROOM ((size_t)1 << 16)

/* Appends the content of the file to the buffer until the file ends or exceeds `max_size`. */
static bool read_all(FILE *file, size_t max_size, struct payload *payload)
{
    size_t room = 0;
    while (payload->size <= max_size) {
        if (payload->size == room) {
            room = room ? 2 * room : FIRST_ROOM;
            uint8_t *grown = realloc(payload->bytes, room);
            if (grown == NULL)
                return false;
            payload->bytes = grown;
        }
        size_t got = fread(payload->bytes + payload->size, 1, room - payload->size, file);
        payload->size += got;
        if (got == 0)
            return !ferror(file);
    }
    return true;
}

bool payload_read(const char *path, size_t max_size, struct payload *payload, struct err *err)
{
    *payload = (struct payload){0};
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL)
        return err_set(err, ERR_READ, "{payload}: %.200s: %s; expected a readable file", path,
                       strerror(errno));
    errno = 0;
    bool read = read_all(file, max_size, payload);
    int error = errno ? errno : ENOMEM;
    if (!standard)
        fclose(file);
    if (!read)
        err_set(err, ERR_READ, "{payload}: %.200s: %s; expected a readable file", path,
                strerror(error));
    else if (payload->size == 0)
        read = err_set(err, ERR_PAYLOAD,
                       "{payload}: %.200s: the file is empty; expected at least 1 byte", path);
    else if (payload->size > max_size)
        read = err_set(
            err, ERR_PAYLOAD,
            "{payload}: %.200s: more bytes than the packet memory takes; expected at most %zu",
            path, max_size);
    if (!read)
        payload_free(payload);
    return read;
}

/* -- A folder of a file per node --------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Writes the name of the file of a node. */
static bool name_file(const char *folder, uint32_t node, char path[PATH_ROOM], struct err *err)
{
    const int length = snprintf(path, PATH_ROOM, "%s/%" PRIu32 ".bin", folder, node);
    return length < PATH_ROOM ||
           err_set(err, ERR_READ,
                   "{payload}: %.60s…: the name is too long; expected less than %d "
                   "bytes",
                   folder, PATH_ROOM);
}

/* Reads the file of a node, and appends it to those of lower nodes. */
static bool append_file(const char *folder, uint32_t node, uint32_t nodes, size_t max_size,
                        struct payload *payload, struct err *err)
{
    char path[PATH_ROOM];
    struct payload file;
    if (!name_file(folder, node, path, err) || !payload_read(path, max_size, &file, err))
        return false;
    const size_t size = node == 0 ? file.size : payload->size / node;
    bool appended =
        file.size == size ||
        err_set(err, ERR_PAYLOAD, "{payload}: %.200s: %zu byte%s; expected %zu, the size of 0.bin",
                path, file.size, text_s(file.size), size);
    if (appended && node == 0) {
        payload->bytes = malloc(size * nodes);
        appended = payload->bytes != NULL || err_no_memory(err, "%zu bytes", size * nodes);
    }
    if (appended) {
        memcpy(payload->bytes + payload->size, file.bytes, size);
        payload->size += size;
    }
    payload_free(&file);
    return appended;
}

static bool read_folder(const char *folder, uint32_t nodes, size_t max_size,
                        struct payload *payload, struct err *err)
{
    char path[PATH_ROOM];
    struct stat status;
    *payload = (struct payload){.files = nodes};
    bool read = true;
    for (uint32_t node = 0; read && node < nodes; node++)
        read = append_file(folder, node, nodes, max_size / nodes, payload, err);
    read = read && name_file(folder, nodes, path, err);
    if (read && stat(path, &status) == 0)
        read = err_set(err, ERR_PAYLOAD,
                       "{payload}: %.200s: node %" PRIu32
                       " does not exist; expected files of nodes 0 … %" PRIu32,
                       path, nodes, nodes - 1);
    if (!read)
        payload_free(payload);
    return read;
}

bool payload_load(const char *path, uint32_t nodes, size_t max_size, struct payload *payload,
                  struct err *err)
{
    *payload = (struct payload){0};
    if (!is_folder(path))
        return payload_read(path, max_size, payload, err);
    return nodes > 1 ? read_folder(path, nodes, max_size, payload, err)
                     : err_set(err, ERR_READ,
                               "{payload}: %.200s: a folder of files of nodes, which have packets "
                               "of their own only in reductions; expected a file",
                               path);
}

uint64_t payload_size_at(const char *path, uint32_t nodes)
{
    char first[PATH_ROOM];
    struct stat status;
    const bool folder = is_folder(path);
    if (folder && !name_file(path, 0, first, NULL))
        return 0;
    if (stat(folder ? first : path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    return (uint64_t)status.st_size * (folder ? nodes : 1);
}

bool payload_spread(struct payload *payload, struct err *err)
{
    if (payload->files == 0)
        return true;
    const size_t file = payload->size / payload->files;
    const size_t share = payload->packets / payload->files * payload_packet_bytes(payload);
    uint8_t *bytes = calloc(payload->files, share);
    if (bytes == NULL)
        return err_no_memory(err, "%zu bytes", payload->files * share);
    for (uint32_t node = 0; node < payload->files; node++)
        memcpy(bytes + node * share, payload->bytes + node * file, file);
    free(payload->bytes);
    payload->bytes = bytes;
    payload->size = payload->files * share;
    payload->files = 0;
    return true;
}

/* -- Packets ----------------------------------------------------------------------------------- */

bool payload_random(uint64_t seed, size_t size, struct payload *payload, struct err *err)
{
    *payload = (struct payload){.bytes = malloc(size), .size = size};
    if (payload->bytes == NULL)
        return err_no_memory(err, "%zu bytes", size);
    struct rng rng = {seed};
    for (size_t k = 0; k < size; k++)
        payload->bytes[k] = (uint8_t)(rng_next(&rng) >> 56);
    return true;
}

bool payload_cut(struct payload *payload, uint32_t packets, uint32_t flits, uint32_t max_flits,
                 unsigned width, struct err *err)
{
    size_t bytes = bits_divide_up(payload->size, packets); /* minimum bytes of a packet */
    size_t needed = bits_divide_up(bytes * 8, width) + payload->header_flits;
    if (flits == 0 ? needed > max_flits : needed > flits)
        return err_set(err, ERR_PAYLOAD,
                       "{payload}: %zu byte%s in %u packet%s need %zu flit%s of %u bit%s a packet; "
                       "expected at most %u, "
                       "so a smaller payload or more packets",
                       payload->size, text_s(payload->size), packets, text_s(packets), needed,
                       text_s(needed), width, text_s(width), flits == 0 ? max_flits : flits);
    payload->packets = packets;
    payload->flits = flits == 0 ? (uint32_t)needed : flits;
    payload->width = width;
    return true;
}

/* Returns bits first … first + 31 of a packet's string of bytes; those after its end are 0. */
static uint32_t packet_bits(const struct payload *payload, uint32_t packet, size_t first)
{
    const size_t packet_bytes = payload_packet_bytes(payload),
                 first_byte = (size_t)(packet - 1) * packet_bytes;
    uint64_t window = 0; /* the up to 5 bytes that overlap the bits */
    for (size_t k = 0; k < 5; k++) {
        size_t in_packet = first / 8 + k;
        size_t byte = first_byte + in_packet;
        if (in_packet < packet_bytes && byte < payload->size)
            window |= (uint64_t)payload->bytes[byte] << (8 * k);
    }
    return (uint32_t)(window >> (first % 8));
}

uint32_t payload_bits(const struct payload *payload, uint32_t packet, struct payload_part at)
{
    if (32 * at.part >= payload->width)
        return 0;
    const unsigned count = MIN(payload->width - 32 * at.part, 32);
    const uint32_t mask = UINT32_MAX >> (32 - count);
    if (at.flit < payload->header_flits) {
        const size_t which = (size_t)(packet - 1) * payload->header_flits + at.flit;
        return at.part == 0 ? payload->header[which] : 0;
    }
    const uint32_t flit = at.flit - payload->header_flits;
    if (payload->control != NULL && packet > payload->data)
        return flit + at.part == 0 ? payload->control[packet - payload->data - 1] & mask : 0;
    return packet_bits(payload, packet, (size_t)flit * payload->width + 32 * at.part) & mask;
}

uint32_t payload_bits_at(const struct payload *payload, uint32_t node, uint32_t packet,
                         struct payload_part at)
{
    if (payload_is_of_node(payload, at.flit))
        return at.part == 0 ? payload->of_node[node] : 0;
    return payload_bits(payload, packet + node * payload->node_packets, at);
}

void payload_free(struct payload *payload)
{
    free(payload->bytes);
    free(payload->header);
    free(payload->of_node);
    free(payload->control);
    *payload = (struct payload){0};
}
