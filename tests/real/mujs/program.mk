# An interpreter and compiler of JavaScript, most of which is recursive: the largest cycle has more than a hundred functions.
# It is part of the firmware of docs/PORTING.md.
REAL_PACKAGE := mujs
REAL_SOURCES := $(addsuffix .c,jsarray jsboolean jsbuiltin jscompile jsdate jsdtoa jsdump jserror jsfunction jsgc jsintern jslex jsmath \
	jsnumber jsobject json jsparse jsproperty jsregexp jsrepr jsrun jsstate jsstring jsvalue regexp utf)
REAL_FLAGS := -DJS_GCFACTOR=1.5
REAL_PORTING := yes
REAL_STACKS := -DBAREPROF_STACKS=300 -DBAREPROF_STACK_BYTES=6144 -DPERIODS=5
