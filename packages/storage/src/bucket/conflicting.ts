import { StorageError } from '../errors.ts'

/** Bytes of an object that was opened. @throws StorageError 'conflict' when it is another one by now */
export async function* conflicting(key: string, bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    const isOther = error instanceof StorageError && ['exists', 'not-found'].includes(error.reason)
    throw isOther ? new StorageError('conflict', { key, cause: error }) : error
  }
}
