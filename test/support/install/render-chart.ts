/**
 * Renders the chart of docs/install/cluster as Helm does, for the few actions that its templates have: values,
 * `quote`, `toYaml … | nindent`, and `if … else … end`. Any other action is an error, since Helm is not a part
 * of this repository.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';

type Values = Readonly<Record<string, unknown>>;

interface Scope {
  readonly Values: Values;
  readonly Release: Values;
}

const action = /\{\{(-?) (.+?) (-?)\}\}/g;

/** The objects of all templates, by the name of their file. */
export function renderChart(chart: string, changed: Values = {}): ReadonlyMap<string, Values> {
  const defaults = parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as Values;
  const scope = { Values: merged(defaults, changed), Release: { Name: 'house' } };
  const folder = path.join(chart, 'templates');
  return new Map(
    readdirSync(folder).map((name) => {
      const text = render(readFileSync(path.join(folder, name), 'utf8'), scope);
      return [name, parse(text) as Values];
    }),
  );
}

function merged(one: Values, other: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const changes = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value] as const;
  });
  return { ...one, ...Object.fromEntries(changes) };
}

function render(template: string, scope: Scope): string {
  /** Whether each open `if` shows what follows. */
  const shown: boolean[] = [];
  let text = '';
  let end = 0;
  const add = (part: string): void => void (shown.every(Boolean) && (text += part));
  for (const { 0: whole, 1: trim, 2: words = '', 3: after, index } of template.matchAll(action)) {
    if (after === '-') throw new Error(`The test does not know "${whole}".`);
    const before = template.slice(end, index);
    add(trim === '-' ? before.trimEnd() : before);
    end = index + whole.length;
    const [, condition] = /^if (\S+)$/.exec(words) ?? [];
    if (condition !== undefined) shown.push(Boolean(valueOf(condition, scope)));
    else if (words === 'else') shown.push(shown.pop() !== true);
    else if (words === 'end') shown.pop();
    else add(outputOf(words, scope));
  }
  if (shown.length > 0) throw new Error('An "if" has no "end".');
  return text + template.slice(end);
}

function outputOf(words: string, scope: Scope): string {
  const [, name = '', pipe] = /^(\.\S+)(?: \| (quote))?$/.exec(words) ?? [];
  if (name !== '') {
    const value = valueOf(name, scope);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`"${name}" is not one value.`);
    return pipe === 'quote' ? JSON.stringify(`${value}`) : `${value}`;
  }
  const [, map = '', depth = ''] = /^toYaml (\.\S+) \| nindent (\d+)$/.exec(words) ?? [];
  if (map === '') throw new Error(`The test does not know "${words}".`);
  const indent = `\n${' '.repeat(Number(depth))}`;
  return indent + stringify(valueOf(map, scope)).trimEnd().replaceAll('\n', indent);
}

/** An absent value would be an empty text in Helm, and is an error here. */
function valueOf(name: string, scope: Scope): unknown {
  const value = name
    .split('.')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Values | undefined)?.[key], scope);
  if (value === undefined) throw new Error(`There is no ${name}.`);
  return value;
}
