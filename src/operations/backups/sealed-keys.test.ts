import { expect, test } from 'vitest';
import { openKeys, sealKeys } from './sealed-keys.ts';

const passphrase = 'Zürich rains a lot';
const keys = { 'server.key': 'vitrine-server-key-1 aa\n', 'server-id.key': 'PEM' };

test('sealed keys open with their passphrase, also when another system composed its letters', async () => {
  const sealed = await sealKeys(keys, passphrase);

  expect(await openKeys(sealed, passphrase.normalize('NFD'))).toEqual(keys);
});

test('a changed byte, another cost and another form are refused', async () => {
  const sealed = JSON.parse(await sealKeys(keys, passphrase)) as Record<string, string>;
  const flipped = Buffer.from(sealed['keys'] ?? '', 'base64');
  flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
  const opened = (change: object) => openKeys(JSON.stringify({ ...sealed, ...change }), passphrase);

  await expect(opened({ keys: flipped.toString('base64') })).rejects.toThrow('The passphrase is');
  await expect(opened({ tag: '' })).rejects.toThrow('The passphrase is');
  for (const change of [{ N: 2 ** 30 }, { cipher: 'none' }, { v: 2 }, { iv: 5 }])
    await expect(opened(change)).rejects.toThrow('in a form that this version does not know');
  for (const text of ['', 'null', '[]', ' '.repeat(70_000)])
    await expect(openKeys(text, passphrase)).rejects.toThrow('in a form that this version');
});
