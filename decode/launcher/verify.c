/* Tests each wall from inside once all are set up: what counts is what the kernel does, not what was requested. */
#include <linux/capability.h>
#include <linux/prctl.h>

#include "launch.h"

#define AF_UNIX 1
#define AF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2

struct internet_address {
  __u16 family, port;
  __u8 address[4];
  __u8 unused[8];
};

int network_is_gone(void) {
  const int fd = (int)CALL3(__NR_socket, AF_INET, SOCK_DGRAM, 0);
  if (fd < 0) return 1;
  /* In a new namespace the loopback interface is down, so not even our own address can be reached. */
  const struct internet_address self = {AF_INET, 0x0900, {127, 0, 0, 1}, {0}};
  const long connected = CALL3(__NR_connect, fd, &self, sizeof self);
  close_fd(fd);
  return connected == -ENETUNREACH;
}

static int is_limited(int resource, word soft, word hard) {
  struct rlimit64 now;
  return CALL4(__NR_prlimit64, 0, resource, 0, &now) == 0 && now.rlim_cur == soft && now.rlim_max == hard;
}

static int has_limits(const struct request *request) {
  return (!request->cpu_seconds_hard || is_limited(RLIMIT_CPU, request->cpu_seconds_soft, request->cpu_seconds_hard)) &&
         (!request->data_bytes || is_limited(RLIMIT_DATA, request->data_bytes, request->data_bytes)) &&
         (!request->processes_max || is_limited(RLIMIT_NPROC, request->processes_max, request->processes_max)) &&
         is_limited(RLIMIT_NOFILE, request->open_files_max, request->open_files_max) && is_limited(RLIMIT_FSIZE, 0, 0) &&
         is_limited(RLIMIT_CORE, 0, 0);
}

static int has_no_privileges(void) {
  if (CALL5(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 0;
  long bounded;
  for (int capability = 0; (bounded = CALL5(__NR_prctl, PR_CAPBSET_READ, capability, 0, 0, 0)) >= 0; capability++)
    if (bounded != 0) return 0;
  if (bounded != -EINVAL) return 0;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct has[2];
  if (CALL2(__NR_capget, &header, has) < 0) return 0;
  return !(has[0].effective | has[0].permitted | has[0].inheritable | has[1].effective | has[1].permitted |
           has[1].inheritable);
}

static int is_user(word id) {
  unsigned real, effective, saved;
  if (!id || CALL3(__NR_getresuid, &real, &effective, &saved) < 0) return 0;
  return real == id && effective == id && saved == id;
}

/** These paths exist on every system, and no decoder needs them. */
static int root_is_empty(void) {
  static const char *const usual[] = {"/etc/passwd", "/proc/self", "/dev/null", "/bin/sh", "/old", 0};
  for (const char *const *name = usual; *name; name++)
    if (CALL4(__NR_faccessat, AT_FDCWD, *name, 0, 0) != -ENOENT) return 0;
  return 1;
}

static int landlock_holds(void) {
  const int fd = open_path("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd >= 0) close_fd(fd);
  return fd == -EACCES;
}

static int filter_holds(void) {
  if (CALL3(__NR_socket, AF_UNIX, SOCK_STREAM, 0) != -EPERM) return 0;
  if (CALL3(__NR_socket, AF_INET, SOCK_STREAM, 0) != -EPERM) return 0;
  for (int call = 0; call < 3; call++) {
    static const int calls[] = {__NR_bind, __NR_listen, __NR_connect};
    if (CALL3(calls[call], -1, 0, 0) != -EPERM) return 0;
  }
  if (CALL4(__NR_ptrace, 0, 0, 0, 0) != -EPERM) return 0;
  if (CALL3(__NR_fcntl, -1, F_SETOWN, 0) != -EPERM) return 0;
  if (open_path("/", O_WRONLY | O_CREAT, 0600) != -EPERM) return 0;
  const long process = CALL5(__NR_clone, SIGCHLD, 0, 0, 0, 0);
  if (process == 0) leave(0);
  if (process != -EPERM) return 0;
  return 1;
}

word walls_that_hold(const struct request *request, int has_no_network, int has_guard) {
  char *const nothing[] = {0};
  word walls = 0;
  if (has_limits(request)) walls |= 1ul << RESOURCE_LIMITS;
  if (has_no_network) walls |= 1ul << NETWORK_NAMESPACE;
  if (CALL0(__NR_getpid) == 2 && CALL0(__NR_getppid) == 1) walls |= 1ul << PROCESS_NAMESPACE;
  if (root_is_empty()) walls |= 1ul << EMPTY_ROOT;
  if (has_no_privileges()) walls |= 1ul << DROPPED_PRIVILEGES;
  if (is_user(request->user_id)) walls |= 1ul << TRANSIENT_USER;
  if (landlock_holds()) walls |= 1ul << LANDLOCK;
  /* The guard refuses the first execve, which is this one. */
  if (has_guard && filter_holds() && (request->only_report || CALL3(__NR_execve, "/", nothing, nothing) == -EPERM))
    walls |= 1ul << SYSCALL_FILTER;
  return walls;
}
