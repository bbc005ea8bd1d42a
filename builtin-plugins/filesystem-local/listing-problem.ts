import type { DiskErrorCode, DiskFolder, FileProblem } from '../../plugin-api/index.ts';
import { below } from './file-uri.ts';

type EntryProblem = DiskFolder['problems'][number];

const messages: Readonly<Record<FileProblem['code'], string>> = {
  unreadable: 'It could not be read.',
  'symlink-loop': 'The link leads back to a folder that contains it.',
  'outside-root': 'The link leads out of the roots.',
  'not-found': 'It, or what it links to, does not exist.',
  'too-deep': 'The folder is more than 64 folders deep.',
  other: 'It could not be read.',
};

/** The problem of an entry of the folder `uri`. */
export function toProblem(uri: string, { name, code }: EntryProblem): FileProblem {
  return { uri: below(uri, name), code, message: messages[code] };
}

/** The problem of the folder `uri` itself. Error codes and problem codes have different spellings. */
export function folderProblem(uri: string, error: DiskErrorCode | 'too-deep'): FileProblem {
  const code = problemCode(error);
  return { uri, code, message: messages[code] };
}

function problemCode(code: DiskErrorCode | 'too-deep'): FileProblem['code'] {
  switch (code) {
    case 'symlink_loop':
      return 'symlink-loop';
    case 'outside_root':
      return 'outside-root';
    case 'not_found':
      return 'not-found';
    case 'invalid_argument':
      return 'other';
    case 'unreadable':
    case 'too-deep':
      return code;
  }
}
