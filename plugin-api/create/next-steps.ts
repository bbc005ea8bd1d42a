import path from 'node:path';
import type { NewPlugin } from './new-plugin.ts';

/** The text after a plugin was created. */
export function nextSteps({ id, folder }: NewPlugin, cwd: string): string {
  const way = path.relative(cwd, folder) || '.';
  return [
    `${id} is in ${folder}. From here:`,
    '',
    ...(way === '.' ? [] : [`  cd ${/\s/.test(way) ? JSON.stringify(way) : way}`]),
    '  vitrine plugin dev .      # runs it in a real sandbox, and again each time you save',
    '  vitrine plugin test .     # its tests',
    '  vitrine plugin check .    # the checks of a server',
    '  vitrine plugin pack .     # the package that servers install',
    '',
  ].join('\n');
}
