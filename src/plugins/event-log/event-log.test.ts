import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog, type CallPlugin, type Log } from '../../../kernel/index.ts';
import { createEventBus } from '../../../kernel/call/events/index.ts';
import type { LoggedEvent } from '../../../plugin-api/index.ts';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { createUuidV7 } from '../../platform/uuid-v7.ts';
import { createCanPublish, EventLog, eventLogMigrations } from './index.ts';
import type { CanReceive } from './index.ts';

type Page = { readonly events: readonly LoggedEvent[]; readonly more: boolean };

interface SceneOptions {
  readonly capacity?: number;
  readonly hiddenLibrary?: string;
  readonly canReceive?: CanReceive;
  readonly log?: Log;
}

async function openScene({
  capacity,
  hiddenLibrary,
  canReceive = () => null,
  log = silentLog,
}: SceneOptions = {}) {
  const clock = createFakeClock();
  const folder = temporaryFolder();
  const { database } = await openTestStorage({ migrations: [eventLogMigrations] });
  const calls: string[] = [];
  const lost: number[] = [];
  let answer: () => Promise<unknown> = () => Promise.resolve(null);
  const call: CallPlugin = (pluginId, method) => {
    calls.push(`${pluginId} ${method}`);
    return answer();
  };

  /** One run of the server on the same data. */
  function start() {
    const nobody = {
      dispatch: () => Promise.reject(new Error('nobody')),
      isRunning: () => false,
      unknownHandlers: () => 0,
    };
    const events = createEventBus({ dispatcher: nobody, log, clock: clock.now });
    const eventLog = new EventLog({
      database,
      events,
      call,
      isRunning: () => true,
      isKnown: (id) => id !== 'gone',
      canPublish: createCanPublish({
        visibilityIn: (_, id) => (id === hiddenLibrary ? 'nothing' : 'all'),
        filterVisible: (_, ids) => Promise.resolve(new Set(ids.filter((id) => id !== 'hidden'))),
      }),
      canReceive,
      folder,
      onLost: (_, count) => void lost.push(count),
      clock,
      newId: createUuidV7({ now: clock.now }),
      log,
      ...(capacity !== undefined && { capacity }),
    });
    const ask = callService(eventLog.service, { eventLog: true }, 'hooks');
    return {
      events,
      eventLog,
      flush: eventLog.flush,
      follow: (...patterns: readonly string[]) => ask('follow', { patterns }),
      read: async (limit = 100) => JSON.parse((await ask('read', { limit })) as string) as Page,
      release: (events_: readonly LoggedEvent[]) =>
        ask('release', { ids: events_.map(({ id }) => id) }),
    };
  }

  return {
    clock,
    calls,
    lost,
    journal: path.join(folder, 'events.journal'),
    start,
    opened: async () => {
      const run = start();
      await run.eventLog.open();
      run.eventLog.start();
      onTestFinished(() => closed(run.eventLog));
      return run;
    },
    answerWith: (next: () => Promise<unknown>) => {
      answer = next;
    },
  };
}

async function closed(eventLog: EventLog): Promise<void> {
  eventLog.stop();
  await eventLog.close();
}

const scanned = { libraryId: 'films', jobId: 'j' };
const types = ({ events }: Page): readonly string[] => events.map(({ event }) => event.type);

