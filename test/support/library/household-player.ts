/** Playing in a household: files whose plan is made without a plugin. */
import type { TrickplayStore } from '../../../src/viewing/trickplay/index.ts';
import type { FileReads } from '../../../src/files/filesystems/index.ts';
import type { RouteParts } from '../../../src/http/index.ts';
import type { TranscodeIndex } from '../../../plugin-api/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import {
  createLocalRegister,
  createPlayableFiles,
  createPlaybackSessions,
  createPlayInfos,
  createPrepareSegments,
  createSessionDecision,
  createSessionMedia,
} from '../../../src/viewing/playback-sessions/index.ts';
import { createNoConversions, decide } from '../../../src/viewing/transcoding/index.ts';
import type { TestLibrary } from './library.ts';

/** One picture of two segments. */
const index: TranscodeIndex = {
  kind: 'read',
  tracks: [
    {
      id: 'v0',
      stream: 0,
      kind: 'video',
      mimeType: 'video/mp4',
      codecs: 'avc1.640028',
      canCopy: true,
    },
  ],
  timescale: 1,
  cuts: [0, 2],
  duration: 4,
  startTime: 0,
  isComplete: true,
  state: null,
};

/** The type that its clients play. */
export const householdType = 'video/mp4; codecs="avc1.640028"';

/** The parts of the routes that play. A link's token is the id of the session, and who uses it. */
export function createHouseholdPlayer(
  library: Pick<TestLibrary, 'files' | 'items' | 'access'>,
  parts: Pick<RouteParts, 'playback' | 'streams' | 'texts'> & {
    readonly reads: FileReads;
    readonly hasActiveLicense: () => boolean;
  },
): Pick<RouteParts, 'playInfos' | 'sessions' | 'sessionMedia'> {
  const { files, items, access } = library;
  const conversions = createNoConversions('The household has no converter.');
  const filesystems = {
    within: () => parts.reads,
    fingerprints: async (uris: readonly string[]) => uris,
  };
  const plan = {
    head: Buffer.from('head'),
    inserts: Buffer.alloc(0),
    pieces: new Float64Array(),
    size: 4,
  };
  const plans = {
    index: async () => index,
    walked: async () => undefined,
    init: async () => plan,
    segment: async () => plan,
  };
  const look = createPlayableFiles({ files, filesystems, plans });
  const find: typeof look = async (id, viewer) => ({
    ...(await look(id, viewer)),
    container: 'mp4',
    streams: [{ index: 0, kind: 'video', codec: 'h264', width: 320, height: 180, frameRate: 25 }],
  });
  const sessions = createPlaybackSessions({
    ...{ items, access, find, conversions, playback: parts.playback },
    prepare: createPrepareSegments({ plans, conversions, now: systemClock.now }),
    decide: createSessionDecision({ decide: async (input) => decide(input), conversions }),
    tokens: { create: ({ id }) => ({ token: id, expiresAt: '2026-11-21T12:00:00.000Z' }) },
    register: createLocalRegister(systemClock),
    emit: () => undefined,
    limits: { remux: 1000, picture: 1, sound: 1, reserved: 0 },
    newId: createUuidV7({ now: Date.now }),
    clock: systemClock,
    publicUrl: null,
    hasActiveLicense: parts.hasActiveLicense,
  });
  const media = { sessions, files, filesystems, plans, conversions, trickplay };
  return {
    sessions,
    playInfos: createPlayInfos({ items, find, trickplay }),
    sessionMedia: createSessionMedia({ ...media, streams: parts.streams, texts: parts.texts }),
  };
}

/** Each film has one picture. */
const trickplay: Pick<TrickplayStore, 'find' | 'sheet'> = {
  find: async () => ({
    kind: 'made',
    shape: { width: 320, height: 180, columns: 10, rows: 10, interval: 10, count: 1 },
  }),
  sheet: async () => Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
};

/** A token that says for which session it is, and whose it is: `<session>~<name of a viewer>`. */
export const householdLinks = {
  read: (token: string) => {
    const [id = ''] = token.split('~');
    return { kind: 'session', id, profileId: 'everybody' } as const;
  },
  viewerName: (authorization: string): string => {
    const token = authorization.slice('Bearer '.length);
    return token.slice(token.indexOf('~') + 1);
  },
};
