import { createInterface } from 'node:readline/promises';
import { templates, type PluginWish } from './new-plugin.ts';

/** A terminal for questions. */
export interface Asking {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly write: (text: string) => void;
}

/**
 * Asks at a terminal for missing values without a default: the template, and then the author. Asks
 * nothing when the template is given or there is no terminal.
 */
export async function askForMissing(wish: PluginWish, asking: Asking): Promise<PluginWish> {
  if (wish.template !== undefined || asking.input.isTTY !== true) return wish;
  const lines = createInterface({ input: asking.input });
  const answers = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string | undefined> => {
    asking.write(question);
    const { value } = await answers.next();
    const answer = typeof value === 'string' ? value.trim() : '';
    return answer === '' ? undefined : answer;
  };
  try {
    const width = Math.max(...Object.keys(templates).map(({ length }) => length));
    for (const [name, what] of Object.entries(templates))
      asking.write(`  ${name.padEnd(width)}  ${what}\n`);
    const template = await ask('Template: ');
    const author = wish.author ?? (await ask('Author: '));
    return { ...wish, template, author };
  } finally {
    lines.close();
  }
}
