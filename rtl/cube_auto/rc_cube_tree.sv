// SPDX-License-Identifier: Apache-2.0
// rc_cube_tree: the d edge-disjoint spanning trees of a hypercube, 1 ... d
// (sched/algorithms/cube/cube_tree.h draws them), and the neighbours of a node.
//
// Dimensions are numbered from 1, the ports of a node from 0: port p belongs to dimension p+1. 0
// means no tree or no dimension.
`default_nettype none

package rc_cube_tree;

  // Returns the dimension of the parent of a node in a tree: among the dimensions in which the node
  // differs from the root, which has only bit tree-1 set, the last in the order tree+1, ..., d, 1,
  // ..., tree. Returns 0 at the root.
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

  // Returns the tree in which the parent of a node is over the dimension, or 0.
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

  // Returns 1 if a node has no children in a tree, else 0.
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

  // Returns the tree of which a node is the root, or 0.
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

  // Returns the number of neighbours of a node that are lower than the neighbour over a port: those
  // over higher bits that are 1 and, if the bit of the port is 0, those over all bits that are 1
  // and over lower bits that are 0.
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
