/** A film with a picture and two sounds, as sessions see it, and sessions over it. */
import { Readable } from 'node:stream';
import type { MediaStream, TranscodeIndex } from '../../../plugin-api/index.ts';
import { serverViewer, type Viewer } from '../../../src/people/viewer/index.ts';
import { AppError } from '../../../src/platform/errors.ts';
import {
  checkPlan,
  decide,
  type CheckedPlan,
  type Conversions,
} from '../../../src/viewing/transcoding/index.ts';
import {
  createLocalRegister,
  createPlaybackSessions,
  createPrepareSegments,
  createSessionDecision,
  type PlaybackSessions,
} from '../../../src/viewing/playback-sessions/index.ts';
import type { PlayableFile } from '../../../src/viewing/playback-sessions/playable-file.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

export const streams: readonly MediaStream[] = [
  {
    index: 0,
    kind: 'video',
    codec: 'h264',
    profile: 'High',
    level: '4',
    width: 1920,
    height: 1080,
    frameRate: 24,
  },
  {
    index: 1,
    kind: 'audio',
    codec: 'aac',
    profile: 'LC',
    channels: 2,
    language: 'en',
    isDefault: true,
  },
  { index: 2, kind: 'audio', codec: 'ac3', channels: 6, language: 'fr', title: 'Le "son"' },
  { index: 3, kind: 'subtitle', codec: 'hdmv_pgs_subtitle', language: 'de' },
];

export const types = {
  picture: 'video/mp4; codecs="avc1.640028"',
  sound: 'audio/mp4; codecs="mp4a.40.2"',
  dolby: 'audio/mp4; codecs="ac-3"',
  whole: 'video/mp4; codecs="avc1.640028, mp4a.40.2"',
} as const;

export const index: TranscodeIndex = {
  kind: 'read',
  tracks: [
    {
      id: 'x',
      stream: 0,
      kind: 'video',
      mimeType: 'video/mp4',
      codecs: 'avc1.640028',
      canCopy: true,
      bandwidth: 9_000_000,
      keyframeBandwidth: 400_000,
    },
    {
      id: 'y',
      stream: 1,
      kind: 'audio',
      mimeType: 'audio/mp4',
      codecs: 'mp4a.40.2',
      canCopy: true,
      channels: 2,
    },
    {
      id: 'z',
      stream: 2,
      kind: 'audio',
      mimeType: 'audio/mp4',
      codecs: 'ac-3',
      canCopy: true,
      channels: 6,
    },
  ],
  timescale: 1000,
  cuts: [0, 1001, 3003, 7007],
  duration: 100_000,
  startTime: 0,
  isComplete: true,
  state: null,
};

export const film: PlayableFile = {
  ...{ id: 'file', uri: 'file:///films/film.mp4', roots: ['file:///films'], extension: 'mp4' },
  ...{ size: 1000, modifiedAt: 1, contentKey: 'content', container: 'mp4', duration: 100 },
  ...{ bitrate: 6_000_000, streams, itemId: 'film', isPrimary: true, index, withoutIndex: null },
  texts: [
    {
      ...{ id: 'text', kind: 'subtitle', format: 'srt', language: 'en', title: null },
      ...{ isForced: false, isSdh: true, isDefault: false, url: '/api/files/file/text/text.vtt' },
    },
  ],
  chapters: [],
  loudness: null,
};

/** Somebody with a profile of their own. */
export const somebody = (name: string, role: Viewer['role'] = 'user'): Viewer => ({
  ...serverViewer,
  credentialId: `credential-of-${name}`,
  userId: name,
  profileId: `profile-of-${name}`,
  role,
});

/** A converter that makes one byte of everything. */
export function byteConverter(told: string[] = [], maxHeight: number | null = null): Conversions {
  const part = async () => ({ size: 1, tag: 'made', body: Readable.from([Buffer.from('x')]) });
  return {
    missing: () => null,
    maxHeight: () => maxHeight,
    learn: () => Promise.resolve(),
    init: part,
    segment: part,
    rateOf: () => null,
    told: (sessionId, state) => void told.push(`${sessionId} ${state}`),
  };
}

/** Sessions over the film, and what they did. */
export interface TestSessions extends PlaybackSessions {
  readonly clock: FakeClock;
  /** Ids of viewers' profiles that may not see the film. */
  readonly blind: Set<string>;
  /** What was planned before anybody asked for it. */
  readonly planned: string[];
  readonly positions: (readonly [itemId: string, position: number])[];
  readonly events: (readonly [type: string, data: Readonly<Record<string, unknown>>])[];
}

export function openSessions(
  conversions: Conversions,
  limits = { remux: 3, picture: 1, sound: 2, reserved: 0 },
  file: PlayableFile = film,
): TestSessions {
  const clock = createFakeClock();
  const blind = new Set<string>();
  const planned: string[] = [];
  const plan = checkPlan({ kind: 'planned', head: '', pieces: [[0, 10]] }, 1000) as CheckedPlan;
  const positions: (readonly [string, number])[] = [];
  const events: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
  const assertSeen = ({ profileId }: Viewer): void => {
    if (blind.has(profileId)) throw new AppError('not_found', { what: 'Item film' });
  };
  let ids = 0;
  const sessions = createPlaybackSessions({
    items: {
      get: async (id, viewer) => {
        assertSeen(viewer);
        const shown = { id: 'file', type: 'media', mediaKind: 'video', status: 'active' };
        return { id, files: [shown] } as never;
      },
    },
    access: {
      filterVisible: async ({ profileId }, itemIds) => new Set(blind.has(profileId) ? [] : itemIds),
    },
    find: async () => file,
    decide: createSessionDecision({ decide: async (input) => decide(input), conversions }),
    prepare: createPrepareSegments({
      plans: {
        init: async (_, __, { id }) => {
          planned.push(`${id} init`);
          return plan;
        },
        segment: async (_, __, { track, n }) => {
          planned.push(`${track.id} ${n}`);
          return plan;
        },
      },
      conversions,
      now: clock.now,
    }),
    conversions,
    playback: {
      put: async (itemId, { position }, viewer) => {
        assertSeen(viewer);
        positions.push([itemId, position]);
        return { completed: false, position, duration: 100 };
      },
    },
    tokens: { create: ({ id }) => ({ token: `token-${id}`, expiresAt: 'later' }) },
    emit: (type, data) => void events.push([type, { ...data }]),
    register: createLocalRegister(clock),
    limits,
    newId: () => `s${(ids += 1)}`,
    clock,
    publicUrl: null,
    hasActiveLicense: () => false,
  });
  return { ...sessions, clock, blind, planned, positions, events };
}

/** A browser that plays the film in segments, but not its second sound. */
export const browser = { mse: [types.picture, types.sound], src: [] } as const;
