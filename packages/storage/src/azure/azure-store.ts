import type { Random } from '@godwit/base'
import { bucketStore } from '../bucket/bucket-store.ts'
import type { ObjectStore } from '../object-store.ts'
import { AzureBucket, type AzureOptions } from './azure-bucket.ts'

/** Opens a container of Azure Blob Storage, or a prefix of one, as a store. The container must exist. */
export function openAzureStore({ random, ...options }: AzureOptions & { readonly random: Random }): ObjectStore {
  return bucketStore(new AzureBucket(options), random)
}
