export { createViewingService, type ViewingServiceParts } from './viewing-service.ts';
