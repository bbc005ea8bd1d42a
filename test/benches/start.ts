import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, type Figure } from './figure.ts';
import { sized } from './size.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** From `npm start` on an installed tree to the listening line, with all built-ins running. */
export async function benchStart(): Promise<readonly Figure[]> {
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const cold = await secondsToListen(data);
  const warm = [];
  for (let round = 0; round < sized(5, 1); round++) warm.push(await secondsToListen(data));
  rmSync(data, { recursive: true, maxRetries: 20, retryDelay: 100 });
  return [
    {
      name: 'start: npm start to listening, empty data folder',
      ours: cold,
      bare: null,
      unit: 's',
      goal: 1.5,
    },
    {
      name: 'start: npm start to listening, again (median of 5)',
      ours: median(warm),
      bare: null,
      unit: 's',
      goal: 1.5,
    },
  ];
}

function secondsToListen(data: string): Promise<number> {
  const start = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, VITRINE_LOG_LEVEL: 'error' },
  });
  return new Promise((resolve, reject) => {
    let seconds = Number.NaN;
    child.stdout.on('data', (part: Buffer) => {
      if (!part.toString().includes('listening on')) return;
      seconds = (performance.now() - start) / 1000;
      process.kill(-(child.pid ?? 0), 'SIGTERM');
    });
    child.on('error', reject);
    child.on('exit', () => resolve(seconds));
  });
}
