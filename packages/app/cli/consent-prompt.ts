/** Asks for consent on a terminal. Without a terminal only `--yes` is consent. */
import { createInterface } from 'node:readline';

/** Asks for consent, one question after the other. */
export type ConsentPrompt = ReturnType<typeof createConsentPrompt>;

export interface ConsentPromptParts {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly write: (text: string) => void;
  /** `--yes`. */
  readonly agreesToAll: boolean;
  /** Several questions may follow, so one answer may apply to all of them. */
  readonly offersAll: boolean;
}

/** Creates the prompt; the terminal is not read before the first question. */
export function createConsentPrompt(parts: ConsentPromptParts) {
  const { stdin, write, offersAll } = parts;
  let { agreesToAll } = parts;
  let lines: ReturnType<typeof createInterface> | null = null;
  let answers: AsyncIterator<string> | null = null;

  async function answer(): Promise<string> {
    lines ??= createInterface({ input: stdin });
    answers ??= lines[Symbol.asyncIterator]();
    const next: IteratorResult<string, unknown> = await answers.next();
    return next.done === true ? '' : next.value.trim().toLowerCase();
  }

  return {
    /** `true` = there is a terminal, or `--yes` was given. */
    canAsk: agreesToAll || stdin.isTTY === true,
    /** An empty answer means no. */
    agrees: async (question: string): Promise<boolean> => {
      if (agreesToAll) return true;
      if (stdin.isTTY !== true) return false;
      write(`${question} [${offersAll ? 'y/N/a = all' : 'y/N'}] `);
      const given = await answer();
      if (offersAll && (given === 'a' || given === 'all')) agreesToAll = true;
      return agreesToAll || given === 'y' || given === 'yes';
    },
    close: (): void => {
      lines?.close();
    },
  };
}
