/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/columns.h"

const char *const columns_name[COLUMNS] = {
#define COLUMNS_NAME(name, type) #name,
    COLUMNS_OF_ROWS(COLUMNS_NAME) COLUMNS_OF_REPORTS(COLUMNS_NAME)
#undef COLUMNS_NAME
};

/* A constraint ends the list, so that each column may end with a comma. */
const char columns_table[] = "CREATE TABLE IF NOT EXISTS points ("
#define COLUMNS_TYPE(name, type) "\"" #name "\" " type ", "
    COLUMNS_OF_ROWS(COLUMNS_TYPE) COLUMNS_OF_REPORTS(COLUMNS_TYPE)
#undef COLUMNS_TYPE
        "CHECK (status >= 0))";
