/* SPDX-License-Identifier: Apache-2.0 */
/* test_no_memory: commands that run out of memory at each of their allocations in turn.
 *
 * State space: a command line × the number k of the call that fails × whether only that call fails
 * or all calls after it too. Commands: every algorithm, network and way to store settings, every
 * report in both forms, every reader and writer. Exhaustive in k with ROUNDCAST_EXHAUSTIVE.
 * Sampled: each allocation site, identified by its callers, in the first command that reaches it.
 *
 * judge_no_memory.h defines how each run must end. Help is not among the commands, because it
 * allocates no memory.
 *
 * Counter-cases: the judge rejects a run that leaves memory, a descriptor or a file, and a run that
 * prints no error or another error.
 *
 * tags: long no-memory
 */
#define main program
#include "cli/main.c"
#undef main

#include "tests/support/cmocka_all.h"
#include "tests/support/judge_no_memory.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/seen.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-no-memory-XXXXXX";

/* Files that commands read. */
static const char *const prepared[] = {
    "schedule matching -n 6 -m 3 -o matching.sched",
    "schedule circulant -n 8 -m 4 -o circulant.sched",
    "schedule hypercube-trees -n 8 -m 3 -o affine.sched",
    "schedule binomial -n 8 -m 2 -o binomial.sched",
    "schedule binomial -n 2 -m 1 -o two.sched",
    "schedule path -n 1 -m 1 -o still.sched",
    "schedule circulant -n 64 -m 600 -o long.sched",
    "schedule fabric-broadcast -n 8 -m 2 -o fabric.sched",
    "schedule postal-pipeline -n 6 -m 3 --lambda 5/2 -o postal.sched",
    "schedule tree-total-exchange --tree 2,2 --capacity 1,2 --ports multi -o exchange.sched",
    "schedule tree-all-gather --tree 3,2 --ports single -o flood.sched",
    "schedule tree-scatter --tree 2,2 --ports multi -o scatter.sched",
    "schedule cube-all-gather --dim 3 -o multinode.sched",
    "schedule cube-broadcast --dim 3 --sources 0,3,5 -o broadcast.sched",
    "schedule cube-broadcast --dim 3 --sources 0,3,5 --overlap spread -o spread.sched",
    "schedule traffic --matrix matrix.txt -o traffic.sched",
    "schedule traffic --matrix matrix.txt --ports 2 -o traffic-ports.sched",
    "schedule postal-bcast -n 7 -m 1 --ports 2 --lambda 3/2 -o postal-ports.sched",
    "schedule all-gather -n 5 -m 1 --ports 2 --model telephone -o telephone-ports.sched",
    "schedule total-exchange -n 12 -m 1 -o total.sched",
    "schedule window-all-reduce -n 3 -m 1 -o window.sched",
    "schedule reduce -n 4 -m 1 -o reduce.sched",
    "export window.sched --to msccl -o window.xml",
    "export reduce.sched --to sccl -o reduce.json",
    "export matching.sched --to msccl -o matching.xml",
    "export traffic.sched --to msccl -o traffic.xml",
    "export window.sched --to csv -o window.csv",
    "export matching.sched --to csv -o matching.csv",
    "export traffic.sched --to jsonl -o traffic.jsonl",
    "route matching.sched -o matching --network benes:8,pad=1",
    "route circulant.sched -o tags --settings tags --programs computed",
    "route affine.sched -o masks --settings masks --network benes:8",
    "route two.sched -o two --image writes --image c --image mem",
    "route circulant.sched -o clos --settings indexed --network clos:3,3,3",
    "route matching.sched -o omega --network omega:8 --split",
    "route fabric.sched -o multicast --network multicast:8",
    "route postal.sched -o postal",
    "route traffic.sched -o held --reconfigure 3 --settings indexed",
    "route matching.sched -o waiting --reconfigure 3",
    "route affine.sched -o memory --image mem",
    "route exchange.sched -o exchange",
    "route flood.sched -o flood --network fat-tree-auto",
    "route multinode.sched -o multinode",
    "route exchange.sched -o padded --network fat-tree,pad=2",
    "route multinode.sched -o links --network cube,pad=2",
    "route affine.sched -o computed --settings tags",
    "route matching.sched -o benes --network benes:9,radix=3,pad=2",
    "route broadcast.sched -o broadcast --network cube-auto",
    "export circulant.sched --to sccl -o circulant.json",
    "view matching -o page.html",
    "sweep sweep.study -o swept.sqlite",
};

