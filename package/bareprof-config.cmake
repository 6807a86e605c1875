# SPDX-License-Identifier: MIT
# bareprof for firmware that is built with CMake, installed or read from the source tree: find_package() it, or include()
# this file. For each library that was built or installed, and for each that find_package() names as a component, such as
# arm_m-cortex-m4f, there are then
#
#	bareprof::arm_m-cortex-m4f             to be linked: library, headers, linker fragment, --build-id
#	bareprof::instrument-arm_m-cortex-m4f  for code that should appear in the call graph: compiler options, and nothing to link
#
# A component that is not there yet is built by GNU make, with the project's GCC, when the project is configured.

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/package.mk")
	get_filename_component(bareprof_tree "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
	set(bareprof_libraries "${bareprof_tree}/build/target")
else()
	get_filename_component(bareprof_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
	set(bareprof_tree "${bareprof_prefix}/share/bareprof")
	set(bareprof_libraries "${bareprof_prefix}/lib/bareprof")
endif()
set(bareprof_linker "${bareprof_tree}/linker")
set(bareprof_output "${CMAKE_BINARY_DIR}/bareprof")

# Builds a library, and reports why if it cannot. The name is ISA-CPU, or ISA-CPU+FEATURE...
function(bareprof_build name)
	string(REGEX MATCH "^([^-]+)-([^+]+)(.*)$" parts "${name}")
	string(REPLACE "+" " " with "${CMAKE_MATCH_3}")
	set(isa "${CMAKE_MATCH_1}")
	set(arguments "ISA=${isa}" "CPU=${CMAKE_MATCH_2}" "WITH=${with}" "OUTPUT=${bareprof_output}")
	if(CMAKE_C_COMPILER MATCHES "^(.*)gcc(\\.exe)?$")
		list(APPEND arguments "TARGET_PREFIX_${isa}=${CMAKE_MATCH_1}")
	endif()
	# A make that runs cmake must not pass on its own options and variables.
	execute_process(COMMAND "${CMAKE_COMMAND}" -E env --unset=MAKEFLAGS --unset=MFLAGS --unset=MAKELEVEL
		make --no-print-directory -C "${bareprof_tree}" target ${arguments}
		RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(NOT result EQUAL 0)
		set(bareprof_NOT_FOUND_MESSAGE "${name} cannot be built: ${output}" PARENT_SCOPE)
	endif()
endfunction()

foreach(bareprof_name IN LISTS bareprof_FIND_COMPONENTS)
	if(NOT EXISTS "${bareprof_libraries}/${bareprof_name}/libbareprof.options")
		bareprof_build("${bareprof_name}")
	endif()
endforeach()

# clang ignores -pg or does not pass the caller, see docs/PORTING.md.
set(bareprof_compiler "$<IF:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID>,$<C_COMPILER_ID>>")
set(bareprof_clang "$<IN_LIST:${bareprof_compiler},Clang;AppleClang>")
# With link-time optimisation, code is generated when linking, so the linker needs the option as well; but -pg makes it
# look for a library that no embedded toolchain has, unless default libraries are off.
set(bareprof_lto "$<AND:$<NOT:$<IN_LIST:$<C_COMPILER_ID>,Clang;AppleClang>>,$<BOOL:$<TARGET_PROPERTY:INTERPROCEDURAL_OPTIMIZATION>>>")

file(GLOB bareprof_found "${bareprof_libraries}/*/libbareprof.options" "${bareprof_output}/target/*/libbareprof.options")
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
	endif()
endforeach()
