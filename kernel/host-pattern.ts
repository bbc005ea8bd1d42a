/**
 * Patterns of network hosts, as permissions and manifests spell them: `api.example.org`,
 * `*.example.org` for every host below it, `*` for any. `:<port>` limits a pattern to that port.
 */

/** Whether `pattern` covers all that `entry` names; `entry` is a pattern or a host with its port. */
export function coversHost(pattern: string, entry: string): boolean {
  const [may, asked] = [parts(pattern), parts(entry)];
  if (may.port !== null && may.port !== asked.port) return false;
  if (may.name === '*' || may.name === asked.name) return true;
  return may.name.startsWith('*.') && asked.name !== '*' && asked.name.endsWith(may.name.slice(1));
}

/** The most specific pattern for a host: a name before a wildcard, a longer one before a shorter one. */
export function closestPattern(patterns: readonly string[], host: string): string | undefined {
  return patterns.filter((pattern) => coversHost(pattern, host)).sort(byCloseness)[0];
}

function byCloseness(one: string, other: string): number {
  const rank = (pattern: string) => (pattern.startsWith('*') ? 1 : 0);
  return rank(one) - rank(other) || other.length - one.length;
}

function parts(text: string): { readonly name: string; readonly port: string | null } {
  const [, name = text, port = null] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { name, port };
}
