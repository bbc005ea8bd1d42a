import type { TSchema } from '@sinclair/typebox';
import { createProjection, type Projection } from './reply-projection.ts';
import { createValidatorCompiler } from './request-validation.ts';

/** Fastify's description of one reply of one route. */
export interface ReplyRule {
  readonly schema?: unknown;
  readonly method?: string;
  readonly url?: string;
  readonly httpStatus?: string;
}

/** Makes the serializers of all routes; a schema is compiled when its reply is first sent. */
export function createReplySerializer(options: {
  readonly checksReplies: boolean | undefined;
}): (rule: ReplyRule) => (reply: unknown) => string {
  const validator = createValidatorCompiler(() => (query) => query);
  return ({ schema: declared, method = '', url = '', httpStatus = '' }) => {
    const schema = declared as TSchema; // route-schemas.ts lets no route pass without one.
    let project: Projection | null = null;
    const check = validator({ schema, httpPart: `${httpStatus} of ${method} ${url}` });
    return (reply) => {
      project ??= createProjection(schema);
      const projected = project(reply);
      const json = JSON.stringify(projected);
      if (!options.checksReplies) return json;
      const checked = check(JSON.parse(json));
      if ('error' in checked)
        throw new Error(`A reply does not match its schema: ${checked.error.message}`);
      return json;
    };
  };
}
