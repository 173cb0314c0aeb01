# SPDX-License-Identifier: GPL-2.0
#
# The rows of an unwind table, from what the compiler says in .debug_frame:
#
#	{ readelf -lW FILE; readelf --debug-dump=frames-interp FILE; } | awk -f rows.awk
#
#	OFFSET frame CFA_REG CFA_OFF RA R7 R11
#	OFFSET stop|no_data
#
# OFFSET is a file offset in hexadecimal. RA, R7 and R11 are "lr" (RA only), "same", "lost" or words from the CFA.

function hex(s,    i, n) {
	n = 0
	for (i = 1; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return n
}

function place(s) {
	if (s == "" || s == "u" || s == "s")
		return "same"
	if (s !~ /^c[-+][0-9]+$/)
		return "lost"
	return substr(s, 2) / 4
}

function put(addr, what) {
	at = hex(addr) - base
	row[at] = what
	if (!(at in seen))
		order[++nr] = at
	seen[at] = 1
}

function frame(    ra, cfa) {
	ra = "ra" in column ? $column["ra"] : "u"
	ra = ra == "u" ? "lr" : place(ra)
	cfa = $2
	if (cfa !~ /^r[0-9]+\+[0-9]+$/ || ra == "lost")
		return "stop"
	sub(/^r/, "", cfa)
	sub(/\+/, " ", cfa)
	return "frame " cfa " " ra " " place("r7" in column ? $column["r7"] : "") " " \
		place("r11" in column ? $column["r11"] : "")
}

$1 == "LOAD" && $0 ~ / R E / {
	base = hex(substr($3, 3)) - hex(substr($2, 3))
}

/ FDE / {
	in_function = 1
	split($0, range, /pc=|\.\./)
	end = range[3]
	# A function that never changes sp and saves nothing has no rows of its own.
	put(range[2], "frame 13 0 lr same same")
	ends[hex(end) - base] = 1
	next
}

/ CIE / {
	in_function = 0
}

$1 == "LOC" {
	split("", column)
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}

in_function && NF >= 2 && $1 ~ /^[0-9a-f]+$/ {
	put($1, frame())
}

END {
	for (at in ends) {
		if (!(at in seen)) {
			row[at] = "no_data"
			order[++nr] = at
		}
	}
	# By insertion: there are few, and nearly in order.
	for (i = 2; i <= nr; i++) {
		for (j = i; j > 1 && order[j - 1] + 0 > order[j] + 0; j--) {
			at = order[j]
			order[j] = order[j - 1]
			order[j - 1] = at
		}
	}
	for (i = 1; i <= nr; i++)
		printf "%x %s\n", order[i], row[order[i]]
}
