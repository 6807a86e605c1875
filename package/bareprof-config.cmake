# SPDX-License-Identifier: MIT
# bareprof for firmware that is built with CMake, installed or read from the source tree: find_package() it, or include()
# this file. For each library that was built or installed, such as arm_m-cortex-m4f, there are then
#
#	bareprof::arm_m-cortex-m4f             to be linked: library, headers, linker fragment, --build-id
#	bareprof::instrument-arm_m-cortex-m4f  for code that should appear in the call graph: compiler options, and nothing to link
#
# Knows nothing of the toolchain beyond which compiler it is.

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/package.mk")
	get_filename_component(bareprof_tree "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
	set(bareprof_linker "${bareprof_tree}/linker")
	set(bareprof_libraries "${bareprof_tree}/build/target")
	set(bareprof_remedy "make target")
else()
	get_filename_component(bareprof_tree "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
	set(bareprof_linker "${bareprof_tree}/share/bareprof")
	set(bareprof_libraries "${bareprof_tree}/lib/bareprof")
	set(bareprof_remedy "make install-target")
endif()

# clang drops -pg or hands over no caller, see docs/PORTING.md.
set(bareprof_compiler "$<IF:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID>,$<C_COMPILER_ID>>")
set(bareprof_clang "$<IN_LIST:${bareprof_compiler},Clang;AppleClang>")
# With link-time optimisation, code is generated when linking, so the linker needs the option as well; but -pg makes it
# look for a library that no embedded toolchain has, unless default libraries are off.
set(bareprof_lto "$<AND:$<NOT:$<IN_LIST:$<C_COMPILER_ID>,Clang;AppleClang>>,$<BOOL:$<TARGET_PROPERTY:INTERPROCEDURAL_OPTIMIZATION>>>")

file(GLOB bareprof_found "${bareprof_libraries}/*/libbareprof.options")
foreach(bareprof_options IN LISTS bareprof_found)
	get_filename_component(bareprof_folder "${bareprof_options}" DIRECTORY)
	get_filename_component(bareprof_name "${bareprof_folder}" NAME)
	if(TARGET "bareprof::${bareprof_name}")
		continue()
	endif()
	file(STRINGS "${bareprof_options}" bareprof_flags)
	separate_arguments(bareprof_flags)

	add_library("bareprof::${bareprof_name}" STATIC IMPORTED)
	set_target_properties("bareprof::${bareprof_name}" PROPERTIES
		IMPORTED_LOCATION "${bareprof_folder}/libbareprof.a"
		INTERFACE_INCLUDE_DIRECTORIES "${bareprof_tree}/include"
		INTERFACE_LINK_OPTIONS "-L${bareprof_linker};-Wl,--build-id;$<${bareprof_lto}:-pg;-nodefaultlibs>"
		INTERFACE_LINK_DEPENDS "${bareprof_linker}/bareprof.ld")

	add_library("bareprof::instrument-${bareprof_name}" INTERFACE IMPORTED)
	set_target_properties("bareprof::instrument-${bareprof_name}" PROPERTIES INTERFACE_COMPILE_OPTIONS
		"$<$<COMPILE_LANGUAGE:C,CXX>:$<IF:${bareprof_clang},-finstrument-functions-after-inlining,${bareprof_flags}>>")
endforeach()

foreach(bareprof_name IN LISTS bareprof_FIND_COMPONENTS)
	if(NOT TARGET "bareprof::${bareprof_name}")
		set(bareprof_FOUND FALSE)
		set(bareprof_NOT_FOUND_MESSAGE
			"${bareprof_libraries} has no ${bareprof_name}: `${bareprof_remedy} ISA=... CPU=...` makes it.")
	endif()
endforeach()
