#!/usr/bin/env node
/** The commands for authors, on Node 24: the running one, or the one that npm installed beside. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const isWindows = process.platform === 'win32';

/** @returns {string | null} */
function findNode24() {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${isWindows ? 'node.exe' : 'node'}`);
  } catch {
    return null;
  }
}

const node = findNode24();
if (node === null) {
  console.error(
    `vitrine: Node 24 is needed and the registry has none for ${process.platform}-${process.arch}: ` +
      `install it (this is Node ${process.versions.node}) and run the same command with it.`,
  );
  process.exit(1);
}
const commands = path.join(path.dirname(fileURLToPath(import.meta.url)), 'dist/commands.mjs');
const child = spawn(node, [commands, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: [path.dirname(node), process.env['PATH'] ?? ''].join(path.delimiter),
  },
});
const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
process.on('SIGTERM', forward);
process.on('SIGHUP', forward);
process.on('SIGINT', process.stdin.isTTY ? () => undefined : forward);
child.on('error', (error) => {
  console.error(`vitrine: ${node} did not start: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
