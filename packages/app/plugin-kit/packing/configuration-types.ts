/** The types of what an admin and a profile enter, made from the forms of a manifest. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigField, Manifest } from '../../../../plugin-api/index.ts';
import { PluginFault } from './plugin-fault.ts';

/** The file beside the source of a plugin. */
const fileName = 'configuration.ts';

const head = '// Made from manifest.json by `vitrine plugin types`. Change manifest.json instead.';

/** The text of the file. */
export function configurationTypes({
  configuration = [],
  profileConfiguration = [],
}: Pick<Manifest, 'configuration' | 'profileConfiguration'>): string {
  const types = [
    typeOf('Configuration', 'What an admin enters.', configuration.map(adminField)),
    ...(profileConfiguration.length === 0
      ? []
      : [
          typeOf(
            'ProfileConfiguration',
            'What a profile enters; a secret is `true` when it is set.',
            profileConfiguration.map(profileField),
          ),
        ]),
  ];
  return [head, ...types].join('\n\n').concat('\n');
}

/** A type alias fits `Record<string, unknown>`, as an interface would not. */
const typeOf = (name: string, what: string, fields: readonly string[]): string =>
  fields.length === 0
    ? `/** ${what} */\nexport type ${name} = Readonly<Record<string, never>>;`
    : [`/** ${what} */`, `export type ${name} = Readonly<{`, ...fields, '}>;'].join('\n');

const adminField = (field: ConfigField): string => fieldText(field, valueType(field));

const profileField = (field: ConfigField): string =>
  fieldText(field, field.input === 'secret' ? 'true' : valueType(field));

/** A field without a default is absent until it is set, also one that is required. */
function fieldText(field: ConfigField, type: string): string {
  const isThere = field.default !== undefined;
  const name = /^[A-Za-z]\w*$/.test(field.key) ? field.key : `'${field.key}'`;
  return `  /** ${commentOf(field)} */\n  ${name}${isThere ? '' : '?'}: ${type};`;
}

/** Words of a manifest may have line breaks, and what ends a comment. */
const commentOf = ({ label }: ConfigField): string =>
  label.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim();

function valueType({ input, options = [] }: ConfigField): string {
  switch (input) {
    case 'number':
    case 'slider':
      return 'number';
    case 'toggle':
      return 'boolean';
    case 'string-list':
      return 'readonly string[]';
    case 'select':
      return optionsType(options);
    case 'multi-select':
      return options.length === 1
        ? `readonly ${optionsType(options)}[]`
        : `readonly (${optionsType(options)})[]`;
    case 'text':
    case 'secret':
    case 'file-path':
    case 'color':
      return 'string';
  }
}

const optionsType = (options: readonly unknown[]): string =>
  options.map((option) => literal(option)).join(' | ');

const literal = (option: unknown): string =>
  typeof option === 'string'
    ? `'${JSON.stringify(option).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : String(option);

/**
 * Writes the file beside the source of a plugin, and gives its path; `null` = the plugin has no form,
 * and needs no file.
 */
export async function writeConfigurationTypes(
  entry: string,
  manifest: Manifest,
): Promise<string | null> {
  const { configuration = [], profileConfiguration = [] } = manifest;
  const file = fileOf(entry);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null && configuration.length + profileConfiguration.length === 0) return null;
  if (text !== null && !text.startsWith(head))
    throw new PluginFault(
      'file_exists',
      `${file} is the author's own, since it does not begin with "${head}". Rename it first.`,
    );
  if (text === null || !isSame(text, manifest)) await writeFile(file, configurationTypes(manifest));
  return file;
}

/** Whether the file was made for another manifest. */
export async function isOutdated(entry: string, manifest: Manifest): Promise<boolean> {
  const text = await readFile(fileOf(entry), 'utf8').catch(() => null);
  return text !== null && text.startsWith(head) && !isSame(text, manifest);
}

const fileOf = (entry: string): string => path.join(path.dirname(entry), fileName);

const isSame = (text: string, manifest: Manifest): boolean =>
  shapeOf(text) === shapeOf(configurationTypes(manifest));

/** A formatter of the author's may have changed spaces, quotes and line ends. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/[\s;,]+/g, '')
    .replaceAll('"', "'")
    .replaceAll('=|', '=');
