/* SPDX-License-Identifier: MIT */
/* Runs a script in MuJS: closures, sorting, JSON, regular expressions, accessors, exceptions and code compiled at run
 * time. */
#include "profiling.h"

#include <mujs.h>
#include <stddef.h>

/* Built-in functions call functions of the script, which call built-in functions: most of the interpreter is one cycle.
 */
static const char script[] =
        "var seed = 42;\n"
        "function random(limit) { seed = (seed * 16807) % 2147483647; return seed % limit; }\n"
        "function check(value, expected, name) {\n"
        "  if (value !== expected) throw new Error(name + ': ' + value + ', expected ' + expected); }\n"
        "function list(count, make) { var all = []; for (var i = 0; i < count; ++i) all.push(make(i)); return all; }\n"
        "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
        /* A tree whose methods are called by built-in functions. */
        "function Node(name, children) { this.name = name; this.children = children; }\n"
        "Node.prototype.sum = function () {\n"
        "  return this.children.reduce(function (sum, child) { return sum + child.sum(); }, this.name.length); };\n"
        "Node.prototype.toString = function () { return this.name + '(' + this.children.join(',') + ')'; };\n"
        "Node.prototype.toJSON = function () { return { name: this.name, children: this.children }; };\n"
        "function tree(depth) { return new Node('n' + depth, depth ? list(2, function () { return tree(depth - 1); }) "
        ": []); }\n"
        "function sorted(count) {\n"
        "  var all = list(count, function () { return random(1000); });\n"
        "  all.sort(function (a, b) { return a - b; });\n"
        "  check(all.every(function (value, i) { return i === 0 || all[i - 1] <= value; }), true, 'sort');\n"
        "  return all.filter(function (value) { return value % 2; }).map(String).concat(all.slice(2, 5)).length; }\n"
        "function json() {\n"
        "  var text = JSON.stringify({ tree: tree(4), values: [1.5, true, null, 'a\\u00e9\\n'] }, null, ' ');\n"
        "  var count = 0;\n"
        "  JSON.parse(text, function (key, value) { ++count; return value; });\n"
        "  check(JSON.stringify(JSON.parse(text)).length < text.length, true, 'json');\n"
        "  return count; }\n"
        "function words(text) {\n"
        "  var seen = {}, expression = /\\b([a-z]+)(\\d*)\\b/gi;\n"
        "  text.replace(expression, function (all, word, digits) {\n"
        "    seen[word] = (seen[word] || 0) + (digits ? parseInt(digits, 10) : 1); return word.toUpperCase(); });\n"
        "  var names = []; for (var name in seen) if (/^(?:b|br|r)*[^x]+$/.test(name)) names.push(name);\n"
        "  return names.sort().join('-').split('-').length + text.search(/(q|u)+i\\w{2}/) +\n"
        "    encodeURIComponent(text).length - decodeURIComponent('%C3%A9%20').length; }\n"
        "function Account(balance) { this._balance = balance; }\n"
        "Object.defineProperty(Account.prototype, 'balance', {\n"
        "  get: function () { return this._balance; },\n"
        "  set: function (sum) { if (sum < 0) throw new RangeError('overdrawn'); this._balance = sum; } });\n"
        "Account.prototype.valueOf = function () { return this.balance; };\n"
        "function accounts() {\n"
        "  var a = new Account(100), b = new Account(7), refused = 0;\n"
        "  for (var i = 0; i < 60; ++i)\n"
        "    try { a.balance -= i % 7; b.balance = b + i % 3 - 3; }\n"
        "    catch (error) { if (error instanceof RangeError) ++refused; else throw error; }\n"
        "    finally { a.balance += 3; }\n"
        "  return a + b * refused; }\n"
        "function compiled(i) {\n"
        "  return eval('(function (x) { switch (x & 3) { case 0: return x * ' + i + '; case 1: return x ? -x : ~x;'\n"
        "    + ' default: for (var s = 0; x > 0; x -= 3) { if (x % 2) continue; s += x << 2; } return s; } })')(i) +\n"
        "    new Function('a', 'b', 'return a * (b + 1) - (a >>> 1)').apply(null, [i, 2]); }\n"
        "function numbers() {\n"
        "  var text = ''; for (var i = 1; i < 12; ++i)\n"
        "    text += (i / 7).toFixed(3) + (i * 1234.5678).toPrecision(7) + (i * 1e20).toExponential(2) + (i / 3) +\n"
        "      (i * 31).toString(2) + Math.floor(Math.sqrt(i) * Math.pow(i, 1.5)) + Math.max(i, 4) + parseFloat('0.1' "
        "+ i);\n"
        "  return text.length + new Date(Date.UTC(2001, 8, 9, 1, 46, 40)).toISOString().length; }\n"
        "function library(i) {\n"
        "  var all = list(9, function (k) { return (k * 7 + i) % 10; }), text = 'Node ' + all.join('') + ' ';\n"
        "  all.unshift(i); all.push(all.shift()); all.splice(2, 3, 'x', i); all.reverse().forEach(function (v, k) { "
        "text += v; });\n"
        "  var twice = function (scale, v) { return v * scale * this.by; }.bind({ by: 2 }, i);\n"
        "  var frozen = Object.freeze(Object.create(new Account(i), { key: { value: all, enumerable: true } }));\n"
        "  var match = /(\\w+) (\\d)(?=\\d)/.exec(text), day = new Date(Date.UTC(2020, 1, 28 + i));\n"
        "  day.setUTCMonth(day.getUTCMonth() + i); day.setUTCHours(i);\n"
        "  return [all.indexOf('x'), all.lastIndexOf(i), all.some(isNaN), all.reduceRight(function (a, b) { return a + "
        "b; }, ''),\n"
        "    Object.keys(frozen), Object.getOwnPropertyNames(match).length, frozen.hasOwnProperty('key'), "
        "Object.isFrozen(frozen),\n"
        "    twice.call(null, 3), text.charAt(2) + text.charCodeAt(3), text.slice(1, "
        "4).toLowerCase().lastIndexOf('d'),\n"
        "    String.fromCharCode(65 + i).localeCompare('C'), 'a1b2'.match(/\\d/g), match[1], 'x,y'.split(/,/), "
        "day.toJSON(),\n"
        "    Math.round(Math.sin(i) * 8), Math.abs(-i), Math.min(i, 2), Math.ceil(Math.log(i + 1)), day.getUTCDay(),\n"
        "    Array.isArray(all), isFinite(i / 0), [[1, [i]], { a: new Number(i) }].toString(), "
        "all.slice(-2).valueOf(),\n"
        "    Math.atan2(i, 1) > Math.exp(-1), new Boolean(i).toString(), typeof twice, i in all, delete all[0], "
        "all.length\n"
        "  ].toString().length; }\n"
        "var text = list(40, function (i) { return ['the', 'quick', 'brown', 'fox', 'r2d2'][i % 5] + (i % 3 ? '' : i); "
        "}).join(' ');\n"
        "var sum = 0;\n"
        "for (var round = 0; round < 5; ++round) {\n"
        "  check(fib(11), 89, 'fib');\n"
        "  check(sorted(100) > 30, true, 'sorted');\n"
        "  check(tree(5).sum(), 126, 'tree');\n"
        "  check(String(tree(3)).length, 67, 'text');\n"
        "  check(json(), 99, 'json');\n"
        "  check(words(text), 307, 'words');\n"
        "  check(accounts(), 106, 'accounts');\n"
        "  for (var i = 0; i < 6; ++i) sum += compiled(i);\n"
        "  var length = 0; for (var i = 0; i < 6; ++i) length += library(i);\n"
        "  check(length, 964, 'library');\n"
        "  check(numbers(), 565, 'numbers');\n"
        "}\n"
        "sum;\n";

int main(void)
{
	bool is_right = false;

	profiling_begin();
	js_State *interpreter = js_newstate(NULL, NULL, JS_STRICT);
	if (interpreter != NULL && js_ploadstring(interpreter, "script", script) == 0) {
		js_pushundefined(interpreter);
		is_right = js_pcall(interpreter, 0) == 0 && js_tonumber(interpreter, -1) == 285;
	}
	profiling_end(is_right);
}
