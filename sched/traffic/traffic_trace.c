/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/traffic/traffic_trace.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TRACE_LINE 4096 /* bytes of a line that are kept; sends are shorter */
#define TRACE_HEAD "=== OTF2-PRINT ==="
#define MPIP_HEAD "@ mpiP"

/* The messages between two locations. */
struct message {
    uint64_t source, destination; /* locations */
    uint64_t value;               /* packets, or bytes if shares are asked for */
};

struct trace {
    struct scan *scan;
    struct traffic_scale scale;
    char line[TRACE_LINE];
    size_t messages, message_room, locations, location_room;
    struct message *message;
    uint64_t *location;
};

/* Returns whether the first line that is not empty begins with a text. */
static bool begins(struct scan *scan, const char *text)
{
    while (scan_peek(scan) == '\n') {
        scan->at++;
        scan->line++;
    }
    size_t length = strlen(text);
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, text, length) == 0;
}

bool traffic_trace_is(struct scan *scan)
{
    return begins(scan, TRACE_HEAD);
}

bool traffic_trace_is_no_report(struct scan *scan, struct err *err)
{
    return !begins(scan, MPIP_HEAD) ||
           scan_error(scan, err, ERR_UNSUPPORTED,
                      "a report of mpiP has no receivers of messages; expected a trace that "
                      "otf2-print prints, or lines of source, destination and number");
}

/* Reads a line into trace->line, of which the end may be missing; scan->line is then still its
 * number. Returns false at the end. */
static bool next_line(struct trace *trace)
{
    struct scan *scan = trace->scan;
    size_t length = 0;
    int byte = scan_peek(scan);
    if (byte == EOF)
        return false;
    for (; byte != '\n' && byte != EOF; scan->at++, byte = scan_peek(scan))
        if (length < TRACE_LINE - 1 && (length > 0 || byte != ' '))
            trace->line[length++] = *scan->at;
    trace->line[length] = '\0';
    scan_take(scan, '\n');
    return true;
}

/* -- messages and locations ---------------------------------------------------------------------*/

static int by_pair(const void *left, const void *right)
{
    const struct message *a = left, *b = right;
    return compare_then(COMPARE(a->source, b->source), COMPARE(a->destination, b->destination));
}

/* Adds up the messages of each pair. */
static bool merge(struct trace *trace, struct err *err)
{
    size_t kept = 0;
    if (trace->messages == 0)
        return true;
    qsort(trace->message, trace->messages, sizeof *trace->message, by_pair);
    for (size_t k = 0; k < trace->messages; k++) {
        const struct message *at = &trace->message[k];
        struct message *last = &trace->message[kept > 0 ? kept - 1 : 0];
        if (kept == 0 || by_pair(last, at) != 0)
            trace->message[kept++] = *at;
        else if (__builtin_add_overflow(last->value, at->value, &last->value))
            return scan_error(trace->scan, err, ERR_FIELD_RANGE,
                              "the bytes from a location to another exceed 2^64; expected fewer");
    }
    trace->messages = kept;
    return true;
}

/* Room that is mostly used after adding up is doubled, so that each message is sorted a few times
 * only. */
static bool grow_messages(struct trace *trace, struct err *err)
{
    const size_t wanted = trace->message_room + 1;
    if (trace->messages < trace->message_room / 2)
        return true;
    struct message *larger =
        wanted <= TRAFFIC_MAX_ENTRIES
            ? memory_grow(trace->message, wanted, &trace->message_room, sizeof *larger)
            : NULL;
    if (larger == NULL)
        return err_no_memory(err, "%zu messages", trace->messages);
    trace->message = larger;
    return true;
}

static bool add_message(struct trace *trace, struct message message, struct err *err)
{
    if (trace->messages == trace->message_room &&
        (!merge(trace, err) || !grow_messages(trace, err)))
        return false;
    trace->message[trace->messages++] = message;
    return true;
}

