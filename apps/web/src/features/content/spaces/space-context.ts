import { createContext, use } from 'react'

export interface SpaceChoice {
  readonly spaceId: number
  /** Shows another space from its root on. */
  readonly show: (spaceId: number) => void
  /** Another space was chosen and its permissions are not known yet. */
  readonly isChanging: boolean
}

const SpaceContext = createContext<SpaceChoice | undefined>(undefined)

export const SpaceProvider = SpaceContext

export function useSpace(): SpaceChoice {
  const choice = use(SpaceContext)
  if (choice === undefined) throw new Error('no space around this component')
  return choice
}
