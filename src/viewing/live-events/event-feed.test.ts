import type { Readable } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../../kernel/index.ts';
import { createEventBus, type EventBus } from '../../../kernel/call/events/index.ts';
import {
  maySeeLibrary,
  serverViewer,
  visibilityOfLibraries,
  type Viewer,
} from '../../people/viewer/index.ts';
import { createEventFeed, type EventFeed, type EventFeedParts } from './index.ts';
import type { Entity } from '../../contract/resources/library/catalogue.ts';

let bus: EventBus;
let clock: FakeClock;

beforeEach(() => {
  clock = createFakeClock();
  const nobody = {
    dispatch: () => Promise.reject(new Error('no plugin here')),
    unknownHandlers: () => 0,
    isRunning: () => false,
  };
  bus = createEventBus({ dispatcher: nobody, log: silentLog, clock: clock.now });
});

function createFeed(parts: Partial<EventFeedParts> = {}): EventFeed {
  const feed = createEventFeed({
    events: bus,
    clock,
    feedId: 'life',
    isValid: async () => true,
    access: accessTo({ i: 'films', j: 'series' }),
    defer: (run) => run(),
    ...parts,
  });
  onTestFinished(() => void feed.close());
  return feed;
}

/** A library shows as a whole, or some of it; an item as its library does. */
const accessTo = (
  libraryOf: Readonly<Record<string, string>>,
  sightOf: (libraryId: string) => 'all' | 'some' | 'nothing' = () => 'all',
): EventFeedParts['access'] => {
  const visibilityIn: EventFeedParts['access']['visibilityIn'] = (viewer, libraryId) =>
    maySeeLibrary(viewer, libraryId) ? sightOf(libraryId) : 'nothing';
  return {
    visibilityIn,
    filterVisible: async (viewer, itemIds) =>
      new Set(itemIds.filter((id) => visibilityIn(viewer, libraryOf[id] ?? '') !== 'nothing')),
  };
};

const item = (libraryId: string) => ({ itemId: 'i', libraryId, title: 'Film' });
const guest: Viewer = { ...serverViewer, credentialId: 'g', role: 'guest' };
const guestOfFilms: Viewer = { ...guest, visibility: visibilityOfLibraries(['films']) };

/** Everything that the stream has to give now. */
const taken = (stream: Readable): string => String(stream.read() ?? '');

/** The types of the events in a piece of the stream. */
const typesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^data: (.+)$/gm)].flatMap(([, json = '']) => {
    const { type } = JSON.parse(json) as { type?: string };
    return type === undefined ? [] : [type];
  });

