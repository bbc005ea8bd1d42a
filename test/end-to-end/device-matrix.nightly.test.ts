/**
 * Forty films on each device that names a profile: which way each track takes, as a table. What the
 * device plays and the new container can carry is never converted.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { bars, makeMedia, tone } from '../support/media/media-files.ts';
import { matrixFiles, oddFiles } from '../support/playback/matrix-files.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

interface Film {
  readonly name: string;
  readonly extension: string;
  readonly make: () => string;
}

const made = (name: string, extension: string, ...codecs: readonly string[]): Film => ({
  ...{ name, extension },
  make: () => makeMedia(extension, [...bars(2, '352x288', '25'), ...tone(2), ...codecs]),
});

const fast = ['-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

const films: readonly Film[] = [
  ...matrixFiles,
  ...oddFiles.filter(({ name }) => /m2ts|cues|flv|avi h264|eight|late mp3/.test(name)),
  made('vob mpeg2 ac3', 'vob', '-c:v', 'mpeg2video', '-c:a', 'ac3'),
  made('mpg mpeg1 mp2', 'mpg', '-c:v', 'mpeg1video', '-c:a', 'mp2'),
  made('mkv main aac', 'mkv', '-c:v', 'libx264', '-profile:v', 'main', ...fast, '-c:a', 'aac'),
  made('mkv level 3.1', 'mkv', '-c:v', 'libx264', '-level', '3.1', ...fast, '-c:a', 'ac3'),
  made('mkv level 5.1', 'mkv', '-c:v', 'libx264', '-level', '5.1', ...fast, '-c:a', 'aac'),
  made('3gp h264 aac', '3gp', '-c:v', 'libx264', ...fast, '-c:a', 'aac'),
];

/** What a device plays, by the names of ffmpeg, told apart from the server's own profiles. */
interface Device {
  readonly codecs: readonly string[];
  readonly channels: number;
  readonly isAvcAnyLevel: boolean;
  readonly showsHdr: boolean;
}

const everything: readonly string[] = [];
const devices: Readonly<Record<string, Device>> = {
  'tv-generic': {
    codecs: ['h264', 'aac', 'mp3', 'ac3', 'eac3'],
    ...{ channels: 6, isAvcAnyLevel: false, showsHdr: false },
  },
  chromecast: {
    codecs: ['h264', 'aac', 'mp3', 'opus', 'flac'],
    ...{ channels: 2, isAvcAnyLevel: false, showsHdr: false },
  },
  'apple-tv': {
    codecs: ['h264', 'hevc', 'aac', 'mp3', 'ac3', 'eac3', 'alac', 'flac'],
    ...{ channels: 8, isAvcAnyLevel: true, showsHdr: true },
  },
  kodi: { codecs: everything, channels: 99, isAvcAnyLevel: true, showsHdr: true },
  vlc: { codecs: everything, channels: 99, isAvcAnyLevel: true, showsHdr: true },
};

/** Containers whose samples the server can put into new segments. */
const reads: readonly (string | null)[] = ['mp4', 'mov', 'matroska', 'webm', 'mpegts'];

interface Track {
  readonly kind: string;
  readonly way: string;
  readonly codec: string;
  readonly isSelected: boolean;
  readonly codecs: string | null;
  readonly channels: number | null;
  readonly hdr: string | null;
}

interface PlayInfo {
  readonly files: readonly {
    readonly container: string | null;
    readonly tracks: readonly (Omit<Track, 'way' | 'isSelected'> & { readonly id: string })[];
  }[];
}

interface Session {
  readonly progressUrl: string;
  readonly tracks: readonly (Pick<Track, 'kind' | 'way' | 'codec' | 'isSelected'> & {
    readonly id: string;
    readonly reasons: readonly string[];
  })[];
}

/** Whether the device plays these samples. */
function plays(device: Device, { codec, codecs, channels, hdr }: PlayInfoTrack): boolean {
  if (device.codecs === everything) return true;
  if (!device.codecs.includes(codec) || (channels ?? 0) > device.channels) return false;
  if (hdr !== null && !device.showsHdr) return false;
  if (codec !== 'h264' || device.isAvcAnyLevel) return true;
  const [, profile = '', level = ''] = /^avc1\.(..)..(..)$/.exec(codecs ?? '') ?? [];
  return ['42', '4d', '58', '64'].includes(profile.toLowerCase()) && parseInt(level, 16) <= 42;
}

type PlayInfoTrack = PlayInfo['files'][number]['tracks'][number];

describe.skipIf(cagedTranscoder.kind !== 'ready')(`forty films ${cageNeeded}`, () => {
  let folder = '';
  let server: TestServer;
  const items = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'vitrine-devices-'));
    for (const { name, extension, make } of films) {
      const place = path.join(folder, `${name} (2001)`);
      mkdirSync(place);
      copyFileSync(make(), path.join(place, `${name} (2001).${extension}`));
    }
    server = await startServer({
      args: ['--library', `movies:Films:${folder}`, '--playback-conversions', '16'],
    });
    await firstScansOver(server);
    for (const { id, files } of await allItems(server))
      for (const { uri } of files) items.set(path.basename(decodeURIComponent(uri)), id);
  }, 300_000);

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are not converted where the device plays what they hold', async () => {
    expect(films.length).toBe(40);
    const lines: string[] = [];
    const needless: string[] = [];

    for (const { name, extension } of films) {
      const itemId = items.get(`${name} (2001).${extension}`) ?? '';
      const { files } = await server.get<PlayInfo>(`/api/items/${itemId}/playback-info`);
      const ways: string[] = [];
      for (const [profile, device] of Object.entries(devices)) {
        const { status, body } = await server.request('POST', '/api/playback/sessions', {
          ...{ itemId, client: { mse: [], src: [], profile } },
        });
        expect([name, profile, status, body]).toEqual([name, profile, 201, expect.anything()]);
        const { session } = body as { readonly session: Session };
        await server.request('DELETE', session.progressUrl);
        const chosen = session.tracks.filter(
          ({ kind, isSelected }) => isSelected && kind !== 'subtitle',
        );
        ways.push(chosen.map(({ way }) => way).join(' '));
        const [file] = files;
        for (const { id, way, reasons } of chosen) {
          const track = file?.tracks.find((one) => one.id === id);
          const isCarried = reads.includes(file?.container ?? null) || device.codecs === everything;
          if (way !== 'direct' && way !== 'copy' && track && isCarried && plays(device, track))
            needless.push(`${name} on ${profile}: ${id} ${way} (${reasons.join(', ')})`);
        }
      }
      lines.push([name.padEnd(28), ...ways.map((way) => way.padEnd(16))].join(''));
    }

    const head = ['film'.padEnd(28), ...Object.keys(devices).map((one) => one.padEnd(16))].join('');
    process.stdout.write(`\n${[head, ...lines].join('\n')}\n`);
    expect(needless).toEqual([]);
  });
});
