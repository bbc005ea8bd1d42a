import { announce, el, fill } from '../../../page-kit/index.ts';
import { get } from '../api.ts';
import {
  endpointsOf,
  nameIn,
  type ApiDocument,
  type Content,
  type Endpoint,
  type Operation,
  type Reply,
  type Schema,
} from '../docs/document.ts';
import { fieldView, prose, schemaId, schemaView, typeOf } from '../docs/schema-view.ts';

interface Shown {
  readonly element: HTMLElement;
  readonly words: string;
}

/** The API document, for people. It needs no credential, as the document itself. */
export async function docsPage(place: HTMLElement): Promise<void> {
  document.title = 'API · Vitrine';
  const api = await get<ApiDocument>('/api/openapi.json');
  const endpoints = endpointsOf(api);
  const groups = api.tags.map(({ name, description }) => {
    const shown = endpoints
      .filter(({ operation }) => operation.tags.includes(name))
      .map((endpoint) => endpointView(endpoint, api));
    return { name, shown, element: groupView(name, description ?? '', shown) };
  });
  const search = el('input', {
    id: 'filter',
    type: 'search',
    placeholder: 'libraries, post, admin',
  });
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const { shown, element } of groups) {
      const left = shown.filter((one) => filtered(one, words)).length;
      element.hidden = left === 0;
      count += left;
    }
    announce(`${count} operations`);
  });
  fill(
    place,
    el('h1', {}, 'API'),
    el('p', { class: 'quiet' }, ...prose(`Version ${api.info.version}. ${api.info.description}`)),
    el('p', {}, el('a', { href: '/api/openapi.json' }, 'The document for programs')),
    el('div', { class: 'field' }, el('label', { for: 'filter' }, 'Show only'), search),
    el(
      'nav',
      { class: 'row', 'aria-label': 'Groups' },
      groups.map(({ name }) => el('a', { href: `#tag-${name}` }, name)),
      el('a', { href: '#schemas' }, 'schemas'),
    ),
    groups.map(({ element }) => element),
    schemasView(api.components.schemas),
  );
  addEventListener('hashchange', openTarget);
  openTarget();
}

/** Hides it unless it has all the words. */
function filtered({ element, words }: Shown, wanted: readonly string[]): boolean {
  const isWanted = wanted.every((word) => words.includes(word));
  element.hidden = !isWanted;
  return isWanted;
}

/** Opens what the address points to. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

const groupView = (name: string, description: string, shown: readonly Shown[]): HTMLElement =>
  el(
    'section',
    { id: `tag-${name}`, 'aria-labelledby': `title-${name}` },
    el('h2', { id: `title-${name}` }, name),
    el('p', { class: 'quiet' }, ...prose(description)),
    shown.map(({ element }) => element),
  );

/** A box that makes its content when it is first opened. */
function boxOf(id: string, summary: readonly (Node | string)[], content: () => readonly Node[]) {
  const box = el('details', { class: 'endpoint', id }, el('summary', {}, ...summary));
  box.addEventListener('toggle', () => {
    if (box.open && box.childElementCount === 1) box.append(...content());
  });
  return box;
}

function endpointView({ method, path, operation }: Endpoint, api: ApiDocument): Shown {
  const { operationId, summary } = operation;
  const role = operation['x-role'];
  const element = boxOf(
    operationId,
    [el('code', { class: 'method' }, method), ' ', el('code', {}, path), ' ', summary],
    () => operationView(operation, api),
  );
  return { element, words: `${method} ${path} ${summary} ${operationId} ${role}`.toLowerCase() };
}

function operationView(operation: Operation, api: ApiDocument): readonly Node[] {
  const { operationId, parameters = [], requestBody: body, responses } = operation;
  const role = operation['x-role'];
  const needs = role === 'nobody' ? 'Needs no credential.' : `Needs the role ${role}.`;
  const messages = operation['x-messages'];
  return [
    el('p', { class: 'quiet' }, el('code', {}, operationId), ` · ${needs}`),
    ...titled(
      'Parameters',
      parameters.flatMap(({ name, in: where, required = false, description, schema }) =>
        fieldView(
          `${name} (${where})`,
          { ...schema, ...(description && { description }) },
          required,
        ),
      ),
    ),
    ...(body ? titled(body.required ? 'Body' : 'Body, optional', contentView(body.content)) : []),
    ...(messages ? messagesView(messages) : []),
    ...Object.entries(responses).flatMap(([status, reply]) => replyView(status, reply, api)),
  ];
}

const messagesView = ({ sends, takes }: NonNullable<Operation['x-messages']>): readonly Node[] => [
  el('p', {}, 'Messages: ', el('code', {}, ...typeOf(sends))),
  ...(takes ? [el('p', {}, 'Messages of the client: ', el('code', {}, ...typeOf(takes)))] : []),
];

function replyView(status: string, declared: Reply, api: ApiDocument): readonly Node[] {
  const reply = declared.$ref ? api.components.responses[nameIn(declared.$ref)] : declared;
  if (!reply) return [];
  const title = `${status} ${reply.description ?? ''}`;
  return [el('h3', {}, title), ...contentView(reply.content ?? {})];
}

const contentView = (content: Content): readonly Node[] =>
  Object.entries(content).flatMap(([type, { schema }]) => [
    ...(type === 'application/json' ? [] : [el('p', {}, el('code', {}, type))]),
    schemaView(schema),
  ]);

/** A list of fields goes into a list of its own; other content stays as it is. */
function titled(title: string, content: readonly Node[]): readonly Node[] {
  if (content.length === 0) return [];
  const isFields = content[0] instanceof HTMLElement && content[0].tagName === 'DT';
  const shown = isFields ? [el('dl', { class: 'fields' }, content)] : content;
  return [el('h3', {}, title), ...shown];
}

const schemasView = (schemas: Readonly<Record<string, Schema>>): HTMLElement =>
  el(
    'section',
    { id: 'schemas', 'aria-labelledby': 'title-schemas' },
    el('h2', { id: 'title-schemas' }, 'Schemas'),
    Object.entries(schemas).map(([name, schema]) =>
      boxOf(schemaId(name), [el('code', {}, name)], () => [
        ...(schema.description === undefined ? [] : [el('p', {}, ...prose(schema.description))]),
        schemaView(schema),
        ...(schema.examples ?? []).map((one) =>
          el('pre', { tabindex: 0 }, el('code', {}, JSON.stringify(one, null, 2))),
        ),
      ]),
    ),
  );
