import type { PushMessages } from '@godwit/contract'
import type { Locale } from '@godwit/i18n'
import type { UserCtx } from './context.ts'
import type { Bus, SignalName, Signals } from './events/index.ts'
import type { AccountPrincipal } from './principal.ts'

export type PushName = keyof PushMessages

/** The page that a message is made for. */
export interface Reader {
  readonly locale: Locale
  readonly requestId: string
}

/** A message of one kind, made anew for each page, because each has its language. */
export interface PushedMessage {
  readonly name: PushName
  readonly fieldsFor: (reader: Reader) => PushMessages[PushName]
}

export type Deliver = (userId: string, message: PushedMessage) => void

/** A signal of the bus that becomes a message on the open pages of an account. Sockets send it; features declare it. */
export interface Push {
  readonly name: PushName
  /** @returns a function that ends it */
  readonly connect: (bus: Bus, deliver: Deliver) => () => void
  /** What a page is shown when it signs in. */
  readonly atSignIn?: (userId: string) => Promise<PushedMessage>
}

export interface PushRule<Name extends PushName, Signal extends SignalName> {
  readonly signal: Signal
  /** The account whose pages it is for; undefined sends nothing. */
  readonly to: (payload: Signals[Signal]) => string | undefined
  readonly message: (payload: Signals[Signal], reader: Reader) => PushMessages[Name]
  /** The state that a page begins with, as the signal would have it. */
  readonly atSignIn?: (userId: string) => Promise<Signals[Signal]>
}

export function push<Name extends PushName, Signal extends SignalName>(
  name: Name,
  { signal, to, message, atSignIn }: PushRule<Name, Signal>,
): Push {
  const made = (payload: Signals[Signal]): PushedMessage => ({ name, fieldsFor: (reader) => message(payload, reader) })
  return {
    name,
    connect: (bus, deliver) =>
      bus.subscribe(signal, (payload) => {
        const userId = to(payload)
        if (userId !== undefined) deliver(userId, made(payload))
      }),
    ...(atSignIn === undefined ? {} : { atSignIn: async (userId) => made(await atSignIn(userId)) }),
  }
}

/** Something that a page asks to be notified about until it stops asking. */
export interface Watch<Name extends PushName = PushName> {
  /** The message it leads to, which repeats what was asked for. */
  readonly name: Name
  /**
   * Checks the caller's rights and begins.
   * @returns a function that ends it
   */
  open(ctx: UserCtx, target: PushMessages[Name], notify: () => void): Promise<() => void>
}

/** Refuses a sign-in at a socket by throwing. */
export type Admission = (principal: AccountPrincipal, login: { readonly spaceId: number }) => void
