import path from 'node:path';
import type { NewPlugin } from './new-plugin.ts';

/** The text after a plugin was created. */
export function nextSteps({ id, folder }: NewPlugin, cwd: string): string {
  const way = path.relative(cwd, folder) || '.';
  return [
    `${id} is in ${folder}. From here:`,
    '',
    ...(way === '.' ? [] : [`  cd ${/\s/.test(way) ? JSON.stringify(way) : way}`]),
    '  npm install',
    '  npm run dev      # runs it in a real sandbox, and again each time you save',
    '  npm test         # its tests',
    '  npm run check    # the checks of a server, and of the types',
    '  npm run pack     # the package that servers install',
    '',
  ].join('\n');
}
