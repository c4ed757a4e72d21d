// Files of several gigabytes, of which hardly anything is written.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "io/support/files.hpp"
#include "io/support/memory_file.hpp"
#include "io/support/npy_file.hpp"

namespace halfulp::io::test {
namespace {

TEST(large_file, is_inspected) {
  const temporary_folder folder;
  const memory_file file;
  file.link_to(folder / "x.npy");
  const std::string header =
      npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 1000000)}", "");
  file.replace(header);
  file.resize(header.size() + 8'000'000'000);
  EXPECT_EQ(inspect_tensors(folder / "x.npy").tensors.at(0).data_bytes, 8'000'000'000u);
  file.resize(header.size() + 7'999'999'999);
  expect_error(errc::invalid_file, [&] { inspect_tensors(folder / "x.npy"); },
               {"7999999999 of 8000000000 bytes"});
}

// Linux moves at most 0x7ffff000 bytes in one call.
TEST(large_file, is_read_and_written_whole) {
  const std::size_t bytes = 0x80000008;
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES));
  const auto page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (pages * page_size < bytes + bytes / 4) GTEST_SKIP() << "takes 2 GiB of memory";
  const temporary_folder folder;
  const memory_file file;
  file.link_to(folder / "x.npy");
  const std::string header =
      npy_file("{'descr': '<u8', 'fortran_order': False, 'shape': (268435457,)}", "");
  file.replace(header);
  file.write_at(header.size() + bytes - 8, "the last");
  const loaded_tensor tensor = read_tensor(folder / "x.npy");
  EXPECT_EQ(std::memcmp(tensor.data + bytes - 8, "the last", 8), 0);

  // Into a pipe, which spares the disk.
  ASSERT_EQ(::mkfifo((folder / "y.npy").c_str(), 0600), 0);
  std::size_t total = 0;
  std::string end;
  std::thread reader([&] {
    std::ifstream in(folder / "y.npy", std::ios::binary);
    std::string piece(1 << 20, ' ');
    while (in) {
      in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      const auto got = static_cast<std::size_t>(in.gcount());
      total += got;
      end.append(piece, 0, got);
      end.erase(0, end.size() - std::min<std::size_t>(end.size(), 8));
    }
  });
  tensor_writer writer(folder / "y.npy", dtype::uint64, tensor.layout.shape, "");
  writer.commit(tensor.data);
  reader.join();
  EXPECT_EQ(total, 128 + bytes);
  EXPECT_EQ(end, "the last");
}

}  // namespace
}  // namespace halfulp::io::test
