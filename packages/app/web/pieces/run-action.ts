/** Sends what a person did in a piece of a plugin, and says what came of it. */
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { confirm } from '../ui/dialog.tsx';
import { attempt, say } from '../ui/toast.tsx';
import type { ActionPiece } from './piece.ts';

/** The view that has the piece, with its context. */
export interface ViewPlace {
  readonly view: string;
  readonly context: Readonly<Record<string, string>>;
}

interface Press extends ViewPlace {
  readonly pluginId: string;
  readonly pluginName: string;
  readonly rpcMethod: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

const longestReply = 300;

/** What a plugin answered, if it is a text or has one as `message`. */
function replyText(result: unknown): string | undefined {
  const text =
    typeof result === 'object' && result !== null && 'message' in result ? result.message : result;
  return typeof text === 'string' && text !== '' ? text.slice(0, longestReply) : undefined;
}

/** Asks what the plugin wants to be asked before; `false` = the person does not want it. */
export const mayRun = async (
  { title, confirm: question }: ActionPiece,
  pluginName: string,
): Promise<boolean> =>
  question === undefined ||
  confirm({
    title: t('piece.asks', { plugin: pluginName }),
    text: question,
    action: title,
    isDangerous: false,
  });

/** Calls the action of a plugin; the reply is shown as a message that names the plugin. */
export const runAction = ({
  pluginId,
  pluginName,
  rpcMethod,
  view,
  context,
  values = {},
}: Press): Promise<boolean> =>
  attempt(async () => {
    const body = { pluginId, rpcMethod, view, context: { ...context }, values };
    const { result } = await call('post', '/api/plugins/views/actions', { body });
    const text = replyText(result);
    say(t('piece.reply', { plugin: pluginName, text: text ?? t('piece.done') }));
  });
