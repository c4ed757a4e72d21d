// SPDX-License-Identifier: Apache-2.0
#include "kernels/target.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/target.cpp"
#include "kernels/all_targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

namespace {

std::int64_t this_target() { return HWY_TARGET; }

}  // namespace

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::kernels {

HWY_EXPORT(this_target);

std::vector<std::int64_t> supported_targets() { return hwy::SupportedAndGeneratedTargets(); }

std::string_view target_name(std::int64_t target) { return hwy::TargetName(target); }

std::int64_t current_target() { return HWY_DYNAMIC_DISPATCH(this_target)(); }

void use_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace halfulp::kernels
#endif
