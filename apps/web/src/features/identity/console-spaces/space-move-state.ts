import { errorSpec, type ErrorName } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { SpaceMoveView } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'

/** What the page knows, as the server sends it. */
export interface SpaceMoveState {
  readonly storages: ReadonlyArray<{ readonly id: number; readonly name: string; readonly places: number }>
  readonly move: SpaceMoveView | null
  readonly switched: number
  /** Whether the server can switch by itself. */
  readonly canSwitch: boolean
}

/** Names what is known of the move of a space among the queries of the console. */
export function moveKey(spaceId: number): readonly [string] {
  return [`move of space ${spaceId}`]
}

export function storageName({ storages }: SpaceMoveState, id: number): string {
  return storages.find((storage) => storage.id === id)?.name ?? String(id)
}

/** Why the move waits or has failed. */
export function moveFault(texts: Texts, { error }: SpaceMoveView): string {
  return texts.failure(new ApiError({ code: errorSpec(error as ErrorName).wire, message: error }))
}
