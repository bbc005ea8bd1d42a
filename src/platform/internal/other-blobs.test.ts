import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { OtherBlobs } from './other-blobs.ts';

/** Servers by their addresses, with what each has; one that has `late` says nothing in time. */
function scene(has: Readonly<Record<string, readonly string[]>>) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const blobs = new OtherBlobs({
    servers: async () => Object.keys(has),
    ask: {
      get: async (address, path, timeoutMs) => {
        asked.push(address);
        const names = has[address] ?? [];
        if (names.includes('late')) {
          await clock.advance(timeoutMs);
          return null;
        }
        return names.some((name) => path.endsWith(`/${name}`)) ? Buffer.from(address) : null;
      },
    },
    clock,
  });
  const find = async (name: string) =>
    (await blobs.find('trickplay', name))?.toString().split(' ')[0] ?? null;
  return { clock, asked, find };
}

test('a blob comes from the server that has it, and one that nobody has is not asked for at once again', async () => {
  const { clock, asked, find } = scene({ a: ['one'], b: ['two'] });

  expect([await find('one'), await find('two'), await find('three')]).toEqual(['a', 'b', null]);
  expect([await find('three'), asked.length]).toEqual([null, 6]);
  await clock.advance(10_000);
  await find('three');
  expect(asked.length).toBe(8);
});

test('a server that says nothing in time is not asked for a while', async () => {
  const { clock, asked, find } = scene({ a: ['late'], b: ['one'] });
  await find('none');
  asked.length = 0;
  await find('other');
  const meanwhile = [...asked];
  await clock.advance(10_000);
  await find('one');

  expect([meanwhile, asked]).toEqual([['b'], ['b', 'a', 'b']]);
});
