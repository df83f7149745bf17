/* The parts of the launcher, in the order in which they are used. */
#pragma once

#include "system.h"

#define PATHS_MAX 128
#define PATH_BYTES_MAX 4096

/** A file or folder the program needs: where it lies, and under which name the program looks for it. */
struct needed_path {
  const char *source, *target;
  int is_program;
};

struct request {
  /** 0: stay who we are. */
  word user_id;
  /** 0: no such limit. */
  word cpu_seconds_soft, cpu_seconds_hard, data_bytes, processes_max;
  word open_files_max;
  struct needed_path paths[PATHS_MAX];
  int path_count;
  /** Walls to leave out, so that a test can show what stands behind them. */
  word skipped;
  /** Say which walls stand, and start nothing. */
  int only_report;
  char **command;
};

/** The names are those of sandbox.ts. */
enum wall {
  RESOURCE_LIMITS,
  NETWORK_NAMESPACE,
  PROCESS_NAMESPACE,
  EMPTY_ROOT,
  DROPPED_PRIVILEGES,
  TRANSIENT_USER,
  LANDLOCK,
  SYSCALL_FILTER,
  WALL_COUNT,
};
extern const char *const WALL_NAMES[WALL_COUNT];

static inline int wants(const struct request *request, enum wall wall) {
  return !(request->skipped >> wall & 1);
}

/* namespaces.c */
void leave_namespaces(const struct request *request);
/** Needs the namespaces. False: the files are where they were. */
int enter_empty_root(const struct request *request);

/* privileges.c */
void set_limits(const struct request *request);
void drop_privileges(const struct request *request);
void restrict_files(const struct request *request, int has_empty_root);

/* filter.c: answers with the descriptor on which the guard hears of execve, or an error. */
int install_filter(void);
/** The guard's side: refuses the trial execve, lets the one after it pass, and by closing the descriptor every later one fails. */
void answer_execve(int listener);

/* verify.c */
struct observations {
  int network_is_gone;
};
/** What can only be asked while the filter does not stand. */
struct observations observe(void);
/** The walls that hold, tried one by one; a bit for each. */
word walls_that_hold(const struct request *request, struct observations observations, int has_guard);
