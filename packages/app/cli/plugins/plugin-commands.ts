/** `vitrine plugin`: create, sign and publish plugins, and install them on a server. */
import type { Command } from 'commander';
import path from 'node:path';
import { isUsableKey, longestIndexDays } from '../../../../kernel/run/packages/index.ts';
import { ConfigError } from '../../../../src/platform/config.ts';
import { addCreateCommands, type CreateCommandParts } from '../create-commands.ts';
import { reviewAt, untouchedIn } from './plugin-check.ts';
import { addTryCommands } from './plugin-try-commands.ts';
import { addMarketCommands, type MarketCommandParts } from '../market-commands.ts';
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
import { makeSigningKey, readSigningKey } from '../signing-key.ts';

type Ask = (run: () => Promise<number>) => void;
type Flags = Readonly<
  Partial<Record<'out' | 'key' | 'index' | 'name' | 'publisher' | 'reason' | 'expiresDays', string>>
>;

type PluginCommandParts = MarketCommandParts & CreateCommandParts;

const unsigned = [
  'It is not signed, so no server takes it. Make a key once, outside of the folder:',
  '  vitrine plugin keygen --out ../publisher.key',
  'Then pack it with --key ../publisher.key',
  '',
].join('\n');

/** Adds the commands; `ask` receives the task that was asked for. */
export function addPluginCommands(program: Command, parts: PluginCommandParts, ask: Ask): void {
  const { cwd, write, complain } = parts;
  const plugin = program
    .command('plugin')
    .description('create and publish plugins, and install them on a server')
    .exitOverride();
  const add = (name: string, description: string): Command =>
    plugin.command(name).description(description).exitOverride();
  /** A mistake of the author ends with exit code 1 and a message of one line. */
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
      `days until the index expires, 1 to ${longestIndexDays}`,
      String(usualIndexDays),
    );

  add('keygen', 'create the key pair of a publisher, and print the public key')
    .requiredOption('--out <file>', 'file for the private key; it must not exist yet')
    .action(({ out }: Flags) =>
      run(async () => {
        const { file, publicKey } = makeSigningKey(required(out), cwd);
        write(`The private key is in ${file}. Keep it safe, with a copy elsewhere.\n`);
        write(`Public key: ${publicKey}\n`);
      }),
    );

  add(
    'check',
    'check a plugin as a server does; exit code 1 = it would be refused, or has an error',
  )
    .argument('[path]', 'the folder of a plugin, or a package', '.')
    .option('--json', 'print the findings as JSON')
    .option('--no-types', 'do not run the TypeScript that is installed in the folder')
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
        if (check.consent.length > 0) write('An admin reads before it may do anything:\n');
        for (const { sentence, reason } of check.consent)
          write(
            `  ${sentence}\n    ${reason === null ? 'It gives no reason.' : `Why: ${reason}`}\n`,
          );
        write(`${check.id ?? ''} ${check.version ?? ''} would be accepted: `);
        write(`${check.packedBytes ?? 0} bytes, ${check.startCpuMs ?? 0} ms of CPU to start.\n`);
      }),
    );

  addTryCommands(add, parts, ask);

  add('pack', 'create the package of a plugin')
    .argument('<folder>', 'the folder with manifest.json')
    .option('--out <file>', 'file for the package (<id>-<version>.vplugin)')
    .option('--key <file>', 'sign it with this private key')
    .action((given: string, { out, key }: Flags) =>
      run(async () => {
        const source = await checkPlugin(at(given));
        await assertStarts(at(given), source);
        const signer = key === undefined ? null : readSigningKey(key, cwd);
        const file = at(out ?? packageName(source.manifest));
        await writeWhole(file, packPlugin(source, signer));
        write(`${file}\n`);
        for (const { message } of untouchedIn(source.files)) write(`warning: ${message}\n`);
        if (signer === null) write(unsigned);
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

  add('verify', 'verify a package and print its publisher; exit code 1 = it is not valid')
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

  lasting(
    add('publish', 'add packages to a marketplace source, a folder that any web host can serve'),
  )
    .argument('<files...>', 'signed packages')
    .requiredOption('--index <folder>', 'the folder of index.json; it is created if missing')
    .requiredOption('--key <file>', 'the private key of the source')
    .option('--name <text>', 'name of the source; required for a new one')
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

  lasting(add('renew', 'sign a marketplace source again, with a new expiry date'))
    .requiredOption('--index <folder>', 'the folder with index.json')
    .requiredOption('--key <file>', 'the private key of the source')
    .action((flags: Flags) =>
      run(async () => {
        const to = folderOf(flags);
        write(`${to.folder} expires at ${await renewIndex(to)}.\n`);
      }),
    );

  lasting(add('revoke', 'revoke a plugin, or one version of it: servers stop it'))
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version (all of them)')
    .requiredOption('--index <folder>', 'the folder with index.json')
    .requiredOption('--key <file>', 'the private key of the source')
    .requiredOption('--reason <text>', 'the reason that admins see')
    .action((id: string, version: string | undefined, flags: Flags) =>
      run(async () => {
        const reason = required(flags.reason).trim().slice(0, 500);
        if (reason === '') throw new ConfigError('--reason: it must be 1 to 500 characters.');
        const count = await revokeVersions(folderOf(flags), {
          id,
          version: version ?? null,
          reason,
        });
        write(`${id}: versions that are now revoked: ${count}.\n`);
      }),
    );

  lasting(add('rotate', 'replace a publisher key by another'))
    .requiredOption('--index <folder>', 'the folder with index.json')
    .requiredOption('--key <file>', 'the private key of the source')
    .requiredOption('--from <file>', 'the private key that is replaced')
    .requiredOption('--to <hex>', 'the new public key')
    .action((flags: Flags & { readonly from?: string; readonly to?: string }) =>
      run(async () => {
        const to = required(flags.to).toLowerCase();
        const isKey: boolean = isUsableKey(to);
        if (!isKey) throw new ConfigError(`--to ${to}: it must be a public key, 64 hex digits.`);
        const from = readSigningKey(required(flags.from), cwd);
        const kept = await addRotation(folderOf(flags), from, to);
        write(
          `${from.publicKey} is replaced by ${to}. Packages of the old key that stay valid: ${kept}.\n`,
        );
      }),
    );

  addCreateCommands(plugin, parts, run);
  addMarketCommands(plugin, parts, ask);
}

/** Whether the author can fix the error; a bug is not a mistake. */
const isMistake = (error: unknown): error is Error =>
  error instanceof ConfigError || (error instanceof Error && error.name === 'PluginFault');

/** The number of days until an index expires. */
function daysIn(given: string | undefined): number {
  const days = Number(given ?? usualIndexDays);
  if (Number.isInteger(days) && days >= 1 && days <= longestIndexDays) return days;
  throw new ConfigError(
    `--expires-days ${given ?? ''}: it must be a whole number of days, 1 to ${longestIndexDays}.`,
  );
}

/** Commander guarantees that the option is present. */
function required(value: string | undefined): string {
  if (value !== undefined) return value;
  throw new Error('A required option is missing.');
}
