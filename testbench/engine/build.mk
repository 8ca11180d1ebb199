# SPDX-License-Identifier: Apache-2.0
# build.mk: compiles one engine. roundcast (build.c) runs it in a temporary folder that links to
# rtl, synth and testbench, so that all paths are relative.

SHELL := /bin/bash
.DELETE_ON_ERROR:

V ?= 0
Q := $(if $(filter 1,$(V)),,@)
VERILATOR ?= verilator
VERILATOR_ROOT ?= $(shell $(VERILATOR) --getenv VERILATOR_ROOT)

include testbench/engine.mk synth/netlist.mk

# roundcast checks for the tools before it runs make.
tools-%: ;
