/** The program of the package `vitrine` for authors: `vitrine plugin …`, and no server. */
import { parseAuthorProgram } from './author-program.ts';
import packageJson from '../../../../package.json' with { type: 'json' };

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const asked = parseAuthorProgram({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  version: packageJson.version,
  folder: import.meta.dirname,
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
process.exitCode = asked.command === 'task' ? await asked.run() : asked.exitCode;
