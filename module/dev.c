// SPDX-License-Identifier: GPL-2.0
#include <linux/miscdevice.h>
#include <linux/module.h>
#include "dev.h"
#include "wanted.h"

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = a32_ioctl,
	.open = a32_wanted_open,
	.poll = a32_wanted_poll,
	.llseek = noop_llseek,
};

static struct miscdevice dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "a32uwind",
	.fops = &fops,
	/* A process may tag its own memory; all else needs a capability: see a32_ioctl(). */
	.mode = 0666,
	.groups = a32_sysfs_groups,
};

int a32_dev_init(void)
{
	return misc_register(&dev);
}

void a32_dev_exit(void)
{
	misc_deregister(&dev);
}
