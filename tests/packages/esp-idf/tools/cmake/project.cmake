# SPDX-License-Identifier: MIT
# A stub of ESP-IDF's build system: the functions of tools/cmake/project.cmake and component.cmake that components and
# projects call. It compiles the component main and those that main's idf_component.yml names by path, for an
# ESP32-C3, and does not link.
set(ESP_PLATFORM 1)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(IDF_STUBS ${CMAKE_CURRENT_LIST_DIR}/../../include)

function(idf_component_register)
	cmake_parse_arguments(component "" "" "SRCS;INCLUDE_DIRS;REQUIRES" ${ARGN})
	if(component_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "idf_component_register has no argument ${component_UNPARSED_ARGUMENTS}")
	endif()
	add_library(${COMPONENT_LIB} STATIC ${component_SRCS})
	target_include_directories(${COMPONENT_LIB} PUBLIC ${component_INCLUDE_DIRS} PRIVATE ${IDF_STUBS})
	target_compile_options(${COMPONENT_LIB} PRIVATE -march=rv32imc_zicsr -mabi=ilp32 -ffreestanding -Os)
endfunction()

macro(project name)
	_project(${name} C ASM)
	set(COMPONENT_LIB __idf_main)
	add_subdirectory(main)
	file(STRINGS main/idf_component.yml paths REGEX "path:")
	foreach(path IN LISTS paths)
		string(REGEX REPLACE "^ *path: *" "" path "${path}")
		set(COMPONENT_LIB __idf_bareprof)
		add_subdirectory(main/${path} esp-idf/bareprof)
		target_link_libraries(__idf_main PUBLIC __idf_bareprof)
	endforeach()
endmacro()
