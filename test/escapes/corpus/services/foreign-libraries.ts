import type { ServiceClass } from '../attempt.ts';

const page = (more: string): string =>
  `const found = await host.library.reconcile({ libraryId: place.libraryId, root: place.root, after: null, through: null, files: [], unreadable: [place.root], ...(${more}) }); return found.added > 0 ? won : null;`;

/** `library: write` is granted: for what lies below the roots of libraries. */
export const foreignLibraries: ServiceClass = {
  name: 'libraries beyond their roots',
  by: 'burglar',
  control: `return (await host.library.get({ libraryId: place.libraryId })).roots[0] === place.root ? 'ok' : null;`,
  attempts: {
    'a root outside': page(`{ root: place.outside, unreadable: [], files: [{ uri: place.outside + '/canary.txt', size: 1, modifiedAt: 1 }] }`),
    'the root above': page(`{ root: place.root.slice(0, place.root.lastIndexOf('/')), unreadable: [] }`),
    'a root whose name goes on': page(`{ root: place.root + '-beside', unreadable: [], files: [{ uri: place.root + '-beside/canary.mkv', size: 1, modifiedAt: 1 }] }`),
    'a root with two dots': page(`{ root: place.root + '/../outside', unreadable: [], files: [{ uri: place.root + '/../outside/canary.mkv', size: 1, modifiedAt: 1 }] }`),
    'a file outside of its page': page(`{ files: [{ uri: place.outside + '/canary.mkv', size: 1, modifiedAt: 1 }] }`),
    'a file with two dots': page(`{ files: [{ uri: place.root + '/../outside/canary.mkv', size: 1, modifiedAt: 1 }] }`),
    'a file with two dots in percents': page(`{ files: [{ uri: place.root + '/%2E%2E/outside/canary.mkv', size: 1, modifiedAt: 1 }] }`),
    'a file with a slash in percents': page(`{ files: [{ uri: place.root + '/..%2Foutside%2Fcanary.mkv', size: 1, modifiedAt: 1 }] }`),
    'a file with a line end': page(`{ files: [{ uri: place.root + '/a\\nb.mkv', size: 1, modifiedAt: 1 }] }`),
    'a library that is not there': page(`{ libraryId: 'nobody' }`),
    'SQL in the library': page(`{ libraryId: "' or 1=1 --" }`),
    'SQL in a range': page(`{ after: "' or 1=1 --" }`),
    'an item that is not there': `return host.library.item({ itemId: "' or 1=1 --" }).then(() => won);`,
    'a change before the first': `return host.library.changes({ seq: -1, limit: 500 }).then(() => won);`,
  },
}; // oxfmt-ignore
