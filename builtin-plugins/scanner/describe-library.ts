import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { mediaExtensions } from './media-extensions.ts';

type Method = MethodCatalogue['library.describe'];

/** Which files are media in a library of this type. */
export const describeLibrary: Handler<Method['input'], Method['output']> = ({ libraryType }) => ({
  extensions: mediaExtensions(libraryType),
});
