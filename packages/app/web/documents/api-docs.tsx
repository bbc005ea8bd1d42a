import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { send } from '../core/api.ts';
import { announced } from './announced.ts';
import {
  endpointsOf,
  nameIn,
  type ApiDocument,
  type Content,
  type Endpoint,
  type Operation,
  type Reply,
  type Schema,
} from './api-document.ts';
import { Fields, Prose, schemaId, SchemaView, Type } from './schema-view.tsx';

/** The API document, for people. It needs no credential, as the document itself. */
export default async function apiDocsPage() {
  document.title = 'API · Vitrine';
  return <ApiDocs api={(await send('/api/openapi.json')) as ApiDocument} />;
}

const wordsOf = ({ method, path, operation }: Endpoint): string =>
  `${method} ${path} ${operation.summary} ${operation.operationId} ${operation['x-role']}`.toLowerCase();

function ApiDocs({ api }: { readonly api: ApiDocument }) {
  const wanted = useSignal('');
  const words = wanted.value.toLowerCase().split(/\s+/);
  const all = endpointsOf(api).map((endpoint) => ({ endpoint, words: wordsOf(endpoint) }));
  const isShown = (own: string): boolean => words.every((word) => own.includes(word));
  useEffect(() => {
    addEventListener('hashchange', openTarget);
    openTarget();
    return () => removeEventListener('hashchange', openTarget);
  }, []);
  useEffect(() => {
    if (wanted.value === '') return;
    announced.value = `${all.filter((one) => isShown(one.words)).length} operations`;
  }, [wanted.value]);
  return (
    <>
      <h1>API</h1>
      <p class="quiet">
        <Prose text={`Version ${api.info.version}. ${api.info.description}`} />
      </p>
      <p>
        <a href="/api/openapi.json">The document for programs</a>
      </p>
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <label>
          Show only
          <input
            type="search"
            placeholder="libraries, post, admin"
            onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          />
        </label>
      </form>
      <nav class="chips" aria-label="Groups">
        {api.tags.map(({ name }) => (
          <a key={name} href={`#tag-${name}`}>
            {name}
          </a>
        ))}
        <a href="#schemas">schemas</a>
      </nav>
      {api.tags.map(({ name, description = '' }) => {
        const own = all.filter(({ endpoint }) => endpoint.operation.tags.includes(name));
        return (
          <section
            key={name}
            id={`tag-${name}`}
            aria-labelledby={`title-${name}`}
            hidden={!own.some((one) => isShown(one.words))}
          >
            <h2 id={`title-${name}`}>{name}</h2>
            <p class="quiet">
              <Prose text={description} />
            </p>
            {own.map((one) => (
              <EndpointView
                key={one.endpoint.operation.operationId}
                endpoint={one.endpoint}
                api={api}
                isHidden={!isShown(one.words)}
              />
            ))}
          </section>
        );
      })}
      <Schemas of={api.components.schemas} />
    </>
  );
}

/** Opens what the address points to. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

interface BoxProps {
  readonly id: string;
  readonly summary: ComponentChildren;
  readonly isHidden?: boolean;
  readonly content: () => ComponentChildren;
}

/** A box that makes its content when it is first opened. */
function Box({ id, summary, isHidden = false, content }: BoxProps) {
  const isMade = useSignal(false);
  return (
    <details
      class="panel endpoint"
      id={id}
      hidden={isHidden}
      onToggle={({ currentTarget }) => (isMade.value ||= currentTarget.open)}
    >
      <summary>{summary}</summary>
      {isMade.value && content()}
    </details>
  );
}

interface EndpointProps {
  readonly endpoint: Endpoint;
  readonly api: ApiDocument;
  readonly isHidden: boolean;
}

const EndpointView = ({ endpoint, api, isHidden }: EndpointProps) => (
  <Box
    id={endpoint.operation.operationId}
    isHidden={isHidden}
    summary={
      <span>
        <code class="method">{endpoint.method}</code> <code>{endpoint.path}</code>{' '}
        {endpoint.operation.summary}
      </span>
    }
    content={() => <OperationView operation={endpoint.operation} api={api} />}
  />
);

function OperationView({
  operation,
  api,
}: {
  readonly operation: Operation;
  readonly api: ApiDocument;
}) {
  const { operationId, parameters = [], requestBody: body, responses } = operation;
  const role = operation['x-role'];
  const messages = operation['x-messages'];
  return (
    <>
      <p class="quiet">
        <code>{operationId}</code>
        {` · ${role === 'nobody' ? 'Needs no credential.' : `Needs the role ${role}.`}`}
      </p>
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <Fields
            of={parameters.map(({ name, in: where, required, description, schema }) => ({
              name: `${name} (${where})`,
              schema: { ...schema, ...(description && { description }) },
              isRequired: required === true,
            }))}
          />
        </>
      )}
      {body && (
        <>
          <h3>{body.required ? 'Body' : 'Body, optional'}</h3>
          <ContentView of={body.content} />
        </>
      )}
      {messages && <MessageLine title="Messages: " of={messages.sends} />}
      {messages?.takes && <MessageLine title="Messages of the client: " of={messages.takes} />}
      {Object.entries(responses).map(([status, reply]) => (
        <ReplyView key={status} status={status} reply={reply} api={api} />
      ))}
    </>
  );
}

const MessageLine = ({ title, of }: { readonly title: string; readonly of: Schema }) => (
  <p>
    {title}
    <code>
      <Type of={of} />
    </code>
  </p>
);

interface ReplyProps {
  readonly status: string;
  readonly reply: Reply;
  readonly api: ApiDocument;
}

function ReplyView({ status, reply: declared, api }: ReplyProps) {
  const reply = declared.$ref ? api.components.responses[nameIn(declared.$ref)] : declared;
  if (!reply) return null;
  return (
    <>
      <h3>{`${status} ${reply.description ?? ''}`}</h3>
      <ContentView of={reply.content ?? {}} />
    </>
  );
}

const ContentView = ({ of }: { readonly of: Content }) =>
  Object.entries(of).map(([type, { schema }]) => (
    <>
      {type !== 'application/json' && (
        <p>
          <code>{type}</code>
        </p>
      )}
      <SchemaView of={schema} />
    </>
  ));

const Schemas = ({ of }: { readonly of: Readonly<Record<string, Schema>> }) => (
  <section id="schemas" aria-labelledby="title-schemas">
    <h2 id="title-schemas">Schemas</h2>
    {Object.entries(of).map(([name, schema]) => (
      <Box
        key={name}
        id={schemaId(name)}
        summary={<code>{name}</code>}
        content={() => (
          <>
            {schema.description !== undefined && (
              <p>
                <Prose text={schema.description} />
              </p>
            )}
            <SchemaView of={schema} />
            {schema.examples?.map((one, at) => (
              <pre key={at} tabIndex={0}>
                <code>{JSON.stringify(one, null, 2)}</code>
              </pre>
            ))}
          </>
        )}
      />
    ))}
  </section>
);
