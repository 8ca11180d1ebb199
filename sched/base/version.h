/* SPDX-License-Identifier: Apache-2.0 */
/* version: the version of all of Roundcast, defined only here. The makefiles read it from this
 * file. */
#ifndef ROUNDCAST_VERSION
#define ROUNDCAST_VERSION "0.2.0"

/* Returns the commit that the program was built from, such as "0123456789ab", with "-dirty" if
 * files differed from it; "unknown" outside of a repository, and where commit.c is not linked. */
const char *version_commit(void);

#define VERSION_TEXT 100

/* Writes "0.2.0 (0123456789ab)" and returns it. */
const char *version_text(char text[VERSION_TEXT]);

#endif
