#!/usr/bin/env node
/** `npm create vitrine-plugin <folder> -- --template hook` */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  askForMissing,
  CreateError,
  createPlugin,
  nextSteps,
  parseNewPlugin,
  templates,
} from './index.ts';

const usage = `Use: npm create vitrine-plugin <folder> -- --template <name> [--id <id>] [--name <name>] [--author <name>] [--kit <server or folder>]

Templates:
${Object.entries(templates)
  .map(([name, what]) => `  ${name.padEnd(12)} ${what}`)
  .join('\n')}
`;

/** Beside the sources, or one folder above the compiled files. */
const beside = path.join(import.meta.dirname, 'templates');
const templatesFolder = existsSync(beside) ? beside : path.join(beside, '../../templates');

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        id: { type: 'string' },
        name: { type: 'string' },
        author: { type: 'string' },
        kit: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new CreateError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args);
  const [folder, ...more] = positionals;
  if (values.help === true) return void process.stdout.write(usage);
  if (folder === undefined || more.length > 0) {
    throw new CreateError(`Name one folder for the plugin.\n\n${usage}`);
  }
  const cwd = process.cwd();
  const write = (text: string) => void process.stdout.write(text);
  const wish = await askForMissing({ ...values, folder }, { input: process.stdin, write });
  const plugin = parseNewPlugin(wish, cwd);
  const today = new Date().toISOString().slice(0, 10);
  await createPlugin(plugin, { templates: templatesFolder, today });
  write(nextSteps(plugin, cwd));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CreateError)) throw error;
  process.stderr.write(`create-vitrine-plugin: ${error.message}\n`);
  process.exitCode = 1;
}
