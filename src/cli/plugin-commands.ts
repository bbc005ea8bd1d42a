/** `vitrine plugin`: from a folder to a signed package in a marketplace source, and onto a server. */
import type { Command } from 'commander';
import path from 'node:path';
import { isUsableKey, longestIndexDays } from '../../kernel/index.ts';
import { ConfigError } from '../config.ts';
import { addCreateCommands, type CreateCommandParts } from './create-commands.ts';
import { reviewAt } from './plugin-check.ts';
import { addTryCommands } from './plugin-try-commands.ts';
import { addMarketCommands, type MarketCommandParts } from './market-commands.ts';
import {
  addRotation,
  publishPackage,
  renewIndex,
  revokeVersions,
  usualIndexDays,
  type IndexFolder,
} from './plugin-index.ts';
import {
  assertStarts,
  checkPlugin,
  packageName,
  packPlugin,
  verifyPackage,
  writeWhole,
} from './plugin-packages.ts';
import { makeSigningKey, readSigningKey } from './signing-key.ts';

type Ask = (run: () => Promise<number>) => void;
type Flags = Readonly<
  Partial<Record<'out' | 'key' | 'index' | 'name' | 'publisher' | 'reason' | 'expiresDays', string>>
>;

type PluginCommandParts = MarketCommandParts & CreateCommandParts;

