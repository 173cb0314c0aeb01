// SPDX-License-Identifier: GPL-2.0
/* opener FILE: opens a library by name, says so, and sleeps. For auto.sh. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc != 2 || !dlopen(argv[1], RTLD_NOW))
		return 1;
	puts("open");
	fflush(stdout);
	for (;;)
		pause();
}
