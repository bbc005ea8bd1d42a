/** What a kill costs. It starts a process for each step, so it takes a while. */
import { expect, test, onTestFinished } from 'vitest';
import { namesIn, openScrobbler } from './fake-services.ts';

test('loses and doubles nothing when it is killed at any point of its work', async () => {
  const { plugin, listenBrainz, lastFm, hear, titleOf } = await openScrobbler();
  onTestFinished(() => plugin.close());
  const heard: string[] = [];
  const points = ['kv.batch', 'eventLog.release', 'net.fetch', 'secrets.digest', 'kv.trim'];
  for (const [at, point] of points.entries()) {
    // The call never ends, so the process is killed right in the middle of the work.
    plugin.faults.hang(point);
    const hung = hear(at).catch(() => undefined);
    await plugin.faults.hung();
    await plugin.restart();
    await hung;
    heard.push(titleOf(at));
    plugin.faults.clear();
  }
  await plugin.call('eventLog.waiting', {});
  await plugin.clock.advance(2 * 3_600_000);

  expect(namesIn(listenBrainz)).toEqual(heard.toSorted());
  expect(namesIn(lastFm)).toEqual(heard.toSorted());
});
