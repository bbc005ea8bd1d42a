import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHashQueue, type HashFor } from './hash-queue.ts';

const signIn = (userId: string): HashFor => ({ purpose: 'sign-in', userId });
const change = (userId: string): HashFor => ({ purpose: 'password', userId });
const pin = (userId: string): HashFor => ({ purpose: 'pin', userId });
const from = (address: string): HashFor => ({ purpose: 'sign-in', address });

/** A queue whose hashes end when the test says so. */
function openQueue() {
  const queue = createHashQueue();
  const started: string[] = [];
  const refused: string[] = [];
  const running = new Map<string, () => void>();
  const asked: Promise<void>[] = [];
  return {
    started,
    refused,
    running,
    ask: (name: string, of: HashFor): void => {
      const work = () =>
        new Promise<void>((end) => {
          started.push(name);
          running.set(name, end);
        });
      asked.push(queue.run(of, work).catch(() => void refused.push(name)));
    },
    /** Lets the hash end that began first, and waits until the next one has begun. */
    endFirst: async (): Promise<void> => {
      const [first = ['', () => undefined] as const] = running;
      running.delete(first[0]);
      first[1]();
      await settled();
    },
    over: () => Promise.all(asked),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue of the hashes', () => {
  test('computes a sign-in at once, however many PINs and passwords people change', async () => {
    const queue = openQueue();
    for (const n of [1, 2, 3]) {
      queue.ask(`pin ${n}`, pin('kid'));
      queue.ask(`password ${n}`, change('guest'));
    }
    queue.ask('admin', from('203.0.113.9'));
    await settled();

    expect(queue.started).toEqual(['pin 1', 'admin']);
    expect(queue.refused).toEqual(['password 3']);
  });

  test('begins no PIN beside a sign-in, until four of them began before it', async () => {
    const queue = openQueue();
    queue.ask('ada', from('203.0.113.9'));
    queue.ask('pin', pin('kid'));
    await settled();
    expect(queue.started).toEqual(['ada']);
    for (const n of [1, 2, 3, 4, 5, 6]) queue.ask(`stranger ${n}`, from(`10.0.${n}.1`));
    for (let n = 0; n < 7; n++) await queue.endFirst();

    expect(queue.started.indexOf('pin')).toBe(5);

    const calm = openQueue();
    calm.ask('ada', from('203.0.113.9'));
    calm.ask('pin', pin('kid'));
    await settled();
    await calm.endFirst();
    expect(calm.started).toEqual(['ada', 'pin']);
  });

  test('gives the next worker to one who is signed in there, however many strangers wait', async () => {
    const queue = openQueue();
    for (const network of [1, 2, 3, 4, 5, 6])
      for (let n = 0; n < 15; n++) queue.ask(`10.0.${network}.${n}`, from(`10.0.${network}.${n}`));
    queue.ask('admin', signIn('admin'));
    await settled();
    expect(queue.started).toHaveLength(2);
    expect(queue.refused).not.toContain('admin');

    await queue.endFirst();

    expect(queue.started.at(2)).toBe('admin');
  });

  test('lets people take turns, not only in the order in which they asked', async () => {
    const queue = openQueue();
    queue.ask('running', pin('other'));
    for (const n of [1, 2]) queue.ask(`kid ${n}`, pin('kid'));
    for (const n of [1, 2]) queue.ask(`guest ${n}`, pin('guest'));
    queue.ask('anna 1', pin('anna'));
    for (let n = 0; n < 5; n++) {
      await settled();
      await queue.endFirst();
    }

    expect(queue.started.slice(1)).toEqual(['kid 1', 'guest 1', 'anna 1', 'kid 2', 'guest 2']);
  });

  test('lets passwords and PINs take turns', async () => {
    const queue = openQueue();
    queue.ask('pin 1', pin('kid'));
    for (const n of [2, 3]) queue.ask(`pin ${n}`, pin('kid'));
    queue.ask('password 1', change('guest'));
    await settled();
    await queue.endFirst();

    expect(queue.started).toEqual(['pin 1', 'password 1']);
  });

  test.each([
    ['person', (n: number) => pin(n === 9 ? 'anna' : 'kid'), 1],
    ['network of IPv4', (n: number) => from(n === 9 ? '10.0.1.1' : `10.0.0.${n}`), 2],
    ['network of IPv6', (n: number) => from(n === 9 ? '2001:db8:1::' : `2001:db8:0:${n}::`), 2],
  ])('refuses the third that waits of one %s, and nobody else', async (_, of, running) => {
    const queue = openQueue();
    for (let n = 0; n < 10; n++) queue.ask(String(n), of(n));
    await settled();

    const accepted = Array.from({ length: running + 2 }, (_one, n) => String(n));
    expect(queue.refused).toEqual(
      ['0', '1', '2', '3', '4', '5', '6', '7', '8'].filter((name) => !accepted.includes(name)),
    );
  });

  test('computes every hash once that it did not refuse, two at a time and one besides sign-ins', async () => {
    const people = ['a', 'b', 'c'];
    const anyone = fc.oneof(
      fc.constantFrom(...people.flatMap((one) => [signIn(one), change(one), pin(one)])),
      fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.1.1').map(from),
    );
    const steps = fc.array(fc.option(anyone, { freq: 3 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const queue = openQueue();
        const isOther = list.map((of) => of !== null && of.purpose !== 'sign-in');
        for (const [n, of] of list.entries()) {
          if (of === null) await queue.endFirst();
          else queue.ask(String(n), of);
          await settled();
          const names = [...queue.running.keys()];
          expect(names.length).toBeLessThanOrEqual(2);
          expect(names.filter((name) => isOther[Number(name)]).length).toBeLessThanOrEqual(1);
        }
        while (queue.running.size > 0) await queue.endFirst();
        await queue.over();
        const asked = list.flatMap((of, n) => (of === null ? [] : [String(n)]));
        expect([...queue.started, ...queue.refused].sort()).toEqual(asked.sort());
      }),
      { numRuns: 50 },
    );
  });
});
