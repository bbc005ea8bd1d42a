import type { ItemHookInput } from '@vitrine/plugin-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type PluginUnderTest } from 'vitrine/plugin-test';

let plugin: PluginUnderTest;

beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname);
});

afterAll(() => plugin.close());

/** The input of the hook for a film with these streams. */
function filmWith(...streams: readonly unknown[]): ItemHookInput {
  const [film] = plugin.library.items();
  if (film === undefined) throw new Error('The made library has no film.');
  const { itemId, bundle } = plugin.library.hookInput(film.id);
  const media = bundle.files.media.map((file) => ({ ...file, fileInfo: { streams } }));
  return { itemId, bundle: { ...bundle, files: { ...bundle.files, media } } };
}

const ask = (...streams: readonly unknown[]) =>
  plugin.hook('pipeline.probe.afterProcess', filmWith(...streams));

test.each([
  ['4K HDR', { kind: 'video', width: 3840, height: 1600, hdr: 'hdr10' }],
  ['1080p', { kind: 'video', width: 1920, height: 800 }],
  ['720p', { kind: 'video', width: 1280, height: 720 }],
  ['SD', { kind: 'video', width: 720, height: 576 }],
])('calls it %s by its picture, also where that is wide', async (quality, stream) => {
  expect(await ask({ kind: 'audio' }, stream)).toEqual({
    fields: { 'template-hook': { quality } },
  });
});

test('takes the best of several files', async () => {
  const small = { kind: 'video', width: 720, height: 576 };
  const large = { kind: 'video', width: 1920, height: 1080 };

  expect(await ask(small, large)).toEqual({ fields: { 'template-hook': { quality: '1080p' } } });
});

test('changes nothing without a video stream, or with invalid data', async () => {
  expect(await ask()).toBeNull();
  expect(await ask(null, 'video', { kind: 'video', width: '1920', height: null })).toBeNull();
});

test('leaves HDR out when that is switched off', async () => {
  await plugin.configure({ tellHdr: false });

  const delta = await ask({ kind: 'video', width: 3840, height: 2160, hdr: 'hlg' });

  expect(delta).toEqual({ fields: { 'template-hook': { quality: '4K' } } });
});

test('is skipped by a server when the host refuses its configuration', async () => {
  plugin.faults.refuse('config.get', { times: 2 });

  const asked = ask({ kind: 'video', width: 1920, height: 1080 });

  await expect(asked).rejects.toMatchObject({ code: 'overloaded' });
});
