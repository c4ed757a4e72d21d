// SPDX-License-Identifier: Apache-2.0
// What memory allows: the plain read and the plain copy that times are compared with.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "bench.hpp"
#include "thread_pool.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "memory_traffic.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace halfulp::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

float read_part(const float* source, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto max0 = hn::Zero(d);
  auto max1 = max0;
  auto max2 = max0;
  auto max3 = max0;
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    max0 = hn::Max(max0, hn::Load(d, source + i));
    max1 = hn::Max(max1, hn::Load(d, source + i + lanes));
    max2 = hn::Max(max2, hn::Load(d, source + i + 2 * lanes));
    max3 = hn::Max(max3, hn::Load(d, source + i + 3 * lanes));
  }
  float max = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(max0, max1), hn::Max(max2, max3))));
  for (; i < count; ++i) {
    max = std::max(max, source[i]);
  }
  return max;
}

void copy_part(const float* source, float* target, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    const auto v0 = hn::Load(d, source + i);
    const auto v1 = hn::Load(d, source + i + lanes);
    const auto v2 = hn::Load(d, source + i + 2 * lanes);
    const auto v3 = hn::Load(d, source + i + 3 * lanes);
    hn::Stream(v0, d, target + i);
    hn::Stream(v1, d, target + i + lanes);
    hn::Stream(v2, d, target + i + 2 * lanes);
    hn::Stream(v3, d, target + i + 3 * lanes);
  }
  std::copy(source + i, source + count, target + i);
  hwy::FlushStream();
}

}  // namespace halfulp::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::bench {
namespace {

HWY_EXPORT(read_part);
HWY_EXPORT(copy_part);

constexpr std::size_t page = 4096 / sizeof(float);

struct range {
  std::size_t begin;
  std::size_t end;
};

// Contiguous, and cut at pages, so that no two threads write to one cache line.
range part_of(std::size_t count, unsigned index, unsigned parts) {
  const auto cut = [&](unsigned i) { return count / page * i / parts * page; };
  return {cut(index), index + 1 == parts ? count : cut(index + 1)};
}

}  // namespace
}  // namespace halfulp::bench

float halfulp_bench_read(const void* source, std::size_t bytes, unsigned threads) {
  using namespace halfulp::bench;
  const auto* const floats = static_cast<const float*>(source);
  const std::size_t count = bytes / sizeof(float);
  std::vector<float> maxima(threads);
  pool_of(threads).run([&](unsigned index) {
    const range part = part_of(count, index, threads);
    maxima[index] = HWY_DYNAMIC_DISPATCH(read_part)(floats + part.begin, part.end - part.begin);
  });
  return *std::max_element(maxima.begin(), maxima.end());
}

void halfulp_bench_copy(const void* source, void* target, std::size_t bytes, unsigned threads) {
  using namespace halfulp::bench;
  const auto* const from = static_cast<const float*>(source);
  auto* const to = static_cast<float*>(target);
  const std::size_t count = bytes / sizeof(float);
  pool_of(threads).run([&](unsigned index) {
    const range part = part_of(count, index, threads);
    HWY_DYNAMIC_DISPATCH(copy_part)(from + part.begin, to + part.begin, part.end - part.begin);
  });
}

const char* halfulp_bench_target() {
  const auto supported = hwy::SupportedTargets() & HWY_TARGETS;
  // The best target is the lowest bit.
  return hwy::TargetName(supported & -supported);
}
#endif  // HWY_ONCE
