/*
 * cues_lua - cues as a script. The script sees inputs, events and the numbers
 * of the own record, and asks for effects:
 *
 *     function input(tick)            once a client tick
 *     function snapshot(tick)         as soon as one is decoded
 *     function event(name, strength, by_me, at_me)
 *
 *     own("mach")       a number of the own record, or nil
 *     button("gun")     whether it is held
 *     axis("roll")      -1 .. 1
 *     dt                seconds a tick, before the first call
 *     play(effect [, level])      a one-shot
 *     hold(effect [, level])      goes on while it is asked for again and again
 *     log(text)
 *
 * It can do nothing else: no files, no system, no other scripts. A call has an
 * instruction limit, the whole a memory limit. It cannot keep a motor on: a
 * hold ends by itself when nobody asks again. It cannot silence others: there is
 * no way to end an effect. An error, told with file and line, stops the script
 * until HUP reads it again; a broken new one leaves the old at work.
 */
#include "arena.h"
#include "field.h"
#include <errno.h>
#include <hardpoint/cues.h>
#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "lua"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "cues as a sandboxed Lua script"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

#define MEMORY_BYTES     ((size_t)1 << 20)
#define INSTRUCTIONS_MAX 20000 /* of one call: a fifth of a millisecond */
#define LOAD_MAX         1000000
#define NAMES_MAX        32
#define COMMANDS_MAX     16 /* of one call */

static const struct hp_param params[] = {
    {
     .name = "file",
     .unit = "",
     .sentence = "The script.",
     .type = HP_PARAM_PATH,
     .flags = HP_PARAM_REQUIRED | HP_PARAM_INPUT | HP_PARAM_LIVE,
     },
};

/* One loaded script. */
struct script {
    struct hp_instance *of;
    struct arena *arena;
    lua_State *lua;
    int failed; /* told; it is not called again */
};

struct hp_instance {
    const struct hp_host *host;
    const struct hp_schema *schema;
    double dt_s;
    struct script *script;            /* [tick] the one at work */
    _Atomic(struct script *) next;    /* [main] to the tick: take this one */
    _Atomic(struct script *) retired; /* and back: done with that one */

    /* Of the call that runs. */
    const void *own;
    const struct hp_input *input;
    struct hp_effect_sink *sink;
    uint64_t tick;
    uint32_t own_id;
    int commands;
    /* Effects by name; a command's text must last. */
    char names[NAMES_MAX][32];
    int name_count;
};

/* ---- what a script may call ---- */

static struct hp_instance *
self_of(lua_State *lua)
{
    return *(struct hp_instance **)lua_getextraspace(lua);
}

static const char *
keep_name(struct hp_instance *self, const char *name)
{
    int i;

    for (i = 0; i < self->name_count; i++)
        if (strcmp(self->names[i], name) == 0)
            return self->names[i];
    if (i == NAMES_MAX || strlen(name) >= sizeof(self->names[0]))
        return NULL;
    snprintf(self->names[i], sizeof(self->names[0]), "%s", name);
    self->name_count++;
    return self->names[i];
}

static int
ask(lua_State *lua, uint32_t action)
{
    struct hp_instance *self = self_of(lua);
    const char *name = keep_name(self, luaL_checkstring(lua, 1));
    double level = luaL_optnumber(lua, 2, 1);

    if (name == NULL)
        return luaL_error(lua,
                          "effect \"%s\" is one too many or too long, "
                          "expected at most %d names of 31 letters",
                          lua_tostring(lua, 1), NAMES_MAX);
    if (self->sink == NULL)
        return luaL_error(lua, "no effect can be asked for while the script "
                               "is read, only in its functions");
    if (!(level >= 0))
        return luaL_error(lua, "level of \"%s\" is %f, expected 0 to 1", name,
                          level);
    if (++self->commands > COMMANDS_MAX)
        return luaL_error(lua, "more than %d effects in one call",
                          COMMANDS_MAX);
    if (self->sink->count < self->sink->capacity)
        self->sink->commands[self->sink->count++] = (struct hp_effect_command){
            .effect = name,
            .cause_tick = self->tick,
            .action = action,
            .flags = self->input != NULL ? HP_EFFECT_PREDICTED : 0,
            .level = level < 1 ? (float)level : 1,
        };
    return 0;
}

