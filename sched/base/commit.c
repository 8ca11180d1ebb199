/* SPDX-License-Identifier: Apache-2.0 */
/* commit: the commit of the sources, as commit.sh prints it. No other object depends on it. */
#ifndef ROUNDCAST_COMMIT
#define ROUNDCAST_COMMIT "unknown"
#endif

extern const char roundcast_commit[];
const char roundcast_commit[] = ROUNDCAST_COMMIT;
