/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_tsnkit: the streams and gates of the tables are the transfers of a schedule.
 *
 * A reader in this file reads the tables as the documentation of tsnkit defines them, and follows
 * each frame by the rules of its simulator: a frame crosses a link if the gate is open from begin
 * to end, at 1 bit/ns; the node at the end of the link can forward it 2000 ns later, at a multiple
 * of 100 ns. Every frame must arrive before the next round, and the gates of a node must be closed
 * in rounds in which it is idle. Counter-cases: a gate that closes early, a frame that is released
 * in another round.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 24, STREAMS = 512, ENTRIES = 1024, STEP = 100, PROCESSING = 2000 };

struct stream {
    unsigned source, destination, size, from[2], to[2], links, queues;
    unsigned long long period, offset;
};

struct entry {
    unsigned from, to, queue;
    unsigned long long start, end, cycle;
};

struct tables {
    struct stream stream[STREAMS];
    struct entry entry[ENTRIES];
    unsigned streams, links, entries;
};

/* Reads a row of a table. Returns whether it is one of the table. */
static bool read_row(const char *table, const char *row, struct tables *tables)
{
    unsigned index = 0, instance = 1, from, to, queue = 1;
    struct stream stream = {.links = 0};
    struct entry entry = {.queue = 1};
    unsigned long long offset, deadline;
    if (strcmp(table, "topo") == 0) {
        tables->links++;
        return sscanf(row, "\"(%u, %u)\",8,1,2000,0\n", &from, &to) == 2;
    }
    if (strcmp(table, "task") == 0) {
        int read = sscanf(row, "%u,%u,[%u],%u,%llu,%llu,0\n", &index, &stream.source,
                          &stream.destination, &stream.size, &stream.period, &deadline);
        assert_true(index < STREAMS);
        tables->stream[index] = stream;
        return read == 6 && index == tables->streams++;
    }
    if (strcmp(table, "GCL") == 0) {
        assert_true(tables->entries < ENTRIES);
        int read = sscanf(row, "\"(%u, %u)\",%u,%llu,%llu,%llu\n", &entry.from, &entry.to,
                          &entry.queue, &entry.start, &entry.end, &entry.cycle);
        tables->entry[tables->entries++] = entry;
        return read == 6 && entry.queue == 0 && entry.end <= entry.cycle;
    }
    if (sscanf(row, "%u,", &index) != 1 || index >= tables->streams)
        return false;
    struct stream *known = &tables->stream[index];
    if (strcmp(table, "ROUTE") == 0 && known->links < 2 &&
        sscanf(row, "%u,\"(%u, %u)\"\n", &index, &from, &to) == 3) {
        known->from[known->links] = from;
        known->to[known->links++] = to;
        return true;
    }
    if (strcmp(table, "OFFSET") == 0 &&
        sscanf(row, "%u,%u,%llu\n", &index, &instance, &offset) == 3) {
        known->offset = offset;
        return instance == 0;
    }
    known->queues++;
    return strcmp(table, "QUEUE") == 0 &&
           sscanf(row, "%u,%u,\"(%u, %u)\",%u\n", &index, &instance, &from, &to, &queue) == 5 &&
           instance == 0 && queue == 0;
}

/* Reads the tables of the script. Returns whether their columns and rows are right. */
static bool read_tables(const char *text, struct tables *tables)
{
    static const struct {
        const char *name, *columns;
    } known[] = {{"topo", "link,q_num,rate,t_proc,t_prop\n"},
                 {"task", "stream,src,dst,size,period,deadline,jitter\n"},
                 {"ROUTE", "stream,link\n"},
                 {"OFFSET", "stream,frame,offset\n"},
                 {"QUEUE", "stream,frame,link,queue\n"},
                 {"GCL", "link,queue,start,end,cycle\n"}};
    memset(tables, 0, sizeof *tables);
    text = strchr(text, '\n') + 1;
    for (unsigned which = 0; which < sizeof known / sizeof *known; which++) {
        char head[100];
        snprintf(head, sizeof head, "cat >\"$1-%s.csv\" <<END\n%s", known[which].name,
                 known[which].columns);
        if (strncmp(text, head, strlen(head)) != 0)
            return false;
        for (text += strlen(head); strncmp(text, "END\n", 4) != 0; text = strchr(text, '\n') + 1)
            if (!read_row(known[which].name, text, tables))
                return false;
        text += 4;
    }
    return *text == '\0';
}

/* Returns whether the gate of a link is open during a time. */
static bool is_open(const struct tables *tables, unsigned from, unsigned to,
                    unsigned long long start, unsigned long long end)
{
    for (unsigned e = 0; e < tables->entries; e++)
        if (tables->entry[e].from == from && tables->entry[e].to == to &&
            tables->entry[e].start <= start && end <= tables->entry[e].end)
            return true;
    return false;
}

/* Returns whether a gate of a link is open in a round. */
static bool opens(const struct tables *tables, unsigned from, unsigned to, uint64_t round,
                  unsigned long long length)
{
    unsigned long long start = (round - 1) * length, end = round * length;
    for (unsigned e = 0; e < tables->entries; e++)
        if (tables->entry[e].from == from && tables->entry[e].to == to &&
            tables->entry[e].start < end && start < tables->entry[e].end)
            return true;
    return false;
}

/* Returns whether a frame crosses both of its links in its round. */
static bool arrives(const struct tables *tables, const struct stream *stream,
                    unsigned long long length)
{
    unsigned long long at = stream->offset;
    for (unsigned link = 0; link < 2; link++) {
        unsigned long long sent = at + 8ull * stream->size;
        if (!is_open(tables, stream->from[link], stream->to[link], at, sent))
            return false;
        at = (sent + PROCESSING + STEP - 1) / STEP * STEP;
    }
    return at < stream->offset + length;
}

