// SPDX-License-Identifier: GPL-2.0
#include "body.h"
#include "rule.h"

enum { STEP = A32_BODY_WINDOW / 2 };

enum a32_detect a32_bodies_extent(const struct a32_source *source, struct a32_bodies *bodies)
{
	u32 first = U32_MAX, end = 0, i;
	struct a32_segments segments;
	enum a32_detect err = a32_detect_segments(source, &segments);

	if (err)
		return err;
	for (i = 0; i < segments.nr; i++) {
		u32 start = segments.segment[i].offset;

		if (start < first)
			first = start;
		if (start + segments.segment[i].size > end)
			end = start + segments.segment[i].size;
	}
	bodies->first = first & -A32_LINE;
	bodies->nr_lines = (end - bodies->first + A32_LINE - 1) / A32_LINE;
	return end - bodies->first > A32_BODY_MAX ? A32_DETECT_NO_CODE : A32_DETECT_DONE;
}

/**
 * struct marks - where to note bodies
 * @line: the lines
 * @start: offset of the window's start from the first line
 * @any: something was noted
 */
struct marks {
	u32 *line;
	u32 start;
	bool any;
};

static void mark(void *arg, u32 at)
{
	struct marks *marks = arg;

	at += marks->start;
	marks->line[at / A32_LINE] |= 1u << (at / 2 % 32);
	marks->any = true;
}

static enum a32_detect read_window(const struct a32_source *source, struct a32_body_work *work)
{
	int got = source->read(source->arg, work->start, work->code, work->size);

	if (got < 0)
		return A32_DETECT_UNREADABLE;
	return got == work->size ? A32_DETECT_DONE : A32_DETECT_TRUNCATED;
}

/* Windows overlap, so that a function is in one of them with what is near behind it. */
static enum a32_detect find_in_segment(const struct a32_source *source, u32 start, u32 end,
				       struct a32_body_work *work, struct marks *marks, u32 first)
{
	enum a32_detect err = A32_DETECT_DONE;

	for (; start < end && !err; start += STEP) {
		work->start = start;
		work->size = end - start < A32_BODY_WINDOW ? end - start : A32_BODY_WINDOW;
		marks->start = start - first;
		err = read_window(source, work);
		if (!err)
			a32_body_window(work, STEP < work->size ? STEP : work->size, mark, marks);
	}
	return err;
}

enum a32_detect a32_bodies_find(const struct a32_source *source, const struct a32_bodies *bodies,
				bool thumb, u32 *line, struct a32_body_work *work, bool *any)
{
	struct marks marks = { .line = line };
	struct a32_segments segments;
	enum a32_detect err = a32_detect_segments(source, &segments);
	u32 i;

	work->abi = bodies->abi;
	work->thumb = thumb;
	for (i = 0; i < segments.nr && !err; i++) {
		u32 start = segments.segment[i].offset, end = start + segments.segment[i].size;

		work->to_address = segments.segment[i].address - start;
		/* Changed meanwhile, or no code can begin there */
		if (start & 3 || start < bodies->first ||
		    end - bodies->first > bodies->nr_lines * A32_LINE)
			continue;
		err = find_in_segment(source, start, end, work, &marks, bodies->first);
	}
	*any = marks.any;
	return err;
}

bool a32_body_calls(const struct a32_span *span, u32 ra)
{
	u32 offset = (ra & ~1) + span->to_offset, thumb = ra & 1, h, err = 0;

	if (thumb && a32_bodies_have(span->bodies, offset - 2, thumb))
		return true;
	if (!a32_bodies_have(span->bodies, offset - 4, thumb))
		return false;
	if (!thumb)
		return true;
	a32_load16((ra & ~1) - 4, &h, &err);
	return !err && a32_thumb_is_wide(h);
}

/* Lines are 64 bytes of the file, and of memory: mappings are of pages. */
void a32_body_hint(const struct a32_bodies *bodies, const struct a32_span *span, u32 tag,
		   struct a32_body_hint *hint)
{
	u32 start = span->start + span->to_offset, end = start + span->size;
	u32 last = bodies->first + bodies->nr_lines * A32_LINE, thumb;

	hint->tag = 0;
	if (start < bodies->first)
		start = bodies->first;
	start = (start + A32_LINE - 1) & -A32_LINE;
	if (end > last)
		end = last;
	if (end <= start)
		return;
	hint->start = start - span->to_offset;
	hint->size = end - start;
	for (thumb = 0; thumb < 2; thumb++) {
		const u32 *line = bodies->line[thumb];

		hint->line[thumb] = line ? line + (start - bodies->first) / A32_LINE : NULL;
	}
	hint->found = (struct a32_found){
		.tag = tag, .code = span->code, .rule = *a32_abi_rule(bodies->abi),
	};
	hint->tag = tag;
}
