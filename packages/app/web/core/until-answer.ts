import { send } from './api.ts';

const everyMs = 3000;

/** Resolves when the server answers; looks at once and then every three seconds. */
export async function untilAnswer(): Promise<void> {
  for (;;) {
    const isThere = await send('/api/health').then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
