import path from 'node:path';
import type { NewPlugin } from './new-plugin.ts';

/** The text after a plugin was created. */
export function nextSteps({ id, folder, kit }: NewPlugin, cwd: string): string {
  const way = path.relative(cwd, folder) || '.';
  return [
    `${id} is in ${folder}. From here:`,
    '',
    ...(way === '.' ? [] : [`  cd ${/\s/.test(way) ? JSON.stringify(way) : way}`]),
    '  npm install',
    '  npm run dev      # runs it in a real sandbox, and again each time you save',
    '  npm test         # its tests',
    '  npm run check    # the checks of a server, and of the types',
    '',
    'Servers take signed packages. A key is made once, and is kept outside of the folder:',
    '',
    '  npx vitrine plugin keygen --out ../publisher.key',
    '  npm run pack -- --key ../publisher.key',
    '',
    ...(kit === null
      ? [
          'The packages of Vitrine come from the registry. If npm does not find them there, make the',
          'plugin again with --kit and the address of a Vitrine server, which has them.',
          '',
        ]
      : []),
  ].join('\n');
}
