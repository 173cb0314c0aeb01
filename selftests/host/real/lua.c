// SPDX-License-Identifier: GPL-2.0
/* Runs the script in WORKLOAD. */
#include <stdio.h>
#include <string.h>
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
#include "embed.h"

int main(void)
{
	lua_State *l = luaL_newstate();

	if (!l)
		return 1;
	luaL_openlibs(l);
	if (luaL_loadbuffer(l, workload, strlen(workload), "workload") ||
	    lua_pcall(l, 0, 0, 0)) {
		fprintf(stderr, "%s\n", lua_tostring(l, -1));
		return 2;
	}
	lua_close(l);
	return 0;
}
