/* What the program gives up: unlimited resources, its user, its capabilities and, through Landlock, all files not in the request. */
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/prctl.h>

#include "launch.h"

static void limit(int resource, word soft, word hard) {
  const struct rlimit64 value = {soft, hard};
  CALL4(__NR_prlimit64, 0, resource, &value, 0);
}

void set_limits(const struct request *request) {
  if (!wants(request, RESOURCE_LIMITS)) return;
  /* The soft limit of processor time sends SIGXCPU, which shows the caller the reason; the hard one kills a program that ignores it. */
  if (request->cpu_seconds_hard) limit(RLIMIT_CPU, request->cpu_seconds_soft, request->cpu_seconds_hard);
  if (request->data_bytes) limit(RLIMIT_DATA, request->data_bytes, request->data_bytes);
  if (request->processes_max) limit(RLIMIT_NPROC, request->processes_max, request->processes_max);
  limit(RLIMIT_NOFILE, request->open_files_max, request->open_files_max);
  limit(RLIMIT_FSIZE, 0, 0);
  limit(RLIMIT_CORE, 0, 0);
}

void drop_privileges(const struct request *request) {
  if (!wants(request, DROPPED_PRIVILEGES)) return;
  CALL5(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  CALL5(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int capability = 0; CALL5(__NR_prctl, PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
    CALL5(__NR_prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
  if (request->user_id) {
    CALL2(__NR_setgroups, 0, 0);
    CALL3(__NR_setresgid, request->user_id, request->user_id, request->user_id);
    CALL3(__NR_setresuid, request->user_id, request->user_id, request->user_id);
  }
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  CALL2(__NR_capset, &header, none);
}

/** Landlock's struct as of its version 6; the headers may be older than the kernel. */
struct ruleset {
  __u64 files, network, scopes;
};

static int make_ruleset(void) {
  const long version = CALL3(__NR_landlock_create_ruleset, 0, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return -1;
  /* Every kind of access that this version knows is refused unless a rule grants it. */
  const __u64 files = version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version == 2 ? 0x3fff : 0x1fff;
  const struct ruleset ruleset = {
      .files = files,
      .network = version >= 4 ? 3 : 0,
      .scopes = version >= 6 ? 3 : 0,
  };
  const word size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return (int)CALL3(__NR_landlock_create_ruleset, &ruleset, size, 0);
}

void restrict_files(const struct request *request, int has_empty_root) {
  if (!wants(request, LANDLOCK)) return;
  const int ruleset = make_ruleset();
  if (ruleset < 0) return;
  for (int at = 0; at < request->path_count; at++) {
    const struct needed_path *needed = &request->paths[at];
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open_path(has_empty_root ? needed->target : needed->source, O_PATH | O_CLOEXEC, 0),
    };
    if (needed->is_program) rule.allowed_access |= LANDLOCK_ACCESS_FS_EXECUTE;
    if (CALL4(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0) {
      /* The kernel refuses the right to list entries for a file. */
      rule.allowed_access &= ~(__u64)LANDLOCK_ACCESS_FS_READ_DIR;
      CALL4(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close_fd(rule.parent_fd);
  }
  CALL2(__NR_landlock_restrict_self, ruleset, 0);
  close_fd(ruleset);
}
