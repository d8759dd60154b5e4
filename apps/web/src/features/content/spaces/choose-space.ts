import { LIMITS } from '@godwit/contract/limits'

export interface SpaceWish {
  /** What this browser, or the address, asks for. */
  readonly requested: number | undefined
  /** What the server remembers. */
  readonly current: number
}

/** The space to work in: requested, then current, then first; undefined without any. */
export function chooseSpace(spaces: ReadonlyArray<{ readonly id: number }>, wish: SpaceWish): number | undefined {
  const has = (id: number | undefined): id is number => spaces.some((space) => space.id === id)
  if (has(wish.requested)) return wish.requested
  return has(wish.current) ? wish.current : spaces[0]?.id
}

/** What must happen before another space may be shown. */
export type SwitchStep = 'show' | 'ask-client' | 'refuse-old-client'

export interface SwitchFacts {
  readonly spaceId: number
  /** A desktop client is connected, and whether it is new enough to change spaces; undefined without one. */
  readonly client: { readonly canChangeSpace: boolean } | undefined
}

/**
 * With a desktop client that can change spaces, the client goes first; an older one works in the default space alone; without
 * one the browser file server follows by itself.
 */
export function switchStep({ spaceId, client }: SwitchFacts): SwitchStep {
  if (client === undefined) return 'show'
  if (client.canChangeSpace) return 'ask-client'
  return spaceId === LIMITS.defaultSpaceId ? 'show' : 'refuse-old-client'
}
