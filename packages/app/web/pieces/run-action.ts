/** Sends what a person did in a piece of a plugin, and says what came of it. */
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { go as openPage } from '../core/router.ts';
import { confirm } from '../ui/dialog.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { parseAnswer, save } from './action-answer.ts';
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

/** Calls the action of a plugin; the reply is shown as a message that names the plugin, saved, or followed. */
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
    const { message, go, file } = parseAnswer(result, pluginId);
    if (file) save(file);
    say(t('piece.reply', { plugin: pluginName, text: message ?? t('piece.done') }));
    if (go !== undefined) await openPage(go);
  });
