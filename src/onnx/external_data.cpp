// SPDX-License-Identifier: Apache-2.0
#include "onnx/external_data.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/error.hpp"
#include "base/machine_memory.hpp"
#include "io/input_file.hpp"

namespace halfulp::onnx {

namespace {

using io::tensor_proto::external_reference;

// Whether a relative path without "..".
bool stays_below(std::string_view location) {
  const std::filesystem::path path(location);
  return !location.empty() && location.find('\0') == std::string_view::npos && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

bool lies_in(const std::string& path, const std::string& folder) {
  return path.starts_with(folder.ends_with('/') ? folder : folder + '/');
}

}  // namespace

external_data::external_data(const std::string& model) {
  if (model.empty()) return;
  const std::filesystem::path path(model);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  const std::filesystem::path real_folder = std::filesystem::canonical(folder, error);
  if (!error) allowed_.push_back(real_folder.string());
  // Download caches keep models and data as links into one folder of contents.
  const std::filesystem::path real_path = std::filesystem::canonical(path, error);
  if (!error) allowed_.push_back(real_path.parent_path().string());
  folder_ = folder.string();
}

// Opened first as a mere place, which touches no device and waits for no pipe; what is then checked
// and read is this very file, whatever happens to its name.
external_data::opened external_data::open(const external_reference& reference, std::uint64_t size,
                                          const std::string& label) {
  const std::string shown = printable(reference.location, io::longest_path);
  if (folder_.empty()) {
    fail(errc::invalid_file, "{}: has external data in '{}', but the model is in no folder", label,
         shown);
  }
  if (!stays_below(reference.location)) {
    fail(errc::invalid_file,
         "{}: has external data in '{}', which is no path inside of the model's folder", label,
         shown);
  }
  const std::string path =
      (std::filesystem::path(folder_) / std::filesystem::path(reference.location)).string();
  const io::descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.is_open()) {
    io::fail_system(errno, "open", fmt::format("{}: external data '{}'", label, shown));
  }
  const std::string link = fmt::format("/proc/self/fd/{}", place.get());
  std::error_code error;
  const std::string real_path = std::filesystem::read_symlink(link, error).string();
  if (error) io::fail_system(error.value(), "read", link);
  if (std::none_of(allowed_.begin(), allowed_.end(),
                   [&](const std::string& folder) { return lies_in(real_path, folder); })) {
    fail(errc::invalid_file,
         "{}: has external data in '{}', a link that leads out of the model's folder", label,
         shown);
  }
  struct stat status {};
  if (::fstat(place.get(), &status) != 0) io::fail_system(errno, "read", shown);
  if (!S_ISREG(status.st_mode)) {
    fail(errc::invalid_file, "{}: has external data in '{}', which is no regular file", label,
         shown);
  }
  const auto file_size = static_cast<std::uint64_t>(status.st_size);
  if (reference.offset > file_size || size > file_size - reference.offset) {
    fail(errc::invalid_file,
         "{}: has {} bytes of external data from byte {} of '{}' on, which has {} bytes", label,
         size, reference.offset, shown, file_size);
  }
  io::descriptor fd(::open(link.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) {
    io::fail_system(errno, "open", fmt::format("{}: external data '{}'", label, shown));
  }
  const file_key key{status.st_dev, status.st_ino};
  claim(key, reference.offset, reference.offset + size, label);
  return {std::move(fd), key};
}

// The ranges of a file do not overlap, so a new one can only touch its two neighbours.
void external_data::claim(const file_key& file, std::uint64_t begin, std::uint64_t end,
                          const std::string& label) {
  if (begin == end) return;
  const auto next = ranges_.lower_bound({file, begin});
  const bool is_same =
      next != ranges_.end() && next->first == std::pair(file, begin) && next->second.end == end;
  if (is_same) return;
  bool overlaps = next != ranges_.end() && next->first.first == file && next->first.second < end;
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    overlaps |= before->first.first == file && before->second.end > begin;
  }
  if (overlaps) {
    fail(errc::invalid_file, "{}: its external data, bytes {} to {}, overlap another tensor's",
         label, begin, end);
  }
  ranges_.try_emplace({file, begin}, range{end});
}

void external_data::check(const external_reference& reference, std::uint64_t size,
                          const std::string& label) {
  open(reference, size, label);
}

std::shared_ptr<const buffer> external_data::read(const external_reference& reference,
                                                  std::uint64_t size, const std::string& label) {
  opened file = open(reference, size, label);
  if (size == 0) return std::make_shared<const buffer>(allocate_buffer(0));
  std::shared_ptr<const buffer>& content = ranges_.at({file.key, reference.offset}).content;
  if (content) return content;
  const std::string source =
      fmt::format("{}: external data '{}'", label, printable(reference.location, io::longest_path));
  if (size > machine_memory() - bytes_read_) {
    fail(errc::out_of_memory, "cannot read {}: out of memory for {} bytes", source, size);
  }
  io::input_file in(std::move(file.fd), source);
  in.skip(reference.offset, "data");
  content = std::make_shared<const buffer>(in.read(size, "data"));
  bytes_read_ += size;
  return content;
}

}  // namespace halfulp::onnx
