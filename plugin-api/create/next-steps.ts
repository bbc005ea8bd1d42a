import path from 'node:path';
import type { NewPlugin } from './new-plugin.ts';

/** What somebody reads who has just made a plugin. */
export function nextSteps({ id, folder }: NewPlugin, cwd: string): string {
  const way = path.relative(cwd, folder) || '.';
  return [
    `${id} is in ${folder}. From here:`,
    '',
    ...(way === '.' ? [] : [`  cd ${/\s/.test(way) ? JSON.stringify(way) : way}`]),
    '  vitrine plugin dev .      # runs it in a real sandbox, and again each time you save',
    '  vitrine plugin test .     # its tests',
    '  vitrine plugin check .    # what a server would say of it',
    '  vitrine plugin pack .     # the package that servers install',
    '',
  ].join('\n');
}
