#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# commit: the commit of these sources, with "-dirty" if files differ from it; or "unknown".
#
# `git archive`, which `make dist` uses, puts the commit in place of the $Format (.gitattributes).
archived='$Format:%H$'
case $archived in
*[!0-9a-f]*) ;;
?*)
    printf '%.12s\n' "$archived"
    exit
    ;;
esac
# A tarball within another repository is not part of that one.
if [ -e .git ]; then
    git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null && exit
fi
echo unknown
