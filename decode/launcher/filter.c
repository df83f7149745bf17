/*
 * Allows the system calls that Node needs to read a descriptor, compute, and write a descriptor. All others fail with ENOSYS: libraries
 * assume an old kernel and work around it. Calls that a hostile program would make fail with EPERM instead, so that tests and logs can
 * tell an attack from a call missing in the list.
 */
#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

#include "launch.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#else
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

static const unsigned short ALLOWED[] = {
    /* memory; V8 generates code, so pages may become executable */
    __NR_mmap, __NR_munmap, __NR_mprotect, __NR_mremap, __NR_madvise, __NR_brk, __NR_membarrier,
    __NR_pkey_alloc, __NR_pkey_free, __NR_pkey_mprotect, __NR_mincore,
    /* open files */
    __NR_read, __NR_pread64, __NR_readv, __NR_preadv, __NR_write, __NR_writev, __NR_close, __NR_lseek, __NR_fstat,
    __NR_dup, __NR_dup3, __NR_close_range, __NR_getsockname, __NR_getsockopt,
    /* inspecting files; the empty root and Landlock decide which files there are */
    __NR_newfstatat, __NR_statx, __NR_readlinkat, __NR_faccessat, __NR_faccessat2, __NR_getdents64, __NR_getcwd,
    __NR_statfs, __NR_fstatfs,
    /* waiting */
    __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_epoll_pwait2, __NR_eventfd2, __NR_pipe2, __NR_ppoll,
    __NR_futex, __NR_nanosleep, __NR_clock_nanosleep, __NR_restart_syscall, __NR_timerfd_create, __NR_timerfd_settime,
    /* threads; see clone below */
    __NR_set_robust_list, __NR_get_robust_list, __NR_set_tid_address, __NR_rseq, __NR_sched_yield, __NR_sched_getaffinity,
    __NR_sched_getparam, __NR_sched_getscheduler, __NR_sched_get_priority_max, __NR_sched_get_priority_min,
    __NR_getpriority, __NR_getcpu, __NR_exit, __NR_exit_group,
    /* signals to oneself; see tgkill below */
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigpending, __NR_sigaltstack,
    /* identity, system, time */
    __NR_getpid, __NR_getppid, __NR_gettid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getgroups,
    __NR_getresuid, __NR_getresgid, __NR_capget, __NR_uname, __NR_sysinfo, __NR_getrusage, __NR_times,
    __NR_clock_gettime, __NR_clock_getres, __NR_gettimeofday, __NR_getrandom, __NR_umask,
#if defined(__x86_64__)
    __NR_arch_prctl, __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_dup2, __NR_pipe, __NR_poll,
    __NR_select, __NR_epoll_wait, __NR_epoll_create, __NR_eventfd, __NR_time,
#endif
};

/** These fail with EPERM. */
static const unsigned short REFUSED[] = {
    __NR_socket, __NR_socketpair, __NR_bind, __NR_listen, __NR_accept, __NR_accept4, __NR_connect, __NR_sendto, __NR_sendmsg,
    __NR_sendmmsg, __NR_recvfrom, __NR_recvmsg, __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
    __NR_unlinkat, __NR_mkdirat, __NR_mknodat, __NR_linkat, __NR_symlinkat, __NR_renameat2, __NR_fchmodat, __NR_fchownat,
    __NR_truncate, __NR_memfd_create, __NR_tkill, __NR_rt_sigqueueinfo, __NR_mount, __NR_unshare, __NR_setns, __NR_bpf,
    __NR_chdir, __NR_chroot,
#if defined(__x86_64__)
    __NR_creat, __NR_fork, __NR_vfork, __NR_unlink, __NR_mkdir, __NR_rmdir, __NR_rename, __NR_chmod, __NR_chown, __NR_link,
    __NR_symlink,
#endif
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define ARGUMENT(n) (__builtin_offsetof(struct seccomp_data, args[n]))
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)
#define ABSENT (SECCOMP_RET_ERRNO | ENOSYS)

static struct sock_filter program[2 * (COUNT(ALLOWED) + COUNT(REFUSED)) + 128];
static unsigned short length;

static void emit(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned value) {
  program[length++] = (struct sock_filter){code, if_true, if_false, value};
}
static void load(unsigned offset) { emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
static void answer(unsigned value) { emit(BPF_RET | BPF_K, 0, 0, value); }
/** The next instruction runs only if the accumulator is `value`; otherwise it is skipped. */
static void if_equal(unsigned value) { emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value); }
static void if_any_bit(unsigned bits) { emit(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits); }