describe('the event feed', () => {
  test('sends each event as its envelope, with an id', () => {
    const stream = createFeed().open(serverViewer, {});
    taken(stream);

    bus.emit('library.item.added', item('films'));

    expect(taken(stream)).toBe(
      'id: life.1\ndata: {"type":"library.item.added","timestamp":"2026-11-21T07:44:53.000Z",' +
        '"data":{"itemId":"i","libraryId":"films","title":"Film"}}\n\n',
    );
  });

  test('sends events of any name, of two segments or three, but none from before', () => {
    const feed = createFeed();
    bus.emit('server.shutdown', { reason: 'before' });
    const stream = feed.open(serverViewer, {});

    bus.emit('job.started', {});
    bus.emit('admin.pipeline.jobCreated', {});
    bus.emit('plugin.someone.sent', {});

    expect(typesIn(taken(stream))).toEqual([
      'job.started',
      'admin.pipeline.jobCreated',
      'plugin.someone.sent',
    ]);
  });

  test('sends only the requested types, where * is exactly one segment', () => {
    const stream = createFeed().open(serverViewer, { types: ['library.item.*', 'job.failed'] });

    bus.emit('library.item.added', item('films'));
    bus.emit('library.created', {});
    bus.emit('job.started', {});
    bus.emit('job.failed', {});

    expect(typesIn(taken(stream))).toEqual(['library.item.added', 'job.failed']);
  });

  test.each(['li*.added', 'no.such.event', 'library..item', '*x'])(
    'refuses the type %s and says why',
    (type) => {
      expect(() => createFeed().open(serverViewer, { types: [type] })).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: expect.stringContaining('query.types: Event'),
        }),
      );
    },
  );

  test('continues after Last-Event-ID', () => {
    const feed = createFeed();
    for (let count = 0; count < 5; count += 1) bus.emit('library.item.added', item('films'));

    const text = taken(feed.open(serverViewer, { lastEventId: 'life.3' }));

    expect([...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)).toEqual(['life.4', 'life.5']);
    expect(text).not.toContain('event: gap');
  });

  test('continues after a position that was told, also where there was no event before', () => {
    const feed = createFeed();
    const first = feed.position();
    bus.emit('job.started', {});
    const second = feed.position();
    bus.emit('job.failed', {});

    const after = (lastEventId: string): readonly string[] =>
      typesIn(taken(feed.open(serverViewer, { lastEventId })));

    expect([first, second].map(after)).toEqual([['job.started', 'job.failed'], ['job.failed']]);
  });

  test('replays the last 10 000 events and no more', () => {
    const feed = createFeed();
    for (let count = 0; count < 10_001; count += 1) bus.emit('job.started', {});
    const drain = (stream: Readable): string => {
      let text = '';
      for (let part = taken(stream); part !== ''; part = taken(stream)) text += part;
      return text;
    };

    expect(typesIn(drain(feed.open(serverViewer, { lastEventId: 'life.1' })))).toHaveLength(10_000);
    expect(drain(feed.open(serverViewer, { lastEventId: 'life.0' }))).toContain('event: gap');
  });

  test.each(['other.3', 'life.99', 'life.x', '3', ''])(
    'tells a client whose last event was %j that there is a gap, and continues from now',
    (lastEventId) => {
      const feed = createFeed();
      bus.emit('job.started', {});

      const stream = feed.open(serverViewer, { lastEventId });
      bus.emit('job.failed', {});
      const text = taken(stream);

      expect(text).toMatch(/^id: life\.1\nevent: gap\ndata: {"reason":"[^"]+"}$/m);
      expect(typesIn(text)).toEqual(['job.failed']);
    },
  );

  test('tells a client that is so slow that its next event is gone, and ends', async () => {
    const feed = createFeed({ capacity: 100 });
    const stream = feed.open(serverViewer, {});
    const large = { text: 'x'.repeat(10_000) };

    for (let count = 0; count < 200; count += 1) bus.emit('plugin.someone.sent', large);

    expect(feed.clients()).toBe(0);
    const text = (await stream.toArray()).join('');
    expect(text).toMatch(/\n\nevent: dropped\ndata: {"reason":"Too slow[^"]+"}\n\n$/);
    expect(text.length).toBeLessThan(100_000);
  });

  test('disconnects a dropped client that does not read the reason', async () => {
    const feed = createFeed({ capacity: 10 });
    const stream = feed.open(serverViewer, {});
    const large = { text: 'x'.repeat(100_000) };
    for (let count = 0; count < 20; count += 1) bus.emit('plugin.someone.sent', large);

    await clock.advance(5000);

    expect(stream.destroyed).toBe(true);
  });

  test('drops a client that reads nothing for a minute while events wait', async () => {
    const feed = createFeed();
    feed.open(serverViewer, {});
    bus.emit('plugin.someone.sent', { text: 'x'.repeat(100_000) });
    bus.emit('job.started', {});

    await clock.advance(60_000);
    expect(feed.clients()).toBe(1);
    await clock.advance(15_000);
    expect(feed.clients()).toBe(0);
  });

  test('keeps at most 16 Mi characters, also with large events', () => {
    const feed = createFeed();
    const large = { text: 'x'.repeat(1024 * 1024) };
    for (let count = 0; count < 20; count += 1) bus.emit('plugin.someone.sent', large);

    expect(taken(feed.open(serverViewer, { lastEventId: 'life.2' }))).toContain('event: gap');
    expect(taken(feed.open(serverViewer, { lastEventId: 'life.6' }))).not.toContain('event: gap');
  });

  test('sends a comment every 15 seconds, so that no proxy closes the connection', async () => {
    const stream = createFeed().open(serverViewer, {});
    taken(stream);
    await clock.advance(15_000);

    expect(taken(stream)).toBe(': still here\n\n');
  });

  test('ends the streams of a credential that is no longer valid', async () => {
    let isGood = true;
    const stream = createFeed({ isValid: async () => isGood }).open(guest, {});
    let hasEnded = false;
    stream.on('end', () => (hasEnded = true)).resume();

    await clock.advance(15_000);
    expect(hasEnded).toBe(false);
    isGood = false;
    await clock.advance(15_000);
    expect(hasEnded).toBe(true);
  });

  test('ends only the streams of the given viewers, at once', async () => {
    const feed = createFeed();
    const ended: string[] = [];
    for (const viewer of [serverViewer, guest]) {
      const stream = feed.open(viewer, {});
      stream.on('end', () => ended.push(viewer.credentialId)).resume();
    }

    feed.end(({ credentialId }) => credentialId === guest.credentialId);
    await clock.advance(0);

    expect(ended).toEqual([guest.credentialId]);
  });

  test('ends all streams and leaves no timer when it is closed', async () => {
    const feed = createFeed();
    const streams = [feed.open(serverViewer, {}), feed.open(guest, {})];
    const ends = streams.map(
      (stream) => new Promise((resolve) => stream.on('end', resolve).resume()),
    );

    await feed.close();

    await Promise.all(ends);
    expect(clock.timers()).toBe(0);
  });

  test('sends the last events before it closes, also to a client that it must check', async () => {
    const feed = createFeed({
      access: accessTo({ i: 'films' }, () => 'some'),
      defer: () => undefined,
    });
    const stream = feed.open(serverViewer, {});
    const sent: string[] = [];
    const socket = {
      write: (frame: Buffer) => sent.push(frame.toString()) > 0,
      together: (work: () => void) => work(),
      isFull: () => false,
      ping: () => undefined,
      close: (code: number) => void sent.push(String(code)),
      cut: () => undefined,
    };
    feed.connect(serverViewer, socket, {}).onDrain();
    let text = '';
    stream.on('data', (piece: Buffer) => (text += piece.toString()));
    const ended = new Promise((resolve) => stream.on('end', resolve));

    bus.emit('library.item.added', item('films'));
    bus.emit('server.shutdown', { reason: 'SIGTERM' });
    await feed.close();
    await ended;

    expect(typesIn(text)).toEqual(['library.item.added', 'server.shutdown']);
    expect(sent).toEqual([
      expect.stringContaining('library.item.added'),
      expect.stringContaining('server.shutdown'),
      '1001',
    ]);
  });

  test('does not wait for a client that does not read when it closes', async () => {
    const feed = createFeed();
    const stream = feed.open(serverViewer, {});
    for (let count = 0; count < 2000; count += 1) bus.emit('library.item.added', item('films'));

    const closed = feed.close();
    await clock.advance(500);
    await closed;

    expect(feed.clients()).toBe(0);
    stream.destroy();
  });

  test('ends at once a stream that is opened after it was closed', async () => {
    const feed = createFeed();
    await feed.close();
    const codes: number[] = [];
    const socket = {
      write: () => true,
      together: (work: () => void) => work(),
      isFull: () => false,
      ping: () => undefined,
      close: (code: number) => void codes.push(code),
      cut: () => codes.push(0),
    };

    const stream = feed.open(serverViewer, {});
    const ended = new Promise((resolve) => stream.on('end', resolve).resume());
    feed.connect(serverViewer, socket, {});

    expect(codes).toEqual([1001]);
    expect(feed.clients()).toBe(0);
    await ended;
    await clock.advance(1500);
    expect(codes).toEqual([1001, 0]);
  });

  test('limits connections per user and in total, and releases them again', () => {
    const feed = createFeed({ limits: { clients: 3, clientsPerUser: 2 } });
    const of = (userId: string) => () => feed.open({ ...guest, userId }, {});
    const stream = of('ada')();
    of('ada')();

    expect(of('ada')).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
    of('bob')();
    expect(of('bob')).toThrow(expect.objectContaining({ code: 'overloaded' }));
    expect(feed.clients()).toBe(3);
    stream.destroy();
    expect(of('ada')).not.toThrow();
  });

  test('checks a credential once, for any number of streams', async () => {
    const asked: string[] = [];
    const feed = createFeed({
      isValid: async (id) => {
        asked.push(id);
        return true;
      },
    });
    for (let count = 0; count < 5; count += 1) feed.open(guest, {});

    await clock.advance(15_000);

    expect(asked).toEqual([guest.credentialId]);
  });
});

