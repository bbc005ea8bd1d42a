/** A player as a browser's: it asks for one piece after the other, and again for one that did not come. */
import { segmentsOf } from '../media/hls-rules.ts';
import { adminToken } from '../servers/server.ts';

/** What it met. */
export interface Played {
  readonly asked: number;
  /** Each try that failed, in words. */
  readonly failed: readonly string[];
  /** The longest time that it waited for a piece. */
  readonly longestWaitMs: number;
}

const pauseMs = 100;
const longestMs = 60_000;
const client = {
  mse: ['avc1.640028', 'mp4a.40.2', 'avc1.42c00d', 'avc1.42c01e'].map(
    (codec) => `${codec.startsWith('mp4a') ? 'audio' : 'video'}/mp4; codecs="${codec}"`,
  ),
  src: [],
};

const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };

export interface PlayOptions {
  /** After so long it gives up a request, and asks again. */
  readonly patienceMs: number;
  /** Hears of each segment before it is asked for. */
  readonly at?: (segment: number) => void | Promise<void>;
}

/** Begins a session of an item, and plays it to its end. */
export async function playThrough(
  origin: string,
  itemId: string,
  { patienceMs, at }: PlayOptions,
): Promise<Played> {
  const failed: string[] = [];
  let asked = 0;
  let longestWaitMs = 0;
  const reports: Promise<unknown>[] = [];

  async function get(method: string, route: string, body?: object): Promise<string> {
    const startedAt = performance.now();
    for (;;) {
      asked += 1;
      const { ok, text } = await attempt(method, origin + route, { body, patienceMs });
      const waitedMs = performance.now() - startedAt;
      if (method === 'GET') longestWaitMs = Math.max(longestWaitMs, waitedMs);
      if (ok) return text;
      failed.push(`${method} ${route.slice(-40)}: ${text.slice(0, 200)}`);
      if (waitedMs > longestMs) throw new Error(failed.at(-1));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const begun = await get('POST', '/api/playback/sessions', { itemId, client, takesOver: false });
  const { id, url } = (JSON.parse(begun) as { session: { id: string; url: string } }).session;
  const base = url.slice(0, url.lastIndexOf('/'));
  const master = await get('GET', url);
  const lists = [...new Set(master.match(/[va]\d+\/[^/"\n]+\/index\.m3u8/g) ?? [])];
  const chosen = ['v', 'a'].flatMap((kind) => lists.find((one) => one.startsWith(kind)) ?? []);
  const tracks = await Promise.all(
    chosen.map(async (list) => {
      const folder = `${base}/${list.slice(0, list.lastIndexOf('/'))}`;
      const playlist = await get('GET', `${base}/${list}`);
      if (playlist.includes('init.mp4')) await get('GET', `${folder}/init.mp4`);
      return segmentsOf(playlist).map(({ uri }) => `${folder}/${uri}`);
    }),
  );
  // How long the first picture takes is another figure.
  longestWaitMs = 0;
  for (let no = 0; no < Math.max(...tracks.map(({ length }) => length)); no += 1) {
    await at?.(no);
    const pieces = tracks.flatMap((track) => track[no] ?? []);
    await Promise.all(pieces.map((piece) => get('GET', piece)));
    const report = { position: no, state: 'playing' };
    // No player waits for its reports.
    if (no % 3 === 0) reports.push(get('PATCH', `/api/playback/sessions/${id}`, report));
  }
  await Promise.all(reports);
  await attempt('DELETE', `${origin}/api/playback/sessions/${id}`, { patienceMs });
  return { asked, failed, longestWaitMs };
}

async function attempt(
  method: string,
  url: string,
  { body, patienceMs }: { readonly body?: object | undefined; readonly patienceMs: number },
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(url, { method, headers, signal, ...json });
    const text = await reply.text();
    return { ok: reply.ok, text: reply.ok ? text : `${reply.status} ${text}` };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}
