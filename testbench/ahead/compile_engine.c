/* SPDX-License-Identifier: Apache-2.0 */
/* compile_engine: compiles an engine into the user's cache while the rest of the program is built.
 *
 *     compile-engine ENGINE       rtl-rc_multistage_machine-ports32-…
 *
 * Exit status 2 with a message if the engine cannot be compiled. */
#include "testbench/engine/cache.h"

#include <stdio.h>

int main(int count, char **argument)
{
    struct err err = {0};
    char path[PATH_ROOM];
    if (count != 2) {
        fprintf(stderr, "compile-engine: %d arguments; expected the name of an engine\n",
                count - 1);
        return 2;
    }
    if (cache_library(argument[1], path, &err))
        return 0;
    err_print(stderr, &err, NULL);
    return err_exit_status(err.code);
}