static int
call_play(lua_State *lua)
{
    return ask(lua, HP_EFFECT_PLAY);
}

static int
call_hold(lua_State *lua)
{
    return ask(lua, HP_EFFECT_HOLD);
}

static int
call_own(lua_State *lua)
{
    struct hp_instance *self = self_of(lua);
    struct field f = {0};

    if (self->own != NULL)
        f = field_find(self->schema, luaL_checkstring(lua, 1));
    if (f.type == 0)
        lua_pushnil(lua);
    else
        lua_pushnumber(lua, field_read(&f, self->own));
    return 1;
}

static int
call_button(lua_State *lua)
{
    static const char *const names[] = {"gun",     "gear",    "afterburner",
                                        "respawn", "release", "hook",
                                        "eject",   NULL};
    struct hp_instance *self = self_of(lua);
    int which = luaL_checkoption(lua, 1, NULL, names);

    lua_pushboolean(lua, self->input != NULL &&
                             (self->input->buttons & 1u << which) != 0);
    return 1;
}

static int
call_axis(lua_State *lua)
{
    static const char *const names[] = {"roll",     "pitch", "yaw",
                                        "throttle", "brake", NULL};
    struct hp_instance *self = self_of(lua);
    int which = luaL_checkoption(lua, 1, NULL, names);

    lua_pushnumber(
        lua, self->input == NULL ? 0 : self->input->axes[which] / 32767.0);
    return 1;
}

static int
call_log(lua_State *lua)
{
    struct hp_instance *self = self_of(lua);

    self->host->log(self->host, HP_LOG_INFO, luaL_checkstring(lua, 1));
    return 0;
}

/* ---- the sandbox ---- */

static const luaL_Reg calls[] = {
    {"play",   call_play  },
    {"hold",   call_hold  },
    {"own",    call_own   },
    {"button", call_button},
    {"axis",   call_axis  },
    {"log",    call_log   },
    {NULL,     NULL       },
};

/* What reads files, runs text as code, never repeats, or works long in one
 * instruction, where no limit counts. */
static const char *const forbidden[][2] = {
    {NULL,     "dofile"        },
    {NULL,     "loadfile"      },
    {NULL,     "load"          },
    {NULL,     "print"         },
    {NULL,     "collectgarbage"},
    {NULL,     "setmetatable"  },
    {NULL,     "pcall"         }, /* it would catch the limits */
    {NULL,     "xpcall"        },
    {"string", "upper"         },
    {"string", "lower"         },
    {"string", "reverse"       },
    {"string", "dump"          },
    {"string", "rep"           },
    {"string", "find"          },
    {"string", "match"         },
    {"string", "gmatch"        },
    {"string", "gsub"          },
    {"string", "pack"          },
    {"string", "unpack"        },
    {"string", "packsize"      },
    {"table",  "move"          },
    {"table",  "unpack"        },
    {"table",  "concat"        },
    {"table",  "sort"          },
    {"table",  "insert"        },
    {"table",  "remove"        },
    {"math",   "random"        },
    {"math",   "randomseed"    },
};

static void
forbid(lua_State *lua)
{
    size_t i;

    for (i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++) {
        if (forbidden[i][0] == NULL)
            lua_pushglobaltable(lua);
        else
            lua_getglobal(lua, forbidden[i][0]);
        lua_pushnil(lua);
        lua_setfield(lua, -2, forbidden[i][1]);
        lua_pop(lua, 1);
    }
}

static void
too_long(lua_State *lua, lua_Debug *at)
{
    lua_getinfo(lua, "Sl", at);
    lua_pushfstring(lua, "%s:%d: too many instructions in one call",
                    at->short_src, at->currentline);
    lua_error(lua);
}

