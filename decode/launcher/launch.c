/*
 * Starts one program behind walls that Node cannot set up itself. There are three processes:
 *
 *   launcher  the process that the caller starts; waits, and ends like the program
 *   guard     the first process of the new process namespace; lets the program call execve once, and waits
 *   program   drops its privileges, tests each wall, lists those that hold in EARSHOT_WALLS, and executes Node
 *
 * A wall that the kernel refuses is missing from that list; the caller decides whether to proceed without it.
 *
 *   launch [-r] [-u UID] [-t SOFT HARD] [-d BYTES] [-n FILES] [-p PROCESSES] [-s WALL]…
 *          [-b SOURCE TARGET]… [-e SOURCE TARGET]… -- PROGRAM [ARGUMENT]…
 *
 * -b names a file or folder that the program may read, -e one that it may also execute. -r only prints the walls.
 */
#include <linux/close_range.h>
#include <linux/prctl.h>
#include <linux/sched.h>

#include "launch.h"

#define ENVIRONMENT_BYTES_MAX 512
/** The standard streams and, as descriptor 3, the input. */
#define KEPT_FD_COUNT 4
/** The exit status if the program was not started. */
#define FAILED 125

const char *const WALL_NAMES[WALL_COUNT] = {
    "resource_limits", "network_namespace", "process_namespace", "empty_root",
    "dropped_privileges", "transient_user", "landlock", "syscall_filter",
};

__attribute__((noreturn)) static void fail(const char *why) {
  write_bytes(2, "launch: ", 8);
  write_bytes(2, why, length_of(why));
  write_bytes(2, "\n", 1);
  leave(FAILED);
}

static word number_of(const char *text) {
  word number = 0;
  if (!text || !*text) fail("a number is missing");
  for (; *text; text++) {
    if (*text < '0' || *text > '9') fail("an option takes a number");
    number = number * 10 + (word)(*text - '0');
  }
  return number;
}

static word wall_named(const char *name) {
  for (int wall = 0; wall < WALL_COUNT; wall++)
    if (same_text(name, WALL_NAMES[wall])) return 1ul << wall;
  fail("there is no such wall");
}

static void read_arguments(char **arguments, struct request *request) {
  char **next = arguments + 1;
  for (; *next && !same_text(*next, "--"); next++) {
    const char option = (*next)[0] == '-' ? (*next)[1] : 0;
    if (option == 'r') {
      request->only_report = 1;
      continue;
    }
    if (!next[1]) fail("an option without its value");
    const char *value = *++next;
    switch (option) {
      case 'u': request->user_id = number_of(value); break;
      case 'd': request->data_bytes = number_of(value); break;
      case 'n': request->open_files_max = number_of(value); break;
      case 'p': request->processes_max = number_of(value); break;
      case 's': request->skipped |= wall_named(value); break;
      case 't':
        request->cpu_seconds_soft = number_of(value);
        request->cpu_seconds_hard = number_of(*++next);
        break;
      case 'b':
      case 'e':
        if (request->path_count == PATHS_MAX) fail("too many paths");
        if (!next[1]) fail("a path without its target");
        if (length_of(value) + sizeof OLD_ROOT > PATH_BYTES_MAX || length_of(next[1]) >= PATH_BYTES_MAX) fail("a path is too long");
        if (value[0] != '/' || next[1][0] != '/') fail("a path is not absolute");
        request->paths[request->path_count++] = (struct needed_path){value, *++next, option == 'e'};
        break;
      default: fail("an unknown option");
    }
  }
  if (!*next || !next[1]) fail("no program to start");
  request->command = next + 1;
}

static char *name_walls(char *end, word walls) {
  const char *separator = "";
  for (int wall = 0; wall < WALL_COUNT; wall++) {
    if (!(walls >> wall & 1)) continue;
    end = append(append(end, separator), WALL_NAMES[wall]);
    separator = ",";
  }
  return end;
}

/** Whether the program and the paths it needs can be read as the user it will run as. */
static int can_start(const struct request *request, int has_empty_root) {
  for (int at = 0; at < request->path_count; at++) {
    const struct needed_path *needed = &request->paths[at];
    const char *path = has_empty_root ? needed->target : needed->source;
    if (CALL4(__NR_faccessat, AT_FDCWD, path, 4 /* R_OK */, 0) < 0) return 0;
  }
  return CALL4(__NR_faccessat, AT_FDCWD, request->command[0], 1 /* X_OK */, 0) == 0;
}

