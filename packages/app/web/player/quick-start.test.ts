import Hls from 'hls.js';
import { expect, test, vi } from 'vitest';
import { quickStart } from './quick-start.ts';

test('hls.js looks often for work until there is a picture, and then at its own rate', () => {
  vi.useFakeTimers();
  try {
    vi.stubGlobal('self', globalThis);
    const { config, settle } = quickStart(Hls);
    for (const controller of [config.streamController, config.audioStreamController]) {
      expect(controller).toBeDefined();
    }
    const looks = { count: 0 };
    const Stream = config.streamController ?? expect.fail();
    const loop = Object.create(Stream.prototype) as InstanceType<typeof Stream>;
    Object.assign(loop, { _boundTick: () => looks.count++ });
    loop.setInterval(100);
    vi.advanceTimersByTime(200);
    expect(looks.count).toBe(20);
    settle();
    vi.advanceTimersByTime(200);
    expect(looks.count).toBe(22);
    loop.clearInterval();
    loop.setInterval(100);
    vi.advanceTimersByTime(200);
    expect(looks.count).toBe(24);
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});