/* Returns whether the tables execute the schedule, with rounds of this length. */
static bool executes(const struct tables *tables, const struct schedule *schedule,
                     unsigned long long length)
{
    unsigned bridge = schedule->nodes;
    bool right = tables->streams == schedule->transfer_count && tables->links == 2 * bridge;
    for (unsigned t = 0; right && t < tables->streams; t++) {
        const struct stream *stream = &tables->stream[t];
        const struct transfer *transfer = &schedule->transfer[t];
        uint64_t round = schedule->step[schedule_step_of(schedule, t)].time;
        right = stream->source == transfer->source &&
                stream->destination == transfer->destination && stream->links == 2 &&
                stream->queues == 2 && stream->from[0] == stream->source &&
                stream->to[0] == bridge && stream->from[1] == bridge &&
                stream->to[1] == stream->destination && stream->period == schedule->end * length &&
                stream->offset == (round - 1) * length && arrives(tables, stream, length);
    }
    for (uint64_t round = 1; right && round <= schedule->end; round++)
        for (unsigned node = 0; right && node < bridge; node++) {
            bool sends = false, receives = false;
            for (unsigned t = 0; t < tables->streams; t++) {
                bool now = tables->stream[t].offset == (round - 1) * length;
                sends = sends || (now && tables->stream[t].source == node);
                receives = receives || (now && tables->stream[t].destination == node);
            }
            right = opens(tables, node, bridge, round, length) == sends &&
                    opens(tables, bridge, node, round, length) == receives;
        }
    return right;
}

/* Rounds: twice the first multiple of 100 from 8 · (bytes + 38) + 2000 on, and 100 ns; a frame has
 * 46 bytes of payload at least. */
static void test_streams(void **state)
{
    (void)state;
    static const struct exchange_lab_asked asked[] = {
        {"binomial", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"path", 9, 30, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"total-exchange", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"matching", 10, 4, 0, MODEL_TELEPHONE, 0, NULL},
        {"reduce", 8, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
    };
    static const struct {
        unsigned bytes;
        unsigned long long round;
    } sizes[] = {{1, 5500}, {46, 5500}, {1000, 20900}};
    static struct tables tables;
    for (unsigned which = 0; which < sizeof asked / sizeof *asked; which++)
        for (unsigned size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            struct schedule schedule;
            const struct exchange_options options = {.bytes = sizes[size].bytes};
            exchange_lab_build(&asked[which], &schedule);
            char *text = exchange_lab_write("tsnkit", &schedule, &options);
            assert_true(read_tables(text, &tables));
            assert_true(executes(&tables, &schedule, sizes[size].round));
            tables.entry[0].end -= sizes[size].round;
            assert_false(executes(&tables, &schedule, sizes[size].round));
            tables.entry[0].end += sizes[size].round;
            tables.stream[0].offset += sizes[size].round;
            assert_false(executes(&tables, &schedule, sizes[size].round));
            free(text);
            schedule_free(&schedule);
        }
}

/* Consecutive rounds are one entry: a path of two nodes has one for each of its two links. */
static void test_entries(void **state)
{
    (void)state;
    static struct tables tables;
    struct schedule schedule;
    exchange_lab_build(&(struct exchange_lab_asked){"path", 2, 30, 0, MODEL_SEND_RECEIVE, 0, NULL},
                       &schedule);
    char *text = exchange_lab_write("tsnkit", &schedule, NULL);
    assert_true(read_tables(text, &tables));
    assert_int_equal(tables.entries, 2);
    free(text);
    schedule_free(&schedule);
}

/* Node 0 sends in every other round; a gate list has 1024 entries at most. */
static void test_most_entries(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_every_other(1025, &schedule);
    exchange_lab_no_write("tsnkit", &schedule, NULL, ERR_TOO_BIG,
                          "tsnkit: node 0 has 1025 gate entries; expected at most 1024");
    exchange_lab_no_write("tsnkit", &schedule, &(struct exchange_options){.bytes = 1 << 20},
                          ERR_TOO_BIG, "expected at most 2^31 ns");
    schedule_free(&schedule);
}

/* Node 0 receives in every other round, and sends nothing: the gates of the link to it count. */
static void test_most_receipts(void **state)
{
    (void)state;
    struct schedule schedule;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fputs("roundcast-schedule 1\nalgorithm a\ntopology complete 2\nmodel send-receive\n"
          "demand 1-1025 1 *\n",
          to);
    for (unsigned packet = 1; packet <= 1025; packet++)
        fprintf(to, "round %u\n1 0 %u\n", 2 * packet, packet);
    fputs("end 2050\n", to);
    fclose(to);
    exchange_lab_schedule(text, &schedule);
    exchange_lab_no_write("tsnkit", &schedule, NULL, ERR_TOO_BIG,
                          "tsnkit: node 0 has 1025 gate entries; expected at most 1024");
    schedule_free(&schedule);
    free(text);
}

static void test_rejected(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_no_times("tsnkit");
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 1\n"
                          "model send-receive\ndemand 1 0 *\nend 0\n",
                          &schedule);
    exchange_lab_no_write("tsnkit", &schedule, NULL, ERR_UNSUPPORTED,
                          "the schedule has no transfers");
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),      cmocka_unit_test(test_entries),
        cmocka_unit_test(test_most_entries), cmocka_unit_test(test_most_receipts),
        cmocka_unit_test(test_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
