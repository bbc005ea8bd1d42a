export { createCryptoService } from './crypto-service.ts';
