import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const settings = path.resolve(import.meta.dirname, '../../.oxfmtrc.json');

/** The text as `npm run format` would leave it in that file; rejects with the first fault of its syntax. */
export async function formatted(file: string, text: string): Promise<string> {
  const style = JSON.parse(await readFile(settings, 'utf8')) as FormatConfig;
  const { code, errors } = await format(path.basename(file), text, style);
  const [fault] = errors;
  if (fault !== undefined) throw new Error(`${path.basename(file)}: ${fault.message}`);
  return code;
}
