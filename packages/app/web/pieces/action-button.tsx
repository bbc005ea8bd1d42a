import { useSignal } from '@preact/signals';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ActionPiece } from './piece.ts';
import { mayRun, runAction, type ViewPlace } from './run-action.ts';

interface ActionButtonProps extends ViewPlace {
  readonly piece: ActionPiece;
  readonly pluginName: string;
}

/** The button of a plugin. What it asks before is asked by the app, with the plugin's name. */
export function ActionButton({ piece, pluginName, view, context }: ActionButtonProps) {
  const isBusy = useSignal(false);
  const { title, icon } = piece;
  const press = async (): Promise<void> => {
    if (!(await mayRun(piece, pluginName))) return;
    isBusy.value = true;
    await runAction({ ...piece, pluginName, view, context });
    isBusy.value = false;
  };
  return (
    <Button disabled={isBusy.value} aria-busy={isBusy.value} act={press}>
      <Icon name={icon ?? 'plugin'} />
      <bdi>{title}</bdi>
    </Button>
  );
}
