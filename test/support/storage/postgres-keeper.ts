/**
 * Runs a PostgreSQL server for one run of the tests, and ends it with that run, however it ends:
 * `node postgres-keeper.ts <folder> <folder of the server's binaries> <pid of the run>`.
 */
import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [, , folder = '', binaries = '', runPid = ''] = process.argv;
const places = { cluster: path.join(folder, 'cluster'), ready: path.join(folder, 'ready') };
writeFileSync(path.join(folder, 'keeper'), String(process.pid));

/** PostgreSQL refuses to run as root. */
function otherThanRoot(): SpawnOptions {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const user = ['postgres', 'nobody']
    .map((name) => users.find((line) => line.startsWith(`${name}:`)))
    .find((line) => line !== undefined);
  if (user === undefined) throw new Error('There is no user that PostgreSQL could run as.');
  const [, , uid, gid] = user.split(':').map(Number);
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** Names are sorted as people do it, so that a test sees where the order of bytes was not asked for. */
const locales = [
  ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'],
  ['--locale=C.UTF-8'],
  ['--locale=C'],
];

function makeCluster(as: SpawnOptions): void {
  const fixed = ['-D', places.cluster, '-U', 'vitrine', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  let said = '';
  for (const locale of locales) {
    const made = spawnSync(path.join(binaries, 'initdb'), [...fixed, ...locale], {
      ...as,
      cwd: folder,
      encoding: 'utf8',
    });
    if (made.status === 0) return;
    said = made.stderr;
  }
  throw new Error(`initdb failed: ${said}`);
}

function serve(as: SpawnOptions): void {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '64MB',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(binaries, 'postgres'), ['-D', places.cluster, ...flags], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = (): void => void server.kill('SIGQUIT');
  server.stderr?.on('data', (text: Buffer) => {
    if (text.includes('ready to accept connections')) writeFileSync(places.ready, '');
  });
  server.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  process.on('SIGTERM', end);
  setInterval(() => {
    if (!isAlive(Number(runPid))) end();
  }, 500);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const as = otherThanRoot();
if (as.uid !== undefined) chownSync(folder, as.uid, as.gid ?? as.uid);
try {
  makeCluster(as);
  serve(as);
} catch (error) {
  writeFileSync(path.join(folder, 'failed'), String(error));
  process.exitCode = 1;
}
