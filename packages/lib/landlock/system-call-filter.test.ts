import { describe, expect, test } from 'vitest';
import { systemCallFilter } from './system-call-filter.ts';

const audits = { x64: 0xc000003e, arm64: 0xc00000b7 };
const allow = 0x7fff0000;
const refuse = 0x00050001;
const unknown = 0x00050026;
const killProcess = 0x80000000;

interface Call {
  readonly audit: number;
  readonly number: number;
  readonly firstArgument?: number;
}

/** Runs the program as the kernel does (Linux, Documentation/networking/filter.rst). */
function answerTo(program: Buffer, { audit, number, firstArgument = 0 }: Call): number {
  const data = new Map([
    [0, number],
    [4, audit],
    [16, firstArgument],
  ]);
  let loaded = 0;
  for (let at = 0; ; at += 8) {
    const value = program.readUInt32LE(at + 4);
    const code = program.readUInt16LE(at);
    if (code === 0x06) return value;
    if (code === 0x20) loaded = data.get(value) ?? Number.NaN;
    const isTrue =
      (code === 0x15 && loaded === value) ||
      (code === 0x35 && loaded >= value) ||
      (code === 0x45 && (loaded & value) !== 0);
    if (code !== 0x20) at += program.readUInt8(at + (isTrue ? 2 : 3)) * 8;
  }
}

/** Numbers from the tables of the kernel: arch/x86/entry/syscalls/syscall_64.tbl, asm-generic/unistd.h. */
const calls = {
  x64: {
    denied: {
      socket: 41,
      ptrace: 101,
      mount: 165,
      keyctl: 250,
      unshare: 272,
      bpf: 321,
      ioUring: 425,
    },
    needed: { read: 0, write: 1, open: 2, mmap: 9, execve: 59, futex: 202, openat: 257 },
    clone: 56,
  },
  arm64: {
    denied: {
      socket: 198,
      ptrace: 117,
      mount: 40,
      keyctl: 219,
      unshare: 97,
      bpf: 280,
      ioUring: 425,
    },
    needed: {
      read: 63,
      write: 64,
      openat: 56,
      mmap: 222,
      execve: 221,
      futex: 98,
      clockGettime: 113,
    },
    clone: 220,
  },
};

describe.each(['x64', 'arm64'] as const)('the filter of system calls for %s', (processor) => {
  const program = systemCallFilter(processor);
  const audit = audits[processor];
  const { denied, needed, clone } = calls[processor];

  test.each(Object.entries(denied))('refuses %s', (_, number) => {
    expect(answerTo(program, { audit, number })).toBe(refuse);
  });

  test.each(Object.entries(needed))('allows %s', (_, number) => {
    expect(answerTo(program, { audit, number })).toBe(allow);
  });

  test('allows threads and refuses each kind of new namespace', () => {
    const threads = 0x003d0f00;
    expect(answerTo(program, { audit, number: clone, firstArgument: threads })).toBe(allow);
    for (const kind of [
      0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
    ])
      expect(answerTo(program, { audit, number: clone, firstArgument: kind })).toBe(refuse);
  });

  test('does not know clone3, whose flags it cannot read', () => {
    expect(answerTo(program, { audit, number: 435 })).toBe(unknown);
  });

  test('kills what calls as another processor', () => {
    const other = processor === 'x64' ? 0x40000003 : 0x40000028;

    expect(answerTo(program, { audit: other, number: 1 })).toBe(killProcess);
  });
});

test('calls of the x32 interface are refused, since they have other numbers', () => {
  const program = systemCallFilter('x64');

  expect(answerTo(program, { audit: audits.x64, number: 0x40000000 })).toBe(refuse);
});

describe.each(['x64', 'arm64'] as const)(
  'where there are no namespaces, the filter for %s',
  (processor) => {
    const audit = audits[processor];
    const [alone, beside] = [
      systemCallFilter(processor, 'without-namespaces'),
      systemCallFilter(processor, 'namespaces'),
    ];
    const { further, kill, prlimit } = {
      x64: {
        further: { chmod: 90, utimensat: 280, tgkill: 234, shmget: 29 },
        kill: 62,
        prlimit: 302,
      },
      arm64: {
        further: { fchmodat: 53, utimensat: 88, tgkill: 131, shmget: 194 },
        kill: 129,
        prlimit: 261,
      },
    }[processor];

    test.each(Object.entries(further))('refuses %s as well', (_, number) => {
      expect(answerTo(alone, { audit, number })).toBe(refuse);
      expect(answerTo(beside, { audit, number })).toBe(allow);
    });

    test('refuses and allows what the other does', () => {
      const { denied, needed, clone } = calls[processor];
      for (const number of Object.values(denied))
        expect(answerTo(alone, { audit, number })).toBe(refuse);
      for (const number of Object.values(needed))
        expect(answerTo(alone, { audit, number })).toBe(allow);
      expect(answerTo(alone, { audit, number: clone, firstArgument: 0x10000000 })).toBe(refuse);
      expect(answerTo(alone, { audit, number: clone, firstArgument: 0x003d0f00 })).toBe(allow);
    });

    test('lets a process end itself and signal no other', () => {
      expect(answerTo(alone, { audit, number: kill, firstArgument: 0 })).toBe(allow);
      expect(answerTo(alone, { audit, number: kill, firstArgument: 1 })).toBe(refuse);
      expect(answerTo(alone, { audit, number: kill, firstArgument: 0xffffffff })).toBe(refuse);
    });

    test('lets a process read its own limits and not those of another', () => {
      expect(answerTo(alone, { audit, number: prlimit, firstArgument: 0 })).toBe(allow);
      expect(answerTo(alone, { audit, number: prlimit, firstArgument: 4711 })).toBe(refuse);
    });
  },
);
