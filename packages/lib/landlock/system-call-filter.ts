/**
 * A filter of system calls, as a program of the kernel's packet filter (seccomp(2), "Filters"). It denies
 * what a decoder or an isolate does not need and what escapes have used: sockets, other
 * processes, mounts, new namespaces, keys, kernel programs and io_uring. Namespaces deny most of it
 * already; this is the second wall. Where no namespaces are, it denies more.
 */

/** The processors for which there is a filter. */
const filteredProcessors = ['x64', 'arm64'] as const;

/** A processor for which there is a filter. */
export type Processor = (typeof filteredProcessors)[number];

/** The processor of this machine; `undefined` = there is no filter for it. */
export const filteredProcessor = (): Processor | undefined =>
  process.platform === 'linux' ? filteredProcessors.find((one) => one === process.arch) : undefined;

/** Denied calls with their numbers: on x86-64 and on arm64; `null` = the processor has no such call. */
const denied: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  // The network, and sockets between processes.
  ['socket', 41, 198],
  ['socketpair', 53, 199],
  ['connect', 42, 203],
  ['bind', 49, 200],
  ['listen', 50, 201],
  ['accept', 43, 202],
  ['accept4', 288, 242],
  // Other processes.
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['kcmp', 312, 272],
  ['pidfd_getfd', 438, 438],
  ['process_madvise', 440, 440],
  ['migrate_pages', 256, 238],
  ['move_pages', 279, 239],
  // Mounts, roots and namespaces.
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['mknod', 133, null],
  ['mknodat', 259, 33],
  ['name_to_handle_at', 303, 264],
  ['open_by_handle_at', 304, 265],
  // Keys, kernel programs, and interfaces with a history of holes.
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['fanotify_init', 300, 262],
  ['lookup_dcookie', 212, 18],
  ['personality', 135, 92],
  ['modify_ldt', 154, null],
  ['ioperm', 173, null],
  ['iopl', 172, null],
  // The machine itself.
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
  ['acct', 163, 89],
  ['quotactl', 179, 60],
  ['syslog', 103, 116],
  ['vhangup', 153, 58],
  ['settimeofday', 164, 170],
  ['adjtimex', 159, 171],
  ['clock_settime', 227, 112],
  ['clock_adjtime', 305, 266],
];

/**
 * Denied also where no namespaces are: they change what is known of files without opening them, or reach
 * other processes of the same user.
 */
const deniedWithoutNamespaces: typeof denied = [
  // Modes, owners, times and attributes of files, which Landlock leaves open.
  ['chmod', 90, null],
  ['fchmod', 91, 52],
  ['fchmodat', 268, 53],
  ['fchmodat2', 452, 452],
  ['chown', 92, null],
  ['lchown', 94, null],
  ['fchown', 93, 55],
  ['fchownat', 260, 54],
  ['utime', 132, null],
  ['utimes', 235, null],
  ['futimesat', 261, null],
  ['utimensat', 280, 88],
  ['setxattr', 188, 5],
  ['lsetxattr', 189, 6],
  ['fsetxattr', 190, 7],
  ['setxattrat', 463, 463],
  ['removexattr', 197, 14],
  ['lremovexattr', 198, 15],
  ['fremovexattr', 199, 16],
  ['removexattrat', 466, 466],
  ['file_setattr', 469, 469],
  ['truncate', 76, 45],
  // The names of what changes in a folder.
  ['inotify_init', 253, null],
  ['inotify_init1', 294, 26],
  // Signals to other processes, and how they are scheduled.
  ['tkill', 200, 130],
  ['tgkill', 234, 131],
  ['rt_sigqueueinfo', 129, 138],
  ['rt_tgsigqueueinfo', 297, 240],
  ['pidfd_open', 434, 434],
  ['pidfd_send_signal', 424, 424],
  ['process_mrelease', 448, 448],
  ['setpriority', 141, 140],
  ['ioprio_set', 251, 30],
  ['sched_setaffinity', 203, 122],
  ['sched_setattr', 314, 274],
  ['sched_setparam', 142, 118],
  ['sched_setscheduler', 144, 119],
  // Memory and messages that processes share by a key or name.
  ['shmget', 29, 194],
  ['shmat', 30, 196],
  ['shmctl', 31, 195],
  ['semget', 64, 190],
  ['semop', 65, 193],
  ['semtimedop', 220, 192],
  ['semctl', 66, 191],
  ['msgget', 68, 186],
  ['msgsnd', 69, 189],
  ['msgrcv', 70, 188],
  ['msgctl', 71, 187],
  ['mq_open', 240, 180],
  ['mq_unlink', 241, 181],
];

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64` (linux/audit.h), with the calls that are looked into. */
const processors = {
  x64: { audit: 0xc000003e, clone: 56, kill: 62, prlimit: 302, column: 1 },
  arm64: { audit: 0xc00000b7, clone: 220, kill: 129, prlimit: 261, column: 2 },
} as const;

/** Has the same number on both. Its flags are in memory, which a filter cannot read. */
const clone3 = 435;
/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID` and `NEWNET`. */
const newNamespaces = 0x7e020000;
/** Calls of the x32 interface of x86-64 have numbers from here on. */
const x32 = 0x40000000;

