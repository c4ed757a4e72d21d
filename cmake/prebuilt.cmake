# SPDX-License-Identifier: Apache-2.0
# The library and the command of the build folder HALFULP_PREBUILT.
add_library(halfulp_static STATIC IMPORTED)
set_target_properties(halfulp_static PROPERTIES
  IMPORTED_LOCATION ${HALFULP_PREBUILT}/src/libhalfulp.a)
target_compile_definitions(halfulp_static INTERFACE HALFULP_STATIC)
target_include_directories(halfulp_static INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(halfulp_static INTERFACE fmt::fmt TBB::tbb hwy::hwy)

add_executable(halfulp_command IMPORTED)
set_target_properties(halfulp_command PROPERTIES IMPORTED_LOCATION ${HALFULP_PREBUILT}/halfulp)