describe('who receives which events', () => {
  const emitAll = (): void => {
    bus.emit('library.item.added', item('films'));
    bus.emit('library.item.added', item('series'));
    bus.emit('library.scan.completed', { libraryId: 'films' });
    bus.emit('job.started', { libraryId: 'films' });
    bus.emit('admin.pipeline.jobCreated', { libraryId: 'films' });
    bus.emit('plugin.started', { pluginId: 'p' });
    bus.emit('plugin.someone.sent', { libraryId: 'films' });
    bus.emit('playback.progress', { itemId: 'i', profileId: 'somebody' });
  };

  test('an admin receives everything', async () => {
    const stream = createFeed().open(serverViewer, {});
    emitAll();

    const first = taken(stream);
    await new Promise(setImmediate);
    expect(typesIn(first + taken(stream))).toHaveLength(8);
  });

  test('a guest receives the events of visible libraries, and none for admins', () => {
    const stream = createFeed().open(guestOfFilms, {});
    emitAll();

    const text = taken(stream);
    expect(typesIn(text)).toEqual(['library.item.added', 'library.scan.completed']);
    expect(text).not.toContain('series');
  });

  test('an admin key that is limited to some libraries receives what a guest of them receives', () => {
    const stream = createFeed().open(
      { ...serverViewer, visibility: visibilityOfLibraries(['films']) },
      {},
    );
    emitAll();

    expect(typesIn(taken(stream))).toEqual(['library.item.added', 'library.scan.completed']);
  });

  test('of a hidden library an admin receives the events of its jobs, and no viewer those of its items', () => {
    const hidden = (libraryId: string) => (libraryId === 'films' ? 'nothing' : 'all');
    const feed = createFeed({ access: accessTo({}, hidden) });
    const ofGuest = feed.open(guest, {});
    const ofAdmin = feed.open(serverViewer, {});
    bus.emit('library.item.added', item('films'));
    bus.emit('library.scan.completed', { libraryId: 'films' });
    bus.emit('library.item.added', item('series'));

    expect(taken(ofGuest)).not.toContain('films');
    const text = taken(ofAdmin);
    expect(typesIn(text)).toEqual(['library.scan.completed', 'library.item.added']);
    expect(text).toContain('series');
  });

  test('a viewer of some items of a library receives events of those, in order, and no counts', async () => {
    const feed = createFeed({
      access: {
        visibilityIn: () => 'some',
        filterVisible: async (_viewer, itemIds) =>
          new Set(itemIds.filter((id) => id !== 'rated-r')),
      },
    });
    const stream = feed.open(guest, {});
    taken(stream);
    bus.emit('library.updated', { libraryId: 'films', name: 'Films' });
    bus.emit('library.item.added', { itemId: 'mild', libraryId: 'films', title: 'Mild' });
    bus.emit('library.item.added', { itemId: 'rated-r', libraryId: 'films', title: 'Rated R' });
    bus.emit('library.scan.completed', { libraryId: 'films', added: 2 });
    bus.emit('pipeline.item.completed', { itemId: 'rated-r', libraryId: 'films' });
    bus.emit('pipeline.item.completed', { itemId: 'mild', libraryId: 'films' });
    bus.emit('library.updated', { libraryId: 'films', name: 'Movies' });

    const first = taken(stream);
    await new Promise(setImmediate);
    const text = first + taken(stream);
    expect(text).not.toContain('rated-r');
    expect(typesIn(text)).toEqual([
      'library.updated',
      'library.item.added',
      'pipeline.item.completed',
      'library.updated',
    ]);
  });

  test('a profile’s playback state is sent to that profile, and to admins', async () => {
    const feed = createFeed();
    const streams = [
      feed.open({ ...guest, profileId: 'own' }, {}),
      feed.open({ ...guest, profileId: 'other' }, {}),
      feed.open(serverViewer, {}),
    ];
    for (const stream of streams) taken(stream);
    bus.emit('playback.progress', { itemId: 'i', profileId: 'own' });

    await new Promise(setImmediate);
    expect(streams.map((stream) => typesIn(taken(stream)).length)).toEqual([1, 0, 1]);
  });

  test('a change of a credential is sent to its user, and to admins; other changes of people to admins', async () => {
    const feed = createFeed();
    const streams = [
      feed.open({ ...guest, userId: 'ada' }, {}),
      feed.open({ ...guest, userId: 'bob' }, {}),
      feed.open(serverViewer, {}),
    ];
    for (const stream of streams) taken(stream);
    bus.emit('user.changed', { subject: 'credential', id: 'ada' });
    bus.emit('user.changed', { subject: 'user', id: 'ada' });
    bus.emit('backup.changed', { change: 'made' });
    bus.emit('plugin.someone.sent', { subject: 'credential', id: 'ada' });

    await new Promise(setImmediate);
    expect(streams.map((stream) => typesIn(taken(stream)).length)).toEqual([1, 0, 4]);
  });

  test('a collection is told to its profile, a mark of an entity only where the entity shows', async () => {
    const shown = new Set(['shown']);
    const getMany = async (ids: readonly string[]) =>
      ids.flatMap((id) => (shown.has(id) ? [{ id } as Entity] : []));
    const feed = createFeed({ entities: { getMany } });
    const streams = [
      feed.open({ ...guest, profileId: 'own' }, {}),
      feed.open({ ...guest, profileId: 'other' }, {}),
      feed.open(serverViewer, {}),
    ];
    for (const stream of streams) taken(stream);
    bus.emit('collection.updated', { collectionId: 'c', kind: 'playlist', profileId: 'own' });
    for (const entityId of ['shown', 'hidden'])
      bus.emit('playback.entityMarked', {
        ...{ entityId, profileId: 'own', favourite: true, myRating: null },
      });

    await new Promise(setImmediate);
    const told = ['collection.updated', 'playback.entityMarked'];
    expect(streams.map((stream) => typesIn(taken(stream)))).toEqual([told, [], told]);
  });

  test('a stream is closed when the access check of its viewer fails', async () => {
    const filterVisible = () => Promise.reject(new Error('no database'));
    const feed = createFeed({ access: { visibilityIn: () => 'some', filterVisible } });
    const stream = feed.open(guest, {});
    const closed = new Promise((resolve) => stream.on('error', resolve));
    taken(stream);
    bus.emit('library.item.added', item('films'));

    expect(await closed).toMatchObject({ message: 'no database' });
    expect(feed.clients()).toBe(0);
  });

  test('the same rules apply to replayed events', () => {
    const feed = createFeed();
    emitAll();

    const text = taken(feed.open(guestOfFilms, { lastEventId: 'life.0' }));

    expect(typesIn(text)).toEqual(['library.item.added', 'library.scan.completed']);
  });
});
