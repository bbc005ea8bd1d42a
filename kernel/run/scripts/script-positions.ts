/**
 * Maps a position in the script of an isolate to the file that was packed. The packer makes the
 * script without a source map. Packing the same module again with a map gives every position the same
 * place.
 */
import { SourceMap } from 'node:module';

/** A position in a file; lines and columns begin at 1. */
export interface ScriptPosition {
  /** As the module's own map names it; `null` = the module itself. */
  readonly source: string | null;
  readonly line: number;
  readonly column: number;
}

/** Maps a place in the script; `null` = not from the module. */
export type FindPosition = (line: number, column: number) => ScriptPosition | null;

/** Parses the source map of a packed script. */
export function readPositions(mapJson: string | undefined): FindPosition {
  if (mapJson === undefined) return () => null;
  const map = new SourceMap(JSON.parse(mapJson) as ConstructorParameters<typeof SourceMap>[0]);
  return (line, column) => {
    const origin = map.findEntry(line - 1, column - 1);
    // The map returns the nearest earlier place, which may be far away.
    if (!('originalSource' in origin) || origin.generatedLine !== line - 1) return null;
    const { originalSource, originalLine, originalColumn } = origin;
    if (originalSource === 'entry.js') return null;
    return {
      source: originalSource === 'plugin:plugin' ? null : withoutScheme(originalSource),
      line: originalLine + 1,
      column: originalColumn + 1,
    };
  };
}

/** Names from the module's map follow a prefix that esbuild adds. */
const withoutScheme = (source: string): string => source.replace(/^[a-z-]+:(?!\/)/, '');

/** One parsed line of a V8 stack. */
export interface StackFrame {
  /** Empty where the function has no name. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** The name of the script in stacks. */
const ofScript = /\(?\bplugin\.js:(\d{1,7}):(\d{1,7})\)?$/;
const mostFrames = 8;

/** The frames of a stack in the plugin's script. The stack is untrusted text. */
export function framesOf(stack: string): readonly StackFrame[] {
  return stack
    .split('\n', 50)
    .flatMap((text) => {
      const [, line, column] = ofScript.exec(text) ?? [];
      const [, name = ''] = /^ *at (?:async )?(?:Object\.)?([\w$.<># ]{1,100}) \(/.exec(text) ?? [];
      if (line === undefined) return [];
      // The module itself is a function without a name, which V8 calls `eval`.
      const own = name === 'eval' ? '' : name;
      return [{ name: own, line: Number(line), column: Number(column) }];
    })
    .slice(0, mostFrames);
}
