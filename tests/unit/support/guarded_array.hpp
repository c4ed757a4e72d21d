// Memory right before a page that can be neither read nor written: going beyond the end crashes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <span>

namespace halfulp {

template <typename T>
class guarded_array {
 public:
  explicit guarded_array(std::size_t count) : count_(count) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t used = (count * sizeof(T) + page - 1) / page * page;
    size_ = used + page;
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    std::byte* end = static_cast<std::byte*>(memory_) + used;
    if (mprotect(end, page, PROT_NONE) != 0) throw std::bad_alloc();
    data_ = reinterpret_cast<T*>(end) - count;
  }
  ~guarded_array() { munmap(memory_, size_); }
  guarded_array(const guarded_array&) = delete;
  guarded_array& operator=(const guarded_array&) = delete;

  std::size_t size() const { return count_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  // The last `n` elements, which end where the guard begins.
  std::span<T> last(std::size_t n) { return {data_ + count_ - n, n}; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::size_t count_;
  std::size_t size_;
  void* memory_;
  T* data_;
};

}  // namespace halfulp
