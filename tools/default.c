// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "parse.h"

static int print(__u32 abi, bool json)
{
	json_t *object;

	if (!json) {
		printf("%s\n", name_abi(abi));
		return DONE;
	}
	object = json_new_object();
	json_put_name(object, "default_abi", name_abi(abi));
	return json_print(object);
}

static int show(int ctl, bool json)
{
	struct a32_info info;
	int err = ctl_info(ctl, &info);

	if (err)
		return ctl_fail(ctl, err, "default ABI", "");
	return print(info.default_abi, json);
}

static int set(int ctl, __u32 abi, bool json)
{
	int err = ctl_set_default(ctl, abi);

	if (err)
		return ctl_fail(ctl, err, name_abi(abi), "");
	return print(abi, json);
}

int command_default(const struct args *args)
{
	__u32 abi = A32_ABI_NONE;
	int ctl, err, status;

	if (args->nr_words > 1)
		return msg_misuse("it takes one ABI");
	err = args->nr_words ? parse_abi(args->words[0], &abi) : DONE;
	if (err)
		return err;
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	status = args->nr_words ? set(ctl, abi, args_json(args)) :
				  show(ctl, args_json(args));
	close(ctl);
	return status;
}
