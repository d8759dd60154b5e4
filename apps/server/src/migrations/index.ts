import type { Migration } from '../kernel/db/index.ts'
import { migration as foundation } from './0001-foundation.ts'
import { migration as uploads } from './0002-uploads.ts'
import { migration as files } from './0003-files.ts'

/** One timeline for all features. A migration that was released is never edited; a new one is added below. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-uploads': uploads,
  '0003-files': files,
}
