import { readStoredJson, writeStored } from '../../../lib/storage.ts'

const KEY = 'godwit.space'

/** The space this person chose last in this browser. */
export function rememberedSpace(userId: string): number | undefined {
  const stored = readStoredJson(KEY)
  if (typeof stored !== 'object' || stored === null) return undefined
  const { userId: owner, spaceId } = stored as Record<string, unknown>
  return owner === userId && typeof spaceId === 'number' ? spaceId : undefined
}

export function rememberSpace(userId: string, spaceId: number): void {
  writeStored(KEY, JSON.stringify({ userId, spaceId }))
}

/** The space that the address asks for, as a link from elsewhere may. */
export function spaceInAddress(search: string): number | undefined {
  const value = Number(new URLSearchParams(search).get('space') ?? Number.NaN)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}
