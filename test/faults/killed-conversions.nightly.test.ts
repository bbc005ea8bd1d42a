/** kill -9 while films are converted: no transcoder lives on, and what is kept plays. */
import { expect, onTestFinished, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import {
  createKilledScene,
  filmFrames,
  killWhileConverting,
  playFromCache,
} from '../support/playback/killed-conversion.ts';

const kills = 100;
const gibibyte = 1024 ** 3;

test.skipIf(cagedTranscoder.kind === 'missing')(
  `a server killed ${kills} times while it converts leaves no process behind, and a cache that plays ${cageNeeded}`,
  { timeout: kills * 30_000 },
  async () => {
    const scene = await createKilledScene();
    onTestFinished(scene.remove);

    let heldInAll = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = { from: (kill * 4) % 13, afterMs: 300 + ((kill * 370) % 1500) };
      const { held, ms } = await killWhileConverting(scene, moment);
      heldInAll += held;
      expect(ms).toBeLessThan(1000);
    }

    // Some of many moments have a transcoder alive; two may both miss it.
    expect(heldInAll).toBeGreaterThan(0);
    const { other, bytes, frames } = await playFromCache(scene);
    expect([other, frames]).toEqual([[], filmFrames]);
    expect(bytes).toBeLessThan(10 * gibibyte);
  },
);
