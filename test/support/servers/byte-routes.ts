import { readApiDocument } from './api-document.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** They answer bytes, but read no file of a library, or are for admins alone. */
const others: ReadonlySet<string> = new Set([
  ...['downloadBackup', 'streamEvents', 'getCandidatePicture', 'getMetrics', 'showApiDocs'],
  ...['showInvitePage', 'showPairPage', 'showSetupPage', 'showSignInPage', 'getPageFile'],
  ...['getAppFile', 'getProfileAvatar', 'getSecurityContact'],
]);

/** They answer JSON that they read in a file when they are asked. */
const readers: ReadonlySet<string> = new Set(['getFonts', 'getLyrics', 'getPlaylistFile']);

const answersBytes = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ content = {} }) =>
    Object.keys(content).some((type) => !type.includes('json')),
  );

/** The operations of the API document that give what is in files of libraries, by name, with their paths. */
export async function mediaOperations(): Promise<ReadonlyMap<string, string>> {
  const { paths } = JSON.parse(await readApiDocument()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([route, methods]) =>
      Object.values(methods)
        .filter((one) => answersBytes(one) || readers.has(one.operationId))
        .map(({ operationId }): [string, string] => [operationId, route])
        .filter(([name]) => !others.has(name)),
    ),
  );
}

/** A path of the document with its parameters; `?` stands for one that is not given. */
export const filled = (route: string, values: Readonly<Record<string, string>>): string =>
  route.replaceAll(/\{(\w+)\}/g, (_all, field: string) => values[field] ?? '?');
