import type { Clock } from '@godwit/base'
import { LIMITS } from '@godwit/contract/limits'
import { createStore, type Store } from './store.ts'

export type MessageKind = 'success' | 'info' | 'error'

export interface MessageAction {
  readonly label: string
  readonly run: () => void
}

export interface Message {
  readonly id: number
  readonly kind: MessageKind
  readonly text: string
  /** Unix milliseconds. */
  readonly at: number
  readonly action?: MessageAction | undefined
}

/** What was told to the person: shown for a while, kept in the history until the page closes. */
export interface Messages {
  readonly shown: Store<readonly Message[]>
  readonly history: Store<readonly Message[]>
  tell(kind: MessageKind, text: string, action?: MessageAction): void
  dismiss(id: number): void
  /** Empties the history: it belongs to the person it was told to. */
  forget(): void
}

const HISTORY_MAX = 200
const SHOWN_MAX = 4

/** How long a message stays; errors stay until they are closed. */
export function stayMs({ kind, action }: Message): number | undefined {
  if (kind === 'error') return undefined
  return action === undefined ? LIMITS.toastMs : LIMITS.toastCustomMs
}

export function createMessages(clock: Clock): Messages {
  const shown = createStore<readonly Message[]>([])
  const history = createStore<readonly Message[]>([])
  let lastId = 0
  return {
    shown,
    history,
    tell(kind, text, action) {
      const at = clock.now()
      const isRepeat = history.get().some((old) => old.text === text && at - old.at < LIMITS.toastDuplicateMs)
      if (isRepeat && action === undefined) return
      lastId += 1
      const message = { id: lastId, kind, text, at, action }
      history.update((all) => [message, ...all].slice(0, HISTORY_MAX))
      shown.update((all) => [...all, message].slice(-SHOWN_MAX))
    },
    dismiss: (id) => shown.update((all) => all.filter((message) => message.id !== id)),
    forget: () => history.set([]),
  }
}
