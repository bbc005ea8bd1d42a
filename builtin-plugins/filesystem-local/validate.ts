import type { Handler, Host, MethodCatalogue } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

type Method = MethodCatalogue['filesystem.validate'];

/** Whether a library can have its root here: it must be a folder that can be listed. */
export const validate: Handler<Method['input'], Method['output']> = async ({ uri }, host) => {
  try {
    return await validatePath(pathOf(uri), host);
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : 'The path is refused.' };
  }
};

async function validatePath(path: string, host: Host): Promise<Method['output']> {
  const { kind } = await host.disk.stat({ path });
  if (kind !== 'folder') return { ok: false, message: 'The path is a file; a root is a folder.' };
  const { folders } = await host.disk.list({ paths: [path], limit: 1 });
  const error = folders[0]?.error;
  return error ? { ok: false, message: error.message } : { ok: true };
}
