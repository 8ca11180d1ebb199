# SPDX-License-Identifier: Apache-2.0
# listed.awk: does listed.txt have this fault? Exit status 0 if so. Tabs count as spaces.
BEGIN { gsub(/\t/, " ", fault) }
/^[^#]/ { sub(/ *$/, ""); if (fault == $0) found = 1 }
END { exit !found }
