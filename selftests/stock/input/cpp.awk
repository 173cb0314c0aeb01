# SPDX-License-Identifier: GPL-2.0
#
# awk -v classes=N -f cpp.awk
#
# Prints C++ for cppcheck to look at: templates, lambdas, exceptions, and in each class a mistake or two.

function class(n) {
	printf "template <typename T, int N = %d> class Box%d : public Base<T> {\npublic:\n", n % 7 + 1, n
	printf "\texplicit Box%d(std::size_t n) : data(new T[n]), size(n) {}\n", n
	printf "\tT sum(std::function<T(T, T)> fold) const {\n\t\tT s = T();\n"
	printf "\t\tfor (std::size_t i = 0; i <= size && i < %d; ++i) {\n", n * 3 + 10
	printf "\t\t\tif (data[i] > s + N)\n\t\t\t\ts = fold(s, data[i] * %d);\n", n + 2
	printf "\t\t\telse if (i %% %d == 0)\n\t\t\t\tthrow std::out_of_range(\"box %d\");\n\t\t}\n\t\treturn s;\n\t}\n", n % 5 + 2, n
	printf "private:\n\tT *data;\n\tstd::size_t size;\n};\n\n"
}

function user(n) {
	printf "static int use%d(const std::vector<int> &v, int *p, char c)\n{\n", n
	printf "\tint values[%d] = {0}, k = 0;\n", n % 9 + 4
	printf "\tstd::map<std::string, std::vector<int>> m;\n"
	printf "\tfor (auto it = v.begin(); it != v.end(); ++it) {\n"
	printf "\t\tswitch (*it & 7) {\n\t\tcase 0: k += *it; break;\n\t\tcase 1: k -= values[k %% 4];\n"
	printf "\t\tcase 2: m[std::string(1, c)].push_back(k); break;\n\t\tdefault: values[%d] = k;\n\t\t}\n\t}\n", n % 12
	printf "\ttry {\n\t\tBox%d<int> box(v.size());\n", n
	printf "\t\tk += box.sum([&](int a, int b) { return p ? a + b * *p : a - b / k; });\n"
	printf "\t} catch (const std::exception &e) {\n\t\tdelete p;\n\t\treturn *p;\n\t}\n"
	printf "\tstd::sort(m[\"x\"].begin(), m[\"x\"].end(), [](int a, int b) { return a > b; });\n"
	printf "\treturn k * %d + values[k] + (p == nullptr ? *p : 1);\n}\n\n", n
}

BEGIN {
	print "#include <algorithm>\n#include <functional>\n#include <map>\n#include <stdexcept>\n#include <string>"
	print "#include <vector>\n"
	print "template <typename T> class Base {\npublic:\n\tvirtual ~Base();\n\tvirtual T sum(std::function<T(T, T)> fold) const = 0;\n};\n"
	for (n = 1; n <= classes; n++) {
		class(n)
		user(n)
	}
}
