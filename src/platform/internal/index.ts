export { createAskServer, type AskServer } from './ask-server.ts';
export {
  blobKinds,
  openInternalPort,
  type BlobKind,
  type InternalAnswer,
  type InternalPort,
  type InternalRoutes,
} from './internal-port.ts';
export { keptBlob, OtherBlobs } from './other-blobs.ts';
export { signRequest } from './request-signature.ts';
