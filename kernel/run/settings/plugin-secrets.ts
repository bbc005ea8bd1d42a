/**
 * The secrets of configuration forms at rest. They are stored apart from the other values, each
 * encrypted for its plugin and its key. The database alone does not reveal them, and a sealed value
 * does not open for another plugin.
 */
import type { ConfigField } from '../../../plugin-api/index.ts';
import type { ConfigValues } from './form-values.ts';

/** Encrypts values that must not be readable in the database. The server provides it. */
export interface SecretSeal {
  readonly seal: (text: string, context: string) => string;
  /** `null` when it was not sealed with this context, or with a key that is lost. */
  readonly open: (sealed: string, context: string) => string | null;
}

/** Sealed values by key of the form. */
export type SealedValues = Readonly<Record<string, string>>;

export interface StoredConfiguration {
  readonly configuration: ConfigValues;
  readonly secrets: SealedValues;
}

/** The secrets of one plugin's form. */
export type PluginSecrets = ReturnType<typeof createPluginSecrets>;

/** Creates the seal of a plugin. */
export function createPluginSecrets(pluginId: string, seal: SecretSeal) {
  const contextOf = (key: string): string => JSON.stringify(['plugin secret', pluginId, key]);

  function opened(key: string, sealed: string): unknown {
    const text = seal.open(sealed, contextOf(key));
    return text === null ? undefined : (JSON.parse(text) as unknown);
  }

  const openedOf = (form: readonly ConfigField[], secrets: SealedValues) => {
    const keys = secretKeys(form);
    return Object.entries(secrets)
      .filter(([key]) => keys.has(key))
      .map(([key, sealed]) => [key, opened(key, sealed)] as const);
  };

  return {
    /** Splits the values: plain ones, and the secrets of the form, sealed. */
    split: (form: readonly ConfigField[], values: ConfigValues): StoredConfiguration => {
      const keys = secretKeys(form);
      const entries = Object.entries(values);
      const plain = entries.filter(([key]) => !keys.has(key));
      const sealed = entries
        .filter(([key]) => keys.has(key))
        .map(([key, value]) => [key, seal.seal(JSON.stringify(value), contextOf(key))] as const);
      return { configuration: Object.fromEntries(plain), secrets: Object.fromEntries(sealed) };
    },
    /** The secrets that are still in the form and that open. */
    open: (form: readonly ConfigField[], secrets: SealedValues): ConfigValues =>
      Object.fromEntries(openedOf(form, secrets).filter(([, value]) => value !== undefined)),
    /** Keys of the form whose secrets do not open: an admin must enter them again. */
    lost: (form: readonly ConfigField[], secrets: SealedValues): readonly string[] =>
      openedOf(form, secrets).flatMap(([key, value]) => (value === undefined ? [key] : [])),
  };
}

/** Whether a secret of the form is stored as a plain value. */
export function hasPlainSecret(form: readonly ConfigField[], values: ConfigValues): boolean {
  const keys = secretKeys(form);
  return Object.keys(values).some((key) => keys.has(key));
}

function secretKeys(form: readonly ConfigField[]): ReadonlySet<string> {
  return new Set(form.filter(({ input }) => input === 'secret').map(({ key }) => key));
}
