// Options of the address sanitizer that every fuzz target has, however it is run.
// SPDX-License-Identifier: Apache-2.0

// Each exception makes the sanitizer look through the memory where it keeps frames that returned.
// Most inputs end in exceptions: with 1 MiB, the default, that takes half of the time.
extern "C" const char* __asan_default_options() { return "max_uar_stack_size_log=16"; }
