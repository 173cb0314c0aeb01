// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "rules.h"

struct rules_mem {
	struct rcu_head rcu;
	struct a32_rules rules;
};

static struct rules_mem *rules_mem(const struct a32_rules *rules)
{
	return container_of(rules, struct rules_mem, rules);
}

struct a32_rules *a32_rules_copy(const struct a32_rules *rules, u32 nr)
{
	struct rules_mem *mem;

	mem = kvmalloc(sizeof(*mem) + (nr + 1) * sizeof(*rules->rule), GFP_KERNEL_ACCOUNT);
	if (!mem)
		return NULL;
	mem->rules.nr = nr;
	if (nr)
		memcpy(mem->rules.rule, rules->rule, nr * sizeof(*rules->rule));
	return &mem->rules;
}

void a32_rules_free(const struct a32_rules *rules)
{
	if (rules)
		kvfree_rcu(rules_mem(rules), rcu);
}

static void insert(struct a32_rules *rules, u32 at, struct a32_abi_rule rule)
{
	memmove(&rules->rule[at + 1], &rules->rule[at], (rules->nr - at) * sizeof(rule));
	rules->rule[at] = rule;
	rules->nr++;
}

struct a32_rules *a32_rules_with(const struct a32_rules *old, struct a32_abi_rule rule, u32 most)
{
	u32 nr = old ? old->nr : 0, at = old ? a32_rules_find(old, rule.start) : 0;
	bool overlap = at < nr && old->rule[at].start < rule.end;
	struct a32_rules *rules;

	if (overlap && (old->rule[at].start != rule.start || old->rule[at].end != rule.end))
		return ERR_PTR(-EEXIST);
	if (!overlap && nr >= most)
		return ERR_PTR(-ENOSPC);
	rules = a32_rules_copy(old, nr);
	if (!rules)
		return ERR_PTR(-ENOMEM);
	if (overlap)
		rules->rule[at].abi = rule.abi;
	else
		insert(rules, at, rule);
	return rules;
}

struct a32_rules *a32_rules_without(const struct a32_rules *old, u32 start, u32 end)
{
	u32 at = old ? a32_rules_find(old, start) : 0;
	struct a32_rules *rules;

	if (!old || at == old->nr || old->rule[at].start != start || old->rule[at].end != end)
		return ERR_PTR(-ENOENT);
	if (old->nr == 1)
		return NULL;
	rules = a32_rules_copy(old, old->nr);
	if (!rules)
		return ERR_PTR(-ENOMEM);
	rules->nr--;
	memmove(&rules->rule[at], &rules->rule[at + 1], (rules->nr - at) * sizeof(*rules->rule));
	return rules;
}
