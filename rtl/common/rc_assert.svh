// SPDX-License-Identifier: Apache-2.0
// rc_assert: assertions in the modules, enabled by the macro RC_ASSERTIONS.
//
//     `RC_ASSERT_RESET(rst_i)              once in a module, before its assertions
//     `RC_ASSERT(name, condition, message)          in each clock cycle, condition is 1
//     `RC_ASSERT_ONEHOT0(name, bits, message)       at most one of the bits is 1
//     `RC_ASSERT_KNOWN(name, bits, message)         no bit is x or z
//     `RC_ASSERT_STABLE(name, width, waits, bits, message)
//                                          the `width` bits do not change in the cycle after one
//                                          with waits = 1
//     `RC_EXPECT(name, condition, message), `RC_EXPECT_STABLE(…)
//                                          likewise, for the inputs: the surrounding design is
//                                          responsible
//
// An assertion is checked at each rising edge of clk_i after the first reset, except during a
// reset; a module without a reset passes a signal that is 1 until the first relevant cycle. The
// block that contains an assertion is named assert_NAME. A simulator ends with $fatal, which
// reports the file, the line, the instance and the message. Yosys with -formal receives an `assert`
// for each RC_ASSERT, _ONEHOT0 and _STABLE; the proofs of formal/ prove them together with their
// properties. Without RC_ASSERTIONS, and in synthesis, the macros are empty, so that they cost
// nothing.
//
// Conditions are those that no input of a legal use can violate. An error of a schedule, which a
// flag of the machine reports, is not an assertion.
`ifndef RC_ASSERT

`ifndef RC_ASSERTIONS
`define RC_ASSERT_OFF
`elsif SYNTHESIS
`ifndef FORMAL
`define RC_ASSERT_OFF
`endif
`endif

`ifdef RC_ASSERT_OFF

`define RC_ASSERT_RESET(rst)
`define RC_ASSERT(name, condition, message)
`define RC_ASSERT_KNOWN(name, bits, message)
`define RC_ASSERT_STABLE(name, width, waits, bits, message)

`else

`define RC_ASSERT_RESET(rst) \
  logic rc_checked_q = 1'b0; \
  wire  rc_checks = rc_checked_q && !(rst); \
  always @(posedge clk_i) if (rst) rc_checked_q <= 1'b1;

`ifdef YOSYS
`define RC_ASSERT_FAILS(condition, message) assert (condition);
`else
`define RC_ASSERT_FAILS(condition, message) if ((condition) !== 1'b1) $fatal(1, "%m: %s", message);
`endif

`define RC_ASSERT(name, condition, message) \
  always @(posedge clk_i) begin : assert_``name \
    if (rc_checks) begin \
      `RC_ASSERT_FAILS(condition, message) \
    end \
  end

`ifdef __ICARUS__
`define RC_ASSERT_KNOWN(name, bits, message) \
  `RC_ASSERT(name, (^(bits)) === 1'b0 || (^(bits)) === 1'b1, message)
`else
`define RC_ASSERT_KNOWN(name, bits, message)
`endif

`define RC_ASSERT_STABLE(name, width, waits, bits, message) \
  logic               rc_``name``_waited_q = 1'b0; \
  logic [(width)-1:0] rc_``name``_q; \
  always @(posedge clk_i) begin \
    rc_``name``_waited_q <= rc_checks && (waits); \
    rc_``name``_q        <= bits; \
  end \
  `RC_ASSERT(name, !rc_``name``_waited_q || rc_``name``_q === (bits), message)

`endif

`define RC_ASSERT_ONEHOT0(name, bits, message) \
  `RC_ASSERT(name, ((bits) & ((bits) - 1'b1)) == '0, message)

`ifdef YOSYS
`define RC_EXPECT(name, condition, message)
`define RC_EXPECT_STABLE(name, width, waits, bits, message)
`else
`define RC_EXPECT(name, condition, message) `RC_ASSERT(name, condition, message)
`define RC_EXPECT_STABLE(name, width, waits, bits, message) \
  `RC_ASSERT_STABLE(name, width, waits, bits, message)
`endif

`endif
