/** Real processes that write nothing. */
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { processorTime } from './processor-time.ts';
import { watchedOutput, type HangLimits } from './watched-output.ts';

const idleMs = 600;
const busyMs = 1800;

/** Milliseconds until the program is killed. */
async function killedAfter(script: string, limits: HangLimits): Promise<number> {
  // A group of its own, which is killed as a whole, as that of a cage is.
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const pid = child.pid ?? 0;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const kill = (): void => {
    process.kill(-pid, 'SIGKILL');
    child.stdout.destroy();
  };
  const startedAt = performance.now();
  const program = { output: child.stdout, kill, processorTime: () => processorTime(pid) };
  for await (const part of watchedOutput(program, limits)) expect(part).toBeUndefined();
  await ended;
  return performance.now() - startedAt;
}

describe.skipIf(process.platform !== 'linux')('a program that writes nothing (needs Linux)', () => {
  test('is killed when it does not work either', async () => {
    // The shell waits for it, and is above it as a cage is.
    // The longer limit would not end within the test.
    const after = await killedAfter('sleep 1000 & wait', { idleMs, busyMs: 3_600_000 });

    expect(after).toBeGreaterThan(idleMs * 0.9);
  });

  test('is given longer while it works, also below another process', async () => {
    const after = await killedAfter('(i=0; while :; do i=$((i+1)); done) & wait', {
      idleMs,
      busyMs,
    });

    expect(after).toBeGreaterThan(busyMs * 0.9);
  });
});
