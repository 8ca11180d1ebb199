/* SPDX-License-Identifier: Apache-2.0 */
/* commit: what this was built from, as commit.sh prints it: the only object that depends on it. */
#ifndef ROUNDCAST_COMMIT
#define ROUNDCAST_COMMIT "unknown"
#endif

extern const char commit_text[];
const char commit_text[] = ROUNDCAST_COMMIT;
