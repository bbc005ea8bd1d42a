import { createPublicKey, verify } from 'node:crypto';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { openServerIdentity } from './index.ts';

test('a server keeps its id over restarts, and has another one in another folder', () => {
  const folder = temporaryFolder();
  const { serverId } = openServerIdentity(folder);

  expect(serverId).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(path.join(folder, 'server-id.key')).mode & 0o777).toBe(0o600);
  expect(openServerIdentity(folder).serverId).toBe(serverId);
  expect(openServerIdentity(temporaryFolder()).serverId).not.toBe(serverId);
});

test('a signature of a server is verified with its id', () => {
  const { serverId, sign } = openServerIdentity(temporaryFolder());
  const x = Buffer.from(serverId, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

  expect(verify(null, Buffer.from('hello'), key, sign(Buffer.from('hello')))).toBe(true);
});

test('a key that is damaged, or readable by others, is refused with a message', () => {
  const folder = temporaryFolder();
  openServerIdentity(folder);
  const file = path.join(folder, 'server-id.key');
  chmodSync(file, 0o644);
  expect(() => openServerIdentity(folder)).toThrow(/server-id\.key can be read by other users/);
  writeFileSync(file, 'x');
  chmodSync(file, 0o600);

  expect(() => openServerIdentity(folder)).toThrow(/server-id\.key is damaged/);
});
