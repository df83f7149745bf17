/* What the source files of the launcher share. */
#pragma once

#include "system.h"

#define PATHS_MAX 128
#define PATH_BYTES_MAX 4096
/** Where the old root is mounted while the new one is filled. */
#define OLD_ROOT "/old"

/** A file or folder the program needs: its real path, and the path at which the program looks for it. */
struct needed_path {
  const char *source, *target;
  int is_program;
};

struct request {
  /** 0: keep the user. */
  word user_id;
  /** 0: no limit. */
  word cpu_seconds_soft, cpu_seconds_hard, data_bytes, processes_max;
  word open_files_max;
  struct needed_path paths[PATHS_MAX];
  int path_count;
  /** Walls to leave out, so that a test can show that the others hold without them. */
  word skipped;
  /** Print the walls that hold, and do not start the program. */
  int only_report;
  char **command;
};

/** In the order of WALL_NAMES, whose names are those of src/walls.ts. */
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

/* launch.c */
word length_of(const char *text);
/** Appends and returns the new end. The caller ensures that there is room. */
char *append(char *end, const char *text);
char *append_number(char *end, word number);
int same_text(const char *a, const char *b);

/* namespaces.c */
void leave_namespaces(const struct request *request);
/** Call after leave_namespaces. False if it failed; the file system is then unchanged. */
int enter_empty_root(const struct request *request);

/* privileges.c */
void set_limits(const struct request *request);
void drop_privileges(const struct request *request);
void restrict_files(const struct request *request, int has_empty_root);

/* filter.c: returns an error or the listener, a descriptor on which the guard receives each execve. */
int install_filter(void);
/** The guard's side: refuses the trial execve, allows the next one, and closes the listener, which makes every later one fail. */
void answer_execve(int listener, int program_fd);

/* verify.c */
/** Opens a socket, which the filter forbids, so call it before install_filter. */
int network_is_gone(void);
/** Tests each wall, and returns a bit for each that holds. */
word walls_that_hold(const struct request *request, int has_no_network, int has_guard);
