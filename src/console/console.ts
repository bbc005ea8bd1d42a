import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file of the pages, ready to be served. */
export interface ConsoleFile {
  readonly bytes: Buffer;
  /** Its brotli form, where the build made one. */
  readonly brotli: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The pages of the server: the app, and the pages that are documents of their own. */
export interface Console {
  /** A file that gets the app onto a device; `undefined` = there is no such file. */
  readonly file: (name: string) => Promise<ConsoleFile | undefined>;
  /** A file of the app; `undefined` = there is no such file. */
  readonly appFile: (name: string) => Promise<ConsoleFile | undefined>;
  /** A file that PDF.js asks for by name; `undefined` = there is no such file. */
  readonly pdfFile: (name: string) => Promise<ConsoleFile | undefined>;
}

/** The files around the app that are served, with their types; no other file of the folder is. */
const installTypes: ReadonlyMap<string, string> = new Map([
  ['icon.svg', 'image/svg+xml'],
  ['icon-192.png', 'image/png'],
  ['icon-512.png', 'image/png'],
  ['manifest.webmanifest', 'application/manifest+json'],
  ['install.html', 'text/html; charset=utf-8'],
  ['install.js', 'text/javascript; charset=utf-8'],
  ['offline.html', 'text/html; charset=utf-8'],
  ['service-worker.js', 'text/javascript; charset=utf-8'],
]);

const appTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** All files but the document have a hash of their content in their name. */
const hashed = /^[a-z0-9-]+-[A-Z0-9]{8}\.(js|css)$/;

/**
 * The content security policy of documents: a page loads only files of this server, cannot be
 * framed, and never turns text into script (Trusted Types).
 */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
} as const;

const textOf = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

const documentPolicy = textOf(directives);
/** The app also plays segments that it gathers itself, and may run workers. */
const appPolicy = textOf({
  ...directives,
  'media-src': "'self' blob:",
  'worker-src': "'self'",
  'manifest-src': "'self'",
});
/**
 * The document that registers the service worker, and does nothing else. It alone may make the address
 * of a script, by one policy that its script takes at once.
 */
const installPolicy = textOf({
  ...directives,
  'worker-src': "'self'",
  'trusted-types': 'service-worker',
});

/** The document of the PDF reader, which alone may hold a frame: that of PDF.js. */
const pdfPolicy = textOf({ ...directives, 'frame-src': "'self'", 'manifest-src': "'self'" });
/**
 * The frame that reads bytes of strangers. Its origin is opaque, so it has no session and reads nothing
 * of this server. It has no network. Its worker begins as a line of text, and one Trusted Types policy
 * gives the address of the one script that it runs.
 */
const pdfFramePolicy = textOf({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'worker-src': 'blob:',
  'form-action': "'none'",
  'frame-ancestors': "'self'",
  'base-uri': "'none'",
  sandbox: 'allow-scripts',
  'require-trusted-types-for': "'script'",
  'trusted-types': 'pdf-parser',
});

/** The documents of the app, with their policies. */
const appDocuments: ReadonlyMap<string, string> = new Map([
  ['index.html', appPolicy],
  ['documents.html', documentPolicy],
  ['pdf.html', pdfPolicy],
  ['pdf-frame.html', pdfFramePolicy],
]);
/** What the frame loads. An opaque origin is another origin, so these may be loaded by any. */
const ofFrame = /^pdf-(frame|paper|parser)\b/;

const pdfTypes: Readonly<Record<string, string>> = {
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};
const pdfName = /^[\w-]+\.[a-z]+$/;

const day = 86_400;

/** Creates the pages over the folders of the build; a file is read at its first use. */
export function createConsole({
  folder,
  appFolder,
}: {
  readonly folder: string;
  readonly appFolder: string;
}): Console {
  const known = new Map<string, Promise<ConsoleFile>>();

  async function load(
    file: string,
    {
      type,
      policy,
      cache,
    }: { readonly type: string; readonly policy: string; readonly cache: string },
  ): Promise<ConsoleFile> {
    const bytes = await readFile(file);
    const brotli = await readFile(`${file}.br`).catch(() => null);
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return {
      bytes,
      brotli,
      headers: {
        'content-type': type,
        'content-security-policy': policy,
        'cache-control': cache,
        'cross-origin-opener-policy': 'same-origin',
        etag: `"${digest}"`,
        // It lies below /console, and answers for all pages.
        ...(path.basename(file) === 'service-worker.js' && { 'service-worker-allowed': '/' }),
        ...(ofFrame.test(path.basename(file)) && {
          'cross-origin-resource-policy': 'cross-origin',
          'x-frame-options': 'SAMEORIGIN',
        }),
      },
    };
  }

  function once(key: string, make: () => Promise<ConsoleFile>): Promise<ConsoleFile> {
    const file = known.get(key) ?? make();
    known.set(key, file);
    return file;
  }

  async function ifThere(
    key: string,
    file: string,
    about: Parameters<typeof load>[1],
  ): Promise<ConsoleFile | undefined> {
    try {
      return await once(key, () => load(file, about));
    } catch {
      known.delete(key);
      // The app may have been built again: the documents that were read name files that are gone.
      for (const name of appDocuments.keys()) known.delete(`app/${name}`);
      return undefined;
    }
  }

  return {
    file: async (name) => {
      const type = installTypes.get(name);
      if (type === undefined) return undefined;
      const policy = name === 'install.html' ? installPolicy : documentPolicy;
      const about = { type, policy, cache: 'no-cache' };
      return once(`install/${name}`, () => load(path.join(folder, name), about));
    },
    appFile: async (name) => {
      const type = appTypes[path.extname(name)];
      const policy = appDocuments.get(name) ?? (hashed.test(name) ? appPolicy : undefined);
      if (type === undefined || policy === undefined) return undefined;
      const cache = hashed.test(name) ? `public, max-age=${365 * day}, immutable` : 'no-cache';
      return ifThere(`app/${name}`, path.join(appFolder, name), { type, policy, cache });
    },
    pdfFile: async (name) => {
      const type = pdfTypes[path.extname(name)];
      if (type === undefined || !pdfName.test(name)) return undefined;
      const about = { type, policy: documentPolicy, cache: 'no-cache' };
      return ifThere(`pdf/${name}`, path.join(appFolder, 'pdf', name), about);
    },
  };
}
