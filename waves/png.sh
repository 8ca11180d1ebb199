#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# png.sh: saves a picture of a GTKWave window, without a screen.
#
#     png.sh TRACE.fst PICTURE.png [GROUP...]   TRACE.gtkw says what is shown; of it, only these
#                                               groups, opened
#     png.sh --check PICTURE.png                check that the picture is not empty
#
# GTKWave runs in its own X server (Xvfb, on a free display), which always ends with it. PICTURE.png
# is created only if it is not empty.
set -u

WIDTH=1500
HEIGHT=${HEIGHT:-900}   # in pixels; a line of the picture takes 22
SECONDS_TO_OPEN=60  # a large trace takes its time
FEWEST_COLOURS=24   # without letters there are a few

die() {
    echo "png.sh: $*" >&2
    exit 1
}

# check PICTURE: a picture of waves has many colours, because its letters are smoothed.
check() {
    local colours
    colours=$(identify -format '%k' "$1" 2>/dev/null) ||
        die "$1: not a picture; expected one of waves"
    [ "$colours" -ge "$FEWEST_COLOURS" ] ||
        die "${2-$1}: is blank, with $colours colours; expected at least $FEWEST_COLOURS"
}

if [ "${1-}" = --check ]; then
    [ $# -eq 2 ] || die "usage: png.sh --check PICTURE.png"
    check "$2"
    exit 0
fi
[ $# -ge 2 ] || die "usage: png.sh TRACE.fst PICTURE.png [GROUP...]"
trace=$1 picture=$2
shift 2
save=${trace%.fst}.gtkw
[ -r "$trace" ] || die "$trace: cannot be read; expected a trace"
[ -r "$save" ] || die "$save: cannot be read; expected the save file of the trace"

work=$(mktemp -d)
server= viewer=
finish() {
    for process in $viewer $server; do
        kill "$process" 2>/dev/null && wait "$process" 2>/dev/null
    done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# Copies the head of the save file, and the selected groups from their first to their last line,
# with nested groups opened. A group has pairs of lines: flags and name.
if [ $# -gt 0 ]; then
    groups=$(printf -- '-%s\n' "$@")
    awk -v groups="$groups" -v size="$WIDTH $HEIGHT" '
        BEGIN { count = split(groups, list, "\n"); for (k = 1; k <= count; k++) wanted[list[k]] = 1 }
        /^\[size\]/ { print "[size] " size; next }
        /^@[0-9a-f]*200$/ { sub(/^@c/, "@8"); sub(/^@1401/, "@1000"); flags = $0; begun = 1; next }
        flags ~ /^@800200/ && inside == "" && $0 in wanted { inside = $0; found++ }
        !begun || inside != "" { if (flags != "") print flags; print }
        flags ~ /^@1000200/ && $0 == inside { inside = "" }
        { flags = "" }
        END { exit found != count }
    ' "$save" >"$work/save.gtkw" || die "$save: has not all of these groups: $*"
    save=$work/save.gtkw
fi

# The server chooses a free display and prints its number.
timeout 300 Xvfb -displayfd 3 -screen 0 ${WIDTH}x${HEIGHT}x24 -nolisten tcp 3>"$work/display" \
    2>"$work/xvfb.log" &
server=$!
for ((try = 0; try < 100; try++)); do
    [ -s "$work/display" ] && break
    kill -0 "$server" 2>/dev/null || die "Xvfb ended: $(tail -1 "$work/xvfb.log")"
    sleep 0.1
done
[ -s "$work/display" ] || die "Xvfb: no display after 10 s"
DISPLAY=:$(cat "$work/display")
export DISPLAY

# Ignores the user's settings, so that the picture is the same everywhere.
HOME=$work NO_AT_BRIDGE=1 timeout 300 gtkwave -r /dev/null --rcvar 'splash_disable on' --rcvar \
    'hide_sst on' \
    --rcvar 'fill_waveform on' --rcvar 'fontname_signals Monospace 11' \
    "$trace" "$save" >"$work/gtkwave.log" 2>&1 </dev/null &
viewer=$!

# The window is ready when two consecutive pictures are equal and not blank.
shoot() {
    import -window root -silent "$1" 2>/dev/null
}
colours_of() {
    identify -format '%k' "$1" 2>/dev/null || echo 0
}
end=$((SECONDS + SECONDS_TO_OPEN))
ready=
while [ -z "$ready" ] && [ $SECONDS -lt $end ]; do
    kill -0 "$viewer" 2>/dev/null || die "gtkwave ended: $(tail -1 "$work/gtkwave.log")"
    sleep 0.7
    xwininfo -root -tree 2>/dev/null | grep -q GTKWave || continue
    shoot "$work/now.png"
    if [ -s "$work/before.png" ] && [ "$(colours_of "$work/now.png")" -ge "$FEWEST_COLOURS" ] &&
        cmp -s <(convert "$work/before.png" rgb:-) <(convert "$work/now.png" rgb:-); then
        ready=yes
    fi
    mv -f "$work/now.png" "$work/before.png"
done
[ -n "$ready" ] || die "gtkwave: no steady picture after $SECONDS_TO_OPEN s"

# Crops the picture to the signals and the waves: from below the toolbar, where a column of the
# waves is first black (minus the title of the frame), to the left of the scroll bar, where a row is
# last black, and down to the last name.
first_black() {
    convert "$work/before.png" -crop "$1" +repage -depth 8 txt:- |
        awk -F '[,:]' -v at="$2" \
            '/#000000/ { last = $at; if (!seen++) first = last } END { print first + 0, last + 0 }'
}
read -r top bottom < <(first_black "1x${HEIGHT}+$((WIDTH * 2 / 3))+0" 2)
read -r _ right < <(first_black "${WIDTH}x1+0+$((top + 3))" 1)
[ "$bottom" -gt "$((top + 100))" ] && [ "$right" -gt 200 ] || die "gtkwave: no waves in its window"
screen_bottom=$bottom
names=$(convert "$work/before.png" -crop "140x$((bottom - top))+20+$top" +repage -colorspace Gray \
    -threshold 60% -trim -format '%[fx:page.y+h]' info:)
[ "$((top + names + 12))" -lt "$bottom" ] && bottom=$((top + names + 12))
top=$((top > 18 ? top - 18 : 0))
convert "$work/before.png" -crop "$((right + 1))x$((bottom + 1 - top))+0+$top" +repage -strip \
    -define png:exclude-chunks=date,time +dither -colors 128 "$work/picture.png"

# Checks that the waves alone are not blank: the area right of the names, below the times and the
# names of markers.
convert "$work/before.png" -crop \
    "$((right - 200))x$((screen_bottom - top - 48))+200+$((top + 48))" +repage "$work/waves.png"
check "$work/waves.png" "$trace: the window of waves"
mkdir -p "$(dirname "$picture")" && mv -f "$work/picture.png" "$picture" ||
    die "$picture: cannot be written"
