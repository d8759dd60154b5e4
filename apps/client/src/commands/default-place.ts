import { ApiError, isTemporary } from '@godwit/sdk'
import type { TransferResult } from '@godwit/transfer'
import type { PlaceIds } from '../server-link/api.ts'
import type { TransferParts } from '../transfers/upload.ts'
import type { Context, SignedIn } from './context.ts'

/** The account works in another space than it did the last time. */
class OtherSpaceError extends Error {
  readonly spaceId: number

  constructor(spaceId: number) {
    super(`the account works in space ${spaceId} by now`)
    this.spaceId = spaceId
  }
}

type Run = (place: PlaceIds, confirm: TransferParts['confirm']) => Promise<TransferResult>

/**
 * Runs a transfer in the space that the options name, or where the account works by default. Over a long line to ask which one that
 * is takes a round trip: the space of the last time is taken for granted, and the ticket says whether it still is.
 */
export async function inDefaultPlace(
  { options, profiles }: Context,
  { profile, api }: SignedIn,
  run: Run,
): Promise<TransferResult> {
  const { spaceId: named, groupId } = options
  if (named !== undefined) return run({ spaceId: named, groupId }, undefined)
  const known = await profiles.spaceOf(profile)
  const begin = async (spaceId: number): Promise<TransferResult> => {
    await profiles.keepSpace(profile, spaceId)
    return run({ spaceId, groupId }, undefined)
  }
  if (known === undefined) return begin(await api.defaultSpace())
  try {
    return await run({ spaceId: known, groupId }, async ({ defaultSpaceId }) => {
      const spaceId = defaultSpaceId ?? (await api.defaultSpace())
      if (spaceId !== known) throw new OtherSpaceError(spaceId)
    })
  } catch (error) {
    if (error instanceof OtherSpaceError) return begin(error.spaceId)
    // Where the account is in the old space no longer, it gets no ticket there.
    const isRefused = error instanceof ApiError && error.code !== 0 && !isTemporary(error)
    const spaceId = isRefused ? await api.defaultSpace() : known
    if (spaceId === known) throw error
    return begin(spaceId)
  }
}
