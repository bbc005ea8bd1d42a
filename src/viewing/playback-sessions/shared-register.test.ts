/** Two servers on one database of PostgreSQL, each with its register of sessions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { openStorage, type Storage } from '../../../kernel/store/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { browser, film, somebody } from '../../../test/support/playback/played.ts';
import {
  hasPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/storage/postgres.ts';
import { AppError } from '../../platform/errors.ts';
import type { PlayableFile } from './playable-file.ts';
import { sessionMigrations } from './session-migrations.ts';
import type { SessionEntry } from './session-entry.ts';
import type { SessionRegister } from './session-register.ts';
import { createSharedRegister } from './shared-register.ts';
import type { Session } from './session.ts';

const ada = somebody('ada');
const bob = somebody('bob');
const ended: string[] = [];
let database: TemporaryDatabase;
let storages: readonly [Storage, Storage];
let servers: readonly [SessionRegister, SessionRegister];
let file: PlayableFile = film;

async function open(server: string): Promise<readonly [Storage, SessionRegister]> {
  const storage = await openStorage({
    ...{ url: database.url, migrations: [sessionMigrations], appVersion: '0.1.0' },
    log: silentLog,
  });
  const register = createSharedRegister({
    ...{ database: storage.database, server, clock: createFakeClock(), log: silentLog },
    onEnded: () => undefined,
    isLeader: () => true,
    find: async () => file,
    tokens: {
      create: ({ id }, { credentialId }) => ({ token: `${id} ${credentialId}`, expiresAt: '' }),
    },
    hasActiveLicense: () => false,
  })({
    ended: ({ id }, cause) => void ended.push(`${id} ${cause}`),
    endedElsewhere: () => undefined,
  });
  return [storage, register];
}

const sessionOf = (id: string, viewer = ada): Session => ({
  ...{ id, token: `${id} ${viewer.credentialId}`, expiresAt: '2126-01-01T00:00:00.000Z' },
  ...{ createdAt: 1, credentialId: viewer.credentialId, role: viewer.role, showsHidden: false },
  ...{ userId: viewer.userId, profileId: viewer.profileId, file, wantedMode: 'auto' },
  ...{ given: browser, selection: { video: 'v0', audio: 'a1', subtitle: null }, told: null },
  client: {
    ...{ ...browser, maxHeight: null, maxKbps: null, maxChannels: null, hdr: [] },
    ...{ picksTracks: false, appliesGain: true, subtitles: [] },
  },
  decided: { mode: 'remux', tracks: [], reasons: ['container'] },
  ...{ state: 'playing', position: 0, lastSeenAt: 0 },
});

const begin = (register: SessionRegister, id: string, viewer = ada): Promise<boolean> =>
  register.admit(sessionOf(id, viewer), () => [], true);

async function found(register: SessionRegister, id: string): Promise<SessionEntry> {
  const entry = await register.find(id);
  if (entry === null || 'by' in entry) throw new Error(`${id} has ended.`);
  return entry;
}

describe.skipIf(!hasPostgres())('sessions of two servers (needs PostgreSQL)', () => {
  beforeAll(async () => {
    database = await temporaryDatabase();
    const [one, other] = [await open('one'), await open('other')];
    storages = [one[0], other[0]];
    servers = [one[1], other[1]];
  });
  afterAll(async () => {
    for (const register of servers) register.close();
    for (const storage of storages) await storage.close();
    await database.remove();
  });

  test('are rebuilt by the one that did not begin them, with the same link', async () => {
    const [one, other] = servers;
    await begin(one, 'seen');

    const rebuilt = await other.open(await found(other, 'seen'), ada);

    const { decided, selection, token, file: played } = rebuilt;
    expect({ decided, selection, token, played: played.id }).toEqual({
      decided: sessionOf('seen').decided,
      selection: sessionOf('seen').selection,
      ...{ token: `seen ${ada.credentialId}`, played: 'file' },
    });
    await one.remove('seen');
    expect(await other.find('seen')).toBeNull();
  });

  test('are not rebuilt for another file than the one that was decided for', async () => {
    const [one, other] = servers;
    await begin(one, 'changed');
    file = { ...film, size: film.size + 1 };

    const opened = other.open(await found(other, 'changed'), ada);

    await expect(opened).rejects.toMatchObject({ code: 'file_changed' });
    file = film;
    await one.remove('changed');
  });

  test('that want a place at once at both get it one after the other', async () => {
    const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
    const begun = await Promise.allSettled(
      names.map((id, at) =>
        servers[at % 2 === 0 ? 0 : 1].admit(
          sessionOf(id),
          (others) => {
            if (others.length >= 2)
              throw new AppError('transcode_limit', { what: '', seconds: '' });
            return [];
          },
          true,
        ),
      ),
    );

    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await servers[1].all()).toHaveLength(2);
    await servers[0].removeThose({ userId: ada.userId, credentialIds: [] });
    expect(await servers[1].all()).toEqual([]);
  });

  test('say at both for whom one gave way, and are told of once', async () => {
    const [one, other] = servers;
    await begin(one, 'first');
    const session = await other.open(await found(other, 'first'), ada);
    const mine = await one.open(await found(one, 'first'), ada);
    expect([await one.tells(mine), await other.tells(session)]).toEqual([true, false]);

    await other.admit(
      sessionOf('second', bob),
      ([entry]) => (entry === undefined ? [] : [{ entry, cause: 'limit', gone: { by: 'admin' } }]),
      true,
    );

    const gone = { userId: 'ada', profileId: ada.profileId, by: 'admin' };
    expect([await one.find('first'), await other.find('first')]).toEqual([gone, gone]);
    expect(ended).toEqual(['first limit']);
    expect([await one.areOwn(bob, ['second', 'x']), await one.areOwn(ada, ['second'])]).toEqual([
      true,
      false,
    ]);
    expect(await one.admit(mine, () => [], false)).toBe(false);
    expect(await one.remove('first')).toBeNull();
  });

  test('have the changes that another one made', async () => {
    const [one, other] = servers;
    await begin(one, 'turned');
    const session = await other.open(await found(other, 'turned'), ada);
    const selection = { ...session.selection, audio: 'a2' };
    await other.admit({ ...session, selection }, () => [], false);
    await other.moved({ ...session, position: 42, state: 'paused' }, true);

    const seen = await one.open(await found(one, 'turned'), ada);

    expect([seen.selection.audio, seen.position, seen.state]).toEqual(['a2', 42, 'paused']);
    await one.remove('turned');
  });

  test('are written at most every ten seconds', async () => {
    const [one] = servers;
    const { read, write } = storages[0].database;
    await begin(one, 'used');
    const seenAt = async (): Promise<number> => {
      // Uses are written in the background, one after the other.
      await write(() => Promise.resolve());
      const row = await read('playback_sessions').where({ id: 'used' }).first('seen_at');
      return (row as { seen_at: number }).seen_at;
    };
    const begun = await seenAt();

    for (let n = 0; n < 3; n += 1) one.seen(await one.open(await found(one, 'used'), ada));
    const after = await seenAt();
    await write((trx) =>
      trx('playback_sessions')
        .where({ id: 'used' })
        .update({ seen_at: begun - 9500 }),
    );
    for (let n = 0; n < 3; n += 1) one.seen(await one.open(await found(one, 'used'), ada));

    expect([after, (await seenAt()) >= begun]).toEqual([begun, true]);
    await one.remove('used');
  });
});
