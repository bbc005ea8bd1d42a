/**
 * Pictures in other sizes: what making one costs against the same WebAssembly outside of an isolate, how
 * many come in a second, how large sixty detailed posters are, and what a kept one costs over HTTP.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type {
  Host,
  PictureFormat,
  PictureInput,
  PictureResult,
} from '../../../plugin-api/index.ts';
import { startProbe, type SandboxedProbe } from '../../support/media/sandboxed-probe.ts';
import { pngChunk, pngHeader, pngStart } from '../../support/pictures/made-png.ts';
import { jobsOver } from '../../support/servers/scan.ts';
import { startServer } from '../../support/servers/server.ts';
import { median, type Figure } from '../figure.ts';
import { createClient } from '../load.ts';
import { sized } from '../size.ts';

const posters = sized(60, 6);
const [width, height] = [1000, 1500];

/** Runs it. */
export async function benchPictures(): Promise<readonly Figure[]> {
  const pictures = await startProbe('pictures');
  const sources: Buffer[] = [];
  for (let poster = 0; poster < posters; poster++) {
    sources.push(bytesOf(await make(pictures, inputOf(drawPoster(poster), 1920, 'jpeg'))));
  }
  await pictures.stop();
  return [...(await costs(sources)), ...(await overHttp(sources))];
}

/** In an isolate, one after the other, and then the same code in this process. */
async function costs(sources: readonly Buffer[]): Promise<readonly Figure[]> {
  const pictures = await startProbe('pictures');
  const inputs = sources.map((bytes) => inputOf(bytes, 320, 'webp'));
  for (const input of inputs.slice(0, 5)) await make(pictures, input);
  const before = pictures.cpuMs();
  const start = performance.now();
  let bytes = 0;
  for (const input of inputs) bytes += bytesOf(await make(pictures, input)).length;
  const seconds = (performance.now() - start) / 1000;
  const ours = (pictures.cpuMs() - before) / posters;
  const peakMb = pictures.peakBytes() / 1e6;
  await pictures.stop();
  const bare = await bareCpuMs(inputs);
  const value = { bare: null } as const;
  return [
    { name: 'pictures: CPU of one of 1000 x 1500 at 320', ours, bare, unit: 'ms', goal: 2.5 },
    { name: 'pictures: made in a second', ours: posters / seconds, ...value, unit: '/s', goal: -5 },
    {
      name: `pictures: ${posters} posters at 320`,
      ours: bytes / 1000,
      ...value,
      unit: 'kB',
      goal: 900,
    },
    { name: 'pictures: peak of their host', ours: peakMb, ...value, unit: 'MB', goal: 160 },
  ];
}

type Method = (input: PictureInput, host: Host) => Promise<PictureResult>;

/** The plugin as it is built, called in this process. */
async function bareCpuMs(inputs: readonly PictureInput[]): Promise<number> {
  const built = path.resolve(
    import.meta.dirname,
    '../../../dist/builtin-plugins/pictures/index.js',
  );
  const { default: plugin } = (await import(built)) as {
    readonly default: { readonly methods: Readonly<Record<string, Method>> };
  };
  const method = plugin.methods['pictures.make'];
  if (method === undefined) throw new Error('The plugin makes no pictures.');
  // The sources are in the inputs, so nothing is asked of the host.
  const host = {} as Host;
  for (const input of inputs.slice(0, 5)) await method(input, host);
  const before = process.cpuUsage();
  for (const input of inputs) await method(input, host);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / inputs.length;
}

/** A kept picture against a request that does nothing. */
async function overHttp(sources: readonly Buffer[]): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  for (const [at, bytes] of sources.entries()) writeFileSync(path.join(folder, `${at}.jpg`), bytes);
  const server = await startServer({ args: ['--library', `photos:Photos:${folder}`] });
  await jobsOver(server);
  const { items } = await server.get<{ items: { picture: { id: string } | null }[] }>(
    `/api/items?fields=tile&limit=${posters}`,
  );
  const client = createClient(server.url);
  const routes = items.map(
    ({ picture }) => `/api/assets/${picture?.id ?? ''}?width=320&format=webp`,
  );
  const start = performance.now();
  await Promise.all(routes.map((route) => client.time(route)));
  const seconds = (performance.now() - start) / 1000;
  const [kept, health]: [number[], number[]] = [[], []];
  for (let round = 0; round < 20; round++) {
    for (const route of routes) {
      kept.push(await client.time(route));
      health.push(await client.time('/api/health'));
    }
  }
  client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
  return [
    {
      name: 'pictures: p50 of a kept one, against health',
      ...{ ours: median(kept), bare: median(health), unit: 'ms', goal: 3 },
    },
    {
      name: 'pictures: first ones over HTTP in a second',
      ...{ ours: posters / seconds, bare: null, unit: '/s', goal: -5 },
    },
  ];
}

const inputOf = (bytes: Buffer, to: number, format: PictureFormat): PictureInput => ({
  source: { uri: null, size: bytes.length, base64: bytes.toString('base64') },
  width: to,
  format,
});

async function make({ plugin }: SandboxedProbe, input: PictureInput): Promise<PictureResult> {
  const reply = await plugin.call('pictures.make', input, 60_000);
  if (reply.kind !== 'returned') throw new Error(JSON.stringify(reply));
  return JSON.parse(String(reply.body)) as PictureResult;
}

function bytesOf(result: PictureResult): Buffer {
  if (result.kind === 'failed') throw new Error(result.message);
  return Buffer.from(result.base64, 'base64');
}

/** Clouds in six octaves, a face of rings, and letters with sharp edges: detail in every size. */
function drawPoster(seed: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    at += 1;
    for (let x = 0; x < width; x++) {
      const cloud = cloudAt(x, y, seed);
      const ring = Math.sin(Math.hypot(x - 500, y - 500 - seed * 5) / (6 + (seed % 7)));
      const isLetter = y > 1200 && y < 1400 && hash(x >> 5, y >> 5, seed) > 0.5;
      for (let channel = 0; channel < 3; channel++) {
        const light = cloud * 200 + ring * 30 + ((seed * 37 * (channel + 1)) % 80) - channel * 15;
        rows[at++] = isLetter ? 240 : Math.max(0, Math.min(255, light));
      }
    }
  }
  const data = pngChunk('IDAT', deflateSync(rows, { level: 1 }));
  const end = pngChunk('IEND', Buffer.alloc(0));
  return Buffer.concat([pngStart, pngHeader(width, height, { colour: 2 }), data, end]);
}

function cloudAt(x: number, y: number, seed: number): number {
  let [sum, weight] = [0, 0.5];
  for (let step = 256; step >= 8; step /= 2) {
    const [left, top] = [Math.floor(x / step), Math.floor(y / step)];
    const [right, below] = [x / step - left, y / step - top];
    const upper = mix(hash(left, top, seed), hash(left + 1, top, seed), right);
    const lower = mix(hash(left, top + 1, seed), hash(left + 1, top + 1, seed), right);
    sum += mix(upper, lower, below) * weight;
    weight /= 2;
  }
  return sum;
}

const mix = (one: number, other: number, part: number): number => one + (other - one) * part;

function hash(x: number, y: number, seed: number): number {
  let value = Math.imul(x + y * 8191 + seed * 131, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return ((value ^ (value >>> 13)) >>> 0) / 2 ** 32;
}
