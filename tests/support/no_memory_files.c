/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/no_memory_commands.h"

#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Comment lines that are not where the canonical text has them are noted (schedule.h). */
static const char comments[] = "# one\nroundcast-schedule 1\nalgorithm by hand\n"
                               "topology complete 3\nmodel send-receive\n"
                               "#\ndemand 1 0 *\n#\ncontrol 2 1 0 7 nodes 1-2\n"
                               "#\nround 1\n#\n0 1 1\n#\n1 0 2\n#\nround 2\n"
                               "#\n0 2 1\n#\nend 2\n";
static const char branches[] = "# one\nroundcast-schedule 1\nalgorithm by hand\n"
                               "topology tree 2 capacity 1\nmodel multiport\n"
                               "#\ndemand 1 0 1\n#\nround 1\n#\n0 1:0 1\n"
                               "#\nround 2\n#\n1:0 1 1\nend 2\n";

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Writes a schedule with lines inserted before, between and after its transfers. */
static void put_noted(const char *path, const char *before, const char *between, const char *after)
{
    char text[400];
    snprintf(text, sizeof text,
             "roundcast-schedule 1\nalgorithm by hand\ntopology complete 4\nmodel send-receive\n"
             "demand 1 0 1\ndemand 2 2 3\nround 1\n%s0 1 1\n%s2 3 2\n%send 1\n",
             before, between, after);
    put(path, text);
}

/* Creates a program in the folder and puts the folder first in PATH. */
static void put_program(const char *folder, const char *name, const char *text)
{
    char *path;
    put(name, text);
    assert_int_equal(chmod(name, 0777), 0);
    assert_true(asprintf(&path, "%s:%s", folder, getenv("PATH")) > 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

static void write_schedules(void)
{
    put("matrix.txt", "0 1 2 0\n1 0 0 3\n0 2 0 1\n1 1 1 0\n");
    put("entries.txt", "0 1 2\n1 2 1\n2 0 3\n");
    put("comments.sched", comments);
    put("branches.sched", branches);
    put_noted("general-before.sched", "#\n", "", "");
    put_noted("general-between.sched", "", "#\n", "");
    put_noted("general-behind.sched", "", "", "#\n");
    put("general-rounds.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology complete 20\n"
                                "model send-receive\ndemand 1 0 1,2,3,4,5,6,7\n#\nround 1\n0 1 1\n"
                                "#\nround 2\n0 2 1\n1 3 1\n#\nround 3\n0 4 1\n1 5 1\n2 6 1\n"
                                "3 7 1\nend 3\n");
    put("wrong.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology complete 3\n"
                       "model send-receive\ndemand 1 0 *\nround 1\n1 2 1\nend 1\n");
    put("demands.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology complete 6\n"
                         "model send-receive\ndemand 1-2 0 *\ndemand 3 3 1,2,5\nend 0\n");
    put("both.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology complete 5\n"
                      "model send-receive\ndemand 1 0 2,3,4\ndemand 2 4 0,1,2\nend 0\n");
    put("ways.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology complete 5\n"
                      "model send-receive\ndemand 1 3 2\ndemand 2-3 0 2\nend 0\n");
    put("tree.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology tree 2 2 capacity 1 2\n"
                      "model multiport\ndemand 1-2 0 *\ndemand 3 3 1,2\nend 0\n");
    put("cube.sched", "roundcast-schedule 1\nalgorithm by hand\ntopology hypercube 2\n"
                      "model all-port\ndemand 1-5 0 *\ndemand 6 3 1,2\nend 0\n");
    put("relay.xml",
        "<algo coll='custom' inplace='0' ngpus='3'>"
        "<gpu id='0' i_chunks='1' o_chunks='1' s_chunks='0'><tb id='0' send='2' recv='1' chan='0'>"
        "<step s='0' type='rcs' dstbuf='o' dstoff='0' depid='-1' deps='-1' hasdep='0'/></tb></gpu>"
        "<gpu id='1' i_chunks='1' o_chunks='1' s_chunks='0'><tb id='0' send='0' recv='-1' chan='0'>"
        "<step s='0' type='s' srcbuf='i' srcoff='0' depid='-1' deps='-1' hasdep='0'/></tb></gpu>"
        "<gpu id='2' i_chunks='1' o_chunks='1' s_chunks='0'><tb id='0' send='-1' recv='0' chan='0'>"
        "<step s='0' type='r' dstbuf='o' dstoff='0' depid='-1' deps='-1' "
        "hasdep='0'/></tb></gpu></algo>\n");
}

/* Writes files of other tools. */
static void write_exchanged(void)
{
    put("taccl.json",
        "{\"sccl_type\": \"algorithm\", \"steps\": [{\"sends\": [[0, 1, 0, 0, 0, \"rrc\"]]}, "
        "{\"sends\": [[0, 0, 1, 9, 0, null]]}], \"collective\": {\"nodes\": 2, \"chunks\": "
        "[{\"pre\": [0], \"post\": [0, 1], \"addr\": 0}, "
        "{\"pre\": [1], \"post\": [0, 1], \"addr\": 0}]}}\n");
    put("trees.xml", "<Algo nchunkspernode='2'><tree root='a' nchunks='2'><send src='a' dst='b'/>"
                     "<send src='b' dst='c'/></tree></Algo>\n");
    put("chakra.json",
        "{\"version\": \"1\"} {\"id\": 1, \"type\": 5, \"attr\": [{\"name\": \"comm_dst\", "
        "\"int32Val\": 1}]} {\"version\": \"1\"} {\"id\": 1, \"type\": 6, \"attr\": "
        "[{\"name\": \"comm_src\", \"int32Val\": 0}]} {\"id\": 2, \"type\": 4, \"data_deps\": "
        "[1]}\n");
    put("times.csv", "time,source,destination,packet\n0,0,1,a\n5/2,1,2,a\n");
    put("lanes.csv", "round,source,destination,packet,lane\n1,0,1:0,a,0\n2,1:0,1,a,1\n");
    put("otf2.txt", "=== OTF2-PRINT ===\nMPI_SEND 0 5 Receiver: 1 (\"T\" <7>), Communicator: 0, "
                    "Tag: 0, Length: 9\n");
}

void no_memory_write_files(const char *folder)
{
    write_schedules();
    write_exchanged();
    put("sweep.study", "roundcast-study 1\nalgorithm path circulant\nn 3 4..8*2\nm 1..3\n"
                       "engine csim\nskip m>n n!=3\nskip algorithm=path\npoints 1..12 14\n");
    put("wrong.study", "roundcast-study 1\nalgorithm path\nm 1..3\nskip n>3\n");
    put("run.batch", "# a page\n\n'path' -m 2 --view \"made.html\"\n");
    put("wrong.batch", "path -m 1 --view made.html --json\n");
    put("escaped.batch", "\"\\x\"\n"); /* its first byte is a backslash that stays */
    put("payload.bin", "These bytes go to everybody.\n");
    put("report.csv", "name,target,ports,luts\na-2,ice40,2,10\na-4,ice40,4,40\n");
    put_program(folder, "gnuplot", "#!/bin/sh\nexec cat\n");
    put_program(folder, "dot", "#!/bin/sh\nexec cat\n");
    put_program(folder, "cadical", "#!/bin/sh\nexit 10\n"); /* but prints no assignment */
    put_program(folder, "c++", "#!/bin/sh\nexit 1\n");
    put_program(folder, "verilator", "#!/bin/sh\nexit 1\n");
    put_program(folder, "make", "#!/bin/sh\nexit 1\n");
}