/* [protected] Fills the new state, and runs the file once. */
static int
load_all(lua_State *lua)
{
    const char *path = lua_touserdata(lua, 1);
    struct hp_instance *self = self_of(lua);
    const luaL_Reg *c;

    luaL_requiref(lua, "_G", luaopen_base, 1);
    luaL_requiref(lua, "math", luaopen_math, 1);
    luaL_requiref(lua, "string", luaopen_string, 1);
    luaL_requiref(lua, "table", luaopen_table, 1);
    lua_settop(lua, 0);
    forbid(lua);
    for (c = calls; c->name != NULL; c++)
        lua_register(lua, c->name, c->func);
    lua_pushnumber(lua, self->dt_s);
    lua_setglobal(lua, "dt");
    /* Text only: bytecode is not checked by Lua. */
    if (luaL_loadfilex(lua, path, "t") != LUA_OK)
        return lua_error(lua);
    lua_sethook(lua, too_long, LUA_MASKCOUNT, LOAD_MAX);
    lua_call(lua, 0, 0);
    return 0;
}

static void
script_destroy(struct script *s)
{
    if (s == NULL)
        return;
    if (s->lua != NULL)
        lua_close(s->lua);
    arena_destroy(s->arena);
    free(s);
}

/* [main] -EINVAL: `why` says where and what. */
static int
script_load(struct hp_instance *self, const char *path, struct script **out,
            char *why, size_t why_bytes)
{
    struct script *s = calloc(1, sizeof(*s));

    if (s != NULL)
        s->arena = arena_create(MEMORY_BYTES);
    if (s != NULL && s->arena != NULL)
        s->lua = lua_newstate(arena_allocate, s->arena);
    if (s == NULL || s->lua == NULL) {
        script_destroy(s);
        return -ENOMEM;
    }
    s->of = self;
    *(struct hp_instance **)lua_getextraspace(s->lua) = self;
    lua_pushcfunction(s->lua, load_all);
    lua_pushlightuserdata(s->lua, (void *)(uintptr_t)path);
    if (lua_pcall(s->lua, 1, 0, 0) != LUA_OK) {
        snprintf(why, why_bytes, "%s",
                 lua_tostring(s->lua, -1) ? lua_tostring(s->lua, -1)
                                          : "an error without words");
        script_destroy(s);
        return -EINVAL;
    }
    lua_sethook(s->lua, too_long, LUA_MASKCOUNT, INSTRUCTIONS_MAX);
    *out = s;
    return 0;
}

/* ---- the tick ---- */

/* A script that main has read anew comes to work between two calls. */
static struct script *
current(struct hp_instance *self)
{
    struct script *next = NULL;

    if (atomic_load(&self->next) != NULL &&
        atomic_load(&self->retired) == NULL) {
        next = atomic_exchange(&self->next, NULL);
        atomic_store(&self->retired, self->script);
        self->script = next;
    }
    return self->script->failed ? NULL : self->script;
}

static void
fail(struct script *s)
{
    const struct hp_host *host = s->of->host;
    const char *why = lua_tostring(s->lua, -1);
    char line[300];

    s->failed = 1;
    snprintf(line, sizeof(line),
             "%s; the script rests until HUP reads it again",
             why != NULL ? why : "an error without words");
    host->log(host, HP_LOG_ERROR, line);
}

/* Whether the script has that function; it is on the stack then. */
static int
has(struct script *s, const char *name)
{
    if (s == NULL)
        return 0;
    lua_settop(s->lua, 0);
    if (lua_getglobal(s->lua, name) == LUA_TFUNCTION)
        return 1;
    lua_settop(s->lua, 0);
    return 0;
}

/* The hook counts from each new call. */
static void
call(struct script *s, int arguments)
{
    lua_sethook(s->lua, too_long, LUA_MASKCOUNT, INSTRUCTIONS_MAX);
    if (lua_pcall(s->lua, arguments, 0, 0) != LUA_OK)
        fail(s);
    lua_settop(s->lua, 0);
}

/* [tick] */
static void
lua_cue_input(struct hp_instance *self, const struct hp_tick *tick,
              const struct hp_input *input, const void *own,
              struct hp_effect_sink *sink)
{
    struct script *s = current(self);

