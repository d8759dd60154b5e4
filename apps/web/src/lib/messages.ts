import type { Clock } from '@godwit/base'
import { LIMITS } from '@godwit/contract/limits'
import { createStore, type Store } from './store.ts'
import type { Texts } from './texts.tsx'

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
  /** Of a failure: by what it is found in documentation and log. */
  readonly reference?: string | undefined
}

/** Messages for the person: shown for a while, kept in the history until the page closes. */
export interface Messages {
  readonly shown: Store<readonly Message[]>
  readonly history: Store<readonly Message[]>
  notify(kind: MessageKind, text: string, action?: MessageAction): void
  /** Shows what went wrong in a call. */
  fail(error: unknown, texts: Pick<Texts, 'failure' | 'reference'>): void
  dismiss(id: number): void
  /** Empties the history: it belongs to the person who read it. */
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
  const show = (wanted: Omit<Message, 'id' | 'at'>): void => {
    const at = clock.now()
    const isRepeat = history.get().some((old) => old.text === wanted.text && at - old.at < LIMITS.toastDuplicateMs)
    if (isRepeat && wanted.action === undefined) return
    lastId += 1
    const message = { ...wanted, id: lastId, at }
    history.update((all) => [message, ...all].slice(0, HISTORY_MAX))
    shown.update((all) => [...all, message].slice(-SHOWN_MAX))
  }
  return {
    shown,
    history,
    notify: (kind, text, action) => show({ kind, text, action }),
    fail: (error, texts) => show({ kind: 'error', text: texts.failure(error), reference: texts.reference(error) }),
    dismiss: (id) => shown.update((all) => all.filter((message) => message.id !== id)),
    forget: () => history.set([]),
  }
}
