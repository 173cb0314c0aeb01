-- SPDX-License-Identifier: GPL-2.0
-- Recursion, closures, tables, strings, callbacks, coroutines, metatables, errors, and the garbage that comes of it.

local function fib(n)
	if n < 2 then
		return n
	end
	return fib(n - 1) + fib(n - 2)
end
assert(fib(15) == 610)

local function counter()
	local n = 0
	return function()
		n = n + 1
		return n
	end
end
local count = counter()
for _ = 1, 1000 do
	count()
end
assert(count() == 1001)

local words = {}
for i = 1, 400 do
	words[i] = string.format("%s-%05d", ("abc"):rep(i % 4), i * 7919 % 1000)
end
table.sort(words, function(a, b)
	return a:reverse() < b:reverse()
end)
table.sort(words)
local text = table.concat(words, " ")
local hits = 0
for word in text:gmatch("%a+%-0*(%d+)") do
	hits = hits + #word
end
assert(hits > 0)
text = text:gsub("%d+", function(digits)
	return tonumber(digits) % 7 == 0 and digits:upper() or ("<" .. digits .. ">")
end)
assert(text:find("<", 1, true))

local Point = {}
Point.__index = Point
Point.__add = function(a, b)
	return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Point)
end
Point.__eq = function(a, b)
	return a.x == b.x and a.y == b.y
end
local sum = setmetatable({ x = 0, y = 0 }, Point)
for i = 1, 300 do
	sum = sum + setmetatable({ x = i, y = -i }, Point)
end
assert(sum == setmetatable({ x = 45150, y = -45150 }, Point))

local function fail(depth)
	if depth == 0 then
		error({ code = 42 })
	end
	fail(depth - 1)
end
for i = 1, 40 do
	local good, err = pcall(fail, i % 9)
	assert(not good and err.code == 42)
	good, err = xpcall(function()
		return #nil
	end, function(message)
		return "handled: " .. message
	end)
	assert(not good and err:find("^handled"))
	assert(not pcall(string.rep))
	assert(select(2, pcall(load, "return 1 +")) == nil)
end

local produce = coroutine.wrap(function()
	for i = 1, 200 do
		coroutine.yield(i)
	end
end)
local total = 0
for i in produce do
	total = total + i
	if i == 200 then
		break
	end
end
assert(total == 20100)

local chunks = {}
for i = 1, 20 do
	chunks[i] = assert(load("local a, b = ...; return a * " .. i .. " + (b or 1) ^ 2 // 3"))
	assert(chunks[i](2, 3) == 2 * i + 3)
end

local memo = setmetatable({}, { __mode = "k", __gc = function() end })
for i = 1, 2000 do
	memo[{ i }] = { tostring(i), i / 3 }
end
collectgarbage()
local pack = string.pack(">I4 z d", 77, "zero ended", 0.5)
assert(select(2, string.unpack(">I4 z d", pack)) == "zero ended")
assert(os.time() >= 0 and utf8.len("d\u{e9}j\u{e0}") == 4 and math.floor(2.7) == 2)
