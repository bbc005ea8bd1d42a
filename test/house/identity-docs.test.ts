/** docs/identity.md says what is so: every code that an app may meet. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Platform as ClientPlatform } from '../../packages/app/client/index.ts';
import { platforms, type Platform } from '../../packages/lib/identity-protocol/index.ts';
import { brokerErrors } from '../../packages/app/broker/index.ts';
import { appErrorCodes } from '../../src/platform/errors.ts';

const file = path.resolve(import.meta.dirname, '../../docs/identity.md');
const page = readFileSync(file, 'utf8');
const named = new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text));

describe('docs/identity.md', () => {
  test('names each code of the broker', () => {
    const wire = Object.keys(brokerErrors).filter((code) => code !== 'renew_bad_signature');

    expect(wire.length).toBeGreaterThan(30);
    expect(wire.filter((code) => !named.has(code))).toEqual([]);
  });

  test('names each code of a server that an identity meets', () => {
    const codes = appErrorCodes.filter((code) => /^(cert|identity|token)_/.test(code));
    const managing = new Set(['identity_taken', 'identity_unavailable']);

    expect(codes.length).toBeGreaterThan(12);
    expect(codes.filter((code) => !managing.has(code) && !named.has(code))).toEqual([]);
  });

  test('lists the platforms of devices', () => {
    const [, list = ''] = /^`platform` is .*?: (.*?), in any case/m.exec(page) ?? [];

    expect([...list.matchAll(/`(\w+)`/g)].map(([, word]) => word)).toEqual([...platforms]);
    // The published types of the client cannot import the protocol.
    expectTypeOf<ClientPlatform>().toEqualTypeOf<Platform>();
  });
});
