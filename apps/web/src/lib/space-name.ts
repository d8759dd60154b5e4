import { LIMITS } from '@godwit/contract/limits'
import type { Texts } from './texts.tsx'

/** What a space is called: the name of the first one is the page's, in the language of the reader. */
export function nameOfSpace({ id, name }: { readonly id: number; readonly name: string }, texts: Texts): string {
  return id === LIMITS.defaultSpaceId ? texts('spaces.default') : name
}
