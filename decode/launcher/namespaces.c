/*
 * A network without interfaces, separate process ids, and a file system that contains only what the program needs. Root creates these
 * namespaces directly; other users first need a user namespace, which the kernel or the container may refuse.
 */
#include <linux/mount.h>
#include <linux/sched.h>
#include <linux/stat.h>

#include "launch.h"

static void write_text(const char *path, const char *text) {
  const int fd = open_path(path, O_WRONLY, 0);
  if (fd < 0) return;
  write_bytes(fd, text, length_of(text));
  close_fd(fd);
}

/** Maps one id to itself, so that files keep their owner and the program keeps its user. */
static void map_only(const char *file, word id) {
  char line[64];
  append(append_number(append(append_number(line, id), " "), id), " 1\n");
  write_text(file, line);
}

static void enter_user_namespace(void) {
  const word user = (word)CALL0(__NR_geteuid);
  const word group = (word)CALL0(__NR_getegid);
  if (CALL1(__NR_unshare, CLONE_NEWUSER) < 0) return;
  write_text("/proc/self/setgroups", "deny");
  map_only("/proc/self/uid_map", user);
  map_only("/proc/self/gid_map", group);
}

void leave_namespaces(const struct request *request) {
  word wanted = CLONE_NEWIPC | CLONE_NEWUTS;
  if (wants(request, NETWORK_NAMESPACE)) wanted |= CLONE_NEWNET;
  if (wants(request, PROCESS_NAMESPACE)) wanted |= CLONE_NEWPID;
  if (wants(request, EMPTY_ROOT)) wanted |= CLONE_NEWNS;
  if (wanted == (CLONE_NEWIPC | CLONE_NEWUTS)) return;
  if (CALL1(__NR_unshare, wanted) == 0) return;
  enter_user_namespace();
  if (CALL1(__NR_unshare, wanted) == 0) return;
  /* The combination is refused: try each separately. */
  for (word flag = 1; flag && flag <= wanted; flag <<= 1)
    if (wanted & flag) CALL1(__NR_unshare, flag);
}

static int mount_at(const char *source, const char *target, const char *type, word flags, const char *options) {
  return (int)CALL5(__NR_mount, source, target, type, flags, options);
}

static void make_parents(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    make_directory(path);
    *at = '/';
  }
}

static int is_directory(const char *path) {
  struct statx status;
  if (CALL5(__NR_statx, AT_FDCWD, path, 0, STATX_TYPE, &status) < 0) return -1;
  return (status.stx_mode & S_IFMT) == S_IFDIR;
}

static int bring_in(const struct needed_path *needed) {
  char source[PATH_BYTES_MAX], target[PATH_BYTES_MAX];
  append(append(source, OLD_ROOT), needed->source);
  append(target, needed->target);
  const int directory = is_directory(source);
  if (directory < 0) return 0;
  make_parents(target);
  if (directory && !same_text(needed->source, needed->target)) {
    /* A link, so that Node looks for the dependencies of a package around its real path. It exists if it lies in a mounted folder. */
    const long linked = CALL3(__NR_symlinkat, needed->source, AT_FDCWD, target);
    return linked == 0 || linked == -EEXIST;
  }
  if (directory) {
    make_directory(target);
  } else {
    const int fd = open_path(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
    if (fd >= 0) close_fd(fd);
  }
  return mount_at(source, target, 0, MS_BIND | MS_REC, 0) == 0;
}

static void make_read_only(void) {
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
  if (CALL5(__NR_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attributes, sizeof attributes) == 0) return;
  /* Before Linux 5.12 only the root itself. The mounts below it keep their owners and modes, and the filter forbids opening for writing. */
  mount_at(0, "/", 0, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, 0);
}

int enter_empty_root(const struct request *request) {
  /* Any directory to mount the new root on; only this process and its children see the mount. */
  static const char *const places[] = {"/tmp", "/dev", "/var", "/usr", 0};
  if (mount_at(0, "/", 0, MS_REC | MS_PRIVATE, 0) < 0) return 0;
  const char *const *place = places;
  while (*place && mount_at("earshot", *place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") < 0) place++;
  if (!*place || CALL1(__NR_chdir, *place) < 0) return 0;
  make_directory("old");
  if (CALL2(__NR_pivot_root, ".", "old") < 0) {
    CALL1(__NR_chdir, "/");
    CALL2(__NR_umount2, *place, 2 /* MNT_DETACH */);
    return 0;
  }
  CALL1(__NR_chdir, "/");
  int complete = 1;
  for (int at = 0; at < request->path_count; at++) complete &= bring_in(&request->paths[at]);
  if (!complete) {
    /* The program could not run there, so return to the old root and do without this wall. */
    if (CALL1(__NR_chdir, OLD_ROOT) == 0 && CALL2(__NR_pivot_root, ".", ".") == 0)
      CALL2(__NR_umount2, ".", 2 /* MNT_DETACH */);
    CALL1(__NR_chdir, "/");
    return 0;
  }
  CALL2(__NR_umount2, OLD_ROOT, 2 /* MNT_DETACH */);
  CALL3(__NR_unlinkat, AT_FDCWD, OLD_ROOT, AT_REMOVEDIR);
  make_read_only();
  return 1;
}