describe('host.eventLog', () => {
  test('keeps followed events, in order, until they are released', async () => {
    const { opened } = await openScene();
    const { events, follow, read, release, flush } = await opened();
    events.emit('library.scan.started', scanned);
    await follow('library.scan.*');

    events.emit('library.scan.started', scanned);
    events.emit('library.created', { libraryId: 'films', name: 'Films' });
    events.emit('library.scan.completed', scanned);
    await flush();

    const page = await read();
    expect(page).toEqual({
      events: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          event: {
            type: 'library.scan.started',
            timestamp: '2026-11-21T07:44:53.000Z',
            data: scanned,
          },
        },
        expect.objectContaining({
          event: expect.objectContaining({ type: 'library.scan.completed' }) as object,
        }),
      ],
      more: false,
    });
    expect(await read(1)).toMatchObject({ events: [page.events[0]], more: true });
    expect(await read()).toEqual(page);

    await release(page.events.slice(0, 1));
    expect(types(await read())).toEqual(['library.scan.completed']);
  });

  test('has an event of a server that was killed right after it was emitted, once', async () => {
    const { opened, start, journal } = await openScene();
    const killed = start();
    await killed.eventLog.open();
    await killed.follow('job.*');
    killed.events.emit('job.failed', { jobId: '1' });
    expect(existsSync(journal)).toBe(true);

    const { read, events, flush } = await opened();
    const { events: found } = await read();
    expect(found.map(({ event }) => event.data)).toEqual([{ jobId: '1' }]);

    events.emit('job.failed', { jobId: '2' });
    await flush();
    const again = await opened();
    const ids = (await again.read()).events.map(({ event }) => event.data);
    expect(ids).toEqual([{ jobId: '1' }, { jobId: '2' }]);
  });

  test('makes no file and does not listen without followers', async () => {
    const { opened, journal } = await openScene();
    const { events, follow } = await opened();
    await follow('job.*');
    await follow();

    events.emit('job.failed', { jobId: '1' });

    expect(existsSync(journal)).toBe(false);
  });

  test('releases everything when nothing is followed', async () => {
    const { opened } = await openScene();
    const { events, follow, read, flush } = await opened();
    await follow('job.*');
    events.emit('job.failed', { jobId: '1' });
    await flush();

    await follow();

    expect(await read()).toEqual({ events: [], more: false });
  });

  test('leaves out events that no admin may receive: items of hidden libraries', async () => {
    const { opened } = await openScene({ hiddenLibrary: 'secret' });
    const { events, follow, read, flush } = await opened();
    await follow('*.*.*', '*.*');

    events.emit('library.item.added', { itemId: '1', libraryId: 'secret', title: 'x' });
    events.emit('library.item.added', { itemId: '2', libraryId: 'films', title: 'y' });
    events.emit('playback.progress', { itemId: 'hidden', profileId: 'p' });
    events.emit('playback.progress', { itemId: '2', profileId: 'p' });
    events.emit('library.created', { libraryId: 'secret', name: 'Secret' });
    await flush();

    const found = (await read()).events.map(({ event }) => [event.type, event.data['itemId']]);
    expect(found).toEqual([
      ['library.item.added', '2'],
      ['playback.progress', '2'],
      ['library.created', undefined],
    ]);
  });

  test('gives a plugin whose scope was limited meanwhile only what it may still receive, and releases the rest', async () => {
    let ear: ReturnType<CanReceive> = null;
    const { opened } = await openScene({ canReceive: () => ear });
    const { events, eventLog, follow, read, flush } = await opened();
    await follow('library.*');
    const make = (libraryId: string) =>
      events.emit('library.created', { libraryId, name: libraryId });
    make('films');
    make('shows');
    await flush();

    ear = async ({ data }) => (data as { libraryId: string }).libraryId === 'films';
    make('music');
    await flush();

    const found = (await read()).events.map(({ event }) => event.data['libraryId']);
    expect(found).toEqual(['films']);
    expect(await eventLog.waiting()).toBe(1);
  });

  test('drops the oldest above the limit, and reports it', async () => {
    const { opened, lost } = await openScene({ capacity: 1500 });
    const { events, follow, read, flush } = await opened();
    await follow('job.*');

    for (let no = 0; no < 4000; no += 1) events.emit('job.progress', { jobId: String(no) });
    await flush();

    expect(lost.length).toBeGreaterThan(0);
    const [oldest] = (await read(1)).events;
    expect(Number(oldest?.event.data['jobId'])).toBeGreaterThan(1000);
  });

  test('leaves out an event that is too large, and logs it', async () => {
    const said: string[] = [];
    const { opened } = await openScene({
      log: { ...silentLog, error: (_: object, text: string) => void said.push(text) },
    });
    const { events, follow, read, flush } = await opened();
    await follow('job.*');

    events.emit('job.failed', { errorMessage: 'x'.repeat(140_000) });
    events.emit('job.failed', { errorMessage: 'x'.repeat(130_000) });
    await flush();

    expect((await read()).events).toHaveLength(1);
    expect(said).toEqual([expect.stringContaining('too large')]);
  });

  test.each([
    ['follow', { patterns: ['library.item.lost'] }, 'library.item.lost'],
    ['follow', {}, 'schema'],
    ['read', { limit: 501 }, 'schema'],
    ['release', { ids: [1] }, 'schema'],
  ])('refuses %s(%j)', async (method, input, why) => {
    const { opened } = await openScene();
    const { eventLog } = await opened();

    const ask = callService(eventLog.service, { eventLog: true });
    await expect(ask(method, input)).rejects.toThrow(why);
  });
});

describe('eventLog.waiting', () => {
  test('is called when events were stored, and at each start of the server and the plugin', async () => {
    const { calls, opened } = await openScene();
    const { events, eventLog, follow, flush } = await opened();
    await follow('job.*');
    expect(calls).toEqual([]);

    events.emit('job.failed', { jobId: '1' });
    await flush();
    expect(calls).toEqual(['hooks eventLog.waiting']);

    eventLog.look('hooks');
    eventLog.look('another');
    expect(calls).toHaveLength(2);
    await opened();
    expect(calls).toHaveLength(3);
  });

  test('is called a second time during a long call, but not a third', async () => {
    const { calls, opened, answerWith } = await openScene();
    const { events, follow, flush } = await opened();
    await follow('job.*');
    const ends = Promise.withResolvers<null>();
    answerWith(() => ends.promise);

    for (let no = 0; no < 4; no += 1) {
      events.emit('job.failed', { jobId: String(no) });
      await flush();
    }
    expect(calls).toHaveLength(2);

    answerWith(() => Promise.resolve(null));
    ends.resolve(null);
    await eventually('the third call', () => calls.length === 3);
  });

  test('is called after growing pauses while the plugin releases nothing', async () => {
    const { clock, calls, opened, answerWith } = await openScene();
    const { events, follow, flush } = await opened();
    await follow('job.*');
    answerWith(() => Promise.reject(new Error('It failed.')));
    events.emit('job.failed', { jobId: '1' });

    await flush();
    const waits: number[] = [];
    while (waits.length < 8) {
      await eventually('the next call is planned', () => clock.timers() > 0);
      waits.push((clock.nextAt() ?? 0) - clock.now());
      await clock.advance(waits.at(-1) ?? 0);
    }

    expect(waits.map((wait) => wait / 1000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(calls).toHaveLength(9);
  });

  test('drops the events of a removed plugin', async () => {
    const { opened, start } = await openScene();
    const { events, eventLog, flush } = await opened();
    const ask = callService(eventLog.service, { eventLog: true }, 'gone');
    await ask('follow', { patterns: ['job.*'] });
    events.emit('job.failed', { jobId: '1' });
    await flush();
    expect(await eventLog.waiting()).toBe(1);

    await opened();

    const later = start();
    onTestFinished(() => later.eventLog.close());
    await eventually('it is forgotten', async () => {
      await later.eventLog.open();
      return (await later.eventLog.waiting()) === 0;
    });
  });
});
