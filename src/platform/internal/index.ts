export { createAskServer, type AskServer } from './ask-server.ts';
export {
  openInternalPort,
  type InternalAnswer,
  type InternalPort,
  type InternalRoutes,
} from './internal-port.ts';
export { signRequest } from './request-signature.ts';