/** `listener_pipe`: the guard reads from it the number of the filter's listener, a descriptor that it shares with the program. */
__attribute__((noreturn)) static void become_program(const struct request *request, int has_empty_root, int listener_pipe) {
  const int has_no_network = network_is_gone();
  drop_privileges(request);
  set_limits(request);
  CALL2(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL);
  restrict_files(request, has_empty_root);

  int listener = wants(request, SYSCALL_FILTER) ? install_filter() : -1;
  write_bytes(listener_pipe, &listener, sizeof listener);

  static char environment[ENVIRONMENT_BYTES_MAX];
  char *walls = append(environment, "EARSHOT_WALLS=");
  char *end = name_walls(walls, walls_that_hold(request, has_no_network, listener >= 0));
  if (request->only_report) {
    if (!can_start(request, has_empty_root)) fail("the program cannot be read");
    *end = '\n';
    write_bytes(1, walls, (word)(end - walls) + 1);
    leave(0);
  }
  char *const variables[] = {environment, 0};
  CALL3(__NR_execve, request->command[0], request->command, variables);
  fail("the program cannot be started");
}

/** The status as wait4 gives it. */
static int wait_for(int process) {
  int status = 0;
  while (CALL4(__NR_wait4, process, &status, 0, 0) == -EINTR);
  return status;
}

__attribute__((noreturn)) static void be_guard(const struct request *request, int status_pipe) {
  CALL2(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL);
  const int has_empty_root = wants(request, EMPTY_ROOT) && enter_empty_root(request);
  int listener_pipe[2];
  if (CALL2(__NR_pipe2, listener_pipe, O_CLOEXEC) < 0) fail("no pipe");
  /*
   * Guard and program share their descriptors until execve, so that the guard has the listener of the filter too. The pipe therefore stays
   * open if the program dies before it has written; only its process descriptor, which needs Linux 5.2, shows that.
   */
  int program_fd = -1;
  const int program = (int)CALL5(__NR_clone, CLONE_FILES | CLONE_PIDFD | SIGCHLD, 0, &program_fd, 0, 0);
  if (program < 0) fail("no process");
  if (program == 0) become_program(request, has_empty_root, listener_pipe[1]);

  int listener = -1;
  if (!wait_for_event(listener_pipe[0], program_fd) || CALL3(__NR_read, listener_pipe[0], &listener, sizeof listener) != sizeof listener)
    listener = -1;
  if (listener >= 0) {
    if (request->only_report) close_fd(listener);
    else answer_execve(listener, program_fd);
  }
  const int status = wait_for(program);
  write_bytes(status_pipe, &status, sizeof status);
  leave(0);
}

/** Ends like the program, so that the caller receives its exit status or signal. */
__attribute__((noreturn)) static void end_like(int status) {
  const int signal = status & 0x7f;
  if (signal) {
    const struct rlimit64 none = {0, 0};
    CALL4(__NR_prlimit64, 0, RLIMIT_CORE, &none, 0);
    CALL2(__NR_kill, CALL0(__NR_getpid), signal);
  }
  leave(signal ? 128 + signal : status >> 8 & 0xff);
}

/** On execve, closes every descriptor of the caller except the standard streams and the input. */
static void close_the_rest_on_execve(void) {
  if (CALL3(__NR_close_range, KEPT_FD_COUNT, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
  /* Before Linux 5.11. */
  for (int fd = KEPT_FD_COUNT; fd < 4096; fd++) CALL3(__NR_fcntl, fd, F_SETFD, FD_CLOEXEC);
}

__attribute__((noreturn, used)) void launch(word *stack) {
  static struct request request = {.open_files_max = 64};
  read_arguments((char **)(stack + 1), &request);
  CALL2(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL);
  close_the_rest_on_execve();
  leave_namespaces(&request);

  int pipe[2];
  if (CALL2(__NR_pipe2, pipe, O_CLOEXEC) < 0) fail("no pipe");
  const int guard = (int)CALL5(__NR_clone, SIGCHLD, 0, 0, 0, 0);
  if (guard < 0) fail("no process");
  if (guard == 0) be_guard(&request, pipe[1]);
  /* If these stayed open, a reader of the program's output would not see its end when the program ends. */
  close_fd(pipe[1]);
  for (int fd = 0; fd < KEPT_FD_COUNT; fd++)
    if (fd != pipe[0]) close_fd(fd);
  int status = FAILED << 8;
  const long received_bytes = CALL3(__NR_read, pipe[0], &status, sizeof status);
  const int guard_status = wait_for(guard);
  end_like(received_bytes == sizeof status ? status : guard_status);
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call launch\n");
#else
__asm__(".globl _start\n_start:\n mov x29, 0\n mov x30, 0\n mov x0, sp\n and sp, x0, -16\n b launch\n");
#endif

word length_of(const char *text) {
  word length = 0;
  while (text[length]) length++;
  return length;
}

char *append(char *end, const char *text) {
  while (*text) *end++ = *text++;
  *end = 0;
  return end;
}

char *append_number(char *end, word number) {
  char digits[20];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count) *end++ = digits[--count];
  *end = 0;
  return end;
}

int same_text(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

/* The compiler may replace assignments by calls of these. */
void *memcpy(void *restrict to, const void *restrict from, word count) {
  for (word at = 0; at < count; at++) ((volatile char *)to)[at] = ((const char *)from)[at];
  return to;
}
void *memset(void *to, int byte, word count) {
  for (word at = 0; at < count; at++) ((volatile char *)to)[at] = (char)byte;
  return to;
}
