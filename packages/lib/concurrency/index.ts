export { createKeyedTokenBuckets, type KeyedTokenBuckets } from './keyed-token-buckets.ts';
export { mapBounded } from './map-bounded.ts';
export { createRwLock, type RwLock } from './rw-lock.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
export {
  createKeyedSerialQueue,
  createSerialQueue,
  type KeyedSerialQueue,
  type SerialQueue,
} from './serial-queue.ts';
export { createTokenBucket, type TokenBucket, type TokenRate } from './token-bucket.ts';
