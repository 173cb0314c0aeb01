// SPDX-License-Identifier: GPL-2.0
/* What a flow knows of each instruction: its code, and the states that ways have led there with. */
#include <stdlib.h>

#include "analyse_flow.h"
#include "analyse_memory.h"

/* More states than that for one instruction, and two become one. */
enum { MAX_STATES = 4 };

bool flow_begin(struct flow *flow, const struct flow_code *code, const struct function *f)
{
	uint32_t size = f->end - f->start, halves = size / 2;
	const struct segment *segment = image_at(code->image, f->start, size);

	*flow = (struct flow){ .code = *code, .start = f->start, .end = f->start + halves * 2,
			       .thumb = f->thumb, .low = f->end, .high = f->start };
	if (!segment || !halves)
		return false;
	flow->bytes = segment->bytes + (f->start - segment->addr);
	flow->mark = zeroes(halves, 1);
	flow->cond = zeroes(halves, 1);
	flow->head = zeroes(halves, sizeof(*flow->head));
	return true;
}

void flow_end(struct flow *flow)
{
	free(flow->mark);
	free(flow->cond);
	free(flow->head);
	free(flow->node);
	free(flow->todo);
}

uint32_t flow_half(const struct flow *flow, uint32_t addr)
{
	const uint8_t *p = flow->bytes + (addr - flow->start);

	return p[0] | p[1] << 8;
}

bool flow_fetch(const struct flow *flow, uint32_t addr, struct a32_insn *i)
{
	uint32_t left = flow->end - addr, first, second = 0;

	if (!flow_has(flow, addr) || (!flow->thumb && (left < 4 || addr & 3)))
		return false;
	first = flow_half(flow, addr);
	if (left >= 4)
		second = flow_half(flow, addr + 2);
	if (!flow->thumb)
		a32_insn_arm(addr, first | second << 16, i);
	else
		a32_insn_thumb(addr, first, second, i);
	return i->len <= left;
}

const struct node *flow_first(const struct flow *flow, uint32_t addr)
{
	uint32_t head = flow->head[flow_index(flow, addr)];

	return head ? &flow->node[head - 1] : NULL;
}

const struct node *flow_next(const struct flow *flow, const struct node *node)
{
	return node->next ? &flow->node[node->next - 1] : NULL;
}

void flow_data(struct flow *flow, uint32_t addr, uint32_t size)
{
	for (; size && flow_has(flow, addr); addr += 2, size -= 2)
		flow->mark[flow_index(flow, addr)] |= MARK_DATA;
}

static void queue(struct flow *flow, uint32_t addr)
{
	uint8_t *mark = &flow->mark[flow_index(flow, addr)];

	if (*mark & MARK_QUEUED)
		return;
	*mark |= MARK_QUEUED;
	flow->todo = room_for(flow->todo, flow->nr_todo, &flow->todo_room, sizeof(*flow->todo));
	flow->todo[flow->nr_todo++] = addr;
}

static uint32_t new_node(struct flow *flow, const struct state *s, uint32_t next)
{
	flow->node = room_for(flow->node, flow->nr_nodes, &flow->room, sizeof(*flow->node));
	flow->node[flow->nr_nodes] = (struct node){ *s, next };
	return ++flow->nr_nodes;
}

/*
 * Two states of an instruction stay apart as long as it is known which of the
 * two it is, by the flags, and it matters.
 */
static bool is_another(const struct state *a, const struct state *b)
{
	return !(a->flags & b->flags) && !state_agrees(a, b);
}

/* A state that has grown may have come to overlap with another one. */
static void merge_rest(struct flow *flow, struct node *node)
{
	uint32_t *link = &node->next;

	while (*link) {
		struct node *other = &flow->node[*link - 1];

		if (is_another(&node->state, &other->state)) {
			link = &other->next;
			continue;
		}
		state_merge(&node->state, &other->state);
		*link = other->next;
		link = &node->next;
	}
}

void flow_doubt(struct flow *flow, uint32_t call)
{
	if (!flow->doubt && call != CALL_ELSEWHERE)
		flow->doubt = call;
}

/* It may well have another sp then: alloca(). */
static bool has_frame_register(const struct state *s)
{
	return s->reg[R7].kind == VALUE_CFA || s->reg[R11].kind == VALUE_CFA;
}

/* Two ways to an instruction, with another sp: one of them isn't one. */
static void check_conflict(struct flow *flow, const struct state *a, const struct state *b)
{
	if (has_frame_register(a) || has_frame_register(b))
		return;
	if (a->reg[SP].kind != VALUE_CFA || b->reg[SP].kind != VALUE_CFA ||
	    a->reg[SP].n == b->reg[SP].n)
		return;
	if (!a->call != !b->call)
		flow_doubt(flow, a->call ? a->call : b->call);
}

void flow_enter(struct flow *flow, uint32_t addr, const struct state *s)
{
	uint32_t *head = &flow->head[flow_index(flow, addr)], at, nr = 0;
	struct node *node;

	for (at = *head; at; at = node->next) {
		node = &flow->node[at - 1];
		if (++nr < MAX_STATES && is_another(&node->state, s))
			continue;
		check_conflict(flow, &node->state, s);
		if (!state_merge(&node->state, s))
			return;
		merge_rest(flow, node);
		queue(flow, addr);
		return;
	}
	*head = new_node(flow, s, *head);
	if (addr < flow->low)
		flow->low = addr;
	if (addr >= flow->high)
		flow->high = addr + 2;
	queue(flow, addr);
}
