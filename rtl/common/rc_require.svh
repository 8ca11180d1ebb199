// SPDX-License-Identifier: Apache-2.0
// rc_require: rejects an illegal parameter when a module is elaborated, in every tool.
//
//     `RC_REQUIRE(Depth, Depth >= 1 && Depth <= 65535, "Depth must be 1 to 65535")
//
// The first argument is the parameter, with a suffix if the module has several requirements for it:
// the generate block that holds the guard is named for it.
//
// An elaboration-time $error stops every tool except two: in Icarus it is a syntax error (11) or
// ignored (12), and Verilator continues after it with -Wno-fatal. For these, the guard is an
// instance of a module that does not exist, which both report with the line of the guard.
`ifndef RC_REQUIRE

`ifdef __ICARUS__
`define RC_REQUIRE(name, condition, message) \
  if (!(condition)) begin : g_illegal_``name \
    rc_illegal_``name u_illegal (); \
  end
`elsif VERILATOR
`define RC_REQUIRE(name, condition, message) \
  if (!(condition)) begin : g_illegal_``name \
    $error(message); \
    rc_illegal_``name u_illegal (); \
  end
`else
`define RC_REQUIRE(name, condition, message) \
  if (!(condition)) begin : g_illegal_``name \
    $error(message); \
  end
`endif

`endif
