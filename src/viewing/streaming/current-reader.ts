/** Names the plugins that answer now, each with the version of its answers. */
export type CurrentReader = () => string;

/**
 * For the keys of kept answers: those of another plugin, or of an older version, do not count. While
 * none runs they are those that ran last, so that their answers are still given.
 */
export function createCurrentReader(
  readers: () => readonly string[],
  answersVersionOf: (pluginId: string) => number,
): CurrentReader {
  let last = '';
  return () => {
    const names = readers().map((pluginId) => `${pluginId} ${answersVersionOf(pluginId)}`);
    if (names.length > 0) last = names.join(' ');
    return last;
  };
}
