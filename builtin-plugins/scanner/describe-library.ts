import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { auxiliaryExtensions } from './auxiliary-extensions.ts';
import { mediaExtensions } from './media-extensions.ts';

type Method = MethodCatalogue['library.describe'];

/** Which files are media in a library of this type, and which belong to media beside them. */
export const describeLibrary: Handler<Method['input'], Method['output']> = ({ libraryType }) => {
  const extensions = mediaExtensions(libraryType);
  return { extensions, auxiliary: auxiliaryExtensions(libraryType, extensions) };
};