    self->own = own;
    self->input = input;
    self->sink = sink;
    self->tick = tick->index;
    self->commands = 0;
    if (has(s, "input")) {
        lua_pushinteger(s->lua, (lua_Integer)tick->index);
        call(s, 1);
    }
    self->input = NULL;
    self->sink = NULL;
}

static const char *
event_name(uint32_t type)
{
    static const char *const names[] = {
        "none",      "gun",     "hit",   "kill",        "crash",
        "touchdown", "respawn", "gear",  "afterburner", "release",
        "launch",    "threat",  "surge", "trap"};

    return type < sizeof(names) / sizeof(names[0]) ? names[type] : "sim";
}

static void
tell_event(struct hp_instance *self, struct script *s, const struct hp_event *e)
{
    if (s->failed || !has(s, "event"))
        return;
    self->commands = 0;
    lua_pushstring(s->lua, event_name(e->type));
    lua_pushnumber(s->lua, (double)e->strength);
    lua_pushboolean(s->lua, e->who == self->own_id);
    lua_pushboolean(s->lua, e->whom == self->own_id);
    call(s, 4);
}

/* [tick] */
static void
lua_cue_snapshot(struct hp_instance *self, const struct hp_view *view,
                 const void *own, struct hp_effect_sink *sink)
{
    const struct hp_entity *head = own;
    const char *at = (const char *)view->events;
    struct script *s = current(self);
    uint32_t i;

    self->own = own;
    self->sink = sink;
    self->tick = view->tick;
    self->commands = 0;
    self->own_id = head == NULL ? HP_ENTITY_NONE
                                : HP_ENTITY_ID(head->slot, head->generation);
    for (i = 0; s != NULL && i < view->event_count;
         i++, at += view->event_stride)
        tell_event(self, s, (const struct hp_event *)at);
    self->commands = 0;
    if (s != NULL && !s->failed && has(s, "snapshot")) {
        lua_pushinteger(s->lua, (lua_Integer)view->tick);
        call(s, 1);
    }
    self->own = NULL;
    self->sink = NULL;
}

/* ---- its life ---- */

static int
lua_cue_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

static int
lua_cue_start(struct hp_instance *self, const struct hp_limits *limits)
{
    const char *path;
    char why[300];
    int err;

    self->schema = limits->schema;
    self->dt_s = (double)limits->rate_den / limits->rate_num;
    self->own_id = HP_ENTITY_NONE;
    err = self->host->param_text(self->host, "file", 0, &path);
    if (err == 0)
        err = script_load(self, path, &self->script, why, sizeof(why));
    return err == -EINVAL ? self->host->fail(self->host, err, why) : err;
}

static void
lua_cue_stop(struct hp_instance *self)
{
    script_destroy(self->script);
    script_destroy(atomic_exchange(&self->next, NULL));
    script_destroy(atomic_exchange(&self->retired, NULL));
    self->script = NULL;
}

/* [main] Overlaps ticks: reads it beside the one at work. The names that it
 * keeps are the tick's, so a script asks for effects in its functions only. */
static int
lua_cue_reload(struct hp_instance *self)
{
    struct script *s = NULL;
    const char *path;
    char why[300];
    int err;

    script_destroy(atomic_exchange(&self->retired, NULL));
    err = self->host->param_text(self->host, "file", 0, &path);
    if (err == 0)
        err = script_load(self, path, &s, why, sizeof(why));
    if (err == -EINVAL)
        return self->host->fail(self->host, err, why);
    if (err == 0)
        script_destroy(atomic_exchange(&self->next, s));
    return err;
}

static void
lua_cue_destroy(struct hp_instance *self)
{
    if (self == NULL)
        return;
    lua_cue_stop(self);
    free(self);
}

static const struct hp_cues_ops ops = {
    .size = sizeof(ops),
    .input = lua_cue_input,
    .snapshot = lua_cue_snapshot,
};

HP_PLUGIN_NOTE(HP_KIND_CUES, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_CUES, 0),
    params,
    HP_PARAMS(params),
    lua_cue_create,
    lua_cue_start,
    lua_cue_stop,
    lua_cue_destroy,
    &ops,
    NULL, /* no extension */
    lua_cue_reload,
};
