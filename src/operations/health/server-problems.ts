import type { ServerState } from '../../contract/resources/operations/servers.ts';
import type { FoundProblem } from '../../platform/problems/index.ts';
import { say, type Text } from '../../platform/text.ts';

export const serverCodes = ['server_missing', 'server_differs'] as const;

/** The problems of the servers that share a database: one that gives no sign, or is set up otherwise. */
export const serverProblems = (servers: readonly ServerState[]): readonly FoundProblem[] =>
  servers.flatMap((server) => [...missing(server), ...differing(server)]);

const nameOf = ({ address, id }: ServerState): string => (address === '' ? id : address);

function missing(server: ServerState): readonly FoundProblem[] {
  if (server.state === 'present') return [];
  return [
    {
      code: 'server_missing',
      subject: { type: 'server', id: server.id },
      message: say('servers.gaveNoSignSince', { name: nameOf(server), at: server.lastBeatAt }),
      action: say('servers.startItAgain'),
    },
  ];
}

const sentences = {
  version: (detail: string): Text => say('servers.itsVersion', { detail }),
  settings: (detail: string): Text => say('servers.itsSettings', { detail }),
  plugins: (detail: string): Text => say('servers.itsPlugins', { detail }),
  clock: (detail: string): Text => say('servers.itsClock', { detail }),
  lacking: (detail: string): Text => say('servers.itLacks', { detail }),
};

const actions = {
  version: 'servers.makeThemAlike',
  settings: 'servers.makeThemAlike',
  plugins: 'servers.makeThemAlike',
  clock: 'servers.setItsClock',
  lacking: 'servers.seeWhyItLacks',
} as const;

/** One problem for each difference, since each has another remedy. */
const differing = (server: ServerState): readonly FoundProblem[] =>
  server.differences.map(({ what, detail }) => ({
    code: 'server_differs' as const,
    subject: { type: 'server', id: `${server.id} ${what}` },
    message: say('servers.differs', { name: nameOf(server) }),
    detail: sentences[what](detail),
    action: say(actions[what]),
  }));