/* Lines with a ! are rejected, even with enough memory. */
static const char *const commands_tried[] = {
    "schedule binomial -n 6 -m 3 -o made.sched",
    "schedule path -n 5 -m 2 -o made.sched",
    "schedule binary-tree -n 6 -m 2 -o made.sched",
    "schedule dary-trees -n 9 -m 4 -d 3 -o made.sched",
    "schedule dary-trees -n 9 -m 2 -d 4 -o made.sched",
    "schedule hypercube-trees -n 8 -m 4 -o made.sched",
    "schedule fibonacci -n 22 -m 8 -d 3 -o made.sched",
    "schedule matching -n 6 -m 4 -o made.sched",
    "schedule matching -n 7 -m 4 --model telephone -o made.sched",
    "schedule matching -n 9 -m 4 --ports 2 -o made.sched",
    "schedule matching -n 7 -m 9 --stream --ports 4 -o made.sched",
    "schedule path -n 5 -m 3 --ports 2 -o made.sched",
    "schedule postal-bcast -n 7 -m 2 --ports 5 --lambda 3/2 -o made.sched",
    "plan -n 7 -m 4 --ports 2 --lambda 5/2",
    "tune --bytes 100 -n 3 --ports 2",
    "run path -n 3 -m 3 --ports 2 --engine csim",
    "schedule circulant -n 7 -m 4 -o made.sched",
    "schedule telegraph -n 6 -m 3 -o made.sched",
    "schedule telegraph -n 7 -m 3 -o made.sched",
    "schedule telegraph -n 4 -m 3 -o made.sched",
    "schedule fabric-broadcast -n 6 -m 3 -o made.sched",
    "schedule scatter -n 5 -m 2 --json -o made.sched",
    "schedule gather -n 5 -m 2 -o made.sched",
    "schedule all-gather -n 5 -m 2 -o made.sched",
    "schedule all-gather -n 6 -m 1 --model telephone -o made.sched",
    "schedule total-exchange -n 5 -m 1 --model postal --lambda 3/2 -o made.sched",
    "schedule traffic --matrix matrix.txt -o made.sched",
    "schedule traffic --entries entries.txt --model postal --lambda 2 -o made.sched",
    "schedule traffic -n 6 --pattern zipf:3 -o made.sched",
    "schedule traffic -n 6 --pattern uniform:3 -o made.sched",
    "schedule traffic -n 6 --pattern permutation:3 -o made.sched",
    "schedule traffic -n 6 --pattern hot:3,50 -o made.sched",
    "schedule traffic -n 6 --pattern blocks:2,3 -o made.sched",
    "schedule traffic -n 6 --pattern moe:20,2 -o made.sched",
    "schedule traffic -n 12 --pattern halo:2 -o made.sched",
    "schedule traffic -n 50 --pattern uniform:30 -o made.sched",
    "schedule traffic -n 300 --pattern uniform:200 -o made.sched",
    "! schedule traffic --matrix none.txt -o made.sched",
    "schedule general --demands circulant.sched -o made.sched",
    "schedule general --demands demands.sched -o made.sched",
    "schedule general --demands demands.sched --model telegraph -o made.sched",
    "schedule general --demands demands.sched --lambda 5/2 -o made.sched",
    "schedule general --entries entries.txt -o made.sched",
    "! schedule general --demands both.sched --exact -o made.sched",
    "schedule general --demands tree.sched -o made.sched",
    "schedule general --demands scatter.sched -o made.sched",
    "schedule general --demands ways.sched -o made.sched",
    "schedule general --demands cube.sched -o made.sched",
    "bound --demands cube.sched",
    "bound --demands demands.sched --lambda 2",
    "! schedule postal-pack -n 9 -m 3 --lambda 3 -o none/made.sched",
    "schedule traffic --matrix matrix.txt --total 40 -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method fewest -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method busiest -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method heaviest -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method birkhoff -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method solstice -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method emptiest -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method slack -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --method search -o made.sched",
    "schedule traffic -n 8 --pattern uniform:9 --reconfigure 7 --method search -o made.sched",
    "schedule traffic --matrix matrix.txt --reconfigure 3 --json -o made.sched",
    "schedule postal-bcast -n 9 -m 1 --lambda 5/2 -o made.sched",
    "schedule postal-repeat -n 9 -m 2 --lambda 5/2 -o made.sched",
    "schedule postal-pack -n 9 -m 3 --lambda 5/2 -o made.sched",
    "schedule postal-pipeline -n 9 -m 4 --lambda 5/2 -o made.sched",
    "schedule postal-dtree -n 9 -m 3 --lambda 5/2 -d 2 -o made.sched",
    "schedule postal-block -n 9 -m 3 --lambda 5/2 -o made.sched",
    "schedule postal-swarm -n 9 -m 3 --lambda 5/2 -o made.sched",
    "schedule tree-broadcast --tree 2,3 --capacity exp --ports multi -o made.sched",
    "schedule tree-scatter --tree 2,3 --capacity 1,2 --ports multi -o made.sched",
    "schedule tree-gather --tree 2,3 --ports single -o made.sched",
    "schedule tree-gather --tree 2,3 --ports multi --method greedy -o made.sched",
    "schedule tree-all-gather --tree 2,3 --ports multi -o made.sched",
    "schedule tree-all-gather --tree 2,3 --ports multi --method queue-free -o made.sched",
    "schedule tree-total-exchange --tree 2,2 --ports single -o made.sched",
    "schedule tree-total-exchange --tree 2,2 --capacity exp --ports multi -o made.sched",
    "schedule tree-total-exchange --tree 2,2 --ports multi --method phases -o made.sched",
    "schedule cube-single --dim 3 -m 3 -o made.sched",
    "schedule cube-ranked --dim 3 --sources 0,3,5 -o made.sched",
    "schedule cube-ranked --dim 3 --sources 0,3,5 --prefix tree -o made.sched",
    "schedule cube-all-gather --dim 3 -o made.sched",
    "schedule cube-all-gather --dim 3 --method termination -o made.sched",
    "schedule cube-all-gather --dim 3 --method optimal -o made.sched",
    "schedule cube-unbalanced --dim 3 --sources 0,3,3 -o made.sched",
    "schedule cube-broadcast --dim 3 --random 4 -o made.sched",
    "schedule cube-broadcast --dim 3 --sources 0,3,5 --prefix exchange -o made.sched",
    "schedule cube-broadcast --dim 3 --sources 0,3,5 --overlap gather -o made.sched",
    "schedule cube-broadcast --dim 3 --sources 0,3,5 --randomised -o made.sched",
    "schedule cube-broadcast --dim 3 --sources 0,3 --randomised --overlap detect -o made.sched",
    "schedule cube-unbalanced --dim 3 -m 3 --sources adversary -o made.sched",
    "schedule cube-reserved --dim 3 --sources 0,3,3 -o made.sched",
    "schedule path -n 4 -m 2",
    "verify matching.sched",
    "verify traffic.sched --json",
    "verify postal.sched",
    "verify exchange.sched --json",
    "verify multinode.sched",
    "verify flood.sched",
    "verify spread.sched",
    "! verify wrong.sched",
    "! verify comments.sched",
    "verify branches.sched --json",
    "verify general-rounds.sched",
    "verify long.sched",
    "verify general-before.sched",
    "verify general-between.sched",
    "verify general-behind.sched",
    "verify traffic-ports.sched",
    "verify postal-ports.sched",
    "verify telephone-ports.sched",
    "route matching.sched -o made --network omega:8 --settings indexed --split",
    "route still.sched -o made --reconfigure 3",
    "route matching.sched -o made --payload payload.bin",
    "route matching.sched -o made --network benes:9,radix=3 --json",
    "route matching.sched -o made --network waksman:7",
    "route matching.sched -o made --network benes:7 --settings indexed",
    "route circulant.sched -o made --settings tags --programs computed --json",
    "route affine.sched -o made --settings masks --network benes:8",
    "route matching.sched -o made --network clos:3,3,3",
    "route matching.sched -o made --network clos:2,2,4",
    "route matching.sched -o made --network omega:8 --split --json",
    "route fabric.sched -o made --network multicast:8",
    "route two.sched -o made --image writes --image c --image mem",
    "route traffic.sched -o made",
    "route total.sched -o made --settings indexed",
    "route total.sched -o made --network omega:16 --split",
    "route postal.sched -o made --json",
    "route exchange.sched -o made --json",
    "route scatter.sched -o made",
    "route flood.sched -o made --network fat-tree-auto",
    "route multinode.sched -o made",
    "route broadcast.sched -o made --network cube-auto --json",
    "route multinode.sched -o made --network benes:8",
    "route multinode.sched -o made --network omega:8 --split",
    "! route matching.sched -o made --network omega:8",
    "route binomial.sched -o made --network omega:8 --settings indexed",
    "! route affine.sched -o made --settings tags --network benes:7",
    "! schedule circulant -n 5 -m 2 -o made.sched --source 7",
    "! route matching.sched -o made --payload none.bin --json",
    "route circulant.sched -o made --memory packets=16,flits=4,rows=64 --settings indexed",
    "route flood.sched -o made --memory packets=16,flits=64,rows=64,depth=8",
    "route postal.sched -o made --settings masks",
    "route fabric.sched -o made --network multicast:8 --settings indexed",
    "! route matching.sched -o made --flits 100000000",
    "import circulant.json --from sccl -o made.sched",
    "import circulant.json --from sccl --json -o made.sched",
    "! import matrix.txt --from sccl -o made.sched",
    "import reduce.json --from sccl -o made.sched",
    "import window.xml --from msccl -o made.sched",
    "export window.sched --to msccl -o made",
    "export window.sched --to mscclpp -o made",
    "export window.sched --to csv -o made",
    "export window.sched --to jsonl -o made",
    "export window.sched --to goal -o made",
    "export window.sched --to mpi-c -o made",
    "import window.csv -o made.sched",
    "draw window.sched -o made.dot",
    "view window.sched -o made.html",
    "schedule torus-reduce --torus 3,2 -m 2 -o made.sched",
    "schedule reduce -n 5 -m 2 -o made.sched",
    "schedule path-scan -n 5 -m 2 -o made.sched",
    "tune -n 5 --bytes 20 --collective all-reduce",
    "export reduce.sched --to sccl -o made",
    "export matching.sched --to goal -o made",
    "export postal.sched --to goal",
    "export multinode.sched --to openoptics",
    "export multinode.sched --to sccl",
    "export traffic.sched --to msccl",
    "export matching.sched --to openoptics -o made",
    "export matching.sched --to sccl --json -o made",
    "export matching.sched --to msccl -o made",
    "export matching.sched --to mscclpp -o made",
    "export matching.sched --to mpi-c -o made",
    "import matching.xml --from msccl -o made.sched",
    "import traffic.xml --from msccl -o made.sched",
    "import relay.xml --from msccl -o made.sched",
    "import matching.xml --from msccl --model telephone -o made.sched --json",
    "! export exchange.sched --mpi-c -o made",
    "import matching.csv -o made.sched --expect broadcast --compact",
    "import traffic.jsonl -o made.sched --json",
    "judge matching.csv",
    "judge matching.csv --json",
    "! judge matching.csv --model telegraph",
    "verify matching.csv --demands matching.sched",
    "plan --with matching.csv --model send-receive",
    "export matching.csv --to sonic-ocs",
    "export matching.csv --to taprio -o made",
    "! mpi matching.sched",
    "route matching.sched -o made --network omega:8 --split",
    "unpack two/image.writes",
    "unpack two/image.c",
    "unpack two/registers.mem",
    "unpack matching/image.hex",
    "unpack held/image.hex",
    "unpack memory/registers.mem",
    "unpack tags/image.hex --json",
    "unpack masks/image.hex",
    "unpack clos/image.hex --round 2",
    "unpack multicast/image.hex --json",
    "unpack postal/image.hex --json",
    "simulate matching --engine csim --json",
    "! simulate matching --engine csim --view none/made.html",
    "simulate tags --engine csim",
    "simulate masks --engine csim",
    "simulate clos --engine csim",
    "simulate omega --engine csim",
    "simulate multicast --engine csim",
    "simulate postal --engine csim --json",
    "simulate exchange --engine csim --json",
    "simulate flood --engine csim",
    "simulate multinode --engine csim",
    "simulate padded --engine csim",
    "simulate links --engine csim",
    "simulate computed --engine csim",
    "simulate benes --engine csim",
    "simulate broadcast --engine csim --json",
    "view matching.sched -o made.html",
    "view exchange -o made.html --json",
    "view waiting -o made.html",
    "view --index page.html -o made.html",
    "! view --index matrix.txt -o made.html",
    "run matching -n 6 -m 2 --engine csim",
    "run matching -n 6 -m 2 --engine csim --network waksman:8",
    "run matching -n 6 -m 2 --engine csim --reconfigure 3",
    "run traffic --matrix matrix.txt --engine csim --reconfigure 3 --settings indexed",
    "run cube-broadcast --dim 2 --sources 1,2 --network cube-auto --engine csim --json",
    "run --batch run.batch -n 4 --engine csim --jobs 1",
    "run --batch run.batch -n 4 --engine csim --json",
    "! run --batch wrong.batch -n 4 --engine csim",
    "draw matching.sched -o made.dot",
    "draw postal.sched --format svg -o made.svg --json",
    "draw exchange.sched --format svg",
    "draw fabric.sched --packet 2",
    "draw --tree full -d 2 -t 5 -o made.dot",
    "draw --tree top -d 3 -n 22 -i 1 -o made.svg",
    "draw --tree hat -d 3 -n 22 -i 1",
    "draw --tree cube --dim 3",
    "draw --tree cube --dim 7",
    "plot plan -n 9 -m 4 --data made",
    "plot plan -n 9 -m 4 --lambda 5/2 -o - --format svg",
    "plot plan -n 9 -m 4 -o made.svg --json",
    "plot tune -n 5 --bytes 6 -o - --format svg",
    "plot depth --tree 2,2 --data made --json",
    "plot spread exchange.sched --data made",
    "plot spread postal.sched -o made.svg",
    "plot area report.csv --data made",
    "plot table report.csv --x ports --y luts --by name,target --data made",
    "! plot spread none.sched -o made.svg --json",
    "plan -n 9 -m 4",
    "plan -n 9 -m 4 --model postal --lambda 5/2 --json",
    "plan -n 5 -m 2 --collective exchange --json",
    "plan --tree 2,2 --json",
    "plan --dim 3 --sources 0,1",
    "plan --matrix matrix.txt",
    "plan --matrix matrix.txt --model telephone",
    "plan --matrix matrix.txt --reconfigure 3",
    "plan --matrix matrix.txt --reconfigure 3 --json",
    "tune --bytes 1000 -n 6",
    "tune --bytes 300 -n 6 --network benes:8,pad=7",
    "tune --bytes 5000 -n 6",
    "tune --bytes 200 -n 5 --collective multinode --json",
    "tune --matrix matrix.txt",
    "tune --matrix matrix.txt --reconfigure 3 --json",
    "bound -n 9 -m 4 -d 3",
    "bound -n 9 -m 4 -d 3 --json",
    "bound --lambda 5/2 --time 7 --json",
    "bound --tree 2,2 --json",
    "bound --matrix matrix.txt --json",
    "bound --matrix matrix.txt --reconfigure 3",
    "bound --matrix matrix.txt --reconfigure 3 --json",
    "plan --matrix matrix.txt --reconfigure 3 --network benes:4 --flits 2",
    "bound --dim 3 --sources 0,1",
    "bound --dim 3 --sources 0,1 --json",
    "sweep sweep.study --list",
    "sweep sweep.study --list -o made.txt",
    "sweep sweep.study -o swept.sqlite",
    "sweep sweep.study -o swept.sqlite --json",
    "! sweep none.study -o swept.sqlite",
    "! sweep wrong.study -o made.sqlite",
    "sweep --csv swept.sqlite",
    "sweep --csv swept.sqlite -o made.txt",
    "list",
    "list --json",
    "engines",
    "engines --json",
    "! engines --remove none",
    "! simulate two --engine rtl",
    "engines --names matching",
    "engines --names tags matching --json",
};

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

