// SPDX-License-Identifier: GPL-2.0
/* A library to be loaded and unloaded. */
int libempty_function(int x);

int libempty_function(int x)
{
	return x + 1;
}
