import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { auxiliaryExtensions } from './auxiliary-extensions.ts';
import { mediaExtensions } from './media-extensions.ts';

type Method = MethodCatalogue['library.describe'];

/** The extensions of media and of sidecars in a library of this type. */
export const describeLibrary: Handler<Method['input'], Method['output']> = ({ libraryType }) => {
  const extensions = mediaExtensions(libraryType);
  return { extensions, auxiliary: auxiliaryExtensions(libraryType, extensions) };
};