/* Creates a program in this folder and puts the folder first in PATH. */
static void put_program(const char *name, const char *text)
{
    char *path;
    put(name, text);
    assert_int_equal(chmod(name, 0777), 0);
    assert_true(asprintf(&path, "%s:%s", folder, getenv("PATH")) > 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

static unsigned runs;

static unsigned try_one(const char *command, const struct seen *whole, uint64_t before,
                        uint64_t number, bool on)
{
    running("%s, call %" PRIu64 "%s", command, number, on ? " and all after it" : "");
    static struct seen seen;
    seen_run(program, command, number, on, &seen);
    runs++;
    const char *complaint = judge_no_memory(command, &seen, whole, before);
    if (complaint != NULL)
        printf("# %s, call %" PRIu64 " of %" PRIu64 "%s: %s: exit %d, %" PRIi64 " pieces left, "
               "standard error: %sstandard output: %.1200s\n",
               command, number, whole->calls, on ? " and all after it" : "", complaint, seen.status,
               seen.left, seen.error, seen.output);
    return complaint != NULL;
}

/* Returns whether this place allocates memory for the first time. */
static bool is_new(uint64_t place)
{
    static uint64_t known[1 << 16];
    static size_t count;
    size_t at = place & 0xffff;
    for (; known[at] != 0; at = (at + 1) & 0xffff)
        if (known[at] == place)
            return false;
    assert_true(++count < 1 << 15);
    known[at] = place;
    return true;
}

static unsigned try_command(const char *command)
{
    static struct seen whole;
    seen_remove_made();
    uint64_t before = seen_files();
    bool refused = command[0] == '!';
    command += refused ? 2 : 0;
    seen_run(program, command, 0, false, &whole);
    if ((whole.status != 0) != refused)
        fail_msg("%s: exit %d: %s", command, whole.status, whole.error);
    assert_in_range(whole.calls, 0, NO_MEMORY_CALLS);
    unsigned faults = 0;
    bool all = running_exhaustive();
    for (uint64_t number = 1; number <= whole.calls; number++)
        if (all || is_new(no_memory_place(number)))
            for (unsigned on = 0; on <= 1; on++)
                faults += try_one(command, &whole, before, number, on != 0);
    return faults;
}

static void test_commands(void **state)
{
    (void)state;
    unsigned faults = 0;
    for (size_t which = 0; which < sizeof commands_tried / sizeof *commands_tried; which++)
        faults += try_command(commands_tried[which]);
    printf("# %u runs\n", runs);
    assert_int_equal(faults, 0);
}

/* Runs that the judge must reject: each differs in one way from a run that failed correctly. */
static void test_judge(void **state)
{
    (void)state;
    static const char message[] = "roundcast: no memory for it [E104 too-big]\n";
    static struct seen whole = {.calls = 3, .files = 7, .printed = 3, .output = "ab\n"}, seen;
    static const struct {
        int status;
        int64_t left;
        unsigned open;
        uint64_t files;
        const char *output, *error, *complaint;
    } cases[] = {
        {2, 0, 0, 5, "", message, NULL},
        {2, 0, 0, 7, "a", message, NULL},
        {0, 0, 0, 7, "ab\n", "", NULL},
        {2, 0, 0, 5, "", "roundcast: x: Cannot allocate memory; y [E202 write]\n", NULL},
        {2, 0, 0, 5, "{\n  \"error\": {\n", message, NULL},
        {2, 0, 0, 5, "line  command\n1  path  no memory [E104 too-big]\n", message, NULL},
        {2, 1, 0, 5, "", message, "memory is left"},
        {2, -1, 0, 5, "", message, "memory is left"},
        {2, 0, 1, 5, "", message, "a descriptor is left"},
        {2, 0, 0, 6, "", message, "files are half written"},
        {2, 0, 0, 5, "b", message, "something else is printed"},
        {2, 0, 0, 5, "line  command\n1  path  ok\n", message, "something else is printed"},
        {2, 0, 0, 5, "ab\nc", message, "something else is printed"},
        {0, 0, 0, 7, "ac\n", "", "another exit status than 2"},
        {0, 0, 0, 6, "ab\n", "", "another exit status than 2"},
        {3, 0, 0, 5, "", message, "another exit status than 2"},
        {2, 0, 0, 5, "", "", "another message"},
        {2, 0, 0, 5, "", "roundcast: x [E102 range]\n", "another message"},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        seen = (struct seen){.status = cases[which].status,
                             .left = cases[which].left,
                             .open = cases[which].open,
                             .files = cases[which].files,
                             .printed = strlen(cases[which].output)};
        strcpy(seen.output, cases[which].output);
        strcpy(seen.error, cases[which].error);
        const char *complaint = judge_no_memory("schedule", &seen, &whole, 5);
        assert_string_equal(complaint ? complaint : "",
                            cases[which].complaint ? cases[which].complaint : "");
    }
}

/* Memory that is not freed is counted, and every kind of call fails when it is made to. */
static void test_allocator(void **state)
{
    (void)state;
    int64_t left;
    no_memory_begin(2, false);
    void *volatile first = malloc(1), *volatile second = calloc(1, 1),
                   *volatile third = strdup("a");
    assert_int_equal(no_memory_end(&left), 3);
    assert_int_equal(left, 2);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    no_memory_begin(1, true);
    assert_null(realloc(first, 2));
    void *volatile fourth = aligned_alloc(64, 64);
    assert_null(fourth);
    assert_null(fopen("/dev/null", "r"));
    free(first);
    free(third);
    no_memory_end(&left);
    assert_int_equal(left, -2);
}

static int prepare(void **state)
{
    (void)state;
    omp_set_num_threads(1);
    no_memory_prepare();
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    seen_prepare();
    assert_int_equal(mkdir("engines", 0777), 0);
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("ROUNDCAST_ENGINES");
    unsetenv("LD_PRELOAD"); /* the tools must not inherit a fault of qa/mutants */
    assert_int_equal(mkdir("roundcast", 0777), 0);
    assert_int_equal(mkdir("roundcast/0123456789abcdef", 0777), 0);
    assert_int_equal(mkdir("roundcast/0123456789abcdef/rtl-one", 0777), 0);
    assert_int_equal(mkdir("roundcast/0123456789abcdef/rtl-two", 0777), 0);
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
    put("sweep.study", "roundcast-study 1\nalgorithm path circulant\nn 3 4..8*2\nm 1..3\n"
                       "engine csim\nskip m>n n!=3\nskip algorithm=path\npoints 1..12 14\n");
    put("wrong.study", "roundcast-study 1\nalgorithm path\nm 1..3\nskip n>3\n");
    put("run.batch", "# a page\n\n'path' -m 2 --view \"made.html\"\n");
    put("wrong.batch", "path -m 1 --view made.html --json\n");
    put("payload.bin", "These bytes go to everybody.\n");
    put("report.csv", "name,target,ports,luts\na-2,ice40,2,10\na-4,ice40,4,40\n");
    put_program("gnuplot", "#!/bin/sh\nexec cat\n");
    put_program("dot", "#!/bin/sh\nexec cat\n");
    put_program("cadical", "#!/bin/sh\nexit 10\n"); /* but prints no assignment */
    put_program("c++", "#!/bin/sh\nexit 1\n");
    put_program("verilator", "#!/bin/sh\nexit 1\n");
    put_program("make", "#!/bin/sh\nexit 1\n");
    for (size_t which = 0; which < sizeof prepared / sizeof *prepared; which++) {
        static struct seen seen;
        seen_run(program, prepared[which], 0, false, &seen);
        if (seen.status != 0)
            fail_msg("%s: %s", prepared[which], seen.error);
    }
    return 0;
}

static int tidy(void **state)
{
    (void)state;
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocator),
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_commands),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
