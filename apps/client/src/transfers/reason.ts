import { ApiError } from '@godwit/sdk'
import { TransferError } from '@godwit/transfer'

/** Longest reason that a row of the queue keeps. */
const LONGEST = 500

/** Why a transfer failed or waits: a code that pages have words for, where there is one. */
export function reasonOf(error: unknown): string {
  if (error instanceof TransferError) return error.code
  if (error instanceof ApiError && error.code !== 0) return error.name
  if (!(error instanceof Error)) return messageOf(error)
  // Messages of network and disk have addresses and paths in them.
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message.slice(0, LONGEST)
}

/** Its own words, for a log. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'unknown error'
}
