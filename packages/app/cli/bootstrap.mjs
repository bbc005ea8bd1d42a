#!/usr/bin/env node
/**
 * The first step of every command. It runs on any Node from 20 on with nothing installed. It
 * installs the dependencies when they are missing or older than the lock file, builds when the
 * sources changed, and starts Node 24, which is one of the dependencies. The server gets what it
 * needs to run; the tasks of the project also get the development packages, which then stay.
 */
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './build-stamp.mjs';
import { serverEnvironment, serverFlags } from './server-flags.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const isWindows = process.platform === 'win32';

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(`vitrine: ${message}`);
  process.exit(1);
}

/** @param {string} file */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the development packages are installed. */
const hasTools = () => existsSync(path.join(root, 'node_modules/vitest/package.json'));

/** @param {boolean} needsTools */
function isInstalled(needsTools) {
  // An installation through a link would empty the folder of the project that the link leads to.
  const modules = path.join(root, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  if (needsTools && !hasTools()) return false;
  const installed = changedAt(path.join(root, 'node_modules/.package-lock.json'));
  return installed > 0 && installed >= changedAt(path.join(root, 'package-lock.json'));
}

/** Node 24 from the dependencies, or the running Node if it is a 24. */
function findNode24() {
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const file = path.join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(file)) return file;
  if (process.versions.node.startsWith('24.')) return process.execPath;
  return fail(
    `Node 24 is needed and the registry has none for ${process.platform}-${process.arch}: ` +
      `install it (this is Node ${process.versions.node}) and run the same command with it.`,
  );
}

/**
 * Runs a command in the foreground and passes signals on to it.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(child: import('node:child_process').ChildProcess) => void} [bind] gives it a channel first
 * @returns {Promise<number>} its exit code
 */
function run(file, args, env = process.env, bind) {
  return new Promise((resolve) => {
    const inherited = /** @type {const} */ (['inherit', 'inherit', 'inherit']);
    const stdio = bind ? [...inherited, /** @type {const} */ ('ipc')] : [...inherited];
    const child = spawn(file, args, { stdio, env, cwd: process.cwd() });
    bind?.(child);
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    const ignore = () => undefined;
    process.on('SIGTERM', forward);
    process.on('SIGHUP', forward);
    // A terminal sends SIGINT to the child as well; this process only waits until the child ends.
    process.on('SIGINT', process.stdin.isTTY ? ignore : forward);
    child.on('error', (error) => {
      console.error(`vitrine: ${file} did not start: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * The server sees that its channel closes when this process is killed. npm does not stop its command
 * when npm itself is killed, so this process watches for that.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function bindLife(child) {
  // The same text as in until-stopped.ts.
  child.send('vitrine launched', () => undefined);
  child.channel?.unref();
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const before = ancestors();
  setInterval(() => ancestors() !== before && child.kill('SIGTERM'), 1000).unref();
}

/** The parent and its parent: npm starts a shell, which may stay between. */
function ancestors() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')')).split(' ')[2]}`;
  } catch {
    return String(process.ppid);
  }
}

/** The environment of every child: Node 24 first in the path. */
function environment(/** @type {string} */ node) {
  const bins = [path.dirname(node), path.join(root, 'node_modules/.bin')];
  return {
    ...serverEnvironment,
    ...process.env,
    PATH: [...bins, process.env['PATH'] ?? ''].join(path.delimiter),
  };
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Node 20 or later is needed; this is ${process.versions.node}.`);
}
const [command, ...rest] = process.argv.slice(2);
const needsTools = command === 'task' && rest[0] !== 'build';
if (!isInstalled(needsTools)) {
  const withTools = needsTools || hasTools();
  console.error(
    withTools
      ? 'vitrine: installing the development packages, which takes a few minutes the first time …'
      : 'vitrine: installing dependencies, which takes up to a minute the first time …',
  );
  const verb = existsSync(path.join(root, 'package-lock.json')) ? 'ci' : 'install';
  const npm = isWindows ? 'npm.cmd' : 'npm';
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const tools = withTools ? '--include=dev' : '--omit=dev';
  // The packages bring what they need. Their scripts would compile sqlite3, which few servers use.
  const args = [verb, '--prefix', root, tools, '--ignore-scripts', ...quiet];
  const code = await run(npm, args);
  if (code !== 0) fail(`npm ${verb} failed; the lines above say why.`);
  const isolates = path.join(root, 'node_modules/isolated-vm');
  const probe = ['-e', 'try { require(process.argv[1]) } catch { process.exit(1) }', isolates];
  const lacks = (await run(findNode24(), probe)) !== 0;
  // There are no binaries of it for this kind of machine.
  const compile = ['rebuild', 'isolated-vm', '--prefix', root, ...quiet];
  if (lacks && (await run(npm, compile, environment(findNode24()))) !== 0)
    fail('isolated-vm could not be compiled; the lines above say why.');
}
const node = findNode24();
const env = environment(node);
if (command === 'task') {
  process.exitCode = await run(node, [path.join(root, 'packages/app/cli/tasks.ts'), ...rest], env);
} else {
  if (!isBuilt(root)) console.error('vitrine: building …');
  const isFresh =
    isBuilt(root) || (await run(node, [path.join(root, 'packages/app/cli/build.ts')], env)) === 0;
  if (!isFresh) fail('the build failed; the lines above say why.');
  const args = [...serverFlags, path.join(root, 'dist/server.mjs')];
  // With its compile cache, Node need not compile the program again at the next start.
  const cache = { NODE_COMPILE_CACHE: path.join(root, 'dist/compile-cache'), ...env };
  process.exitCode = await run(node, [...args, ...process.argv.slice(2)], cache, bindLife);
}
