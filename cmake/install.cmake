# SPDX-License-Identifier: Apache-2.0
# What is installed, but for the command, which cli/CMakeLists.txt installs with its manual page and
# completions. Everything that is installed finds its neighbours by relative paths, so that a prefix
# may be chosen, or moved, after the build.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/halfulp)

# Everything that is installed. It is what `make build` builds: of two things named halfulp, library
# and command, the build tool's target of that name is the command.
add_custom_target(halfulp_installed)
add_dependencies(halfulp_installed halfulp halfulp_static)
if(HALFULP_BUILD_COMMAND)
  add_dependencies(halfulp_installed halfulp_command halfulp_help)
endif()

# An export for each library, since only the static one's needs fmt, Highway and oneTBB.
install(TARGETS halfulp EXPORT halfulp-shared)
install(TARGETS halfulp_static EXPORT halfulp-static)
foreach(kind shared static)
  install(EXPORT halfulp-${kind} NAMESPACE halfulp:: DESTINATION ${package_dir}
    FILE halfulp-${kind}-targets.cmake)
endforeach()
install(DIRECTORY include/halfulp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# fmt's symbols carry its major version.
string(REGEX MATCH "^[0-9]+" fmt_major ${fmt_VERSION})
math(EXPR fmt_next_major "${fmt_major} + 1")
configure_package_config_file(cmake/halfulp-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/halfulp-config.cmake
  INSTALL_DESTINATION ${package_dir})
# Until version 1, a minor version may change what is there.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/halfulp-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/halfulp-config.cmake
  ${PROJECT_BINARY_DIR}/package/halfulp-config-version.cmake
  DESTINATION ${package_dir})

# Where a folder was configured as an absolute path, it stands in the file as it is.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /${pkgconfig_dir} /)
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${up}")
endif()
cmake_path(APPEND pc_libdir "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND pc_includedir "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/halfulp.pc.in ${PROJECT_BINARY_DIR}/package/halfulp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/halfulp.pc DESTINATION ${pkgconfig_dir})

# The documents keep their places, so that their links lead somewhere.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES examples/first_steps.c examples/first_steps.cpp
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
