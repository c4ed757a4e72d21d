// SPDX-License-Identifier: Apache-2.0
#include "io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace halfulp::io {

namespace {

// Where the size is unknown, memory grows from here as data arrives.
constexpr std::size_t first_piece = std::size_t{1} << 16;

std::string input_label(const std::string& path) {
  if (path == "-") return "standard input";
  return path.empty() ? "\"\"" : printable(path, longest_path);
}

descriptor open_input(const std::string& path, const std::string& label) {
  // The copy of descriptor 0 can be closed like any other. It stays clear of the standard three.
  descriptor fd(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                            : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) fail_system(errno, "open", label);
  return fd;
}

}  // namespace

input_file::input_file(const std::string& path)
    : input_file(open_input(path, input_label(path)), input_label(path)) {}

input_file::input_file(descriptor fd, std::string label)
    : label_(std::move(label)), fd_(std::move(fd)) {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) fail_system(errno, "read", label_);
  if (S_ISDIR(status.st_mode)) fail_system(EISDIR, "read", label_);
  is_device_ = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  if (S_ISREG(status.st_mode)) {
    // Standard input may be a file of which a part has been read already.
    const off_t here = ::lseek(fd_.get(), 0, SEEK_CUR);
    if (here < 0) fail_system(errno, "read", label_);
    remaining_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - here, 0));
  }
}

void input_file::read(std::span<std::byte> to, std::string_view part) {
  require(to.size(), part);
  if (fill(to.data(), to.size()) != to.size()) fail_short(part);
}

buffer input_file::read(std::uint64_t size, std::string_view part) {
  if (!remaining_) {
    content arrived = read_growing(size);
    if (arrived.size != size) fail_short(part);
    return std::move(arrived.bytes);
  }
  require(size, part);
  buffer bytes = allocate(size);
  if (fill(bytes.get(), size) != size) fail_short(part);
  return bytes;
}

void input_file::skip(std::uint64_t size, std::string_view part) {
  require(size, part);
  if (remaining_) {
    if (::lseek(fd_.get(), static_cast<off_t>(size), SEEK_CUR) < 0) {
      fail_system(errno, "read", label_);
    }
    *remaining_ -= size;
    return;
  }
  std::array<std::byte, first_piece> piece;
  while (size > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, piece.size()));
    if (fill(piece.data(), wanted) != wanted) fail_short(part);
    size -= wanted;
  }
}

void input_file::expect_end() {
  if (remaining_) {
    if (*remaining_ != 0) {
      fail(errc::invalid_file, "{}: has {} bytes after the data", label_, *remaining_);
    }
    return;
  }
  std::byte extra;
  if (fill(&extra, 1) != 0) fail(errc::invalid_file, "{}: goes on after the data", label_);
}

input_file::content input_file::read_rest(std::size_t limit, std::string_view whose) {
  if (remaining_) {
    const std::uint64_t size = *remaining_;
    if (size > limit) {
      fail(errc::invalid_file, "{}: has {} bytes, more than the {} of {}", label_, size, limit,
           whose);
    }
    return {read(size, "content"), size};
  }
  // A device like /dev/zero never ends, and would only show after `limit` bytes of memory.
  if (is_device_) fail(errc::io, "cannot read {}: it is a device, not a file", label_);
  content all = read_growing(limit + 1);
  if (all.size > limit) {
    fail(errc::invalid_file, "{}: has more than the {} bytes of {}", label_, limit, whose);
  }
  return all;
}

std::uint64_t input_file::skip_rest() {
  if (remaining_) {
    const std::uint64_t size = *remaining_;
    skip(size, "data");
    return size;
  }
  std::array<std::byte, first_piece> piece;
  std::uint64_t total = 0;
  while (const std::size_t got = fill(piece.data(), piece.size())) total += got;
  return total;
}

// Reads until `size` bytes are there or the input ends, and returns how many there are.
std::size_t input_file::fill(std::byte* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(fd_.get(), to + done, std::min(size - done, largest_transfer));
    if (got < 0) {
      if (errno == EINTR) continue;
      fail_system(errno, "read", label_);
    }
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  if (remaining_) *remaining_ -= done;
  return done;
}

// Up to `limit` bytes of what has no size. What a header promises is not believed: memory doubles
// only when the half before is full.
input_file::content input_file::read_growing(std::size_t limit) {
  std::size_t capacity = std::min(limit, first_piece);
  content all{allocate(capacity), 0};
  for (;;) {
    all.size += fill(all.bytes.get() + all.size, capacity - all.size);
    if (all.size < capacity || capacity == limit) return all;
    capacity = capacity > limit / 2 ? limit : 2 * capacity;
    buffer larger = allocate(capacity);
    std::memcpy(larger.get(), all.bytes.get(), all.size);
    all.bytes = std::move(larger);
  }
}

buffer input_file::allocate(std::size_t size) const {
  try {
    return allocate_buffer(size);
  } catch (const std::bad_alloc&) {
    fail(errc::out_of_memory, "cannot read {}: out of memory for {} bytes", label_, size);
  }
}

void input_file::require(std::uint64_t size, std::string_view part) const {
  if (remaining_ && *remaining_ < size) {
    fail(errc::invalid_file, "{}: ends within its {}: {} of {} bytes are there", label_, part,
         *remaining_, size);
  }
}

void input_file::fail_short(std::string_view part) const {
  // A regular file was long enough when it was asked for its size.
  if (remaining_) fail(errc::io, "cannot read {}: it shrank while it was read", label_);
  fail(errc::invalid_file, "{}: ends within its {}", label_, part);
}

}  // namespace halfulp::io
