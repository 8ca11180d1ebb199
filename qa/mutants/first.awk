# SPDX-License-Identifier: Apache-2.0
# first.awk: end a test program when its first test fails; the others would tell nothing new. The
# first line is its process, the others are what it prints.
NR == 1 { process = $1; next }
{ print }
/FAILED/ { system("kill " process " 2>/dev/null"); exit }
