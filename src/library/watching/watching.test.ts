import { afterEach, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { KernelError, silentLog, type KernelErrorCode } from '../../../kernel/index.ts';
import type { DiskChanges } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import { createWatching, type Watching, type WatchingParts } from './index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';
import type { Library } from '../../contract/resources/library/libraries.ts';

const root = 'file:///films';
let watching: Watching | undefined;

afterEach(() => watching?.stop());

/** One library whose watch the test drives. */
function watched(more: Partial<WatchingParts> = {}, lastScanAt: string | null = 'once') {
  const clock = createFakeClock();
  const scans: unknown[] = [];
  const notices: string[] = [];
  const reaches: string[] = [];
  let reported: readonly string[] = [];
  const questions: PromiseWithResolvers<DiskChanges>[] = [];
  let isBusy = false;
  let failure: KernelErrorCode | null = null;
  let roots = [root];
  let watch = true;
  let isHalf = false;
  const library = () =>
    ({ id: 'films', name: 'Films', roots, lastScanAt, watch }) as unknown as Library;
  watching = createWatching({
    libraries: { list: async () => (roots.length > 0 ? [library()] : []), nameOf: () => 'Films' },
    filesystems: {
      watch: ({ cursor }) => {
        if (failure) return Promise.reject(new KernelError(failure, 'The folder'));
        if (cursor === null)
          return Promise.resolve({ changes: [], cursor: '0', overflow: false, isHalf });
        const question = Promise.withResolvers<DiskChanges>();
        questions.push(question);
        return question.promise;
      },
      unwatch: async () => undefined,
      stat: async () => ({ uri: '', kind: 'file', size: 0, modifiedAt: 0 }),
      list: async () => ({ entries: [], cursor: null, problems: [] }),
    },
    canWatch: () => true,
    jobs: {
      enqueue: async ({ payload = 'all' }) => {
        if (isBusy)
          throw new AppError('job_running', { jobId: '', type: 'scan', status: '', what: '' });
        scans.push(payload);
        return { id: `scan-${scans.length}` } as Job;
      },
      list: async () => ({
        jobs: [],
        counts: {} as never,
        completedLastMinute: 0,
        nextCursor: null,
      }),
    },
    rescanMs: 30 * 60_000,
    report: (found) => {
      const now = found.map(({ message, action }) => `${message.english} ${action.english}`);
      for (const text of now) if (!reported.includes(text)) notices.push(text);
      reported = now;
    },
    onReach: (id) => void reaches.push(id),
    clock,
    log: silentLog,
    ...more,
  });
  const tell = async (page: Partial<DiskChanges>) => {
    const question = questions.pop();
    question?.resolve({ changes: [], cursor: '1', overflow: false, ...page });
    await clock.advance(0);
  };
  return {
    clock,
    scans,
    notices,
    reaches,
    questions,
    change: (name: string) => tell({ changes: [{ uri: `${root}/${name}`, kind: 'changed' }] }),
    overflow: () => tell({ overflow: true }),
    breakDown: async (code: KernelErrorCode) => {
      failure = code;
      questions.pop()?.reject(new KernelError(code, 'The folder'));
      await clock.advance(0);
    },
    repair: () => {
      failure = null;
    },
    setBusy: (busy: boolean) => {
      isBusy = busy;
    },
    setWatch: async (wanted: boolean) => {
      watch = wanted;
      watching?.refresh();
      await clock.advance(0);
    },
    hearHalf: () => {
      isHalf = true;
    },
    setRoots: async (next: string[]) => {
      roots = next;
      watching?.refresh();
      await clock.advance(0);
    },
    start: async () => {
      watching?.start();
      await clock.advance(0);
    },
  };
}

const alien = { folders: [], shallow: [`${root}/Alien`] };

describe('watching', () => {
  test('scans the folder of a change, and nothing else', async () => {
    const { clock, scans, change, start } = watched();
    await start();

    await change('Alien/Alien.mkv');
    await clock.advance(1000);

    expect(scans).toEqual([alien]);
  });

  test('waits for an active scan, and then scans what that may have passed', async () => {
    const { clock, scans, change, setBusy, start } = watched();
    await start();
    setBusy(true);

    await change('Alien/Alien.mkv');
    await clock.advance(10_000);
    expect(scans).toEqual([]);
    setBusy(false);
    await clock.advance(1000);

    expect(scans).toEqual([alien]);
  });

  test('scans the whole library when changes were lost', async () => {
    const { clock, scans, overflow, start } = watched();
    await start();

    await overflow();
    await clock.advance(1000);

    expect(scans).toEqual(['all']);
  });

  test('does nothing for a library that was never scanned', async () => {
    const { clock, scans, change, start } = watched({}, null);
    await start();

    await change('Alien/Alien.mkv');
    await clock.advance(120_000);

    expect(scans).toEqual([]);
  });

  test('scans a minute after the start for changes while the server was down', async () => {
    const { clock, scans, start } = watched();
    await start();

    await clock.advance(60_000);

    expect(scans).toEqual(['all']);
  });

  test('retries a scan five minutes after it failed', async () => {
    const { clock, scans, change, start } = watched();
    await start();
    await clock.advance(60_000);
    await change('Alien/Alien.mkv');
    await clock.advance(1000);

    watching?.jobFailed('scan-2');
    watching?.jobFailed('of somebody else');
    await clock.advance(302_000);

    expect(scans).toEqual(['all', alien, 'all']);
  });

  test('ends with its library', async () => {
    const { clock, scans, change, setRoots, start } = watched();
    await start();

    await setRoots([]);
    await clock.advance(0);
    await change('Alien/Alien.mkv');
    await clock.advance(50_000);

    expect(scans).toEqual([]);
  });
});

describe('a root that cannot be watched', () => {
  test('is scanned every thirty minutes, and admins are notified once', async () => {
    const { clock, scans, notices, breakDown, start } = watched();
    await start();
    await clock.advance(60_000);

    await breakDown('watch_unavailable');
    await clock.advance(62 * 60_000);

    expect(scans).toEqual(['all', 'all', 'all']);
    expect(notices).toEqual([
      'The library Films is not watched for changes: its folders cannot be watched here. ' +
        'It is scanned every 30 minutes instead. ' +
        'vitrine doctor says whether the system has too few watches.',
    ]);
  });

  test('is not scanned when the intervals are switched off, and admins are notified', async () => {
    const { clock, scans, notices, breakDown, start } = watched({ rescanMs: 0 });
    await start();
    await clock.advance(60_000);

    await breakDown('watch_unavailable');
    await clock.advance(24 * 3_600_000);

    expect(scans).toEqual(['all']);
    expect(notices[0]).toContain('Scan it by hand.');
  });

  test('is scanned at intervals too when its plugin cannot watch', async () => {
    const { clock, questions, notices, start } = watched({ canWatch: () => false });
    await start();
    await clock.advance(1000);

    expect(questions).toEqual([]);
    expect(notices).toHaveLength(1);
  });

  test('that was unavailable is scanned as a whole as soon as it is back, and watched again', async () => {
    const { clock, scans, notices, reaches, breakDown, repair, change, start } = watched();
    await start();
    await clock.advance(60_000);

    await breakDown('not_found');
    await clock.advance(20_000);
    repair();
    await clock.advance(32_000);
    await change('Alien/Alien.mkv');
    await clock.advance(1000);

    expect(scans).toEqual(['all', 'all', alien]);
    expect(notices).toEqual([]);
    expect(reaches).toEqual(['films', 'films']);
  });

  test('causes no notification when its plugin restarts', async () => {
    const { clock, notices, breakDown, repair, start } = watched();
    await start();

    await breakDown('plugin_not_running');
    await clock.advance(3000);
    repair();
    await clock.advance(5000);

    expect(notices).toEqual([]);
  });
});

describe('a library that reports only changes of this machine', () => {
  test('is watched, and scanned at intervals for changes of others', async () => {
    const { clock, scans, notices, change, hearHalf, start } = watched();
    hearHalf();
    await start();

    await change('Alien/Alien.mkv');
    await clock.advance(1000);
    const seen = [...scans];
    await clock.advance(31 * 60_000);

    expect(seen).toEqual([alien]);
    expect(scans).toContain('all');
    expect(notices).toEqual([]);
  });
});

test('a library that gets another folder is scanned as a whole, also when a scan was active', async () => {
  const { clock, scans, setBusy, setRoots, start } = watched();
  await start();
  setBusy(true);

  await setRoots([root, 'file:///more']);
  await clock.advance(1000);
  expect(scans).toEqual([]);
  setBusy(false);
  await clock.advance(1000);

  expect(scans).toEqual(['all']);
});

describe('a library with watch: false', () => {
  test('is neither watched nor scanned automatically', async () => {
    const { clock, scans, questions, setWatch, start } = watched();
    await setWatch(false);
    await start();

    await clock.advance(60 * 60_000);

    expect(questions).toEqual([]);
    expect(scans).toEqual([]);
  });

  test('is scanned as a whole when it is watched again', async () => {
    const { clock, scans, change, setWatch, start } = watched();
    await start();
    await setWatch(false);
    await change('Alien/Alien.mkv');
    await clock.advance(10_000);
    const whileOff = [...scans];

    await setWatch(true);
    await clock.advance(1000);

    expect(whileOff).toEqual([]);
    expect(scans).toEqual(['all']);
  });
});
