/** The process: arguments, signals, exit code. */
import { parseProgram, showProgress, type Asked } from './cli/index.ts';
import { createVitrine, type BuiltParts } from './compose.ts';
import { ConfigError, type Config } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { createLog } from './log.ts';
import packageJson from '../package.json' with { type: 'json' };

const built: BuiltParts = { folder: import.meta.dirname, version: packageJson.version };
const write = (text: string) => void process.stdout.write(text);
const complain = (text: string) => void process.stderr.write(text);

async function serve(config: Config): Promise<number> {
  const log = createLog({ level: config.logLevel, format: config.logFormat, write });
  const data = openDataFolder(config.data);
  const ended = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  try {
    const vitrine = await createVitrine(config, built, log);
    const isText = config.logFormat === 'text';
    const isTerminal = isText && process.stdout.isTTY;
    const hideProgress = isText
      ? showProgress({ events: vitrine.events, nameOf: vitrine.libraryName, isTerminal, write })
      : () => undefined;
    try {
      const { url, setupUrl } = await vitrine.start();
      if (setupUrl !== null) write(`Set up this server at ${setupUrl}\n`);
      if (isText) write(`Vitrine listening on ${url}\n`);
      else log.info({ url }, `Vitrine listening on ${url}`);
      await vitrine.scanLibraries();
      await ended;
    } finally {
      hideProgress();
      await vitrine.stop('signal');
    }
    return 0;
  } finally {
    data.release();
  }
}

async function exitCodeOf(asked: Asked): Promise<number> {
  switch (asked.command) {
    case 'serve':
      return serve(asked.config);
    case 'task':
      return asked.run();
    case 'none':
      return asked.exitCode;
  }
}

const asked = parseProgram({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  version: packageJson.version,
  write,
  complain,
});
try {
  process.exit(await exitCodeOf(asked));
} catch (error) {
  const isExpected = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  complain(
    `vitrine: ${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
