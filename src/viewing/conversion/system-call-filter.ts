/**
 * The filter of system calls around a transcoder, as a program of the kernel's packet filter
 * (seccomp(2), "Filters"). It denies what no decoder needs and what escapes have used: sockets, other
 * processes, mounts, new namespaces, keys, kernel programs and io_uring. Namespaces deny most of it
 * already; this is the second wall.
 */

/** The processors for which there is a filter. */
export const filteredProcessors = ['x64', 'arm64'] as const;

type Processor = (typeof filteredProcessors)[number];

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

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64` (linux/audit.h), with the calls that are looked into. */
const processors = {
  x64: { audit: 0xc000003e, clone: 56, column: 1 },
  arm64: { audit: 0xc00000b7, clone: 220, column: 2 },
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

/** The filter, as `bwrap --seccomp` reads it: eight bytes for each step, little-endian. */
export function systemCallFilter(processor: Processor): Buffer {
  const { audit, clone, column } = processors[processor];
  const numbers = denied.flatMap((row) => row[column] ?? []);
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
    [jumpIfEqual, clone, 0, 3],
    [load, data.firstArgument, 0, 0],
    [jumpIfAnyBit, newNamespaces, 0, 1],
    refusal,
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

const refusal: Step = [answer, answers.refuse, 0, 0];
