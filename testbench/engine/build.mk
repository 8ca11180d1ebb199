# SPDX-License-Identifier: Apache-2.0
# build.mk: the makefile of one engine; roundcast runs it (build.c) in a folder of its own, in which
# rtl, synth and testbench are links to the sources. So all paths are relative, wherever sources and
# folder stand.

SHELL := /bin/bash
.DELETE_ON_ERROR:

V ?= 0
Q := $(if $(filter 1,$(V)),,@)
VERILATOR ?= verilator
VERILATOR_ROOT ?= $(shell $(VERILATOR) --getenv VERILATOR_ROOT)

include testbench/engine.mk synth/netlist.mk

# Who runs this has looked for the tools.
tools-%: ;