static int by_location(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

/* Keeps each location once. */
static void keep_once(struct trace *trace)
{
    size_t kept = 0;
    if (trace->locations == 0)
        return;
    qsort(trace->location, trace->locations, sizeof *trace->location, by_location);
    for (size_t k = 0; k < trace->locations; k++)
        if (kept == 0 || trace->location[kept - 1] != trace->location[k])
            trace->location[kept++] = trace->location[k];
    trace->locations = kept;
}

/* As grow_messages. */
static bool grow_locations(struct trace *trace, struct err *err)
{
    const size_t wanted = trace->location_room + 1;
    if (trace->locations < trace->location_room / 2)
        return true;
    uint64_t *larger =
        trace->locations <= TRAFFIC_MAX_NODES
            ? memory_grow(trace->location, wanted, &trace->location_room, sizeof *larger)
            : NULL;
    if (larger == NULL)
        return err_no_memory(err, "%zu locations", trace->locations);
    trace->location = larger;
    return true;
}

static bool add_location(struct trace *trace, uint64_t location, struct err *err)
{
    if (trace->locations > 0 && trace->location[trace->locations - 1] == location)
        return true;
    if (trace->locations == trace->location_room) {
        keep_once(trace);
        if (!grow_locations(trace, err))
            return false;
    }
    trace->location[trace->locations++] = location;
    return true;
}

/* -- events -------------------------------------------------------------------------------------*/

/* Reads a send: the receiver's location, in the last brackets before the communicator, and the
 * length. */
static bool read_send(struct trace *trace, const char *attributes, uint64_t source, struct err *err)
{
    struct message message = {.source = source};
    const char *end = strstr(attributes, ", Communicator: "), *at = end;
    while (at != NULL && at > attributes && *at != '<')
        at--;
    const char *length = end != NULL ? strstr(end, ", Length: ") : NULL;
    if (at == NULL || *at++ != '<' ||
        !text_number(&at, trace->line + TRACE_LINE, &message.destination) || *at != '>')
        return scan_error(trace->scan, err, ERR_SYNTAX,
                          "a send without the location of its receiver; expected 'Receiver: R "
                          "(\"NAME\" <LOCATION>), Communicator: …'");
    if (length != NULL)
        length += strlen(", Length: ");
    if (length == NULL || !text_number(&length, trace->line + TRACE_LINE, &message.value))
        return scan_error(trace->scan, err, ERR_SYNTAX,
                          "a send without its length; expected 'Length: BYTES'");
    const uint64_t bytes = trace->scale.packet_bytes;
    if (bytes > 0)
        message.value = message.value / bytes + (message.value % bytes > 0);
    else if (trace->scale.total == 0)
        message.value = 1;
    return add_location(trace, message.destination, err) &&
           (message.destination == source || message.value == 0 ||
            add_message(trace, message, err));
}

/* Reads a line; lines that are no events of MPI are skipped. */
static bool read_line(struct trace *trace, struct err *err)
{
    const char *at = trace->line;
    size_t length = strcspn(at, " ");
    uint64_t location;
    if (strncmp(at, "MPI_", 4) != 0)
        return true;
    bool sends = (length == 8 && strncmp(at, "MPI_SEND", 8) == 0) ||
                 (length == 9 && strncmp(at, "MPI_ISEND", 9) == 0);
    at += length;
    at += strspn(at, " ");
    if (!text_number(&at, trace->line + TRACE_LINE, &location) || *at != ' ')
        return scan_error(trace->scan, err, ERR_SYNTAX,
                          "an event without a location; expected its number");
    return add_location(trace, location, err) && (!sends || read_send(trace, at, location, err));
}

/* Converts locations to nodes. */
static bool convert(struct trace *trace, struct traffic_amount **amount, struct err *err)
{
    *amount = malloc((trace->messages + 1) * sizeof **amount);
    if (*amount == NULL)
        return err_no_memory(err, "%zu entries of traffic", trace->messages);
    for (size_t k = 0; k < trace->messages; k++) {
        const struct message *message = &trace->message[k];
        const uint64_t *source = bsearch(&message->source, trace->location, trace->locations,
                                         sizeof *source, by_location);
        const uint64_t *destination = bsearch(&message->destination, trace->location,
                                              trace->locations, sizeof *destination, by_location);
        (*amount)[k] =
            (struct traffic_amount){.source = (uint32_t)(source - trace->location),
                                    .destination = (uint32_t)(destination - trace->location),
                                    .value = message->value};
    }
    return true;
}

bool traffic_trace_read(struct scan *scan, struct traffic_scale scale,
                        struct traffic_amount **amount, size_t *count, uint32_t *nodes,
                        struct err *err)
{
    struct trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return err_no_memory(err, "the trace");
    trace->scan = scan;
    trace->scale = scale;
    bool read = true;
    while (read && next_line(trace)) {
        read = read_line(trace, err);
        scan->line++;
    }
    read =
        read && (!ferror(scan->from) || scan_unexpected(scan, "a line", err)) &&
        (trace->locations > 0 || scan_error(scan, err, ERR_CUT, "no event of MPI; expected some"));
    if (read) {
        keep_once(trace);
        read = merge(trace, err) && convert(trace, amount, err);
    }
    *count = trace->messages;
    *nodes = (uint32_t)trace->locations;
    free(trace->message);
    free(trace->location);
    free(trace);
    return read;
}
