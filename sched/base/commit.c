/* SPDX-License-Identifier: Apache-2.0 */
/* commit: the commit of the sources, as commit.sh prints it. No other object depends on it. */
#ifndef ROUNDCAST_COMMIT
#define ROUNDCAST_COMMIT "unknown"
#endif

extern const char commit_text[];
const char commit_text[] = ROUNDCAST_COMMIT;