/** Adds the commands; `ask` takes what is to be done. */
export function addPluginCommands(program: Command, parts: PluginCommandParts, ask: Ask): void {
  const { cwd, write, complain } = parts;
  const plugin = program
    .command('plugin')
    .description('make plugins and publish them, and install them on a server')
    .exitOverride();
  const add = (name: string, description: string): Command =>
    plugin.command(name).description(description).exitOverride();
  /** A mistake of the author ends with exit code 1, in one line. */
  const run = (work: () => Promise<void>): void =>
    ask(async () => {
      try {
        await work();
        return 0;
      } catch (error) {
        if (!isMistake(error)) throw error;
        complain(`vitrine: ${error.message}\n`);
        return 1;
      }
    });
  const at = (given: string): string => path.resolve(cwd, given);
  const folderOf = ({ index, key, expiresDays: days }: Flags): IndexFolder => ({
    folder: at(required(index)),
    signer: readSigningKey(required(key), cwd),
    now: Date.now,
    days: daysIn(days),
  });
  const lasting = (command: Command): Command =>
    command.option(
      '--expires-days <days>',
      `servers install from the index for so many days, 1 to ${longestIndexDays}`,
      String(usualIndexDays),
    );

  add('keygen', 'make the key of a publisher, and print its public half')
    .requiredOption('--out <file>', 'where the private key goes; it must not exist yet')
    .action(({ out }: Flags) =>
      run(async () => {
        const { file, publicKey } = makeSigningKey(required(out), cwd);
        write(`The private key is in ${file}: keep it safe, and keep a copy elsewhere.\n`);
        write(`Public key: ${publicKey}\n`);
      }),
    );

  add('check', 'say what a server would say of a plugin; 1 = it would be refused, or has an error')
    .argument('[path]', 'the folder of a plugin, or a package', '.')
    .option('--json', 'print what was found as JSON')
    .option('--no-types', 'do not run the TypeScript that the folder has installed')
    .action((given: string, { json, types }: { readonly json?: true; readonly types: boolean }) =>
      run(async () => {
        const check = await reviewAt(at(given), { types });
        const errors = check.findings.filter(({ level }) => level === 'error');
        if (json) write(`${JSON.stringify(check, null, 2)}\n`);
        for (const { level, message } of json ? [] : check.findings)
          if (level === 'warning') write(`warning: ${message}\n`);
        if (errors.length > 0)
          throw new ConfigError(errors.map(({ message }) => message).join('\n'));
        if (json) return;
        write(`${check.id ?? ''} ${check.version ?? ''} would be taken: `);
        write(`${check.packedBytes ?? 0} bytes, ${check.startCpuMs ?? 0} ms of CPU to start.\n`);
      }),
    );

  addTryCommands(add, parts, ask);

  add('pack', 'make the package of a plugin')
    .argument('<folder>', 'the folder with manifest.json')
    .option('--out <file>', 'where the package goes (<id>-<version>.vplugin)')
    .option('--key <file>', 'sign it with this private key')
    .action((given: string, { out, key }: Flags) =>
      run(async () => {
        const source = await checkPlugin(at(given));
        await assertStarts(at(given), source);
        const signer = key === undefined ? null : readSigningKey(key, cwd);
        const file = at(out ?? packageName(source.manifest));
        await writeWhole(file, packPlugin(source, signer));
        write(`${file}\n`);
        if (signer === null) write('It is not signed yet: vitrine plugin sign does that.\n');
      }),
    );

  add('sign', 'sign a package')
    .argument('<file>', 'the package')
    .requiredOption('--key <file>', 'the private key that keygen made')
    .action((given: string, { key }: Flags) =>
      run(async () => {
        const signer = readSigningKey(required(key), cwd);
        const source = await checkPlugin(at(given));
        await writeWhole(at(given), packPlugin(source, signer));
        write(
          `${source.manifest.id} ${source.manifest.version} is signed by ${signer.publicKey}.\n`,
        );
      }),
    );

  add('verify', 'check a package and say whose it is; 1 = it does not hold')
    .argument('<file>', 'the package')
    .option('--publisher <hex>', 'the public key that must have signed it')
    .action((given: string, { publisher }: Flags) =>
      run(async () => {
        const archive = await verifyPackage(at(given));
        if (publisher !== undefined && publisher.toLowerCase() !== archive.publisherKey) {
          throw new ConfigError(`${given} was signed with ${archive.publisherKey}.`);
        }
        const { manifest, publisherKey, sha256, sizeBytes, files } = archive;
        write(`${manifest.id} ${manifest.version}\n`);
        write(`publisher ${publisherKey}\nsha256    ${sha256}\n`);
        write(`size      ${sizeBytes} bytes, ${files.size} files\n`);
      }),
    );

  lasting(add('publish', 'add packages to a marketplace source: a folder for any web host'))
    .argument('<files...>', 'signed packages')
    .requiredOption('--index <folder>', 'the folder with index.json; it is made')
    .requiredOption('--key <file>', 'the private key of the source')
    .option('--name <text>', 'what the source is called; needed for a new one')
    .action((given: readonly string[], flags: Flags) =>
      run(async () => {
        const to = folderOf(flags);
        for (const one of given) {
          const file = at(one);
          const archive = await verifyPackage(file);
          await publishPackage(to, { file, archive, name: flags.name ?? null });
          write(`${archive.manifest.id} ${archive.manifest.version} is in ${to.folder}.\n`);
        }
        write(`The source is signed by ${to.signer.publicKey}.\n`);
      }),
    );

  lasting(add('renew', 'sign a marketplace source again, so that it lasts on'))
    .requiredOption('--index <folder>', 'the folder with index.json')
    .requiredOption('--key <file>', 'the private key of the source')
    .action((flags: Flags) =>
      run(async () => {
        const to = folderOf(flags);
        write(`${to.folder} lasts until ${await renewIndex(to)}.\n`);
      }),
    );

  lasting(add('revoke', 'tell servers to stop a plugin, or one version of it'))
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version; all of them when absent')
    .requiredOption('--index <folder>', 'the folder with index.json')
    .requiredOption('--key <file>', 'the private key of the source')
    .requiredOption('--reason <text>', 'what admins are told')
    .action((id: string, version: string | undefined, flags: Flags) =>
      run(async () => {
        const reason = required(flags.reason).trim().slice(0, 500);
        if (reason === '') throw new ConfigError('--reason: say why, in 1 to 500 characters.');
        const count = await revokeVersions(folderOf(flags), {
          id,
          version: version ?? null,
          reason,
        });
        write(`${id}: versions that are revoked now: ${count}.\n`);
      }),
    );

  lasting(add('rotate', 'tell servers that the holder of a key goes over to another'))
    .requiredOption('--index <folder>', 'the folder with index.json')
    .requiredOption('--key <file>', 'the private key of the source')
    .requiredOption('--from <file>', 'the private key that is left')
    .requiredOption('--to <hex>', 'the public key to come')
    .action((flags: Flags & { readonly from?: string; readonly to?: string }) =>
      run(async () => {
        const to = required(flags.to).toLowerCase();
        const isKey: boolean = isUsableKey(to);
        if (!isKey) throw new ConfigError(`--to ${to}: it must be 64 hex digits of a key.`);
        const from = readSigningKey(required(flags.from), cwd);
        const kept = await addRotation(folderOf(flags), from, to);
        write(`${from.publicKey} goes over to ${to}. Packages of it that stay good: ${kept}.\n`);
      }),
    );

  addCreateCommands(plugin, parts, run);
  addMarketCommands(plugin, parts, ask);
}

/** What its author can mend; a bug is none. */
const isMistake = (error: unknown): error is Error =>
  error instanceof ConfigError || (error instanceof Error && error.name === 'PluginFault');

/** How many days an index lasts. */
function daysIn(given: string | undefined): number {
  const days = Number(given ?? usualIndexDays);
  if (Number.isInteger(days) && days >= 1 && days <= longestIndexDays) return days;
  throw new ConfigError(
    `--expires-days ${given ?? ''}: it must be a whole number of days, 1 to ${longestIndexDays}.`,
  );
}

/** Commander has seen to it that the option is there. */
function required(value: string | undefined): string {
  if (value !== undefined) return value;
  throw new Error('A required option is missing.');
}
