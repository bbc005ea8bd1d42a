/** One judge for both homes of the corpus: what came out of a plugin, and whether it should have. */

/** All that a plugin has said or done in one attempt. */
export interface Evidence {
  /** Its answers, and the messages and codes of its errors. */
  readonly answers: readonly string[];
  readonly errors: readonly string[];
  readonly logLines: readonly string[];
  readonly hostCalls: readonly { readonly name: string; readonly body: string }[];
  /** What became of the world around it: changed prototypes, a process that ended. */
  readonly harm: readonly string[];
}

/** What the judge knows of the world around the plugin. */
export interface Secrets {
  /** Texts that no plugin can know. */
  readonly canaries: readonly string[];
  /** Parts of paths and stacks that no plugin may see. */
  readonly traces: readonly string[];
  /** Host functions that the plugin was given. */
  readonly granted: readonly string[];
}

const longestBody = 8 * 2 ** 20;
const longestError = 500;
const longestLine = 2000;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Why the attempt succeeded, or `null` when it did not. */
export function verdictOn(
  evidence: Evidence,
  { canaries, traces, granted }: Secrets,
): string | null {
  const { answers, errors, logLines, hostCalls, harm } = evidence;
  const said = [...answers, ...errors, ...logLines, ...hostCalls.map(({ body }) => body)];
  const holds = (word: string): boolean => said.some((text) => text.includes(word));
  if (harm.length > 0) return harm.join(', ');
  if (canaries.some(holds)) return 'has a canary';
  if ([...answers, ...errors, ...logLines].some((text) => text.includes('WON')))
    return 'has proved it';
  const trace = traces.find(holds);
  if (trace !== undefined) return `has seen ${trace}`;
  const foreign = hostCalls.find(({ name }) => !granted.includes(name));
  if (foreign !== undefined) return `has called ${foreign.name}`;
  if (logLines.some((line) => unprintable.test(line)))
    return 'has written a line with control characters';
  if (logLines.some((line) => line.length > longestLine)) return 'has written a line without end';
  if (errors.some((text) => text.length > longestError)) return 'has thrown more than a message';
  const bodies = [...answers, ...hostCalls.map(({ body }) => body)];
  return bodies.some((body) => Buffer.byteLength(body) > longestBody) ? 'has sent too much' : null;
}
