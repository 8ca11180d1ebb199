#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# draw.sh: draws the figures of the papers into a folder, as pictures or as input of Graphviz.
#
#     draw.sh svg|dot FOLDER
#
# Runs $ROUNDCAST (default: build/roundcast). README.md describes each figure.
set -euo pipefail
format=$1 folder=$2
ROUNDCAST=${ROUNDCAST:-build/roundcast}

# figure NAME ARGUMENT…: draws one figure with `roundcast draw ARGUMENT…`.
figure() {
    "$ROUNDCAST" draw "${@:2}" --format "$format" -o "$folder/$1.$format"
}

# Bruck, Cypher and Ho
figure fibonacci-1 --tree full -d 2 -t 6
figure fibonacci-2 --tree full -d 3 -t 6
for i in 0 1 2; do
    figure fibonacci-3-$i --tree top -n 22 -d 3 -i $i
done
figure fibonacci-4 --tree hat -n 22 -d 3
figure fibonacci-5 --tree hat -n 28 -d 3
figure fibonacci-6 --tree hat -n 30 -d 3

# Bar-Noy and Kipnis
"$ROUNDCAST" schedule postal-bcast -n 14 -m 1 --lambda 5/2 | figure postal-1 -

# Dimakopoulos and Dimopoulos
"$ROUNDCAST" schedule tree-broadcast --tree 2,2,2 --ports single | figure leaf-broadcast -
"$ROUNDCAST" schedule tree-all-gather --tree 2,2,2 --ports single | figure leaf-all-gather -

# Stamoulis and Tsitsiklis
for j in 1 2 3; do
    figure cube-$j --tree cube --dim 3 -i $j
done

# Reductions
"$ROUNDCAST" schedule reduce -n 8 -m 1 | figure reduce-1 -
"$ROUNDCAST" schedule window-all-reduce -n 6 -m 1 | figure reduce-2 -
