// SPDX-License-Identifier: Apache-2.0
// rc_cube_tree: the d edge-disjoint spanning trees of a hypercube, 1 ... d
// (sched/algorithms/cube/cube_tree.h draws them), and a node's neighbours. Dimensions are numbered
// from 1, the ports of a node from 0: port p is on the arcs of dimension p+1. 0 is no tree, and no
// dimension.
`default_nettype none

package rc_cube_tree;

  // The dimension over which a node's parent in a tree is: of those in which it differs from the
  // root, which has bit tree-1 alone, the last in the order tree+1, ..., d, 1, ..., tree. 0 at the
  // root.
  function automatic integer parent;
    input integer node;
    input integer tree;
    input integer d;
    integer       k;
    integer       p;
    begin
      parent = 0;
      for (k = 0; k < d; k = k + 1) begin
        p = (tree + k) % d;
        if ((((node ^ (1 << (tree - 1))) >> p) & 1) != 0) parent = p + 1;
      end
    end
  endfunction

  // The tree in which a node's parent is over the dimension.
  function automatic integer tree_over;
    input integer node;
    input integer dimension;
    input integer d;
    integer       t;
    begin
      tree_over = 0;
      for (t = 1; t <= d; t = t + 1)
        if (parent(node, t, d) == dimension) tree_over = t;
    end
  endfunction

  // 1 if a node has no children in a tree, else 0.
  function automatic integer leaf;
    input integer node;
    input integer tree;
    input integer d;
    integer       p;
    begin
      leaf = 1;
      for (p = 0; p < d; p = p + 1)
        if (parent(node ^ (1 << p), tree, d) == p + 1) leaf = 0;
    end
  endfunction

  // The tree whose root a node is.
  function automatic integer root_of;
    input integer node;
    input integer d;
    integer       t;
    begin
      root_of = 0;
      for (t = 1; t <= d; t = t + 1)
        if (node == 1 << (t - 1)) root_of = t;
    end
  endfunction

  // How many neighbours of a node are lower than that over a port: those over higher bits that are
  // 1, and, if its own bit is 0, over all bits that are 1 and over lower ones that are 0.
  function automatic integer lower;
    input integer node;
    input integer port;
    input integer d;
    integer       b;
    integer       set;
    begin
      lower = 0;
      for (b = 0; b < d; b = b + 1) begin
        set = (node >> b) & 1;
        if (((node >> port) & 1) != 0) lower = lower + ((b > port) ? set : 0);
        else lower = lower + ((set != 0 || b < port) ? 1 : 0);
      end
    end
  endfunction

endpackage

`default_nettype wire
