import { useSignal } from '@preact/signals';
import { t } from '../core/messages.ts';
import { confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ActionPiece } from './piece.ts';
import { runAction, type ViewPlace } from './run-action.ts';

interface ActionButtonProps extends ViewPlace {
  readonly piece: ActionPiece;
  readonly pluginName: string;
}

/** The button of a plugin. What it asks before is asked by the app, with the plugin's name. */
export function ActionButton({ piece, pluginName, view, context }: ActionButtonProps) {
  const isBusy = useSignal(false);
  const { pluginId, rpcMethod, title, icon, confirm: question } = piece;
  async function press(): Promise<void> {
    const asks = {
      title: t('piece.asks', { plugin: pluginName }),
      text: question ?? '',
      action: title,
      isDangerous: false,
    };
    if (question !== undefined && !(await confirm(asks))) return;
    isBusy.value = true;
    await runAction({ pluginId, pluginName, rpcMethod, view, context });
    isBusy.value = false;
  }
  return (
    <button
      type="button"
      class="button"
      disabled={isBusy.value}
      aria-busy={isBusy.value}
      onClick={() => void press()}
    >
      <Icon name={icon ?? 'plugin'} />
      <bdi>{title}</bdi>
    </button>
  );
}
