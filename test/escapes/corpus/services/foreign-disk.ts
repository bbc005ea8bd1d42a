import type { ServiceClass } from '../attempt.ts';

const read = (path: string): string =>
  `return host.disk.read({ path: \`${path}\`, offset: 0, length: 200 }).then((bytes) => new TextDecoder().decode(bytes));`;

/** The plugin has the power `disk`, and serves no library of this machine. */
export const foreignDisk: ServiceClass = {
  name: 'the disk of a filesystem that serves nothing',
  by: 'shelf',
  control: `return typeof host.disk.read === 'function' ? 'ok' : null;`,
  attempts: {
    'the library of another': read('${place.rootPath}/film.mkv'),
    'beside it': read('${place.outsidePath}/canary.txt'),
    'the root of the disk': `return host.disk.list({ paths: ['/'] }).then((json) => JSON.stringify(json));`,
    'a list of a folder': `return host.disk.list({ paths: [place.outsidePath] }).then((found) => (JSON.stringify(found).includes('canary.txt') ? won : null));`,
    'what stat tells': `return host.disk.stat({ path: place.outsidePath + '/canary.txt' }).then(() => won);`,
    'where a link leads': `return host.disk.resolve({ path: place.rootPath + '/link.mkv' }).then(() => won);`,
    'a digest of a tree': `return host.disk.digest({ path: place.outsidePath, after: '', through: null, naming: place.outsidePath }).then(({ digest }) => (digest === null ? null : won));`,
    'changes of a folder': `return host.disk.changes({ path: place.outsidePath, cursor: null, waitMs: 10 }).then(() => won);`,
    'an empty path': read(''),
    'a path that is relative': read('plugins/victim/index.js'),
    'a path with two dots': read('/tmp/../etc/hostname'),
    'the files of the process': read('/proc/self/environ'),
    'a path in percents': read('/%2e%2e/etc/passwd'),
    'a path with NUL': read('/etc/passwd%00'),
  },
}; // oxfmt-ignore