/** Begins the rule for one call; `end_rule` sets the target of the jump for all other calls. */
static unsigned short begin_rule(int number) {
  emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, (unsigned)number);
  return length;
}
static void end_rule(unsigned short start, unsigned otherwise) {
  answer(otherwise);
  program[start - 1].jf = (unsigned char)(length - start);
}

/** Allows these values of an argument's lower 32 bits; the kernel ignores the upper ones in these calls. */
static void allow_values(int number, int argument, const unsigned *values, int count) {
  const unsigned short rule = begin_rule(number);
  load(ARGUMENT(argument));
  for (int at = 0; at < count; at++) {
    if_equal(values[at]);
    answer(SECCOMP_RET_ALLOW);
  }
  end_rule(rule, REFUSE);
}

static void forbid_bits(int number, int argument, unsigned bits) {
  const unsigned short rule = begin_rule(number);
  load(ARGUMENT(argument));
  if_any_bit(bits);
  answer(REFUSE);
  end_rule(rule, SECCOMP_RET_ALLOW);
}

static void build_filter(void) {
  load(__builtin_offsetof(struct seccomp_data, arch));
  emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCH);
  answer(SECCOMP_RET_KILL_PROCESS);
  load(__builtin_offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  /* x32 has other numbers for the same calls. */
  emit(BPF_JMP | BPF_JGE | BPF_K, 0, 1, __X32_SYSCALL_BIT);
  answer(SECCOMP_RET_KILL_PROCESS);
#endif
  for (word at = 0; at < COUNT(ALLOWED); at++) {
    if_equal(ALLOWED[at]);
    answer(SECCOMP_RET_ALLOW);
  }
  for (word at = 0; at < COUNT(REFUSED); at++) {
    if_equal(REFUSED[at]);
    answer(REFUSE);
  }
  if_equal(__NR_execve);
  answer(SECCOMP_RET_USER_NOTIF);

  /* Threads, but no processes. A filter cannot see the flags of clone3, which lie in memory: it fails with ENOSYS; libraries use clone. */
  const unsigned short clone = begin_rule(__NR_clone);
  load(ARGUMENT(0));
  if_any_bit(CLONE_THREAD);
  answer(SECCOMP_RET_ALLOW);
  end_rule(clone, REFUSE);

  const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  forbid_bits(__NR_openat, 2, writing);
#if defined(__x86_64__)
  forbid_bits(__NR_open, 1, writing);
#endif
  const unsigned own_process = (unsigned)CALL0(__NR_getpid);
  allow_values(__NR_tgkill, 0, &own_process, 1);
  allow_values(__NR_kill, 0, &own_process, 1);
  /* Not F_SETOWN and F_SETSIG, with which a pipe sends any signal to any process of this user. */
  static const unsigned fcntls[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  allow_values(__NR_fcntl, 1, fcntls, COUNT(fcntls));

  /* Limits may be read, but not set. */
  const unsigned short limits = begin_rule(__NR_prlimit64);
  load(ARGUMENT(2));
  emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
  load(ARGUMENT(2) + 4);
  if_equal(0);
  answer(SECCOMP_RET_ALLOW);
  end_rule(limits, REFUSE);
#if defined(__x86_64__)
  if_equal(__NR_getrlimit);
  answer(SECCOMP_RET_ALLOW);
#endif
  static const unsigned prctls[] = {
      PR_SET_NAME, PR_GET_NAME, PR_SET_VMA /* names of mappings */, PR_GET_NO_NEW_PRIVS, PR_CAPBSET_READ,
  };
  allow_values(__NR_prctl, 0, prctls, COUNT(prctls));
  static const unsigned ioctls[] = {FIOCLEX, FIONBIO, FIONREAD, TCGETS /* is it a terminal? */};
  allow_values(__NR_ioctl, 1, ioctls, COUNT(ioctls));
  answer(ABSENT);
}

int install_filter(void) {
  build_filter();
  const struct sock_fprog whole = {length, program};
  return (int)CALL3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &whole);
}

void answer_execve(int listener, int program_fd) {
  for (int trial = 1; trial >= 0; trial--) {
    struct seccomp_notif call = {0};
    long received;
    if (!wait_for_event(listener, program_fd)) break;
    while ((received = CALL3(__NR_ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &call)) == -EINTR);
    if (received < 0) break;
    struct seccomp_notif_resp reply = {.id = call.id};
    if (trial) reply.error = -EPERM;
    else reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    CALL3(__NR_ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
  }
  close_fd(listener);
}
