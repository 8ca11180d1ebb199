/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define HELP 'h'

static void print_help(void)
{
    printf("usage: mpirun -n N roundcast-mpi FILE [options]\n\n"
           "Execute a schedule of N nodes, and print a report as JSON.\n\n");
    for (size_t which = 0; which < ROUNDCAST_MPI_FIELDS; which++)
        printf("  --%s=%s\n      %s\n", roundcast_mpi_fields[which].name,
               roundcast_mpi_fields[which].argument, roundcast_mpi_fields[which].help);
    printf("  --help\n      print this text\n");
}

/* Reads all options; the index of the first argument is left in optind. */
static bool read_options(int argc, char **argv, struct options *options, bool *help,
                         struct roundcast_error *err)
{
    struct option known[ROUNDCAST_MPI_FIELDS + 2] = {{"help", no_argument, NULL, HELP}};
    for (size_t which = 0; which < ROUNDCAST_MPI_FIELDS; which++)
        known[which + 1] = (struct option){roundcast_mpi_fields[which].name, required_argument,
                                           NULL, HELP + 1 + (int)which};
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (key == '?' || key == ':')
            return roundcast_error_set(
                err, ROUNDCAST_E_OPTION, "%.40s: %s; 'roundcast-mpi --help' lists the options",
                argv[optind - 1], key == ':' ? "requires a value" : "unknown option");
        if (key == HELP)
            *help = true;
        else if (!roundcast_field_parse(&roundcast_mpi_fields[key - HELP - 1], &options->ranks,
                                        optarg, err))
            return false;
    }
    return true;
}

bool options_read(int argc, char **argv, struct options *options, struct roundcast_error *err)
{
    bool help = false;
    options->path = NULL;
    roundcast_mpi_init(&options->ranks);
    if (!read_options(argc, argv, options, &help, err))
        return false;
    if (help) {
        print_help();
        return true;
    }
    if (argc - optind != 1)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "roundcast-mpi: %d files; expected one schedule, or - for standard input",
            argc - optind);
    options->path = argv[optind];
    return true;
}
