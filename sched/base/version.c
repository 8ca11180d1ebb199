/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/version.h"

#include <stddef.h>
#include <stdio.h>

/* Defined in commit.c. Programs that do not print a version are linked without it, so that a commit
 * does not relink them. */
extern const char commit_text[] __attribute__((weak));

const char *version_commit(void)
{
    return commit_text != NULL ? commit_text : "unknown";
}

const char *version_text(char text[VERSION_TEXT])
{
    snprintf(text, VERSION_TEXT, "%s (%.60s)", ROUNDCAST_VERSION, version_commit());
    return text;
}
