/* System calls without a C library, so that the launcher is one small static file that runs on any distribution of its architecture. */
#pragma once

#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/poll.h>
#include <linux/resource.h>
#include <linux/signal.h>
#include <linux/types.h>

typedef unsigned long word;

/** Returns what the kernel returns: a negative error number on failure. No call here has a sixth argument. */
static inline long system_call(long number, word a, word b, word c, word d, word e) {
#if defined(__x86_64__)
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register word x8 __asm__("x8") = (word)number;
  register word x0 __asm__("x0") = a;
  register word x1 __asm__("x1") = b;
  register word x2 __asm__("x2") = c;
  register word x3 __asm__("x3") = d;
  register word x4 __asm__("x4") = e;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return (long)x0;
#else
#error "no system calls for this architecture"
#endif
}

#define CALL5(n, a, b, c, d, e) system_call(n, (word)(a), (word)(b), (word)(c), (word)(d), (word)(e))
#define CALL4(n, a, b, c, d) CALL5(n, a, b, c, d, 0)
#define CALL3(n, a, b, c) CALL4(n, a, b, c, 0)
#define CALL2(n, a, b) CALL3(n, a, b, 0)
#define CALL1(n, a) CALL2(n, a, 0)
#define CALL0(n) CALL1(n, 0)

static inline int open_path(const char *path, int flags, int mode) {
  return (int)CALL4(__NR_openat, AT_FDCWD, path, flags, mode);
}
static inline void close_fd(int fd) { CALL1(__NR_close, fd); }
static inline void write_bytes(int fd, const void *bytes, word count) { CALL3(__NR_write, fd, bytes, count); }
static inline int make_directory(const char *path) { return (int)CALL3(__NR_mkdirat, AT_FDCWD, path, 0755); }
__attribute__((noreturn)) static inline void leave(int status) {
  for (;;) CALL1(__NR_exit_group, status);
}

/** Waits until `fd` can be read; false if the process of `process_fd` ends first. A negative `process_fd` is ignored. */
static inline int wait_for_event(int fd, int process_fd) {
  struct pollfd events[] = {{fd, POLLIN, 0}, {process_fd, POLLIN, 0}};
  while (CALL5(__NR_ppoll, events, 2, 0, 0, 0) == -EINTR);
  return (events[0].revents & POLLIN) != 0;
}