/** Offsets in `struct seccomp_data`. */
const data = { number: 0, processor: 4, firstArgument: 16 };
const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const answer = 0x06;
const answers = {
  allow: 0x7fff0000,
  killProcess: 0x80000000,
  /** `EPERM` */
  refuse: 0x00050001,
  /** `ENOSYS`: the C library then takes `clone`. */
  unknown: 0x00050026,
};

type Step = readonly [code: number, value: number, ifTrue: number, ifFalse: number];

/**
 * The filter, as `bwrap --seccomp` and `setpriv --seccomp-filter` read it: eight bytes for each step,
 * little-endian.
 */
export function systemCallFilter(
  processor: Processor,
  beside: 'namespaces' | 'without-namespaces' = 'namespaces',
): Buffer {
  const { audit, clone, kill, prlimit, column } = processors[processor];
  const isAlone = beside === 'without-namespaces';
  const rows = isAlone ? [...denied, ...deniedWithoutNamespaces] : denied;
  const numbers = rows.flatMap((row) => row[column] ?? []);
  const isX64 = processor === 'x64';
  const steps: Step[] = [
    [load, data.processor, 0, 0],
    [jumpIfEqual, audit, 1, 0],
    [answer, answers.killProcess, 0, 0],
    [load, data.number, 0, 0],
    ...(isX64 ? ([[jumpIfAtLeast, x32, 0, 1], refusal] as const) : []),
    ...numbers.flatMap((number): readonly Step[] => [[jumpIfEqual, number, 0, 1], refusal]),
    [jumpIfEqual, clone3, 0, 1],
    [answer, answers.unknown, 0, 0],
    [jumpIfEqual, clone, 0, 4],
    [load, data.firstArgument, 0, 0],
    [jumpIfAnyBit, newNamespaces, 0, 1],
    refusal,
    [answer, answers.allow, 0, 0],
    ...(isAlone ? [kill, prlimit].flatMap(ofOthers) : []),
    [answer, answers.allow, 0, 0],
  ];
  const program = Buffer.alloc(steps.length * 8);
  for (const [at, [code, value, ifTrue, ifFalse]] of steps.entries()) {
    program.writeUInt16LE(code, at * 8);
    program.writeUInt8(ifTrue, at * 8 + 2);
    program.writeUInt8(ifFalse, at * 8 + 3);
    program.writeUInt32LE(value, at * 8 + 4);
  }
  return program;
}

/**
 * A call that names a process is allowed for the number 0: the process itself, or for a signal its own
 * group.
 */
const ofOthers = (number: number): readonly Step[] => [
  [jumpIfEqual, number, 0, 4],
  [load, data.firstArgument, 0, 0],
  [jumpIfEqual, 0, 1, 0],
  refusal,
  [answer, answers.allow, 0, 0],
];

const refusal: Step = [answer, answers.refuse, 0, 0];
