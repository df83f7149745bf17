import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Storage } from './storage.ts';
import { createFilesystemStorage } from './storage-filesystem.ts';
import { createS3Storage } from './storage-s3.ts';

/** The S3 bucket if one is configured, otherwise the data folder. */
export function createStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Storage> {
  return s3 === null ? createFilesystemStorage(dataDir) : createS3Storage(s3, join(dataDir, 'temporary'));
}
