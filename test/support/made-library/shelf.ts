/** Where the generator puts files, and the list of what it put there. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Chance } from './chance.ts';
import { createNames, type Names } from './names.ts';
import { openTemplates, type Kind, type Tags, type Templates } from './templates.ts';

/** One media file as it was made. */
export interface MadeFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly kind:
    | 'movie'
    | 'extra'
    | 'sample'
    | 'episode'
    | 'track'
    | 'audiobook'
    | 'comic'
    | 'book'
    | 'photo'
    | 'hostile';
  readonly title?: string;
  /** Of an extra or a sample: the title of its film. */
  readonly of?: string;
  readonly year?: number;
  readonly season?: number;
  readonly episode?: number;
  readonly episodeEnd?: number;
  readonly episodeTitle?: string;
  readonly absolute?: number;
  readonly artist?: string;
  readonly album?: string;
  readonly track?: number;
  readonly disc?: number;
  readonly author?: string;
  readonly narrator?: string;
  readonly series?: string;
  readonly sequence?: number;
  readonly takenAt?: string;
  readonly untagged?: true;
  readonly broken?: string;
  readonly duplicateOf?: string;
}

export interface Shelf {
  readonly folder: string;
  readonly chance: Chance;
  readonly names: Names;
  readonly files: readonly MadeFile[];
  /** A media file; one of a hundred is broken, and one of a hundred has a copy. */
  readonly media: (at: string, truth: Omit<MadeFile, 'path'>, tags?: Tags) => void;
  readonly sidecar: (at: string, content: string) => void;
  readonly poster: (at: string) => void;
  /** A whole file, with nothing beside it. */
  readonly whole: (file: MadeFile) => void;
  /** The name, or one with a number behind it if it was given before. */
  readonly unique: (name: string) => string;
}

const firstTime = Date.UTC(2024, 0, 1) / 1000;

/** Empties the folder. */
export function openShelf(folder: string, chance: Chance): Shelf {
  rmSync(folder, { recursive: true, force: true });
  const templates = openTemplates();
  const files: MadeFile[] = [];
  const used = new Set<string>();
  const put = (at: string, bytes: Buffer | string): void => {
    const file = path.join(folder, at);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    utimesSync(file, firstTime + files.length, firstTime + files.length);
  };
  const putMedia = (file: MadeFile, bytes: Buffer): void => {
    files.push(file);
    put(file.path, bytes);
  };
  return {
    folder,
    chance,
    names: createNames(chance),
    files,
    media: (at, truth, tags = {}) => {
      const file = { path: at, ...truth };
      const bytes = copyFor(templates, at, tags);
      if (chance.happens(0.01)) {
        const [broken, rest] = chance.pick(ruins)(bytes, chance);
        putMedia({ ...file, broken }, rest);
        return;
      }
      putMedia(file, bytes);
      if (!chance.happens(0.01)) return;
      const copy = chance.happens(0.5)
        ? at.replace(/(\.[^.]+)$/, ' (copy)$1')
        : path.join(path.dirname(at), 'backup', path.basename(at));
      putMedia({ ...file, path: copy, duplicateOf: at }, bytes);
    },
    sidecar: put,
    poster: (at) => put(at, templates.poster),
    whole: (file) => putMedia(file, copyFor(templates, file.path, {})),
    unique: (name) => {
      let free = name;
      for (let at = 2; used.has(free); at++) free = `${name} [${at}]`;
      used.add(free);
      return free;
    },
  };
}

const copyFor = (templates: Templates, at: string, tags: Tags): Buffer =>
  templates.copy(path.extname(at).slice(1) as Kind, tags);

/** How files break, each with its name. */
const ruins: readonly ((bytes: Buffer, chance: Chance) => readonly [string, Buffer])[] = [
  () => ['empty', Buffer.alloc(0)],
  (bytes, { share }) => [
    'truncated',
    bytes.subarray(0, Math.floor(bytes.length * (0.2 + share() * 0.5))),
  ],
  (bytes) => ['garbage', createHash('sha512').update(bytes).digest()],
  () => ['wrong-type', Buffer.from('<html><body>404 Not Found</body></html>\n')],
];

/** A text within XML. */
export const xml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Subtitles of one line. */
export const subtitle = (line: string): string => `1\n00:00:00,100 --> 00:00:01,500\n${line}\n`;
