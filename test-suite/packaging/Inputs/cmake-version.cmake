# Asks the version file what it thinks of several requests; find_package sets the same variables before it.
cmake_minimum_required(VERSION 3.20)

function(expect request compatible exact)
  set(PACKAGE_FIND_VERSION "${request}")
  string(REGEX MATCH "^[0-9]+" PACKAGE_FIND_VERSION_MAJOR "${request}")
  include("${VERSION_FILE}")
  if(NOT "${PACKAGE_VERSION_COMPATIBLE};${PACKAGE_VERSION_EXACT}" STREQUAL "${compatible};${exact}")
    message(FATAL_ERROR
      "asked for ${request}, ${PACKAGE_VERSION} says ${PACKAGE_VERSION_COMPATIBLE} ${PACKAGE_VERSION_EXACT}, not ${compatible} ${exact}")
  endif()
endfunction()

set(PACKAGE_FIND_VERSION "")
include("${VERSION_FILE}")
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" series "${PACKAGE_VERSION}")
set(major "${CMAKE_MATCH_1}")
math(EXPR next_minor "${CMAKE_MATCH_2} + 1")
math(EXPR next_major "${major} + 1")

expect("${PACKAGE_VERSION}" TRUE TRUE)
if(NOT series VERSION_EQUAL PACKAGE_VERSION)
  expect("${series}" TRUE FALSE)
endif()
expect("${major}.${next_minor}" FALSE FALSE)
expect("${next_major}.0" FALSE FALSE)
