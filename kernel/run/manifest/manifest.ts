/**
 * Every manifest is parsed here, those of built-ins too. The rest of the kernel sees only parsed
 * manifests.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { localeSchema, permissionsSchema, pluginSchema } from '../../../manifests-schema/index.ts';
import type { LocaleFile, Manifest, Permissions } from '../../../plugin-api/index.ts';
import { jsonTextFault, jsonValueFault } from '../../json-limits.ts';
import { furtherFaults, ruleFaults } from './manifest-rules.ts';
import { schemaFaults } from './schema-faults.ts';

/** The value, or every fault as a sentence that names path, value and what would be right. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Longest `manifest.json`, in characters. */
export const maxManifestLength = 262_144;
const maxDepth = 12;
const maxFaults = 20;

/** Parses manifests. */
export type ManifestReader = ReturnType<typeof createManifestReader>;

export interface ManifestReading {
  /** Tells as many faults as it can. */
  readonly isForAuthor?: boolean;
}

let ajv: Ajv2020 | null = null;

/** One for all readers of the process: it remembers what it compiled by the schema. */
function compile<T>(schema: object): ValidateFunction<T> {
  ajv ??= createAjv();
  return ajv.compile<T>(schema);
}

function createAjv(): Ajv2020 {
  // A house test checks that the schemas are valid.
  const made = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
  });
  made.addSchema(permissionsSchema);
  return made;
}

export function createManifestReader({ isForAuthor = false }: ManifestReading = {}) {
  /** From a JSON value. */
  function parse(value: unknown): Parsed<Manifest> {
    const unsafe = jsonValueFault(value, maxDepth);
    if (unsafe !== null) return refused([`${unsafe}.`]);
    const isManifest = compile<Manifest>(pluginSchema);
    if (!isManifest(value)) {
      const said = schemaFaults(isManifest.errors, 'The manifest');
      return refused(isForAuthor ? [...said, ...furtherFaults(value, said)] : said);
    }
    const faults = ruleFaults(value);
    return faults.length > 0 ? refused(faults) : { ok: true, value };
  }

  /** From the text of `manifest.json`. */
  const parseText = (text: string): Parsed<Manifest> => parseJson(text, 'The manifest', parse);

  /** From the text of `locales/<language>.json`. */
  const parseLocale = (text: string): Parsed<LocaleFile> =>
    parseJson(text, 'The file', (value): Parsed<LocaleFile> => {
      const unsafe = jsonValueFault(value, maxDepth);
      if (unsafe !== null) return refused([`${unsafe}.`]);
      const isLocale = compile<LocaleFile>(localeSchema);
      return isLocale(value)
        ? { ok: true, value }
        : refused(schemaFaults(isLocale.errors, 'The file'));
    });

  /** The `permissions` of a manifest or of a grant. */
  function parsePermissions(value: unknown): Parsed<Permissions> {
    const unsafe = jsonValueFault(value, maxDepth);
    if (unsafe !== null) return refused([`${unsafe}.`]);
    const isPermissions = compile<Permissions>(permissionsSchema);
    if (isPermissions(value)) return { ok: true, value };
    return refused(schemaFaults(isPermissions.errors, 'The permissions'));
  }

  return { parse, parseText, parsePermissions, parseLocale };
}

function parseJson<T>(text: string, what: string, parse: (value: unknown) => Parsed<T>): Parsed<T> {
  const tooMuch = jsonTextFault(text, { maxLength: maxManifestLength, maxDepth });
  if (tooMuch !== null) return refused([`${what} ${tooMuch}.`]);
  try {
    return parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : String(error);
    return refused([`${what} is not JSON: ${why}.`]);
  }
}

function refused(faults: readonly string[]): Parsed<never> {
  if (faults.length <= maxFaults) return { ok: false, faults };
  const rest = faults.length - maxFaults;
  return { ok: false, faults: [...faults.slice(0, maxFaults), `And ${rest} more.`] };
}
