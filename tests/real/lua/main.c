/* SPDX-License-Identifier: MIT */
/* Runs a script in Lua: recursion, sorting, strings and patterns, closures and objects, coroutines, garbage. */
#include "profiling.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static const char script[] =
        "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
        "local seed = 42\n"
        "local function random(limit) seed = (seed * 1103515245 + 12345) & 0x7fffffff return seed % limit end\n"
        "local Account = {} Account.__index = Account\n"
        "function Account.new(balance) return setmetatable({balance = balance}, Account) end\n"
        "function Account:deposit(sum) self.balance = self.balance + sum return self end\n"
        "local function words(count) local list = {}\n"
        "  for i = 1, count do list[i] = string.format('%s%d', ('abc'):rep(i % 4 + 1), random(1000)) end\n"
        "  return list end\n"
        "local function sorted(count) local list = {}\n"
        "  for i = 1, count do list[i] = random(100000) end\n"
        "  table.sort(list, function(a, b) return a > b end)\n"
        "  for i = 2, count do assert(list[i - 1] >= list[i]) end return list[1] end\n"
        "local function numbers(count) return coroutine.wrap(function() for i = 1, count do coroutine.yield(i) end "
        "end) end\n"
        "local function mean(count) local sum = 0.0 for i = 1, count do sum = sum + math.sqrt(i) / 3 end return sum / "
        "count end\n"
        "for round = 1, 48 do\n"
        "  assert(fib(15) == 610)\n"
        "  sorted(300)\n"
        "  local text = table.concat(words(120), ' ')\n"
        "  local _, matches = text:gsub('(%a+)(%d+)', '%2%1')\n"
        "  assert(matches == 120)\n"
        "  local account = Account.new(0)\n"
        "  for i = 1, 400 do account:deposit(i) end\n"
        "  assert(account.balance == 80200)\n"
        "  local sum = 0 for i in numbers(150) do sum = sum + i end\n"
        "  assert(sum == 11325)\n"
        "  assert(mean(100) > 2)\n"
        "  collectgarbage()\n"
        "end\n"
        "return 4711\n";

static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},       {LUA_TABLIBNAME, luaopen_table},    {LUA_STRLIBNAME, luaopen_string},
        {LUA_MATHLIBNAME, luaopen_math}, {LUA_COLIBNAME, luaopen_coroutine},
};

int main(void)
{
	bool is_right = false;

	profiling_begin();
	lua_State *lua = luaL_newstate();
	for (unsigned i = 0; lua != NULL && i < sizeof libraries / sizeof *libraries; i++) {
		luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
		lua_pop(lua, 1);
	}
	if (lua != NULL && luaL_dostring(lua, script) == LUA_OK)
		is_right = lua_tointeger(lua, -1) == 4711;
	profiling_end(is_right);
}
