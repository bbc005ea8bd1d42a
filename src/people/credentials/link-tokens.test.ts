import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { createLinkTokens, type LinkTokens } from './link-tokens.ts';
import { fullVisibility, serverViewer } from '../viewer/index.ts';
import type { Principal } from './principal.ts';

const viewer = { ...serverViewer, credentialId: 'key-1', profileId: 'profile-1' };
const hour = 3600;
let clock: FakeClock;
let principals: Map<string, Principal>;
let tokens: LinkTokens;

beforeEach(() => {
  clock = createFakeClock();
  principals = new Map([
    [
      'key-1',
      {
        credentialId: 'key-1',
        credentialKind: 'api-key',
        userId: 'ada',
        role: 'admin',
        isReadOnly: false,
        scope: fullVisibility,
        routes: null,
      },
    ],
  ]);
  tokens = withKey(1);
});

const withKey = (byte: number) =>
  createLinkTokens({
    key: Buffer.alloc(32, byte),
    clock,
    principalOfId: async (id) => principals.get(id) ?? null,
  });

const link = (kind: 'file' | 'asset' = 'file') => tokens.create({ kind, id: 'f-1' }, viewer, hour);

describe('the token of a link', () => {
  test('contains the media, the expiry and the profile', () => {
    const { token, expiresAt } = link();

    expect(tokens.read(token)).toMatchObject({ kind: 'file', id: 'f-1', profileId: 'profile-1' });
    expect(expiresAt).toBe('2026-11-21T08:44:53.000Z');
    expect(token).toMatch(/^[\w.-]{1,200}$/);
  });

  test('acts for its credential, to read its media and nothing else', async () => {
    expect(await tokens.principalOf(link().token)).toMatchObject({
      userId: 'ada',
      isReadOnly: true,
      routes: [
        'GET /api/files/:id/stream',
        'GET /api/files/:id/text/:track',
        'GET /api/files/:id/fonts',
        'GET /api/files/:id/fonts/:index',
      ],
    });
    expect(await tokens.principalOf(link('asset').token)).toMatchObject({
      routes: ['GET /api/assets/:id'],
    });
  });

  test('is not valid after it expires', async () => {
    const { token } = link();
    await clock.advance(hour * 1000 - 1);
    expect(tokens.read(token)).not.toBeNull();
    await clock.advance(1);

    expect(tokens.read(token)).toBeNull();
    expect(await tokens.principalOf(token)).toBeNull();
  });

  test('is not valid after its credential ends', async () => {
    const { token } = link();
    principals.clear();

    expect(await tokens.principalOf(token)).toBeNull();
  });

  test('opens nothing that its credential may not open', async () => {
    const [principal] = principals.values();
    const { token } = link();
    if (principal) principals.set('key-1', { ...principal, routes: ['GET /api/items'] });
    expect(await tokens.principalOf(token)).toBeNull();
    const routes = ['GET /api/files/:id/stream'];
    if (principal) principals.set('key-1', { ...principal, routes });
    expect(await tokens.principalOf(token)).toMatchObject({ routes });
    if (principal) principals.set('key-1', { ...principal, routes: ['GET /api/files/*'] });
    expect((await tokens.principalOf(token))?.routes).toHaveLength(4);
  });

  test('is refused when it is of another server, or changed anywhere', async () => {
    const { token } = link();
    expect(withKey(2).read(token)).toBeNull();
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
      expect(tokens.read(changed), changed).toBeNull();
    }
    for (const text of ['', '.', 'vtl_', token.slice(0, -1), `${token}.`, token.toUpperCase()]) {
      expect(tokens.read(text), text).toBeNull();
      expect(await tokens.principalOf(text), text).toBeNull();
    }
  });
});
