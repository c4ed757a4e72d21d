// Options of the address sanitizer that every fuzz target has, however it is run.
// SPDX-License-Identifier: Apache-2.0

// Each exception makes the sanitizer search the memory where it keeps frames that returned, and
// most inputs end in exceptions: with 1 MiB of it, the default, that takes half of the time. Freed
// blocks are kept from reuse up to 64 MiB instead of 256, so that the limit on memory is about the
// library.
// NOLINTNEXTLINE(readability-identifier-naming): the sanitizer calls it so
extern "C" const char* __asan_default_options() {
  return "max_uar_stack_size_log=16:quarantine_size_mb=64";
}
