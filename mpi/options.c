/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define HELP 'h'
#define MOST_FIELDS 8

static void print_help(void)
{
    printf("usage: mpirun -n N roundcast-mpi FILE [options]\n\n"
           "Execute a schedule of N nodes, and print a report as JSON.\n\n");
    for (size_t which = 0; which < mpi_field_count; which++)
        printf("  --%s=%s\n      %s\n", mpi_fields[which].name, mpi_fields[which].argument,
               mpi_fields[which].help);
    printf("  --help\n      print this text\n");
}

/* Reads all options; the index of the first argument is left in optind. */
static bool read_options(int argc, char **argv, struct options *options, bool *help,
                         struct err *err)
{
    struct option known[MOST_FIELDS + 2] = {{"help", no_argument, NULL, HELP}};
    for (size_t which = 0; which < mpi_field_count; which++)
        known[which + 1] =
            (struct option){mpi_fields[which].name, required_argument, NULL, HELP + 1 + (int)which};
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (key == '?' || key == ':')
            return err_set(err, ERR_OPTION, "%.40s: %s; 'roundcast-mpi --help' lists the options",
                           argv[optind - 1], key == ':' ? "requires a value" : "unknown option");
        if (key == HELP)
            *help = true;
        else if (!field_parse(&mpi_fields[key - HELP - 1], &options->request, optarg, err))
            return false;
    }
    return true;
}

bool options_read(int argc, char **argv, struct options *options, struct err *err)
{
    bool help = false;
    *options = (struct options){.request = mpi_request_default()};
    if (!read_options(argc, argv, options, &help, err))
        return false;
    if (help) {
        print_help();
        return true;
    }
    if (argc - optind != 1)
        return err_set(err, ERR_OPTION,
                       "roundcast-mpi: %d files; expected one schedule, or - for standard input",
                       argc - optind);
    options->path = argv[optind];
    return true;
}
