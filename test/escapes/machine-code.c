/*
 * What machine code in the process of a plugin may try at what is outside: a line for each, with its
 * error or "done". Nothing here harms the machine where it succeeds: signals go to the victim alone.
 * Arguments: a secret file, its folder, the victim, a socket of Unix, a port.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <sys/inotify.h>
#include <unistd.h>
static void say(const char *name, long result) {
  printf("%s %s\n", name, result >= 0 ? "done" : strerrorname_np(errno));
  fflush(stdout);
}
static char text[4096];
static long readFile(const char *path) {
  int fd = open(path, O_RDONLY);
  if (fd < 0) return -1;
  long got = read(fd, text, sizeof text);
  close(fd);
  return got;
}
static long connectTo(int family, int type, struct sockaddr *to, socklen_t size) {
  int fd = socket(family, type, 0);
  if (fd < 0) return -1;
  if (type == SOCK_DGRAM) return sendto(fd, "x", 1, 0, to, size);
  return connect(fd, to, size);
}
int main(int count, char **args) {
  if (count < 6) return 2;
  const char *secret = args[1], *folder = args[2], *unixPath = args[4];
  int victim = atoi(args[3]), port = atoi(args[5]);
  char path[1024];
  say("read", readFile(secret));
  say("list", open(folder, O_RDONLY | O_DIRECTORY));
  snprintf(path, sizeof path, "/proc/%d/environ", victim); say("environ", readFile(path));
  snprintf(path, sizeof path, "/proc/%d/maps", victim); say("maps", readFile(path));
  snprintf(path, sizeof path, "/proc/%d/mem", victim); say("mem", open(path, O_RDWR));
  snprintf(path, sizeof path, "/proc/%d/root%s", victim, secret); say("by-root", readFile(path));
  snprintf(path, sizeof path, "/proc/%d/cwd/.", victim); say("by-cwd", open(path, O_RDONLY | O_DIRECTORY));
  snprintf(path, sizeof path, "/proc/self/root%s", secret); say("by-self", readFile(path));
  say("write", open(secret, O_WRONLY));
  say("append", open(secret, O_WRONLY | O_APPEND));
  say("truncate", truncate(secret, 0));
  say("chmod", chmod(secret, 0777));
  say("chown", chown(secret, 1, 1));
  say("times", utimes(secret, NULL));
  say("setxattr", setxattr(secret, "user.a", "b", 1, 0));
  snprintf(path, sizeof path, "%s/two", folder);
  say("link", link(secret, path)); say("symlink", symlink(secret, path)); say("rename", rename(secret, path));
  say("mkdir", mkdir(path, 0755)); say("mknod", mknod(path, S_IFREG | 0644, 0)); say("create", open(path, O_CREAT | O_RDWR, 0644));
  say("tmpfile", open(folder, O_TMPFILE | O_RDWR, 0644)); say("unlink", unlink(secret));
  struct { struct file_handle handle; char rest[128]; } handle = {.handle = {.handle_bytes = 128}};
  int mountId;
  say("handle", name_to_handle_at(AT_FDCWD, secret, &handle.handle, &mountId, 0));
  say("by-handle", open_by_handle_at(AT_FDCWD, &handle.handle, O_RDONLY));
  say("inotify", inotify_add_watch(inotify_init(), folder, IN_ALL_EVENTS));
  say("fanotify", syscall(SYS_fanotify_init, 0, O_RDONLY));
  say("mount", mount("none", folder, "tmpfs", 0, ""));
  say("bind", mount("/", folder, NULL, MS_BIND, ""));
  say("open-tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
  say("fsopen", syscall(SYS_fsopen, "proc", 0));
  say("umount", umount2(folder, MNT_DETACH));
  say("chroot", chroot(folder));
  say("pivot", syscall(SYS_pivot_root, folder, folder));
  say("mknod-device", mknod(path, S_IFBLK | 0600, 0x800));
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  say("tcp", connectTo(AF_INET, SOCK_STREAM, (void *)&four, sizeof four));
  say("udp", connectTo(AF_INET, SOCK_DGRAM, (void *)&four, sizeof four));
  struct sockaddr_in far = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr.s_addr = htonl(0xc0000201)};
  say("udp-far", connectTo(AF_INET, SOCK_DGRAM, (void *)&far, sizeof far));
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  say("tcp6", connectTo(AF_INET6, SOCK_STREAM, (void *)&six, sizeof six));
  struct sockaddr_un un = {.sun_family = AF_UNIX};
  strncpy(un.sun_path, unixPath, sizeof un.sun_path - 1);
  say("unix", connectTo(AF_UNIX, SOCK_STREAM, (void *)&un, sizeof un));
  memset(un.sun_path, 0, sizeof un.sun_path); strncpy(un.sun_path + 1, "vitrine-native", 60);
  say("abstract", connectTo(AF_UNIX, SOCK_STREAM, (void *)&un, sizeof(sa_family_t) + 1 + strlen("vitrine-native")));
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = 0};
  say("listen", listener < 0 ? -1 : bind(listener, (void *)&any, sizeof any) < 0 ? -1 : listen(listener, 1));
  say("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  say("packet", socket(AF_PACKET, SOCK_RAW, 0));
  say("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
  struct io_uring_params params = {0};
  say("io_uring", syscall(SYS_io_uring_setup, 4, &params));
  say("kill", kill(victim, SIGTERM));
  say("kill-all", kill(-1, 0)); say("kill-group", kill(-victim, 0));
  say("tgkill", syscall(SYS_tgkill, victim, victim, SIGTERM));
  siginfo_t info = {0}; info.si_code = SI_QUEUE;
  say("sigqueue", syscall(SYS_rt_sigqueueinfo, victim, SIGTERM, &info));
  int pidfd = syscall(SYS_pidfd_open, victim, 0);
  say("pidfd", pidfd); say("pidfd-signal", syscall(SYS_pidfd_send_signal, pidfd, SIGTERM, NULL, 0));
  say("pidfd-getfd", syscall(SYS_pidfd_getfd, pidfd, 0, 0));
  say("ptrace", ptrace(PTRACE_SEIZE, victim, 0, 0));
  struct iovec here = {text, 16}, there = {(void *)0x400000, 16};
  say("vm-read", process_vm_readv(victim, &here, 1, &there, 1, 0));
  say("vm-write", process_vm_writev(victim, &here, 1, &there, 1, 0));
  struct rlimit limit = {0, 0};
  say("prlimit", prlimit(victim, RLIMIT_NOFILE, &limit, NULL));
  say("priority", setpriority(PRIO_PROCESS, victim, 19));
  cpu_set_t cpus; CPU_ZERO(&cpus); CPU_SET(0, &cpus);
  say("affinity", sched_setaffinity(victim, sizeof cpus, &cpus));
  struct sched_param param = {0};
  say("scheduler", sched_setscheduler(victim, SCHED_IDLE, &param));
  say("setns", syscall(SYS_setns, pidfd, CLONE_NEWNS));
  say("unshare-user", unshare(CLONE_NEWUSER)); say("unshare-net", unshare(CLONE_NEWNET)); say("unshare-mount", unshare(CLONE_NEWNS));
  say("shm", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) < 0 ? -1 : shmget(0x7661, 16, 0600)); 
  say("shm-theirs", shmget(0x7661, 16, 0));
  say("msg-theirs", msgget(0x7661, 0)); say("sem-theirs", semget(0x7661, 0, 0));
  say("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, text, 64));
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_CPU_CLOCK};
  say("perf", syscall(SYS_perf_event_open, &attr, victim, -1, -1, 0));
  say("add-key", syscall(SYS_add_key, "user", "a", "b", 1, -5));
  say("keyctl", syscall(SYS_keyctl, 0, -3, 1));
  say("hostname", syscall(SYS_sethostname, "a", -1));
  say("settime", syscall(SYS_clock_settime, CLOCK_REALTIME, NULL));
  say("swapon", syscall(SYS_swapon, secret, 0)); say("module", syscall(SYS_init_module, text, 16, ""));
  say("kexec", syscall(SYS_kexec_load, 0, 0, 0, 0)); say("acct", syscall(SYS_acct, NULL)); say("syslog", syscall(SYS_syslog, 3, text, 100));
  say("setuid-root", setresuid(0, 0, 0) < 0 ? -1 : readFile(secret) < 0 ? -1 : 0);
  say("iopl", syscall(SYS_iopl, 3));
  char *none[] = {NULL};
  int child = fork();
  if (child == 0) { execve("/bin/sh", (char *[]){"sh", "-c", "exit 0", NULL}, none); _exit(errno); }
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  errno = child < 0 ? errno : WEXITSTATUS(status);
  say("shell", child < 0 || errno != 0 ? -1 : 0);
  return 0;
}
