# SPDX-License-Identifier: Apache-2.0
# first.awk: ends a test program after its first failing test; further tests give no information.
# The first line is the process number, the others are its output.
NR == 1 { process = $1; next }
{ print }
/FAILED/ { system("kill " process " 2>/dev/null"); exit }
