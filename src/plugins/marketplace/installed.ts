/** What an installation or an upgrade gave. */
import type { InstallOutcome, Plugin } from '../../../kernel/run/index.ts';
import {
  sentencesOf,
  type PermissionSentence,
  type Wording,
} from '../../../kernel/run/powers/index.ts';
import { AppError } from '../../platform/errors.ts';

/** The result. */
export interface Installed {
  readonly plugin: Plugin;
  /**
   * An upgrade that asks for new permissions: the old version keeps running until they are granted.
   */
  readonly waiting?: {
    readonly version: string;
    readonly asked: Readonly<Record<string, unknown>>;
    /** All permissions that it asks for, as sentences. */
    readonly sentences: readonly PermissionSentence[];
    readonly more: readonly string[];
  };
}

/** The result of a placed package; throws what refused it. */
export function resultOf(
  outcome: InstallOutcome,
  { version, ...wording }: Wording & { readonly version: string },
): Installed {
  switch (outcome.kind) {
    case 'done':
      return { plugin: outcome.plugin };
    case 'waiting': {
      const { plugin, asked, more } = outcome;
      const sentences = sentencesOf(asked, wording);
      return { plugin, waiting: { version, asked: { ...asked }, sentences, more } };
    }
    case 'refused':
      throw new AppError(outcome.code, { what: outcome.message });
  }
}
