export { createIngestion, type Ingestion, type IngestionParts } from './ingestion.ts';
