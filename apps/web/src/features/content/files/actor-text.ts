import type { ActorView } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'

/** Who did something, in words. */
export function actorText({ kind, name }: ActorView, texts: Texts): string {
  switch (kind) {
    case 'me':
      return texts('actor.me')
    case 'system':
      return texts('actor.system')
    case 'guest':
      return name === '' ? texts('actor.guest-unknown') : texts('actor.guest', { name })
    case 'user':
      return name === '' ? texts('actor.unknown') : name
  }
}
