// SPDX-License-Identifier: GPL-2.0
/* What C++ programs do with libstdc++: streams, containers, callbacks, exceptions, regular expressions */
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
	virtual std::string name() const { return "shape"; }
};

struct box : shape {
	double a, b;
	box(double x, double y) : a(x), b(y) {}
	double area() const override { return a * b; }
	std::string name() const override { return "box of " + std::to_string(area()); }
};

struct disc : shape {
	double r;
	explicit disc(double x) : r(x) {}
	double area() const override { return 3.14159 * r * r; }
};

struct guard {
	std::vector<std::string> &log;
	~guard() { log.push_back("left"); }
};

static int descend(int depth, std::vector<std::string> &log)
{
	guard g{ log };

	if (!depth)
		throw std::out_of_range("at the bottom");
	return descend(depth - 1, log) + 1;
}

static int caught(int depth)
{
	std::vector<std::string> log;

	try {
		return descend(depth, log);
	} catch (const std::logic_error &e) {
		return log.size() + std::string(e.what()).size();
	}
}

static std::string shapes()
{
	std::vector<std::unique_ptr<shape>> all;
	std::ostringstream out;

	for (int i = 1; i < 40; i++) {
		all.push_back(std::make_unique<box>(i, 40 - i));
		all.push_back(std::make_unique<disc>(i / 3.0));
	}
	std::sort(all.begin(), all.end(),
		  [](const auto &a, const auto &b) { return a->area() < b->area(); });
	for (const auto &s : all)
		out << s->name() << ' ' << s->area() << '\n';
	return out.str();
}

static std::map<std::string, int> words(const std::string &text)
{
	std::map<std::string, int> count;
	std::regex word("([a-z]+)( of)?");

	for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i)
		count[(*i)[1]]++;
	return count;
}

static std::function<long(long)> compose(int n)
{
	if (!n)
		return [](long x) { return x + 1; };
	return [f = compose(n - 1), n](long x) { return f(x) * n % 100003; };
}

int main()
{
	std::unordered_map<long, std::string> names;
	std::string text = shapes();
	std::istringstream in(text);
	long sum = 0, value = 0;
	std::string line;

	while (std::getline(in, line))
		names[std::hash<std::string>()(line)] = line;
	for (long i = 0; i < 200; i++)
		sum += compose(i % 12)(i);
	for (const auto &[word, n] : words(text.substr(0, 600)))
		std::cout << word << '=' << n << ' ';
	std::istringstream("12345") >> value;
	std::cout << sum << ' ' << caught(12) << ' ' << names.size() << ' ' << value << std::endl;
	return !text.size();
}
