/** Where the plugin host and the guest runtime are, and the Node that they run on. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };

/** The output of the build. */
export interface HostParts {
  readonly nodePath: string;
  readonly hostScript: string;
  /** Text of the guest runtime. */
  readonly guestRuntime: string;
}

/** The server version that plugins are tested against. */
export const kitVersion: string = packageJson.version;

/** Beside this file when it is built, else in `dist`; throws when there is no build. */
export function findHostParts(): HostParts {
  const places = [import.meta.dirname, path.resolve(import.meta.dirname, '../../../../dist')];
  const folder = places.find((place) => existsSync(path.join(place, 'plugin-host.mjs')));
  if (folder === undefined) {
    throw new Error('Vitrine is not built: npm run build makes the sandbox that plugins run in.');
  }
  return {
    nodePath: findNode(),
    hostScript: path.join(folder, 'plugin-host.mjs'),
    guestRuntime: readFileSync(path.join(folder, 'guest-runtime.js'), 'utf8'),
  };
}

/** The running Node where isolates are built for it, else the bundled Node. */
function findNode(): string {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  try {
    return createRequire(import.meta.url).resolve(`${name}/${binary}`);
  } catch {
    throw new Error(`Isolates need Node 24, and this is ${process.versions.node}.`);
  }
}
