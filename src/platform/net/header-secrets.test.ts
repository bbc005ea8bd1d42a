/** `{secret:name}` in the headers of `host.net.fetch`, against real servers on the loopback. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OpenedSecret } from '../../../kernel/run/secrets/index.ts';
import type { FetchInput } from '../../../plugin-api/index.ts';
import {
  sendJson,
  startHttpSource,
  type HttpSource,
} from '../../../test/support/servers/http-source.ts';
import { openTestNetwork, type TestNetwork } from '../../../test/support/servers/network.ts';

const key = 'k3y-of-the-films';
const net = ['*'];
const granted = { net, secrets: true } as const;

let source: HttpSource;
let other: HttpSource;
let network: TestNetwork;
let kept: Map<string, OpenedSecret>;
/** The body of the last POST. */
let posted: string;
let answer: (request: { readonly url: string; readonly headers: unknown }) => {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

beforeAll(async () => {
  const handler: Parameters<typeof startHttpSource>[0] = async (request, response) => {
    const { url = '', headers } = request;
    if (request.method === 'POST') posted = await text(request);
    const { status = 200, headers: more = {}, body = 'ok' } = answer({ url, headers });
    sendJson(response, body, more, status);
  };
  [source, other] = await Promise.all([startHttpSource(handler), startHttpSource(handler)]);
  network = await openTestNetwork({
    allowedHosts: ['127.0.0.1', 'localhost'],
    openSecret: async (pluginId, { name, scope = 'plugin' }) =>
      kept.get(JSON.stringify([pluginId, name, scope])) ?? null,
  });
});

afterAll(async () => {
  await Promise.all([network.remove(), source.close(), other.close()]);
});

const keep = (name: string, secret: Partial<OpenedSecret> = {}, scope: unknown = 'plugin'): void =>
  void kept.set(JSON.stringify(['films', name, scope]), {
    value: Buffer.from(key),
    hosts: [source.host],
    version: '1',
    ...secret,
  });

beforeEach(() => {
  kept = new Map();
  keep('apiKey');
  answer = () => ({});
});

const last = (from: HttpSource) => from.requests.at(-1)?.headers ?? {};
const ask = (
  headers: Readonly<Record<string, string>>,
  input: Partial<FetchInput> = {},
  caller: object = granted,
) => network.fetch({ url: `${source.url}/${path_()}`, headers, ...input }, caller);

let counter = 0;
const path_ = (): string => `films/${(counter += 1)}`;

describe('{secret:name} in a header', () => {
  test('is replaced by the value on the wire, also within other words', async () => {
    await ask({
      authorization: 'Bearer {secret:apiKey}',
      'x-two': '{secret:apiKey}/{secret:apiKey}',
    });

    expect(last(source)).toMatchObject({
      authorization: `Bearer ${key}`,
      'x-two': `${key}/${key}`,
    });
  });

  test('names the secret of a library, a user or a profile', async () => {
    keep('apiKey', { value: Buffer.from('for-the-library') }, { libraryId: 'l1' });
    keep('apiKey', { value: Buffer.from('for-the-user') }, { userId: 'u1' });
    keep('apiKey', { value: Buffer.from('for-the-profile') }, { profile: 'p-1' });

    await ask({
      'x-library': '{secret:apiKey;library=l1}',
      'x-user': '{secret:apiKey;user=u1}',
      'x-profile': '{secret:apiKey;profile=p-1}',
    });

    expect(last(source)).toMatchObject({
      'x-library': 'for-the-library',
      'x-user': 'for-the-user',
      'x-profile': 'for-the-profile',
    });
  });

  test.each([
    ['a plugin without the power', {}, { net }, 'permission_denied', 'secrets'],
    ['a secret that is not there', { 'x-key': '{secret:gone}' }, granted, 'not_found', 'gone'],
    ['a name that is none', { 'x-key': '{secret:A key}' }, granted, 'invalid_argument', 'named as'],
    [
      'a brace that is open',
      { 'x-key': '{secret:apiKey' },
      granted,
      'invalid_argument',
      'named as',
    ],
    [
      'one that only signs',
      { 'x-key': '{secret:own}' },
      granted,
      'permission_denied',
      'only signs',
    ],
    [
      'one for others',
      { 'x-key': '{secret:far}' },
      granted,
      'permission_denied',
      'far for 127.0.0.1',
    ],
  ])(
    'is refused for %s, without a request to the host',
    async (_, headers, caller, code, message) => {
      keep('own', { hosts: [] });
      keep('far', { hosts: ['api.example.org'] });
      const before = source.requests.length;

      const asked = ask({ 'x-api': '{secret:apiKey}', ...headers }, {}, caller);

      await expect(asked).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
      expect(source.requests).toHaveLength(before);
    },
  );

  test('is refused to a plugin for the secret of another', async () => {
    const asked = ask({ 'x-api': '{secret:apiKey}' }, {}, { ...granted, pluginId: 'guide' });

    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('{secret:name} in the query of an address', () => {
  const path = (text: string) => `${source.url}/q${(counter += 1)}?${text}`;

  test.each([
    ['as it is', 'api_key={secret:apiKey}&q=%20a'],
    ['encoded by URLSearchParams', new URLSearchParams({ api_key: '{secret:apiKey}' }).toString()],
  ])('is replaced by the value on the wire, %s, and masked in the answer', async (_, query) => {
    answer = ({ url }) => ({ body: { url } });

    const { body } = await network.fetch({ url: path(query) }, granted);

    expect(source.requests.at(-1)?.path).toContain(`?api_key=${key}`);
    expect(body).toContain('?api_key=***');
  });

  test.each([
    ['for another host', 'k={secret:far}', '', 'permission_denied'],
    ['in the path', '', '/{secret:apiKey}', 'invalid_argument'],
    ['of a profile', 'k={secret:apiKey;profile=p}', '', 'invalid_argument'],
  ])('is refused %s, without a request', async (_, query, more, code) => {
    keep('far', { hosts: ['api.example.org'] });
    const before = source.requests.length;

    const asked = network.fetch({ url: `${source.url}${more}/?${query}` }, granted);

    await expect(asked).rejects.toMatchObject({ code });
    expect(source.requests).toHaveLength(before);
  });

  test('is not inserted into an address that a host names', async () => {
    answer = ({ url }) =>
      url.includes('stolen')
        ? {}
        : { status: 302, headers: { location: `${source.url}/?stolen={secret:apiKey}` } };

    await network.fetch({ url: path('k={secret:apiKey}') }, granted);

    expect(source.requests.at(-1)?.path).not.toContain(key);
  });
});

describe('a secret in a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (formSecrets: FetchInput['formSecrets'], headers: Record<string, string> = form) =>
    ask(headers, {
      method: 'POST',
      body: 'q={secret:apiKey}',
      ...(formSecrets && { formSecrets }),
    });

  test('is added as a field, and the words of the body stay as they are', async () => {
    keep('apiKey', { value: Buffer.from('for & profile') }, { profile: 'p-1' });

    await post({ sk: '{secret:apiKey;profile=p-1}' });

    expect(posted).toBe('q={secret:apiKey}&sk=for+%26+profile');
  });

  test.each([
    ['for another host', { k: '{secret:far}' }, form, 'permission_denied'],
    ['that is only a part of a value', { k: 'x{secret:apiKey}' }, form, 'invalid_argument'],
    [
      'in JSON',
      { k: '{secret:apiKey}' },
      { 'content-type': 'application/json' },
      'invalid_argument',
    ],
  ])('is refused %s, without a request', async (_, fields, headers, code) => {
    keep('far', { hosts: ['api.example.org'] });
    const before = source.requests.length;

    await expect(post(fields, headers)).rejects.toMatchObject({ code });
    expect(source.requests).toHaveLength(before);
  });
});

describe('a redirect of a request with a secret', () => {
  test('sends it only to its own hosts, in any header', async () => {
    answer = ({ url }) =>
      url === '/there' ? {} : { status: 302, headers: { location: `${other.url}/there` } };
    const headers = { authorization: '{secret:apiKey}', 'x-plain': 'a', accept: 'text/plain' };

    await ask(headers);
    const without = last(other);
    keep('apiKey', { hosts: ['127.0.0.1'] });
    await ask(headers);

    expect(without).toMatchObject({ accept: 'text/plain' });
    expect(without).not.toHaveProperty('authorization');
    expect(JSON.stringify(without)).not.toContain(key);
    expect(last(other)).toMatchObject({ authorization: key });
    expect(last(other)).not.toHaveProperty('x-plain');
  });

  test('that contains the value, also as a host, is masked or refused, and never shown', async () => {
    for (const location of [
      `${other.url}/?key=${key}`,
      `http://${key.toUpperCase()}.localhost:${other.port}/`,
    ]) {
      answer = ({ url }) =>
        url.startsWith('/films') ? { status: 302, headers: { location } } : {};

      const told = await ask({ 'x-api': '{secret:apiKey}' }).then(
        () => '',
        (error: unknown) => JSON.stringify([String(error), error]),
      );

      expect(told.toLowerCase()).not.toContain(key);
      expect(JSON.stringify(other.requests.map((one) => one.path))).not.toContain(key);
    }
  });
});

describe('an answer that echoes the secret', () => {
  test('is masked in its headers and its body, plain and encoded', async () => {
    answer = ({ headers }) => ({
      headers: { 'x-echo': `your key is ${key}`, [`x-${key}`]: 'a' },
      body: { headers, basic: Buffer.from(`anna:${key}`).toString('base64') },
    });

    const reply = await ask({ authorization: 'Bearer {secret:apiKey}' });

    expect(JSON.parse(reply.body)).toMatchObject({ headers: { authorization: 'Bearer ***' } });
    expect(reply.headers).toMatchObject({ 'x-echo': 'your key is ***' });
    expect(JSON.stringify(reply)).not.toContain(key);
    const { basic } = JSON.parse(reply.body) as { readonly basic: string };
    expect(Buffer.from(basic, 'base64').toString()).not.toContain(key.slice(2));
  });

  test('is masked in bytes too', async () => {
    answer = () => ({ body: key });

    const packed = await network.fetchBytes(
      { url: `${source.url}/${path_()}`, headers: { 'x-api': '{secret:apiKey}' }, bodyAs: 'bytes' },
      granted,
    );

    expect(Buffer.from(packed).toString('latin1')).not.toContain(key);
  });
});

describe('the cache', () => {
  test('stores neither the value nor its echo, and no response for another value', async () => {
    answer = ({ headers }) => ({ headers: { 'cache-control': 'max-age=60' }, body: headers });
    const url = `${source.url}/${path_()}`;
    const asking = async () => {
      const before = source.requests.length;
      const { cache } = await ask({ 'x-api': '{secret:apiKey}' }, { url });
      return { cache, asked: source.requests.length - before };
    };

    expect(await asking()).toEqual({ cache: 'miss', asked: 1 });
    expect(await asking()).toEqual({ cache: 'hit', asked: 0 });
    keep('apiKey', { value: Buffer.from('another-key'), version: '2' });
    expect(await asking()).toEqual({ cache: 'miss', asked: 1 });

    const folder = path.join(network.cacheFolder, 'net');
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'latin1')),
    );
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((text) => text.includes(key) || text.includes('another-key'))).toEqual([]);
  });
});
