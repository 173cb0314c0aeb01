// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "guest_call.h"

enum { MAX_POLLED = 16 };

static u32 do_eventfd2(struct guest *g, const u32 *r)
{
	int fd = eventfd(r[0], EFD_CLOEXEC | EFD_NONBLOCK);

	return fd < 0 ? guest_error(errno) : guest_new_fd(g, fd);
}

/* Nothing is waited for: there is nobody else who could do anything. */
static u32 do_poll(struct guest *g, const u32 *r)
{
	struct pollfd *asked = guest_at(g, r[0], r[1] * sizeof(*asked)), own[MAX_POLLED];
	int ret;
	u32 i;

	if (r[1] > MAX_POLLED)
		return guest_error(EINVAL);
	if (r[1] && !asked)
		return guest_error(EFAULT);
	for (i = 0; i < r[1]; i++)
		own[i] = (struct pollfd){
			.fd = guest_fd(g, asked[i].fd), .events = asked[i].events,
		};
	ret = poll(own, r[1], 0);
	for (i = 0; i < r[1]; i++)
		asked[i].revents = own[i].revents;
	return ret < 0 ? guest_error(errno) : (u32)ret;
}

const struct guest_call guest_event_calls[] = {
	{ 168, do_poll }, { 336, do_poll }, { 356, do_eventfd2 }, { 414, do_poll }, { }
};
