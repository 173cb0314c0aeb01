# SPDX-License-Identifier: GPL-2.0
#
# The true call structure of one file, from its disassembly:
#
#	{ readelf -lW FILE; objdump -dw FILE; } |
#		awk -v abi=ABI -f expect.awk
#
#	abi ABI
#	text OFFSET ADDR SIZE		an executable segment
#	func START END NAME
#	class ADDR CLASS		of all instructions from there to the next
#	call RA CALLER CALLEE		CALLEE is * when it is in a register
#	tail CALLER CALLEE		CALLEE returns to where CALLER was called
#
# Classes say what a pc there means for the frame record of the frame register:
# prologue (not yet set up), body, epilogue (given up again), frameless (the
# function makes none and leaves the register alone), odd (it makes none and
# uses the register for something else), stub (no function: PLT and veneers),
# endless (in a body, from where no return and no call can be reached), vfp (in a
# body, just behind a vpush or vpop). In files whose frames are followed by an unwind table (ABI is none), all code is
# body.

function hex(s,    i, n) {
	n = 0
	for (i = 1; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return n
}

function target(s) {
	if (!match(s, /<[^>]*>/))
		return "*"
	return substr(s, RSTART + 1, RLENGTH - 2)
}

# Conditional or not, with any width suffix.
function is_op(op, base) {
	return op ~ ("^" base "(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?(\\.[nw])?$")
}

function is_always(op, base) {
	return op ~ ("^" base "(\\.[nw])?$")
}

function writes_reg(op, args, reg,    first) {
	if (op ~ /^(pop|ldm)/)
		return args ~ ("[{ ]" reg "[,}]")
	if (op ~ /^(str|stm|push|cmp|cmn|tst|teq|b|v|it|svc|udf|nop)/)
		return 0
	first = args
	sub(/,.*/, "", first)
	return first == reg || (op ~ /^ldrd/ && args ~ ("^[a-z0-9]+, " reg ","))
}

# From sp, or from ip as a copy of it.
function sets_frame(op, args, reg) {
	return op ~ /^(mov|add|sub)/ && args ~ ("^" reg ", (sp|ip)")
}

# From the stack. Some pop it into another register first.
function restores_frame(op) {
	return op ~ /^(pop|ldm|ldr)/
}

function is_return(op, args) {
	return op ~ /^bx/ || (op ~ /^(pop|ldm)/ && args ~ /pc/) ||
	       (op ~ /^(ldr|mov|add|sub)/ && args ~ /^pc,/) || op ~ /^tb[bh]/
}

function is_final(op, args) {
	return op !~ /^(bx|pop|ldm[a-z]*|ldr|mov|add|sub)(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)(\.[nw])?$/
}

# Where control goes after instruction i: nxt (the next one) and jmp (a branch within the function).
function successors(i,    op, at) {
	op = ops[i]
	nxt = i + 1
	jmp = 0
	if (is_return(op, args[i]) && is_final(op, args[i]))
		nxt = 0
	else if (is_op(op, "b") || op ~ /^cbn?z/) {
		at = args[i]
		sub(/^[a-z0-9]+, /, "", at)
		sub(/ .*/, "", at)
		jmp = at in index_of ? index_of[at] : 0
		if (is_always(op, "b"))
			nxt = 0
	} else if (op == ".word" || op == ".short")
		nxt = 0
	if (nxt > count)
		nxt = 0
}

function flow(i, s,    top, after) {
	top = 1
	stack_i[1] = i
	stack_s[1] = s
	while (top) {
		i = stack_i[top]
		s = stack_s[top--]
		if (i in state)
			continue
		after = s
		if (writes_reg(ops[i], args[i], reg)) {
			if (s == "body")
				s = after = "epilogue"
			else if (sets_frame(ops[i], args[i], reg)) {
				after = "body"
				records++
			} else if (!restores_frame(ops[i]))
				odd = 1
		}
		state[i] = s
		successors(i)
		if (jmp) {
			stack_i[++top] = jmp
			stack_s[top] = after
		}
		if (nxt) {
			stack_i[++top] = nxt
			stack_s[top] = after
		}
	}
}

# Does control leave the function here, for good or for a while?
function leaves(i,    to) {
	if (is_return(ops[i], args[i]) || is_op(ops[i], "blx?"))
		return 1
	to = target(args[i])
	return is_op(ops[i], "b") && to !~ /\+0x/ && to != name
}

# Against the flow, from each place that control leaves at.
function find_ways_out(    i, more) {
	split("", way_out)
	for (i = 1; i <= count; i++) {
		if (leaves(i))
			way_out[i] = 1
	}
	do {
		more = 0
		for (i = count; i; i--) {
			if (i in way_out)
				continue
			successors(i)
			if (nxt in way_out || jmp in way_out)
				more = way_out[i] = 1
		}
	} while (more)
}

function stub_target(name) {
	if (name ~ /@plt$/)
		return substr(name, 1, length(name) - 4)
	if (name ~ /^__.*_(from_thumb|from_arm|veneer)$/) {
		sub(/^__/, "", name)
		sub(/_(from_thumb|from_arm|veneer)$/, "", name)
		return name
	}
	return ""
}

function put_classes(    i, last, last_state, now) {
	split("", state)
	records = odd = 0
	flow(1, "prologue")
	find_ways_out()
	last = ""
	for (i = 1; i <= count; i++) {
		now = i in state ? state[i] : last_state
		last_state = now
		if (abi == "none")
			now = "body"
		else if (now == "body" && i in state && !(i in way_out))
			now = "endless"
		if (now == "body" && i > 1 && ops[i - 1] ~ /^(vpush|vpop)/)
			now = "vfp"
		if (!records && abi != "none")
			now = odd ? "odd" : "frameless"
		if (now == "")
			now = "prologue"
		if (now != last)
			print "class", addrs[i], now
		last = now
		# The same window has pc in the middle of a Thumb instruction.
		if (now == "body" && sizes[i] == 4 && ops[i] ~ /^v/) {
			printf "class %x vfp\n", hex(addrs[i]) + 2
			last = "vfp"
		}
	}
}

function put_edges(    i, to) {
	for (i = 1; i <= count; i++) {
		if (is_op(ops[i], "blx?")) {
			to = target(args[i])
			printf "call %x %s %s\n", hex(addrs[i]) + sizes[i], name, to
		} else if (is_op(ops[i], "b")) {
			to = target(args[i])
			if (to !~ /\+0x/ && (to != name))
				print "tail", name, to
		}
	}
}

function put_function(    end, to) {
	if (!count)
		return
	end = sprintf("%x", hex(addrs[count]) + sizes[count])
	print "func", addrs[1], end, name
	to = stub_target(name)
	if (to != "") {
		print "class", addrs[1], "stub"
		print "tail", name, to
	} else {
		put_classes()
		put_edges()
	}
	count = 0
	split("", index_of)
}

BEGIN {
	reg = abi == "aapcs-r7" ? "r7" : "fp"
	print "abi", abi
}

$1 == "LOAD" && $0 ~ / R E / {
	print "text", substr($2, 3), substr($3, 3), substr($5, 3)
}

/^[0-9a-f]+ <.*>:$/ {
	put_function()
	name = substr($2, 2, length($2) - 3)
	next
}

/^ *[0-9a-f]+:\t/ {
	split($0, field, "\t")
	addr = field[1]
	gsub(/[ :]/, "", addr)
	count++
	addrs[count] = addr
	gsub(/ /, "", field[2])
	sizes[count] = length(field[2]) / 2
	ops[count] = field[3]
	args[count] = field[4]
	sub(/ *[@;].*/, "", args[count])
	index_of[addr] = count
	next
}

END {
	put_function()
}
