import type { Bucket } from './bucket.ts';
import { fault } from './fault.ts';
import type { S3Page } from './listing.ts';

/** A million children of one folder; else a storage that answers in a cycle would be followed for ever. */
const mostPages = 1000;

/** The direct entries of a folder, page by page. */
export async function* shallowPages(
  bucket: Pick<Bucket, 'page'>,
  prefix: string,
): AsyncGenerator<S3Page, void, undefined> {
  let token: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await bucket.page({
      prefix,
      isShallow: true,
      ...(token !== undefined && { token }),
    });
    yield page;
    if (page.next === null) return;
    token = page.next;
  }
  throw fault('unreadable', `A folder has more than ${mostPages} pages of names.`);
}
