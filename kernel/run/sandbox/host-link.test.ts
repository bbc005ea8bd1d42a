import { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../log.ts';
import type { KernelFrame } from './frames.ts';
import { noIsolation } from './isolation.ts';
import { startHost, type HostLink } from './host-link.ts';
import { createLowPriorityProcesses } from './process-priority.ts';
import type { Ending } from './sandbox.ts';

const takenOver = path.resolve(import.meta.dirname, '../../../test/escapes/taken-over-host.mts');
const send = ChildProcess.prototype.kill;
let folder: string;
let kills: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-host-link-'));
  kills = 0;
  ChildProcess.prototype.kill = function kill(signal) {
    kills += 1;
    return send.call(this, signal);
  };
});
afterEach(() => {
  ChildProcess.prototype.kill = send;
  rmSync(folder, { recursive: true });
});

interface Attack {
  readonly link: HostLink;
  readonly frames: readonly KernelFrame[];
  readonly ended: Promise<Ending | undefined>;
}

/** A host process that runs `script` for each frame after its start. */
function attack(
  script: string,
  onFrame: (link: HostLink, frame: KernelFrame) => void = () => undefined,
): Attack {
  const frames: KernelFrame[] = [];
  const ended = Promise.withResolvers<Ending | undefined>();
  const link = startHost(
    {
      isolation: noIsolation,
      ...{ nodePath: process.execPath, flags: [], hostScript: takenOver, engineFile: '' },
      ...{ memoryCapMb: 1000, overCapMs: 1000, isLowPriority: true, folder },
    },
    {
      log: silentLog,
      lowPriority: createLowPriorityProcesses(),
      onFrame: (frame) => {
        frames.push(frame);
        onFrame(link, frame);
      },
      onEnd: ended.resolve,
    },
  );
  const spec = { memoryMb: 64, cpuMsPerSecond: 0, wasm: false, services: '{}' };
  link.post({ kind: 'start', sandbox: 1, ...spec, body: script });
  link.post({ kind: 'stop', sandbox: 1 });
  return { link, frames, ended: ended.promise };
}

const header = `(text, bodies = Buffer.alloc(0)) => {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + text.length + bodies.length, 0);
  lengths.writeUInt32LE(text.length, 4);
  raw(Buffer.concat([lengths, Buffer.from(text), bodies]));
}`;
const batch = (text: string): string => `if (frame.kind === 'stop') (${header})(${text});`;

/** Whether the process has ended and its parent has not yet been told. */
const isZombie = (pid: number): boolean =>
  / Z /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));

describe('the link to a host process', () => {
  test('decodes nothing more after a fault, and kills once', async () => {
    const { link, ended } = attack(batch(`'[' + new Array(4096).fill('{}').join() + ']'`));

    expect(await ended).toEqual({
      reason: 'protocol',
      message: 'Sent too many malformed messages.',
    });
    expect({ dropped: link.dropped(), kills }).toEqual({ dropped: 9, kills: 1 });
  });

  test.each([
    [
      'a header of 8 MiB',
      `'[' + new Array(4e6).fill('1').join() + ']'`,
      'Sent a header of 8000001 bytes, above 1048576.',
    ],
    [
      'a header of half a million values',
      `'[' + new Array(500000).fill('1').join() + ']'`,
      'Sent a header that holds more than 100000 values.',
    ],
    [
      '5000 frames in a batch',
      `'[' + new Array(5000).fill('{}').join() + ']'`,
      'Sent a batch of 5000 frames, above 4096.',
    ],
  ])('ends a process that sends %s, and says why', async (_, text, message) => {
    const { link, frames, ended } = attack(batch(text));

    expect(await ended).toEqual({ reason: 'protocol', message });
    expect({ dropped: link.dropped(), kills }).toEqual({ dropped: 0, kills: 1 });
    expect(frames).toEqual([{ kind: 'started', sandbox: 1 }]);
  });

  test('accepts one ready of a process', async () => {
    const { link, frames, ended } = attack(
      batch(`'[' + new Array(4000).fill('{"kind":"ready"}').join() + ']'`),
    );

    expect(await ended).toMatchObject({ reason: 'protocol' });
    expect(frames.filter(({ kind }) => kind === 'ready')).toHaveLength(1);
    expect(link.dropped()).toBeGreaterThan(2000);
  });

  test('accepts one answer for each beat, and no unrequested one', async () => {
    const beats = (number: string) =>
      `new Array(1500).fill('{"kind":"beat","beat":' + ${number} + ',"usage":[]}').join()`;
    const { link, frames, ended } = attack(
      `if (frame.kind === 'beat') (${header})('[' + ${beats('(frame.beat + 1000)')} + ',' + ${beats('frame.beat')} + ']');`,
    );

    expect(await ended).toMatchObject({ reason: 'protocol' });
    // On a busy machine a second ends in between: then the next beat is answered once as well.
    const answered = frames.flatMap((frame) => (frame.kind === 'beat' ? [frame.beat] : []));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered).toEqual([...new Set(answered)].toSorted((one, other) => one - other));
    expect(Math.max(...answered)).toBeLessThan(1000);
    expect(link.dropped()).toBeGreaterThan(2000);
  });

  test('reads the last frames of a process that ends itself', async () => {
    const { frames, ended } = attack(
      batch(
        `'[' + new Array(3000).fill('{"kind":"log","sandbox":1,"level":"info","text":"x"}').join() + ',{"kind":"gone","sandbox":1,"reason":"memory","message":"","fatal":true}]'`,
      ) + `end();`,
    );

    expect(await ended).toBeUndefined();
    expect(frames).toHaveLength(3002);
    expect(frames.at(-1)).toMatchObject({ kind: 'gone', fatal: true });
  });

  test.runIf(process.platform === 'linux')(
    'reads the last frames of a process that it writes to after its end',
    async () => {
      const log = '{"kind":"log","sandbox":1,"level":"info","text":"x"}';
      const { frames, ended } = attack(
        batch(`'[${log}]'`) + batch(`'[' + new Array(2000).fill('${log}').join() + ']'`) + `end();`,
        (link, frame) => {
          if (frame.kind !== 'log' || frames.length > 2) return;
          while (!isZombie(link.pid()));
          link.post({ kind: 'stop', sandbox: 1 });
        },
      );

      expect(await ended).toBeUndefined();
      expect(frames).toHaveLength(2002);
    },
  );
});
