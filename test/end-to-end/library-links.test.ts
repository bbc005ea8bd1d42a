/**
 * No route that answers bytes gives those of another library: neither through a link that was there at
 * the scan, nor through one that took the place of a file since. Every operation of the API document
 * that gives what is in a film is called as a guest.
 */
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bars, coverFile, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { filled, mediaOperations } from '../support/servers/byte-routes.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { startServer } from '../support/servers/server.ts';

/** A film has none of it: library-links.nightly.test.ts walks songs, books and pictures. */
const ofOtherMedia: ReadonlySet<string> = new Set(['getLyrics', 'getPlaylistFile']);

test.skipIf(!hasFfmpeg)(
  'no route that answers bytes gives a file of another library through a link',
  { timeout: 240_000 },
  async () => {
    const film = makeMedia('mp4', [
      ...[...bars(2), ...tone(2), '-c:v', 'libx264', '-preset', 'ultrafast'],
      ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'],
    ]);
    const files = ['One (1999)/One (1999).mp4', 'One (1999)/poster.jpg'] as const;
    const words = 'One (1999)/One (1999).en.srt';
    const srt = '1\n00:00:00,000 --> 00:00:01,000\nHello\n';
    const [films, secret] = [await createMediaTree([...files]), await createMediaTree([...files])];
    const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
    onTestFinished(async () => {
      await Promise.all([films.remove(), secret.remove(), rm(data, { recursive: true })]);
    });
    for (const tree of [films, secret]) {
      await copyFile(film, path.join(tree.path, files[0]));
      await copyFile(coverFile(), path.join(tree.path, files[1]));
      await tree.write(words, srt);
    }
    await secret.write('One (1999)/movie.nfo', '<movie><plot>A secret plot.</plot></movie>');
    const link = (name: string, to = name): Promise<void> =>
      symlink(path.join(secret.path, to), path.join(films.path, name));
    await link('One (1999)/movie.nfo');
    await link('Two (2001).mp4', files[0]);
    await link('box', 'One (1999)');
    const server = await startServer({
      data,
      args: [
        '--library',
        `movies:Films:${films.path}`,
        '--library',
        `movies:Secret:${secret.path}`,
      ],
    });
    onTestFinished(async () => void (await server.stop()));
    await firstScansOver(server);
    const { libraries } = await server.get<{ libraries: readonly Library[] }>('/api/libraries');
    const shown = libraries.find(({ name }) => name === 'Films');
    const found = (await allItems(server)).filter(({ libraryId }) => libraryId === shown?.id);

    // The scan follows no link, and says so.
    expect(found.map(({ title }) => title)).toEqual(['One']);
    expect(JSON.stringify(found)).not.toContain('secret plot');
    expect(JSON.stringify(shown?.problems)).toContain('lead out of the library');

    const password = 'correct horse battery';
    const libraryAccess = [{ libraryId: shown?.id }];
    const person = { name: 'gast', password, role: 'guest', libraryAccess };
    expect((await server.request('POST', '/api/users', person)).status).toBe(201);
    const login = await server.request('POST', '/api/auth/login', { name: 'gast', password });
    const { sessionToken } = login.body as { readonly sessionToken: string };
    const call = (route: string, init: RequestInit = {}): Promise<Response> =>
      fetch(new URL(route, server.url), {
        ...init,
        headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
      });
    const begin = (): Promise<Response> =>
      call('/api/playback/sessions', {
        method: 'POST',
        body: JSON.stringify({
          itemId: found[0]?.id,
          client: {
            mse: ['video/mp4; codecs="avc1.640028"', 'audio/mp4; codecs="mp4a.40.2"'],
            src: [],
          },
        }),
      });
    const item = (await (await call(`/api/items/${found[0]?.id}`)).json()) as { item: Item };
    const { assets, files: parts } = item.item;
    const begun = (await (await begin()).json()) as { session?: Session };
    expect(begun).toHaveProperty('session');
    const [track] = begun.session?.tracks ?? [];
    const ofTrack = new URL(track?.url ?? '/', server.url).pathname.split('/');
    const [, , , , session = '', key = '', stream = '', quality = ''] = ofTrack;
    const ofSession = { id: session, link: key, track: stream, quality, part: 'init.mp4' };
    const file = { id: parts[0]?.id ?? '', track: `${parts[0]?.text[0]?.id}.vtt`, index: '0' };
    const inSession = { ...ofSession, text: file.track, name: 'index.vtt', index: '0' };
    const asset = Object.values(assets)[0]?.split('/').at(-1) ?? '';
    const ofPrefix: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      '/api/playback/sessions/': inSession,
      '/api/files/': file,
      '/api/assets/': { id: asset },
    };
    const routes = [...(await mediaOperations())]
      .filter(([name]) => !ofOtherMedia.has(name))
      .map(([name, template]) => {
        const prefix = Object.keys(ofPrefix).find((one) => template.startsWith(one)) ?? '';
        return { name, route: filled(template, ofPrefix[prefix] ?? {}) };
      });
    expect(routes.filter(({ route }) => route.includes('?') || route.includes('//'))).toEqual([]);
    const readable = async (): Promise<readonly string[]> => {
      const read: string[] = [];
      for (const { name, route } of routes) {
        const reply = await call(route);
        await reply.arrayBuffer();
        if (reply.ok) read.push(name);
      }
      return read;
    };
    expect(await readable()).toEqual(
      expect.arrayContaining([
        ...['streamFile', 'getAsset', 'getTextTrack', 'getMasterPlaylist'],
        ...['getTrackPlaylist', 'getSegment', 'getSessionFile', 'getSessionText'],
      ]),
    );

    for (const name of [...files, words]) {
      await films.drop(name);
      await link(name);
    }

    expect(await readable()).toEqual([]);
    const refused = await begin();
    const { error, code } = (await refused.json()) as { error: string; code: string };
    expect({ status: refused.status, code }).toEqual({ status: 403, code: 'outside_root' });
    expect(error).toMatch(/^This file leads out of the folders of its library/);
  },
);

interface Library {
  readonly id: string;
  readonly name: string;
  readonly problems: readonly object[];
}

interface Item {
  readonly assets: Readonly<Record<string, string>>;
  readonly files: readonly { readonly id: string; readonly text: readonly { id: string }[] }[];
}

interface Session {
  readonly tracks: readonly { readonly url: string }[];
}
